"""Scenarios in TOML or Python, the ready scenarios of the package, and the outcome of pedestrian impacts."""

from .grid import pedestrian_grid as pedestrian_grid
from .pedestrian import path_on_vehicle as path_on_vehicle
from .pedestrian import pedestrian_outcome as pedestrian_outcome
from .reader import library as library
from .reader import read_changes as read_changes
from .scenario import Scenario as Scenario
from .schema import json_schema as json_schema
