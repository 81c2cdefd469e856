"""What every test shares: the hypothesis profile, the marker `needs_jit`, and the order of the files."""

import os

import pytest
from hypothesis import settings

# no deadline: the first call of a kernel compiles it; the same examples in every run
settings.register_profile("vitruvian", deadline=None, derandomize=True)
settings.load_profile("vitruvian")


def pytest_collection_modifyitems(items):
    jitted = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
    skip = pytest.mark.skip(reason="needs compiled kernels, and NUMBA_DISABLE_JIT=1 is set")
    for item in items:
        if item.get_closest_marker("needs_jit") and not jitted:
            item.add_marker(skip)
    # the large files first, so that the workers end together
    items.sort(key=lambda item: item.path.parent.name == "unit")
