"""Studies: many cases of a scenario, populations, intervals with every answer, sensitivity and calibration."""

from .population import Population as Population
from .population import Someone as Someone
from .study import Study as Study
from .study_file import load_study as load_study
from .study_file import studies as studies
