"""What a reviewer reads in a comment."""

from __future__ import annotations

import msgspec
from markdown_it import MarkdownIt

from redhanded.report.markdown import code, escaped, fenced, render
from redhanded.report.page import Options
from tests import samples
from tests.report.pictures import compare


def test_delta() -> None:
    options = Options(sources={samples.FILE: samples.SOURCE})
    compare("delta.md", render(samples.result(), options))


def test_tests() -> None:
    compare("tests.md", render(samples.suite_result(), Options()))


def test_unavailable_and_aborted() -> None:
    delta = samples.delta_result(value=None, unavailable="the old suite can't be collected")
    text = render(samples.result(delta=delta, complete=False))
    assert "| **Delta** | **unavailable** |" in text
    assert "Unavailable: the old suite can't be collected" in text
    assert "| **ABORTED** |" in text


def test_hostile_names_stay_in_their_cells() -> None:
    name = "tests/a.py::test[a|b`c<script>*x*]"
    tests = (msgspec.structs.replace(samples.result().tests[4], id=name),)
    html = MarkdownIt("gfm-like", {"linkify": False}).render(
        render(samples.result(tests=tests, mutants=()))
    )
    assert "<td><code>tests/a.py::test[a|b`c&lt;script&gt;*x*]</code></td>" in html


def test_pieces() -> None:
    assert escaped("a_b *c* <d> | [e]") == r"a\_b \*c\* \<d\> \| \[e\]"
    assert code("a`b") == "``a`b``"
    assert code("`a") == "`` `a ``"
    assert fenced(["- ```"]) == "````diff\n- ```\n````"
