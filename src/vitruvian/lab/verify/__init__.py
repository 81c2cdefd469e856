"""Are the equations solved right? One function a claim; `vitruvian verify` and the tests run the same ones."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module

from ...errors import InputError, nearest
from ..evidence import Check

Progress = Callable[[str, int, int], None]

#: claim -> module of this package and function, in the order in which they are shown
CHECKS: dict[str, tuple[str, str]] = {
    "top": ("closed_form", "top"),
    "pendulum": ("closed_form", "pendulum_period"),
    "spherical-pendulum": ("closed_form", "spherical_pendulum"),
    "spring-mass": ("closed_form", "spring_mass"),
    "accelerated-support": ("closed_form", "accelerated_support"),
    "rotating-support": ("closed_form", "rotating_support"),
    "scheduled-times": ("closed_form", "scheduled_times"),
    "order": ("order", "convergence"),
    "free-flight": ("momentum", "free_flight"),
    "energy-audit": ("momentum", "energy_audit"),
    "locked-directions": ("momentum", "locked"),
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
    "sliding-block": ("block_and_ball", "sliding_block"),
    "pressed-standing": ("block_and_ball", "pressed_standing"),
    "restitution": ("block_and_ball", "restitution"),
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
    "fast-impact": ("block_and_ball", "fast_impact"),
    "rejection": ("block_and_ball", "rejection"),
    "ellipsoid-distance": ("convex_depth", "distance"),
    "ellipsoid-overlap": ("convex_depth", "overlap"),
    "ellipsoid-invariance": ("convex_depth", "invariance"),
    "contact-slopes": ("convex_depth", "gradient"),
    "contact-loops": ("convex_depth", "closed_loops"),
    "common-tissue": ("tissue_law", "common_tissue"),
    "fracture": ("tissue_law", "fracture"),
    "impact-spheres": ("discrete_impact", "spheres"),
    "impact-rod": ("discrete_impact", "striking_rod"),
    "impact-pendulum": ("discrete_impact", "kane_pendulum"),
    "impact-energy": ("discrete_impact", "energy"),
    "impact-cradle": ("discrete_impact", "cradle"),
    "impact-balance": ("discrete_impact", "balance"),
    "impact-stiff": ("stiff_impact", "stiff_contact"),
    "impact-foot": ("stiff_impact", "stiff_foot"),
    "ellipsoid-tests": ("ellipsoid_contact", "ellipsoid_pairs"),
    "sampled-surface": ("ellipsoid_contact", "sampled_surface"),
    "ellipse-polyline": ("ellipsoid_contact", "ellipse_polyline"),
    "planar-lines": ("planar_pedestrian", "line_rule"),
    "planar-constraints": ("planar_pedestrian", "printed_constraints"),
    "planar-root": ("planar_pedestrian", "roots_meet"),
    "planar-formulation": ("planar_pedestrian", "formulations_meet"),
    "mujoco": ("cross_engine", "accelerations"),
    "mujoco-flight": ("cross_engine", "free_flight"),
    "pinocchio": ("cross_engine", "pinocchio"),
    "squeezer": ("loop_mechanism", "squeezing"),
    "bricard": ("loop_mechanism", "bricard_checks"),
    "slider-crank": ("loop_mechanism", "slider_crank_checks"),
    "four-bar": ("loop_mechanism", "parallelogram_checks"),
    "loop-multipliers": ("engine_loop", "multipliers"),
    "loop-laboratory": ("engine_loop", "against_laboratory"),
    "loop-closed-forms": ("engine_loop", "closed_forms"),
    "loop-order": ("engine_loop", "order"),
    "loop-joints": ("engine_loop", "joint_types"),
    "loop-release": ("engine_loop", "release"),
    "loop-resistance": ("resisting_loop", "resistance"),
    "belt-capstan": ("webbing", "capstan"),
    "belt-hanging": ("webbing", "hanging"),
    "belt-hysteresis": ("webbing", "hysteresis"),
    "belt-geodesic": ("webbing", "geodesic"),
    "belt-energy": ("webbing", "energy"),
    "belt-tissue-motion": ("belt_tissue", "motion"),
    "belt-tissue-rest": ("belt_tissue", "rest"),
    "belt-tissue-energy": ("belt_tissue", "energy"),
    "muscle-moment-arm": ("muscle_line", "moment_arm"),
    "muscle-path": ("muscle_line", "shortest_paths"),
    "muscle-two-joints": ("muscle_line", "two_joints"),
    "muscle-curves": ("muscle_line", "curves"),
    "muscle-activation": ("muscle_line", "activation"),
    "muscle-tendon": ("muscle_line", "tendon"),
    "muscle-lift": ("muscle_line", "lift"),
    "muscle-order": ("muscle_line", "order"),
    "heel-raise-engine": ("lower_limb_engine", "laboratory"),
    "heel-raise-steps": ("lower_limb_engine", "steps"),
    "heel-raise-bone": ("lower_limb_engine", "bone"),
    "airbag-closed": ("airbag", "closed"),
    "airbag-vented": ("airbag", "vented"),
    "airbag-energy": ("airbag", "energy"),
    "fall-energy": ("fall_4m", "energy"),
    "fall-methods": ("fall_4m", "methods_meet"),
    "statures": ("people", "statures"),
    "people": ("people", "anybody"),
    "loads": ("people", "carried"),
    "occupant-tables": ("occupant", "tables"),
    "occupant-layout": ("occupant", "natural_layout"),
    "occupant-formulations": ("occupant", "formulations_meet"),
    "sled-pulse": ("sled", "half_sine"),
    "sled-absorbers": ("sled", "absorbers"),
    "settled-seat": ("sled", "settled"),
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
    "flex-beams": ("flexible_beam", "closed_forms"),
    "flex-order": ("flexible_beam", "order"),
    "flex-reduction": ("flexible_beam", "reduction"),
    "flex-shank": ("flexible_beam", "shank_frequencies"),
    "flex-spin-up": ("flexible_motion", "spin_up"),
    "flex-pendulum": ("flexible_motion", "pendulum"),
    "flex-references": ("flexible_motion", "references"),
    "flex-rigid-limit": ("flexible_motion", "rigid_limit"),
    "flex-conservation": ("flexible_motion", "conservation"),
    "flex-planes": ("flexible_motion", "planar_and_spatial"),
    "flex-slider-crank": ("flexible_motion", "slider_crank"),
    "flex-solid": ("flexible_beam", "solid_tube"),
    "flex-engine-pendulum": ("flexible_engine", "pendulum"),
    "flex-engine-free": ("flexible_engine", "free_body"),
    "flex-engine-rigid": ("flexible_engine", "rigid_limit"),
    "flex-engine-spin": ("flexible_engine", "spin_up"),
    "flex-engine-static": ("flexible_engine", "static"),
    "flex-engine-three-point": ("flexible_engine", "three_point"),
}

#: claims that take more than a few seconds
SLOW = (
    "joint-ranges",
    "joint-continuity",
    "fall-methods",
    "impact-energy",
    "ellipsoid-tests",
    "planar-formulation",
    "occupant-formulations",
    "heel-raise-engine",
    "heel-raise-steps",
    "heel-raise-bone",
    "flex-spin-up",
    "flex-pendulum",
    "flex-references",
    "flex-rigid-limit",
    "flex-slider-crank",
    "flex-engine-spin",
)


def check(name: str) -> list[Check]:
    """Return the rows of one claim."""
    return _function(name)()


def claim(name: str) -> str:
    """Return the text of a claim: the first sentence of its function."""
    return inspect.cleandoc(_function(name).__doc__ or "").split("\n\n")[0].replace("\n", " ")


def _function(name: str) -> Callable[[], list[Check]]:
    if name not in CHECKS:
        raise InputError(f"there is no check {name!r}; accepted: {', '.join(CHECKS)}.{nearest(name, CHECKS)}")
    module, function = CHECKS[name]
    return getattr(import_module(f".{module}", __package__), function)


def rows(names: Iterable[str] | None = None, progress: Progress | None = None) -> Iterator[Check]:
    """Yield the rows of some claims (all unless named), each as soon as it is computed.

    progress  called before each claim with its name, how many are done and how many there are
    """
    chosen = list(CHECKS if names is None else names)
    for number, name in enumerate(chosen):
        if progress is not None:
            progress(name, number, len(chosen))
        yield from check(name)


def run(names: Iterable[str] | None = None, progress: Progress | None = None) -> list[Check]:
    """Return all rows of some claims, or of all."""
    return list(rows(names, progress))
