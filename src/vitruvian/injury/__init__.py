"""Injury criteria: pure functions on arrays, usable on anyone's measured data."""

from .hic import Hic as Hic
from .hic import hic as hic
