"""Discrete impact, and the contact tests of the sources as checks of the engine's own detection.

from vitruvian.lab import impact

impact.impact([ball], impact.Touch("ball", (0, 0, 0), (0, 0, 1)), restitution=0.5, friction=0.3)
"""

from .collision import Impact as Impact
from .collision import impact as impact
from .collision import impacts as impacts
from .impulse import Mechanism as Mechanism
from .impulse import Moving as Moving
from .impulse import Touch as Touch
from .impulse import free as free
from .impulse import tree as tree
