"""People: anthropometry, segments, joint resistance and postures.

from vitruvian.human import human, place, posture

person = human("180 cm", 80)
start = place(person, posture("standing-arms-spread"), clearance=4.0)
"""

from .build import Human as Human
from .build import human as human
from .mass import SegmentMass as SegmentMass
from .placement import Placement as Placement
from .placement import Push as Push
from .placement import place as place
from .placement import placement as placement
from .posture import Posture as Posture
from .posture import load_posture as load_posture
from .posture import posture as posture
from .posture import postures as postures
from .posture import save_posture as save_posture
