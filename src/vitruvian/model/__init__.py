"""The model description: bodies, joints, force elements, sensors, surfaces; and its compilation into arrays."""

from .body import Body as Body
from .configuration import Configuration as Configuration
from .contact import Contact as Contact
from .element import BodyContact as BodyContact
from .element import Load as Load
from .element import Plane as Plane
from .element import Sensor as Sensor
from .element import SpringDamper as SpringDamper
from .element import TorsionSpring as TorsionSpring
from .joint import Joint as Joint
from .joint import Resistance as Resistance
from .joint import frame_with_z as frame_with_z
from .law import LAWS as LAWS
from .law import hertz_stiffness as hertz_stiffness
from .shape import Box as Box
from .shape import Capsule as Capsule
from .shape import Cylinder as Cylinder
from .shape import Ellipsoid as Ellipsoid
from .shape import Shape as Shape
from .shape import Sphere as Sphere
from .shape import Superellipsoid as Superellipsoid
from .shape import ellipsoid_inertia as ellipsoid_inertia
from .system import System as System
from .table import Table as Table
from .table import constant as constant
from .table import ramp as ramp
