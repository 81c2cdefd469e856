"""The laboratory of flexible bodies: floating frame of reference in the plane and in space, with multipliers."""

from .mechanism import Mechanism as Mechanism
from .mechanism import Motion as Motion
from .mechanism import Parts as Parts
from .mechanism import Pin as Pin
from .mechanism import Turn as Turn
from .planar import PlanarBody as PlanarBody
from .spatial import SpatialBody as SpatialBody
