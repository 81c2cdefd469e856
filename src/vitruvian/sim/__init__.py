"""Simulate a system and keep what happened."""

from .recording import Event as Event
from .recording import Recording as Recording
from .result import Result as Result
from .result import load as load
from .simulate import simulate as simulate
