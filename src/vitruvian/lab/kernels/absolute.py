"""Access to the contact memory for the formulation laboratory, which takes its own steps."""

from ..._jit import kernel
from ...kernels import contact


@kernel
def remember(model, work, touching, memory, time):
    """Update the memory of all contacts at an accepted state, at a time [s]."""
    contact.remember(model, work, touching, memory, time)
