"""The formulation laboratory: models solved in the formulations of the sources, to teach, check and compare."""

from .catalogue import FORMULATIONS as FORMULATIONS
from .mechanism import Mechanism as Mechanism
from .mechanism import Motion as Motion
from .simulation import Run as Run
from .simulation import simulate as simulate
from .stabilise import Stabilisation as Stabilisation
