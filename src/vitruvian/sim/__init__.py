"""Simulate a system and keep what happened."""

from .recording import Event as Event
from .recording import Recording as Recording
