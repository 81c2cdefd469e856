"""What people and bodies meet: the ground and other surfaces, from the surface table or by their own parameters."""

from .mesh import read_mesh as read_mesh
from .surface import contact as contact
from .surface import plane as plane
