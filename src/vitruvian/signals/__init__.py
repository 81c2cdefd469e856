"""Signals: channel filters, resampling, resultants, integrals and derivatives. Plain arrays, SI units."""

from .filter import ISO_6487 as ISO_6487
from .filter import SAE_J211 as SAE_J211
from .filter import SampleRateWarning as SampleRateWarning
from .filter import cfc as cfc
from .filter import cutoff as cutoff
from .filter import gain as gain
from .filter import sections as sections
from .motion import differentiate as differentiate
from .motion import integrate as integrate
from .motion import resultant as resultant
from .record_check import record as record
from .record_check import uniform_step as uniform_step
from .resample import resample as resample
