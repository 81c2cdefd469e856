"""Injury criteria: pure functions on arrays, usable on any measured data; and the assessment of a whole run.

Units are those of each docstring; head and chest accelerations in g where the argument is called a_g. Loads have the
signs of SAE J1733 (see `section`). Every function returns an object with `.value` and where it occurred.
"""

from .brain import bric as bric
from .brain import damage as damage
from .brain import ubric as ubric
from .clip import Clip as Clip
from .clip import clip as clip
from .hic import Hic as Hic
from .hic import hic as hic
from .hic import severity_index as severity_index
from .limb import femur_force as femur_force
from .limb import tibia_index as tibia_index
from .neck import moment_occipital as moment_occipital
from .neck import nic as nic
from .neck import nij as nij
from .power import gambit as gambit
from .power import hip as hip
from .power import prhic as prhic
from .power import ric as ric
from .section import Section as Section
from .section import to_j211 as to_j211
from .strike import first_contacts as first_contacts
from .strike import head_impact as head_impact
from .strike import throw_distance as throw_distance
from .strike import wrap_around_distance as wrap_around_distance
from .thorax import chest_deflection as chest_deflection
from .thorax import pelvis_acceleration as pelvis_acceleration
from .thorax import pelvis_force as pelvis_force
from .thorax import tti as tti
from .thorax import viscous_criterion as viscous_criterion
from .vehicle_pulse import asi as asi
from .vehicle_pulse import olc as olc
from .vehicle_pulse import thiv as thiv
