"""One small set for all tests of UCS-Bench."""

import pytest
from tests.ucs_set import small_set

from situ.benchmarks.dataset import Dataset


@pytest.fixture(scope="session")
def small() -> Dataset:
    return small_set()
