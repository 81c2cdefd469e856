"""Check the text of what happened for all ready scenarios with people, changed in five ways.

The checks are those of `tests/unit/injury/test_answer.py`, which takes one scenario of each kind.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "unit" / "injury"))

from test_answer import test_what_happened_is_true

from vitruvian import Scenario, library

for name in library():
    if Scenario.load(name).table.human:
        test_what_happened_is_true(name)
        print(f"{name}: true")
