"""The index of tests in tests/README.md names tests that exist, for each of its items."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]


def test_every_item_has_tests_that_exist():
    known = {
        name for path in TESTS.rglob("test_*.py") for name in re.findall(r"def (test_\w+)", path.read_text("utf-8"))
    }
    rows = re.findall(r"^\| (\d+) \|.*\| (.*) \|$", (TESTS / "README.md").read_text("utf-8"), re.MULTILINE)
    assert [int(item) for item, _ in rows] == list(range(1, 21))
    for item, names in rows:
        named = set(re.findall(r"`(test_\w+)`", names))
        assert named, f"item {item} names no test"
        assert named <= known, f"item {item}: {named - known} do not exist"
