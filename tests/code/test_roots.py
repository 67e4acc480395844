from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from redhanded.code.roots import source_roots

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("files", "sources", "roots"),
    [
        ({"pkg/__init__.py": "", "pkg/sub/__init__.py": "", "pkg/sub/mod.py": ""},
         ["pkg/sub/mod.py"], ["."]),
        ({"src/pkg/__init__.py": "", "src/pkg/mod.py": ""}, ["src/pkg/mod.py"], ["src", "."]),
        ({"src/mod.py": ""}, ["src/mod.py"], ["src", "."]),
        ({"mod.py": ""}, ["mod.py"], ["."]),
        ({"src/ns/pkg/__init__.py": "", "src/ns/pkg/mod.py": ""},
         ["src/ns/pkg/mod.py"], ["src", "."]),
        ({"src/ns/pkg/mod.py": ""}, ["src/ns/pkg/mod.py"], ["src", "."]),
        ({"packages/one/src/one/__init__.py": "", "packages/two/src/two/__init__.py": ""},
         ["packages/two/src/two/__init__.py", "packages/one/src/one/__init__.py"],
         ["packages/one/src", "packages/two/src", "."]),
        ({"src/__init__.py": "", "src/types.py": ""}, ["src/types.py"], ["."]),
        ({"ns/pkg/__init__.py": "", "ns/pkg/mod.py": "", "tests/test_a.py": "import ns.pkg.mod\n"},
         ["ns/pkg/mod.py"], ["."]),
        ({"ns/pkg/__init__.py": "", "tests/test_a.py": "    from ns import pkg\n"},
         ["ns/pkg/__init__.py"], ["."]),
        ({"lib/pkg/__init__.py": "", "lib/pkg/mod.py": "", "tests/test_a.py": "import pkg.mod"},
         ["lib/pkg/mod.py"], ["lib", "."]),
        ({"backend/app/__init__.py": "", "tests/test_a.py": "import os, app as y\n"},
         ["backend/app/__init__.py"], ["backend", "."]),
        ({"backend/app/__init__.py": "", "tests/test_a.py": "import apparatus\n"},
         ["backend/app/__init__.py"], ["backend", "."]),
        ({"code/util.py": "", "tests/test_a.py": "import util as u\n"},
         ["code/util.py"], ["code", "."]),
        ({"code/util.py": "", "tests/test_a.py": "from code.util import x\n"},
         ["code/util.py"], ["."]),
        ({"code/util.py": "", "tests/test_a.py": ""}, ["code/util.py"], ["."]),
        ({"code/util.py": "", "code/a.py": "", "tests/test_a.py": "import util, code.a\n"},
         ["code/util.py", "code/a.py"], ["code", "."]),
        ({}, [], ["."]),
    ],
    ids=["package", "src", "module in src", "module", "namespace in src", "bare namespace in src",
         "many", "src is a package", "namespace", "namespace by name", "lib", "plain folder",
         "plain folder unimported", "module in folder", "module of namespace", "unknown",
         "both", "none"],
)  # fmt: skip
def test_source_roots(
    tmp_path: Path, files: dict[str, str], sources: list[str], roots: list[str]
) -> None:
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert source_roots(tmp_path, sources) == tuple(
        tmp_path if root == "." else tmp_path / root for root in roots
    )
