"""Columns and codes: every name of a table means one place."""

import ast
from collections import Counter
from pathlib import Path

import pytest

from vitruvian.kernels import layout


@pytest.mark.parametrize("name", layout.__all__)
def test_no_name_of_a_table_is_given_twice(name):
    # a second definition would silently move the columns of every caller of the first
    names = Counter()
    for node in ast.parse(Path(getattr(layout, name).__file__).read_text(encoding="utf-8")).body:
        for target in node.targets if isinstance(node, ast.Assign) else ():
            names.update(part.id for part in (target.elts if isinstance(target, ast.Tuple) else [target]))
    assert [word for word, times in names.items() if times > 1 and word != "_"] == []
