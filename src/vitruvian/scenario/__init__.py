"""Scenarios: what a person writes, in TOML or Python, and the ready ones that come with the package."""

from .reader import library as library
from .reader import read_changes as read_changes
from .scenario import Scenario as Scenario
from .schema import json_schema as json_schema
