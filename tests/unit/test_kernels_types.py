"""Columns and codes: every name means one thing."""

import ast
from collections import Counter
from pathlib import Path

from vitruvian.kernels import types


def test_no_name_is_given_twice():
    # a second definition would silently move the columns of whoever used the first
    names = Counter()
    for node in ast.parse(Path(types.__file__).read_text(encoding="utf-8")).body:
        for target in node.targets if isinstance(node, ast.Assign) else ():
            names.update(part.id for part in (target.elts if isinstance(target, ast.Tuple) else [target]))
    assert [name for name, times in names.items() if times > 1 and name != "_"] == []
