"""Every class of work has its words in the report: a belted run once had no report because two were missing."""

from vitruvian.sim.channel import WORK_CLASSES
from vitruvian.view.sections import _WORK


def test_every_class_of_work_has_words():
    assert tuple(_WORK) == WORK_CLASSES
