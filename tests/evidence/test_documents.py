"""What the documents say of files and fields is so."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import msgspec

from redhanded.evidence.directory import RunDirectory
from redhanded.model.result import Result
from tests import samples

DOCUMENT = Path(__file__).parents[2] / "docs" / "evidence.md"


def test_all_fields_of_the_result_are_explained() -> None:
    table = DOCUMENT.read_text(encoding="utf-8").partition("| field |")[2].partition("\n\n")[0]
    first_cells = "".join(line.split("|")[1] for line in table.splitlines()[2:])
    assert set(re.findall(r"`(\w+)`", first_cells)) == set(Result.__struct_fields__)


def test_the_script_that_applies_a_mutant_works(tmp_path: Path) -> None:
    with RunDirectory.create(tmp_path, "delta") as directory:
        directory.add(samples.RUN)
        directory.keep_sources({samples.FILE: samples.SOURCE.replace("\n", "\r\n")})
        directory.finish(samples.result())
    (block,) = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.S)
    script = block.replace(".redhanded/runs/...", str(directory.path))
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    before = "if discount < 0 or discount > 100:"
    assert before in samples.SOURCE
    assert "if discount <= 0 or discount > 100:" in done.stdout.decode()


def test_all_files_of_a_run_are_explained(tmp_path: Path) -> None:
    with RunDirectory.create(tmp_path, "delta", invocation={"base": "main"}) as directory:
        directory.mutants(samples.PLANNED)
        directory.add(samples.RUN)
        directory.keep_sources({samples.FILE: samples.SOURCE})
        directory.finish(samples.result())
        directory.crash("Traceback")
        there = {path.name for path in directory.path.iterdir()}
    text = DOCUMENT.read_text(encoding="utf-8").partition("| file |")[2].partition("\n\n")[0]
    assert {name.rstrip("/") for name in re.findall(r"^\| `([\w./]+)`", text, re.M)} == there


def test_row_kinds_are_explained() -> None:
    kinds = {msgspec.to_builtins(row)["row"] for row in samples.ROWS}
    text = DOCUMENT.read_text(encoding="utf-8").partition("| row |")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)`", text, re.M)) == kinds
