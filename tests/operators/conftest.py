"""The catalogue, asked for once."""

from __future__ import annotations

import pytest

from bench.operators import catalogue


@pytest.fixture(scope="session")
def known() -> list[catalogue.Operator]:
    return catalogue.read()
