"""Starts the worker by its path, importable from nowhere else.

The package is loaded by location, and its folder taken off ``sys.path``: nothing that lies beside
it in the driver's environment becomes importable in the project's.
"""

from __future__ import annotations

import importlib.util
import os
import sys


def _load() -> None:
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [path for path in sys.path if os.path.abspath(path or os.curdir) != here]
    spec = importlib.util.spec_from_file_location(
        "redhanded_worker", os.path.join(here, "__init__.py"), submodule_search_locations=[here]
    )
    assert spec is not None
    assert spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules["redhanded_worker"] = package
    spec.loader.exec_module(package)


def _main(argv: list[str]) -> int:
    mode, *rest = argv
    if mode == "serve":
        from redhanded_worker import zygote

        zygote.main(rest)
    elif mode == "batch":
        import json

        from redhanded_worker import fresh

        fresh.batch(int(rest[0]), json.load(sys.stdin))
    elif mode in ("plan", "operators"):
        from redhanded_worker import plan

        return plan.main(mode)
    return 0


if __name__ == "__main__":
    _load()
    sys.exit(_main(sys.argv[1:]))
