"""What a peer cannot hold is refused with what can be used instead."""

import numpy as np
import pytest

from vitruvian.errors import InputError
from vitruvian.lab.bench import peers
from vitruvian.model import Body, Joint, System


def test_pinocchio_names_the_joint_it_cannot_take():
    pytest.importorskip("pinocchio")
    slide = System((Body("block", 1.0, np.ones(3)),), (Joint("rail", "prismatic", None, "block"),))
    with pytest.raises(InputError, match=r"'rail' is prismatic.*MuJoCo"):
        peers.Pinocchio(slide)
