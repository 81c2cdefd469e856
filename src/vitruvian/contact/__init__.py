"""Contact without time: discrete impact, and the detection tests of the sources as checks of the engine's own.

from vitruvian import contact

contact.impact([ball], contact.Touch("ball", (0, 0, 0), (0, 0, 1)), restitution=0.5, friction=0.3)
"""

from .collision import Impact as Impact
from .collision import impact as impact
from .collision import impacts as impacts
from .mechanism import Mechanism as Mechanism
from .mechanism import Moving as Moving
from .mechanism import Touch as Touch
from .mechanism import free as free
from .mechanism import tree as tree
