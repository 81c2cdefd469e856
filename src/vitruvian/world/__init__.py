"""The surroundings of people: ground, other surfaces and vehicles, from the data tables or by their own parameters."""

from .airbag import AirbagKeys as AirbagKeys
from .airbag import ready_airbag as ready_airbag
from .belt import BeltKeys as BeltKeys
from .belt import ready_belts as ready_belts
from .bicycle import Bicycle as Bicycle
from .front import Front as Front
from .front import front as front
from .front import fronts as fronts
from .mesh import read_mesh as read_mesh
from .pulse import Pulse as Pulse
from .pulse import read_pulse as read_pulse
from .seat import HeadRestraint as HeadRestraint
from .seat import Recliner as Recliner
from .seat import Seat as Seat
from .sled import Barrier as Barrier
from .sled import Sled as Sled
from .surface import contact as contact
from .surface import plane as plane
from .vehicle import Brake as Brake
from .vehicle import Vehicle as Vehicle
from .vehicle import origin as origin
from .vehicle import placed as placed
from .vehicle import positions as positions
from .vehicle import vehicle as vehicle
