"""Studies: many cases of a scenario, populations, an interval with every answer, sensitivity and calibration."""

from .calibration import Fit as Fit
from .calibration import calibrate as calibrate
from .calibration import fit as fit
from .optimum import Goal as Goal
from .optimum import Limit as Limit
from .optimum import Optimum as Optimum
from .optimum import optimize as optimize
from .population import Population as Population
from .population import Someone as Someone
from .reconstruction import Reconstruction as Reconstruction
from .reconstruction import odds as odds
from .reconstruction import reconstruct as reconstruct
from .sensitivity import Sensitivity as Sensitivity
from .sensitivity import indices_of as indices_of
from .sensitivity import sensitivity as sensitivity
from .spread import Spread as Spread
from .spread import spread as spread
from .study import Study as Study
from .study_file import load_study as load_study
from .study_file import studies as studies
