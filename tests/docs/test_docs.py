"""The documents' checker notices what it is there for."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from redhanded import errors

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def docs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """The checker, for documents of our own."""
    spec = importlib.util.spec_from_file_location("redhanded_docs", ROOT / "scripts" / "docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "PARTS", {"greeting": lambda: "hello\n"})
    monkeypatch.setattr(module, "documents", lambda: sorted(tmp_path.rglob("*.md")))
    return module


def part(text: str, name: str = "greeting") -> str:
    return f"before\n<!-- generated: {name} -->\n{text}<!-- end generated -->\nafter\n"


def test_a_part_that_is_current_passes(docs: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(part("hello\n"))
    assert docs.main(["--check"]) == 0


def test_a_part_that_is_not_current_fails_and_is_left_alone(
    docs: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.md").write_text(part("goodbye\n"))
    assert docs.main(["--check"]) == 1
    assert "a.md: not current; run: make docs" in capsys.readouterr().err
    assert (tmp_path / "a.md").read_text() == part("goodbye\n")


def test_parts_are_rendered_in_place(docs: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(part("") + part("hello\n") + part("goodbye\n"))
    assert docs.main(["--write"]) == 0
    assert (tmp_path / "a.md").read_text() == part("hello\n") * 3


def test_a_part_that_nobody_renders_is_an_error(docs: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(part("", "unheard-of"))
    with pytest.raises(ValueError, match="unheard-of"):
        docs.main(["--check"])


@pytest.mark.parametrize(
    ("link", "wrong"),
    [
        ("[x](missing.md)", "missing.md: no such file"),
        ("[x](b.md#no-such-part)", "b.md#no-such-part: no such heading"),
        ("[x](#nowhere)", "#nowhere: no such heading"),
        ("text [x]\n\n[x]: missing.md", "missing.md: no such file"),
        ("[x](b.md#its-heading--more) [y](b.md) [z](https://example.org/missing)", None),
        ("```\n[x](missing.md)\n```", None),
    ],
)
def test_links_lead_somewhere(
    docs: ModuleType, tmp_path: Path, link: str, wrong: str | None
) -> None:
    (tmp_path / "a.md").write_text(link)
    (tmp_path / "b.md").write_text("# Its heading & `more`\n")
    found = list(docs.broken_links(tmp_path / "a.md", link))
    assert found == ([] if wrong is None else [wrong])


def test_what_differs_between_two_runs_of_the_demo_is_left_out(docs: ModuleType) -> None:
    text = "Delta  0.5\nTime  12 s\n       more\nWith  Python\n\nWhat\nStored in  /tmp/x\nend \n\n"
    assert docs._stable(text) == "Delta  0.5\n\nWhat\nend"


def test_every_exit_code_is_told(docs: ModuleType) -> None:
    table = docs.exit_codes()
    codes = {
        kind.exit_code
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, errors.RedhandedError)
    }
    assert len(codes) == 6
    for code in {0, 1, *codes}:
        assert table.count(f"| {code} |") == 1


def test_every_command_and_reason_is_told(docs: ModuleType) -> None:
    assert "| `redhanded delta` | say what a change's tests add" in docs.commands()
    assert "| `placebo_red` | It fails on a change that alters no behaviour" in docs.reasons()
