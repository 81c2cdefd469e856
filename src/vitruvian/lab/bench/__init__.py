"""How fast is it? Times on this machine, and ratios to other engines in the same run."""

from .engine import run as run
