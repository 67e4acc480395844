import pytest

from catalogue import label


@pytest.fixture(scope="session")
def labels():
    return [label("pear")]
