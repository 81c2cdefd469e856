"""People: anthropometry, segments, joint resistance and postures.

from vitruvian.human import human, place, posture

person = human("180 cm", 80)  # or human(sex="female", age=35, percentile=5), or human(preset="5F")
start = place(person, posture("standing-arms-spread"), clearance=4.0)
"""

from .added import Added as Added
from .anthropometry import body_mass as body_mass
from .anthropometry import mass_percentile as mass_percentile
from .anthropometry import stature as stature
from .anthropometry import stature_percentile as stature_percentile
from .belt_tissue import belt_tissues as belt_tissues
from .datasheet import Entry as Entry
from .datasheet import sheet as sheet
from .datasheet import write_sheet as write_sheet
from .dimensions import Dimensions as Dimensions
from .dimensions import dimensions as dimensions
from .flexibility import flexindex_ratio as flexindex_ratio
from .flexibility import range_of_motion as range_of_motion
from .human17 import Human as Human
from .human17 import human as human
from .individual import Individual as Individual
from .individual import individual as individual
from .mass import SegmentMass as SegmentMass
from .measured import Measured as Measured
from .measured import load_measured as load_measured
from .measured import measured as measured
from .occupant12 import occupant12 as occupant12
from .options import WHO as WHO
from .options import Options as Options
from .options import Who as Who
from .options import presets as presets
from .passive import passive_curve as passive_curve
from .pedestrian11 import pedestrian11 as pedestrian11
from .person import Person as Person
from .person import person as person
from .person import person_of as person_of
from .placement import Placement as Placement
from .placement import Push as Push
from .placement import place as place
from .placement import placement as placement
from .posture import Posture as Posture
from .posture import load_posture as load_posture
from .posture import posture as posture
from .posture import postures as postures
from .posture import save_posture as save_posture
from .seated_shape import shaped_to_sit as shaped_to_sit
from .settle import Balance as Balance
from .settle import headed as headed
from .settle import settled as settled
from .tissue import OwnTissue as OwnTissue
from .tissue import own_tissue as own_tissue
from .tone import TONES as TONES
from .tone import Holding as Holding
from .tone import ToneKeys as ToneKeys
from .tone import tone_of as tone_of
