"""The formulation laboratory: the same models solved the ways the seeds write them, to teach, to check, to compare."""

from .catalogue import FORMULATIONS as FORMULATIONS
from .mechanism import Mechanism as Mechanism
from .mechanism import Motion as Motion
from .simulation import Run as Run
from .simulation import simulate as simulate
from .stabilise import Stabilisation as Stabilisation
