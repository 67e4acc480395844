from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from redhanded.code.change import Change, read_change
from redhanded.code.git import Hunk
from redhanded.code.planner import Wanted
from redhanded.code.scope import Chosen, all_sources, choose, map_ranges, self_selected
from redhanded.errors import UnavailableError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.repos import Repo


def numbered(*names: object) -> str:
    return "".join(f"x = {name!r}\n" for name in names)


BASE = {
    "pkg/__init__.py": "",
    "pkg/mod.py": numbered(*range(10)),
    "pkg/other.py": numbered(*range(5)),
    "pkg/_vendor/six.py": numbered(0),
    "pkg/tests/test_in.py": numbered(0),
    "tests/test_mod.py": numbered(0),
    "docs/conf.py": numbered(0),
    "scripts/run.py": numbered(0),
    "setup.py": numbered(0),
    "README.md": "read\n",
    "pyproject.toml": '[tool.redhanded]\nexclude = ["pkg/_vendor"]\n',
}


def read(repo: Repo, base: str | None = "HEAD^", head: str | None = "HEAD") -> Change:
    return read_change(repo.root, base, head, repo.root.parent / "snapshot")


def chosen(
    change: Change,
    *sources: str,
    mutants_file: bool = False,
    source_from: str | None = None,
) -> Chosen:
    return choose(change, sources, mutants_file=mutants_file, source_from=source_from)


def lines(files: Sequence[Wanted] | None) -> dict[str, tuple[tuple[int, int], ...] | None]:
    assert files is not None
    return {file.file: file.lines for file in files}


# The whole project


def test_without_a_change_all_source_is_in_scope(repo: Repo) -> None:
    repo.commit(BASE)
    found = chosen(read(repo, None))
    assert (found.scope.kind, found.scope.comparable) == ("all", True)
    assert lines(found.files) == {"pkg/__init__.py": None, "pkg/mod.py": None, "pkg/other.py": None}
    assert found.files is not None
    assert {file.honour for file in found.files} == {None}


def test_all_sources_are_code_under_test_excluded_or_not(repo: Repo) -> None:
    repo.commit(BASE)
    (repo.root / "pkg" / "alias.py").symlink_to("mod.py")
    repo.commit()
    assert all_sources(read(repo, None)) == (
        "pkg/__init__.py",
        "pkg/_vendor/six.py",
        "pkg/mod.py",
        "pkg/other.py",
    )


def test_no_source_at_all_is_unavailable(repo: Repo) -> None:
    repo.commit({"tests/test_mod.py": "", "scripts/run.py": ""})
    with pytest.raises(UnavailableError, match="found no") as caught:
        chosen(read(repo, None))
    assert "scripts/run.py" in str(caught.value.hint)


# Changed lines


def test_the_changed_lines(repo: Repo) -> None:
    repo.commit(BASE)
    repo.commit(
        {
            "pkg/mod.py": numbered(0, "one", *range(2, 10)),
            "pkg/new.py": numbered(1, 2),
            "pkg/_vendor/six.py": numbered(1),
            "tests/test_mod.py": numbered(1),
            "scripts/run.py": numbered(1),
        }
    )
    found = chosen(read(repo))
    assert (found.scope.kind, found.scope.comparable) == ("changed-lines", True)
    assert lines(found.files) == {"pkg/mod.py": ((2, 2),), "pkg/new.py": ((1, 2),)}
    assert found.files is not None
    honoured = {file.file: file.honour for file in found.files}
    assert honoured == {"pkg/mod.py": BASE["pkg/mod.py"], "pkg/new.py": ""}


def test_a_renamed_file_is_read_at_base_under_its_old_name(repo: Repo) -> None:
    repo.commit(BASE)
    repo.commit({"pkg/mod.py": None, "pkg/moved.py": numbered(*range(9), "nine")})
    found = chosen(read(repo))
    assert found.files is not None
    (file,) = found.files
    assert (file.file, file.lines, file.honour) == ("pkg/moved.py", ((10, 10),), BASE["pkg/mod.py"])


def test_base_text_is_decoded_as_python_does(repo: Repo) -> None:
    text = "# -*- coding: latin-1 -*-\nx = 'é'  # pragma: no mutate é\n"
    repo.commit({**BASE, "pkg/odd.py": text.encode("latin-1"), "pkg/bad.py": b"x = '\xff'\n"})
    repo.commit({"pkg/odd.py": (text + "y = 1\n").encode("latin-1"), "pkg/bad.py": "x = 1\n"})
    found = chosen(read(repo))
    assert found.files is not None
    honoured = {file.file: file.honour for file in found.files}
    assert honoured == {"pkg/odd.py": text, "pkg/bad.py": "x = '\ufffd'\n"}


# Chosen by the new tests


def test_tests_only_leaves_the_choice_to_them(repo: Repo) -> None:
    repo.commit(BASE)
    repo.commit({"tests/test_new.py": numbered(1), "README.md": "more\n"})
    found = chosen(read(repo))
    assert (found.scope.kind, found.scope.comparable) == ("self-selected", False)
    assert "tests only" in found.scope.why
    assert found.files is None


@pytest.mark.parametrize(
    ("files", "word"),
    [({"pkg/other.py": None}, "pkg/other.py"), ({"pkg/_vendor/six.py": "y = 1\n"}, "exclude")],
    ids=["deleted", "excluded"],
)
def test_source_without_lines_in_scope_is_no_change_of_tests_only(
    repo: Repo, files: dict[str, str | None], word: str
) -> None:
    repo.commit(BASE)
    repo.commit({"tests/test_new.py": numbered(1), **files})
    found = chosen(read(repo))
    assert found.scope.kind == "self-selected"
    assert "tests only" not in found.scope.why
    assert word in found.scope.why


def test_a_file_that_only_moved_has_no_lines(repo: Repo) -> None:
    repo.commit(BASE)
    repo.commit({"pkg/mod.py": None, "pkg/moved.py": BASE["pkg/mod.py"], "tests/test_n.py": ""})
    found = chosen(read(repo))
    assert found.scope.kind == "self-selected"
    assert "pkg/moved.py has no changed lines" in found.scope.why


def test_executed_lines_of_source_are_taken(repo: Repo) -> None:
    repo.commit(BASE)
    repo.commit({"tests/test_new.py": numbered(1)})
    executed = {
        "pkg/mod.py": [(3, 4), (1, 1), (4, 6)],
        "pkg/_vendor/six.py": [(1, 1)],
        "tests/test_new.py": [(1, 1)],
        "pkg/other.py": [],
    }
    found = self_selected(read(repo), executed)
    assert lines(found) == {"pkg/mod.py": ((1, 1), (3, 6))}
    assert found[0].honour == BASE["pkg/mod.py"]


def test_tests_that_execute_no_source_are_unavailable(repo: Repo) -> None:
    repo.commit(BASE)
    repo.commit({"tests/test_new.py": numbered(1)})
    with pytest.raises(UnavailableError, match="execute none"):
        self_selected(read(repo), {"tests/test_new.py": [(1, 1)]})


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"README.md": "x\n", "setup.py": "x = 2\n"}, ["README.md", "setup.py"]),
        ({"scripts/run.py": "x = 2\n"}, ["scripts/run.py", "sources"]),
        ({"pkg/other.py": None}, ["pkg/other.py", "deleted"]),
        ({"pkg/_vendor/six.py": "x = 2\n"}, ["pkg/_vendor/six.py", "exclude"]),
    ],
    ids=["neither", "not shipped", "deleted", "excluded"],
)
def test_a_change_of_neither_source_nor_tests_says_why(
    repo: Repo, files: dict[str, str | None], words: list[str]
) -> None:
    repo.commit(BASE)
    repo.commit(files)
    with pytest.raises(UnavailableError) as caught:
        chosen(read(repo))
    told = f"{caught.value} {caught.value.hint}"
    assert [word for word in words if word not in told] == []


# Paths


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        (["pkg/mod.py"], {"pkg/mod.py": None}),
        (["./pkg//mod.py"], {"pkg/mod.py": None}),
        (["pkg"], {"pkg/__init__.py": None, "pkg/mod.py": None, "pkg/other.py": None}),
        (["pkg/"], {"pkg/__init__.py": None, "pkg/mod.py": None, "pkg/other.py": None}),
        (["."], {"pkg/__init__.py": None, "pkg/mod.py": None, "pkg/other.py": None}),
        (["scripts"], {"scripts/run.py": None}),
        (["pkg/_vendor/six.py"], {"pkg/_vendor/six.py": None}),
        (["pkg/mod.py:2-4"], {"pkg/mod.py": ((2, 4),)}),
        (["pkg/mod.py:2", "pkg/mod.py:3-4", "pkg/other.py"],
         {"pkg/mod.py": ((2, 4),), "pkg/other.py": None}),
        (["pkg/mod.py:2", "pkg/mod.py"], {"pkg/mod.py": None}),
        (["pkg/mod.py", "pkg/mod.py:2"], {"pkg/mod.py": None}),
        (["pkg/mod.py:9-99"], {"pkg/mod.py": ((9, 10),)}),
    ],
)  # fmt: skip
def test_paths(
    repo: Repo, sources: list[str], expected: dict[str, tuple[tuple[int, int], ...] | None]
) -> None:
    repo.commit(BASE)
    found = chosen(read(repo, None), *sources)
    assert (found.scope.kind, found.scope.comparable) == ("paths", True)
    assert lines(found.files) == expected


@pytest.mark.parametrize(
    ("source", "message", "hint"),
    [
        ("pkg/mdo.py", "pkg/mdo.py", "pkg/mod.py"),
        ("pkgs", "pkgs", "pkg"),
        ("tests/test_mod.py", "is a test", "after --"),
        ("tests", "tests", "after --"),
        ("README.md", "no Python", ".py"),
        ("pkg/_vendor", "excluded", "exclude"),
        ("../elsewhere", "elsewhere", "relative to"),
        ("pkg/mod.py:0", "lines", "10-20"),
        ("pkg/mod.py:5-2", "lines", "10-20"),
        ("pkg/mod.py:11-12", "10 lines", "within"),
        ("pkg:2-3", "is a folder", "file in it"),
    ],
)
def test_paths_of_no_use_say_why(repo: Repo, source: str, message: str, hint: str) -> None:
    repo.commit(BASE)
    with pytest.raises(UsageError) as caught:
        chosen(read(repo, None), "pkg/other.py", source)
    assert message in str(caught.value)
    assert hint in str(caught.value.hint)


def test_a_file_that_head_lacks_is_told(repo: Repo) -> None:
    repo.commit(BASE)
    repo.commit({"pkg/other.py": None})
    with pytest.raises(UsageError, match="not at head"):
        chosen(read(repo), "pkg/other.py")


def test_paths_are_whole_files_even_where_a_change_is_graded(repo: Repo) -> None:
    repo.commit(BASE)
    repo.commit({"pkg/mod.py": numbered("zero", *range(1, 10))})
    assert lines(chosen(read(repo), "pkg").files) == {
        "pkg/__init__.py": None,
        "pkg/mod.py": None,
        "pkg/other.py": None,
    }


def test_a_named_file_that_moved_is_read_at_base_under_its_old_name(repo: Repo) -> None:
    repo.commit(BASE)
    repo.commit({"pkg/mod.py": None, "pkg/moved.py": BASE["pkg/mod.py"]})
    found = chosen(read(repo), "pkg/moved.py")
    assert found.files is not None
    assert found.files[0].honour == BASE["pkg/mod.py"]


def test_mutants_of_a_file_bring_their_own_scope(repo: Repo) -> None:
    repo.commit(BASE)
    found = chosen(read(repo, None), mutants_file=True)
    assert (found.scope.kind, found.scope.comparable, found.files) == ("mutants-file", True, ())


# From a revision


def test_the_lines_that_a_revision_touched(repo: Repo) -> None:
    repo.commit(BASE)
    fix = repo.commit(
        {
            "pkg/mod.py": numbered(0, "one", *range(2, 9), "nine"),
            "pkg/_vendor/six.py": numbered(2),
            "tests/test_mod.py": numbered(2),
        }
    )
    repo.commit({"tests/test_new.py": numbered(1)})
    found = chosen(read(repo), source_from=fix)
    assert (found.scope.kind, found.scope.comparable) == ("source-from", True)
    assert lines(found.files) == {"pkg/mod.py": ((2, 2), (10, 10))}
    assert fix[:12] in found.scope.why


def test_lines_are_followed_to_where_they_are_now(repo: Repo) -> None:
    repo.commit(BASE)
    fix = repo.commit({"pkg/mod.py": numbered(0, "one", 2, 3, "four", "more", *range(5, 10))})
    repo.commit({"pkg/mod.py": None, "pkg/moved.py": numbered(
        "first", 0, "one", 2, 3, "four", "changed", *range(5, 10))})  # fmt: skip
    found = chosen(read(repo), source_from=fix)
    assert lines(found.files) == {"pkg/moved.py": ((3, 3), (6, 6))}
    assert "pkg/mod.py:6" in found.scope.why


def test_a_file_that_is_gone_is_told(repo: Repo) -> None:
    repo.commit(BASE)
    fix = repo.commit({"pkg/mod.py": numbered("zero", *range(1, 10)), "pkg/other.py": numbered(9)})
    repo.commit({"pkg/other.py": None})
    found = chosen(read(repo), source_from=fix)
    assert lines(found.files) == {"pkg/mod.py": ((1, 1),)}
    assert "pkg/other.py" in found.scope.why


def test_a_root_commit_touched_everything(repo: Repo) -> None:
    root = repo.commit(BASE)
    repo.commit({"tests/test_new.py": numbered(1)})
    found = chosen(read(repo), source_from=root)
    assert lines(found.files) == {"pkg/mod.py": ((1, 10),), "pkg/other.py": ((1, 5),)}


def test_paths_narrow_what_a_revision_touched(repo: Repo) -> None:
    repo.commit(BASE)
    fix = repo.commit({"pkg/mod.py": numbered(*"abcdefghij"), "pkg/other.py": numbered(9)})
    repo.commit({"tests/test_new.py": numbered(1)})
    found = chosen(read(repo), "pkg/mod.py:3-5", source_from=fix)
    assert lines(found.files) == {"pkg/mod.py": ((3, 5),)}


def test_a_named_file_is_taken_from_a_revision_though_excluded(repo: Repo) -> None:
    repo.commit(BASE)
    fix = repo.commit({"pkg/_vendor/six.py": numbered(9)})
    repo.commit({"tests/test_new.py": numbered(1)})
    found = chosen(read(repo), "pkg/_vendor/six.py", source_from=fix)
    assert lines(found.files) == {"pkg/_vendor/six.py": ((1, 1),)}


def test_lines_of_tests_are_not_missed(repo: Repo) -> None:
    repo.commit(BASE)
    fix = repo.commit({"pkg/other.py": numbered(9), "tests/test_mod.py": numbered(9)})
    repo.commit({"tests/test_mod.py": numbered(10)})
    assert "no longer there" not in chosen(read(repo), source_from=fix).scope.why


def test_a_revision_that_touched_no_source_is_unavailable(repo: Repo) -> None:
    repo.commit(BASE)
    other = repo.commit({"README.md": "more\n"})
    repo.commit({"tests/test_new.py": numbered(1)})
    with pytest.raises(UnavailableError, match="no source"):
        chosen(read(repo), source_from=other)


@pytest.mark.parametrize(
    ("hunk", "kept", "gone"),
    [
        (Hunk(3, 0, 4, 2), ((1, 3), (6, 7)), ()),
        (Hunk(3, 2, 2, 0), ((1, 3),), ((3, 4),)),
        (Hunk(3, 1, 3, 1), ((1, 2), (4, 5)), ((3, 3),)),
        (Hunk(1, 1, 0, 0), ((1, 4),), ((1, 1),)),
        (Hunk(0, 0, 1, 3), ((4, 8),), ()),
        (Hunk(5, 1, 5, 9), ((1, 4),), ((5, 5),)),
        (Hunk(1, 9, 1, 1), (), ((1, 5),)),
        (Hunk(6, 1, 6, 3), ((1, 5),), ()),
    ],
)
def test_mapping_of_ranges(
    hunk: Hunk, kept: tuple[tuple[int, int], ...], gone: tuple[tuple[int, int], ...]
) -> None:
    assert map_ranges(((1, 5),), (hunk,)) == (kept, gone)


def test_mapping_adds_up_over_hunks() -> None:
    hunks = (Hunk(0, 0, 1, 2), Hunk(2, 1, 4, 0), Hunk(4, 0, 6, 3))
    assert map_ranges(((1, 2), (4, 6)), hunks) == (((3, 3), (5, 5), (9, 10)), ((2, 2),))


def test_exclusions_may_be_patterns(repo: Repo) -> None:
    settings = '[tool.redhanded]\nexclude = ["*/_vendor/*", "pkg/o*.py"]\n'
    repo.commit({**BASE, "pyproject.toml": settings})
    assert set(lines(chosen(read(repo, None)).files)) == {"pkg/__init__.py", "pkg/mod.py"}
