"""Flexible bodies: beams of finite elements, their modes, and bodies reduced to few modal coordinates."""

from .body import FlexibleBody as FlexibleBody
from .body import Interface as Interface
from .body import Marker as Marker
from .body import reduced as reduced
from .body import rigid as rigid
from .cross_section import Material as Material
from .cross_section import Section as Section
from .cross_section import tube as tube
from .modes import REFERENCES as REFERENCES
from .modes import Modes as Modes
from .modes import craig_bampton as craig_bampton
from .modes import eigenmodes as eigenmodes
from .modes import enough as enough
from .modes import nodal as nodal
from .modes import static as static
from .modes import truncation as truncation
from .recovery import Gauge as Gauge
from .station import flexible as flexible
from .structure import Structure as Structure
from .structure import beam as beam
from .structure import imported as imported
from .structure import read_matrix as read_matrix
from .structure import straight as straight
