"""Are the equations solved right? One function a claim; `vitruvian verify` and the tests run the same ones."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module

from ..errors import InputError, nearest
from .check import Check

Progress = Callable[[str, int, int], None]

#: claim -> module and function of this room, in the order in which they are shown
CHECKS: dict[str, tuple[str, str]] = {
    "top": ("closed_form", "top"),
    "pendulum": ("closed_form", "pendulum_period"),
    "spherical-pendulum": ("closed_form", "spherical_pendulum"),
    "spring-mass": ("closed_form", "spring_mass"),
    "accelerated-support": ("closed_form", "accelerated_support"),
    "rotating-support": ("closed_form", "rotating_support"),
    "scheduled-times": ("closed_form", "scheduled_times"),
    "order": ("order", "convergence"),
    "free-flight": ("conservation", "free_flight"),
    "energy-audit": ("conservation", "energy_audit"),
    "locked-directions": ("conservation", "locked"),
    "closed-loops": ("joint_law", "closed_loops"),
    "torque-tables": ("joint_law", "tables"),
    "joint-ranges": ("joint_range", "inner_law"),
    "joint-continuity": ("joint_range", "continuity"),
    "elastic-joints": ("joint_motion", "conservative"),
    "joint-limits": ("joint_motion", "driven_into_limits"),
    "dry-joints": ("joint_motion", "dry_torque"),
    "joint-losses": ("joint_motion", "losses"),
    "reactions": ("reaction", "newton_euler"),
    "hanging-chain": ("reaction", "hanging_chain"),
    "sliding-block": ("touch", "sliding_block"),
    "pressed-standing": ("touch", "pressed_standing"),
    "restitution": ("touch", "restitution"),
    "contact-laws": ("restitution", "laws"),
    "contact-closed-forms": ("restitution", "closed"),
    "contact-engine": ("restitution", "engine"),
    "contact-dent": ("restitution", "dent"),
    "contact-dissipation": ("restitution", "dissipation"),
    "hertz-impact": ("restitution", "hertz"),
    "vehicle-curves": ("impactor", "drops"),
    "two-bodies": ("coupled", "two_bodies"),
    "moving-surfaces": ("coupled", "moving_frames"),
    "sticking": ("coupled", "sticking"),
    "rolling": ("coupled", "rolling"),
    "self-contact": ("coupled", "themselves"),
    "fast-impact": ("touch", "fast_impact"),
    "rejection": ("touch", "rejection"),
    "ellipsoid-distance": ("nearest", "distance"),
    "ellipsoid-overlap": ("nearest", "overlap"),
    "ellipsoid-invariance": ("nearest", "invariance"),
    "contact-slopes": ("nearest", "gradient"),
    "contact-loops": ("nearest", "closed_loops"),
    "impact-spheres": ("discrete", "spheres"),
    "impact-rod": ("discrete", "striking_rod"),
    "impact-pendulum": ("discrete", "kane_pendulum"),
    "impact-energy": ("discrete", "energy"),
    "impact-cradle": ("discrete", "cradle"),
    "impact-balance": ("discrete", "balance"),
    "impact-stiff": ("discrete", "stiff_contact"),
    "impact-foot": ("discrete", "stiff_foot"),
    "ellipsoid-tests": ("detection", "ellipsoid_pairs"),
    "sampled-surface": ("detection", "sampled_surface"),
    "ellipse-polyline": ("detection", "ellipse_polyline"),
    "planar-lines": ("planar", "line_rule"),
    "planar-constraints": ("planar", "printed_constraints"),
    "planar-root": ("planar", "roots_meet"),
    "planar-formulation": ("planar", "formulations_meet"),
    "mujoco": ("cross_engine", "accelerations"),
    "mujoco-flight": ("cross_engine", "free_flight"),
    "pinocchio": ("cross_engine", "pinocchio"),
    "squeezer": ("mechanism", "squeezing"),
    "bricard": ("mechanism", "bricard_checks"),
    "slider-crank": ("mechanism", "slider_crank_checks"),
    "four-bar": ("mechanism", "parallelogram_checks"),
    "fall-energy": ("fall", "energy"),
    "fall-methods": ("fall", "methods_meet"),
    "statures": ("people", "statures"),
    "people": ("people", "anybody"),
    "loads": ("people", "carried"),
    "facets-plane": ("facets", "plane"),
    "facets-convex": ("facets", "convex_body"),
    "facets-loops": ("facets", "closed_loops"),
    "facets-slope": ("facets", "gradient"),
    "facets-continuity": ("facets", "continuity"),
    "facets-tree": ("facets", "tree"),
    "seam-loops": ("seams", "closed_loops"),
    "seam-throws": ("seams", "throws"),
    "seam-continuity": ("seams", "continuity"),
    "gutter": ("seams", "refinement"),
}

#: claims that take more than a few seconds
SLOW = ("joint-ranges", "joint-continuity", "fall-methods", "impact-energy", "ellipsoid-tests", "planar-formulation")


def check(name: str) -> list[Check]:
    """The rows of one claim."""
    return _function(name)()


def claim(name: str) -> str:
    """What a claim says: the first sentence of its function."""
    return inspect.cleandoc(_function(name).__doc__ or "").split("\n\n")[0].replace("\n", " ")


def _function(name: str) -> Callable[[], list[Check]]:
    if name not in CHECKS:
        raise InputError(f"there is no check {name!r}; accepted: {', '.join(CHECKS)}.{nearest(name, CHECKS)}")
    module, function = CHECKS[name]
    return getattr(import_module(f".{module}", __package__), function)


def rows(names: Iterable[str] | None = None, progress: Progress | None = None) -> Iterator[Check]:
    """The rows of some claims (all unless named), each as soon as it is there.

    progress  called before each claim with its name, how many are done and how many there are
    """
    chosen = list(CHECKS if names is None else names)
    for number, name in enumerate(chosen):
        if progress is not None:
            progress(name, number, len(chosen))
        yield from check(name)


def run(names: Iterable[str] | None = None, progress: Progress | None = None) -> list[Check]:
    """All rows of some claims, or of all."""
    return list(rows(names, progress))
