"""One small set for all tests of UCS-Bench."""

import pytest

from situ.benchmarks.dataset import Dataset
from ucs_set import small_set


@pytest.fixture(scope="session")
def small() -> Dataset:
    return small_set()
