from __future__ import annotations

import pytest

from redhanded.code.config import Configuration, merged, read_configuration, same_table
from redhanded.code.options import RunOptions
from redhanded.errors import UsageError

WHERE = "pyproject.toml at base"


def read(text: str) -> Configuration:
    return read_configuration(text.encode(), WHERE)


def test_without_a_table_all_is_default() -> None:
    assert read_configuration(None, WHERE) == Configuration()
    assert read("[project]\nname = 'x'\n") == Configuration()


def test_every_key_is_read() -> None:
    found = read(
        """
        [tool.redhanded]
        sources = ["src", "lib/one.py"]
        exclude = ["src/pkg/_vendor/*"]
        operators = ["arithmetic"]
        families-off = ["logging"]
        jobs = 3
        max-mutants = 100
        seed = 7
        isolate = "process"
        policy = "any-failure"
        pytest_args = ["-m", "not slow"]
        """
    )
    assert found == Configuration(
        sources=("src", "lib/one.py"),
        exclude=("src/pkg/_vendor/*",),
        operators=("arithmetic",),
        families_off=("logging",),
        jobs=3,
        max_mutants=100,
        seed=7,
        isolate="process",
        policy="any-failure",
        pytest_args=("-m", "not slow"),
    )


def test_an_unknown_key_is_named_beside_near_ones() -> None:
    with pytest.raises(UsageError, match="'excludes'") as caught:
        read("[tool.redhanded]\nexcludes = []\n")
    assert WHERE in str(caught.value)
    assert "exclude" in str(caught.value.hint)


def test_an_unknown_key_far_from_all_gets_the_list() -> None:
    with pytest.raises(UsageError) as caught:
        read("[tool.redhanded]\nzzz = 1\n")
    assert "max-mutants" in str(caught.value.hint)


def test_a_key_in_two_spellings_is_refused() -> None:
    with pytest.raises(UsageError, match="max-mutants"):
        read("[tool.redhanded]\nmax-mutants = 1\nmax_mutants = 2\n")


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("jobs = 'two'", "jobs"),
        ("jobs = 0", "jobs"),
        ("jobs = true", "jobs"),
        ("sources = 'src'", "sources"),
        ("sources = [1]", "sources"),
        ("policy = 'lenient'", "policy"),
        ("max-mutants = -1", "max-mutants"),
    ],
)
def test_a_wrong_value_is_named(line: str, key: str) -> None:
    with pytest.raises(UsageError, match=key) as caught:
        read(f"[tool.redhanded]\n{line}\n")
    assert "any-failure" in str(caught.value.hint)


@pytest.mark.parametrize("text", ["[tool", "[tool]\nredhanded = 3\n", "tool = 3\n"])
def test_what_is_no_table_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"pyproject\.toml at base"):
        read(text)


def test_tables_are_compared_by_content() -> None:
    table = b"[tool.redhanded]\njobs = 1\n"
    assert same_table(table, b"# more\n[project]\nname = 'x'\n[tool.redhanded]\njobs=1\n")
    assert same_table(None, b"[project]\nname = 'x'\n")
    assert not same_table(table, None)
    assert not same_table(table, b"[tool.redhanded]\njobs = 2\n")
    assert not same_table(table, b"[tool.redhanded]\nnonsense = 2\n")
    assert not same_table(table, b"[tool")


def test_the_command_line_goes_before_the_configuration() -> None:
    configured = Configuration(
        jobs=3, max_mutants=10, seed=5, operators=("a",), families_off=("repr",),
        policy="any-failure", isolate="process", pytest_args=("-m", "fast"),
    )  # fmt: skip
    silent = merged(RunOptions(command="delta"), configured)
    assert (silent.jobs, silent.max_mutants, silent.seed) == (3, 10, 5)
    assert (silent.operators, silent.families_off) == (("a",), ("repr",))
    assert (silent.policy, silent.isolate) == ("any-failure", "process")
    assert silent.pytest_args == ("-m", "fast")
    spoken = merged(
        RunOptions(
            command="delta", jobs=1, max_mutants=2, seed=9, operators=("b",),
            families_off=("logging",), pytest_args=("-k", "x"),
        ),
        configured,
    )  # fmt: skip
    assert (spoken.jobs, spoken.max_mutants, spoken.seed) == (1, 2, 9)
    assert (spoken.operators, spoken.families_off) == (("b",), ("logging",))
    assert spoken.pytest_args == ("-m", "fast", "-k", "x")
