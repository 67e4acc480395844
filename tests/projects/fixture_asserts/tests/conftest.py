import pytest
from vault import Vault


@pytest.fixture
def vault():
    vault = Vault()
    assert vault.open
    yield vault
    vault.close()
    assert not vault.open
