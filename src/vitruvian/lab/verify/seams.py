"""Where two parts of a surface meet: a potential, no gain with dents, a continuous force, refinement. SI units."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import cycle

import numpy as np

from ...kernels import dynamics, integrate, layout
from ...model import Body, Configuration, Contact, Ellipsoid, Extrusion, FacetSurface, Joint, System
from ...model.compile import compile_system, initial_state, make_work
from ...sim import simulate
from ...sim.angle import rotation_matrices
from ...world.front import front
from ..evidence import Check
from . import convex_depth

SAMPLES = 40_000  # round a loop
DEEPEST = 0.03  # [m], of a head in the loops
VERY_DEEP = {"equal": 0.2, "different": 0.3}  # [m], of a pelvis in the edge of a bonnet, for laws of the parts
SOFT, STIFF = 2e4, 1e6  # [N/m]
HEAD, PELVIS = (0.1, 0.08, 0.07), (0.19, 0.14, 0.1)  # semi-axes [m]
CARS, PARTS = ("van", "sedan", "suv"), {"equal": ("1e5",), "different": ("5e5", "5e4")}  # laws [N/m]
MASS = 4.5  # [kg]
THROWS = 200
Point = tuple[float, float, float]


def elastic(stiffness: float) -> Contact:
    """Return a spring without friction."""
    return Contact(stiffness=stiffness, law="linear", friction=0.0)


def denting(stiffness: float) -> Contact:
    """Return a curve that returns a quarter of its energy and keeps its dent, without friction."""
    curve = ((0.0, 0.0), (0.05, 0.05 * stiffness), (0.1, 0.1 * stiffness))
    return Contact(law="curve", curve=curve, unloading_stiffness=4.0 * stiffness, friction=0.0)


def floor(one: Contact, other: Contact, turn: float = 0.0) -> Extrusion:
    """Return a floor of two parts that meet at x = 0; the second is inclined down by an angle [rad], up if negative."""
    profile = ((1.0, 0.0), (0.0, 0.0), (-float(np.cos(turn)), -float(np.sin(turn))))
    return Extrusion("floor", profile, 2.0, ("one", "other"), contact={"one": one, "other": other})


def thrown(surface: FacetSurface, axes: tuple[float, float, float] = HEAD) -> System:
    """Return a free ellipsoid and a surface, without gravity."""
    a, b, c = axes
    inertia = MASS / 5.0 * np.array([b * b + c * c, c * c + a * a, a * a + b * b])
    body = Body("head", MASS, inertia, (Ellipsoid(axes),))
    return System((body,), (Joint("root", "free", None, "head"),), (surface,), gravity=(0.0, 0.0, 0.0))


class Pressed:
    """The load of a surface on an ellipsoid at rest in any pose, as the engine applies it."""

    def __init__(self, surface: FacetSurface, axes: tuple[float, float, float] = HEAD) -> None:
        self.system = thrown(surface, axes)
        self.compiled = compile_system(self.system)
        self.work, self.state = make_work(self.compiled), initial_state(self.compiled)

    @cached_property
    def _inertia(self) -> np.ndarray:
        return np.diag(self.system.bodies[0].inertia)

    def __call__(self, position: np.ndarray, turn: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
        """Return force [N], moment about the centre [N m], largest depth [m] at a place and a rotation matrix."""
        model, work, state = self.compiled.model, self.work, self.state
        state.now.q[:3], state.now.q[3:] = position, _quaternion(turn)
        integrate.begin(model, work, state.now.q, state.now.v, 0.0)
        dynamics.accelerations(model, work, state.memory, state.now.v, 0.0)
        moment = turn @ (self._inertia * (turn.T @ work.out[3:6]))
        return MASS * work.out[:3], moment, float(work.pair[:, layout.pair.DEPTH].max())


def _quaternion(turn: np.ndarray) -> np.ndarray:
    """Return the unit quaternion of a rotation matrix."""
    four = np.array([1.0 + np.trace(turn), *(1.0 + 2.0 * np.diag(turn) - np.trace(turn))])
    k = int(np.argmax(four))
    w, (x, y, z) = four[0], np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    sums = turn + turn.T
    rows = (
        (w, x, y, z),
        (x, four[1], sums[0, 1], sums[0, 2]),
        (y, sums[0, 1], four[2], sums[1, 2]),
        (z, sums[0, 2], sums[1, 2], four[3]),
    )
    return np.array(rows[k]) / np.linalg.norm(rows[k])


def places() -> dict[str, tuple[FacetSurface, tuple[float, float, float], tuple[float, float, float]]]:
    """Return surfaces of elastic parts of very different stiffness, a place on a seam [m], the direction out of it."""
    soft, stiff, up = elastic(SOFT), elastic(STIFF), (0.0, 0.0, 1.0)
    sedan = front("sedan")
    laws = {part: elastic(SOFT if k % 2 else STIFF) for k, part in enumerate(dict.fromkeys(sedan.parts))}
    corners = dict(zip(sedan.parts, sedan.profile, strict=False))
    car = sedan.replace(contacts=laws).surface()
    found: dict[str, tuple[FacetSurface, tuple[float, float, float], tuple[float, float, float]]] = {
        "flat seam": (floor(soft, stiff), (0.0, 0.0, 0.0), up),
        "ridge of 40 degrees": (floor(soft, stiff, np.radians(40.0)), (0.0, 0.0, 0.0), up),
        "valley of 20 degrees": (floor(soft, stiff, np.radians(-20.0)), (0.0, 0.0, 0.0), up),
        "valley of 50 degrees": (floor(soft, stiff, np.radians(-50.0)), (0.0, 0.0, 0.0), up),
    }
    for part in ("bonnet", "windscreen"):
        x, z = corners[part]
        found[f"front of a sedan, where its {part} begins"] = (car, (x, 0.0, z), (0.4, 0.0, 0.9))
    (x, z), (end, top) = sedan.profile[0], sedan.profile[-1]
    found["lower end of the front"] = (car, (x, 0.0, z), (0.3, 0.0, -1.0))
    found["underside of the front, 0.3 m behind"] = (car, (x - 0.3, 0.0, z), (0.0, 0.0, -1.0))
    found["corner of the front, below and at its side"] = (car, (x, 0.5 * sedan.width, z), (0.3, 0.8, -0.5))
    found["upper end of the front"] = (car, (end, 0.0, top), up)
    return found


def closed_loops() -> list[Check]:
    """Elastic parts do no work on a body that is led round a closed loop of pose over their seam."""
    rows = [
        _loop(name, number, Pressed(surface), place, direction, DEEPEST, f"{SOFT:g} next to {STIFF:g} N/m")
        for number, (name, (surface, place, direction)) in enumerate(places().items())
    ]
    for laws, depth in VERY_DEEP.items():
        for number, car in enumerate(CARS):
            pressed, place = deep_in(car, laws)
            name, note = f"leading edge of a {car}, {laws} parts", f"pelvis, {' and '.join(PARTS[laws])} N/m"
            rows.append(_loop(name, number, pressed, place, (1.0, 0.0, 0.3), depth, note))
    return rows


def deep_in(car: str, laws: str = "equal") -> tuple[Pressed, tuple[float, float, float]]:
    """Return a pelvis against the front of a car with elastic parts, and the corner below its bonnet [m].

    laws  of the parts, from below upwards: equal or different
    """
    given, stiffness = front(car), cycle(float(value) for value in PARTS[laws])
    x, z = dict(zip(given.parts, given.profile, strict=False))["bonnet"]
    contacts = {part: elastic(value) for part, value in zip(dict.fromkeys(given.parts), stiffness, strict=False)}
    return Pressed(given.replace(contacts=contacts).surface(), PELVIS), (x, 0.0, z)


def _loop(name: str, number: int, pressed: Pressed, place: Point, direction: Point, deepest: float, law: str) -> Check:
    """Lead a body round a closed loop of pose, numbered, at a place [m] and as deep as given [m]; the work on it."""
    path = convex_depth.Loop(number, SAMPLES)
    turn, way = rotation_matrices(path.vector_a), np.array(direction) / np.linalg.norm(direction)
    sideways = 0.3 * (path.between - (0.0, 0.0, 1.0))
    low, high = -0.07 - deepest, 0.3
    for _ in range(20):
        height = 0.5 * (low + high)
        sample = zip((place + height * way + sideways)[::100], turn[::100], strict=True)
        deep = max(pressed(x, r)[2] for x, r in sample) > deepest
        low, high = (height, high) if deep else (low, height)
    centre = place + high * way + sideways
    power = np.zeros(SAMPLES)
    for k in range(SAMPLES):
        force, moment, _ = pressed(centre[k], turn[k])
        power[k] = force @ (0.3 * path.velocity[k]) + moment @ path.spin_a[k]
    return convex_depth.no_work(name, power, f"to {1e3 * deepest:.0f} mm deep, {law}")


def throws() -> list[Check]:
    """A head thrown at a seam never leaves it faster than it came, and elastic parts give all of it back."""
    rows = []
    for label, law, tolerance in (("elastic", elastic, 1e-7), ("denting", denting, 3e-5)):
        for name, angle in (("flat seam", 0.0), ("ridge", 0.5), ("valley", -0.4)):
            ratios = [_ratio(law, angle, np.random.default_rng(seed), tolerance) for seed in range(THROWS // 4)]
            note = f"{len(ratios)} random throws at 1 to 6 m/s, the worst"
            worst = max(ratios) if label == "denting" else 1.0 + max(abs(r - 1.0) for r in ratios)
            label_of = f"{label} parts, {name}: energy out over in"
            rows.append(Check.at_most(label_of, 1.0, worst, "-", note, tolerance=1e-3))
    return rows


def _ratio(make: Callable[[float], Contact], angle: float, rng: np.random.Generator, tolerance: float) -> float:
    """Return the kinetic energy of a head after a throw at a seam over that before [-]."""
    stiffness = (SOFT, STIFF) if rng.integers(2) else (STIFF, SOFT)
    slope, speed = rng.uniform(0.0, 0.9), rng.uniform(1.0, 6.0)
    velocity = speed * np.array([np.sin(slope) * rng.choice([-1.0, 1.0]), 0.0, -np.cos(slope)])
    start = np.array([rng.uniform(-0.05, 0.05), 0.0, 0.0]) - 0.45 * velocity / speed
    w, x, y, z = (q := rng.normal(size=4)) / np.linalg.norm(q)
    system = thrown(floor(make(stiffness[0]), make(stiffness[1]), angle))
    begin = Configuration({"root": (*start, w, x, y, z)}, {"root": (*velocity, 0.0, 0.0, 0.0)})
    run = simulate(system, begin, duration=0.3 + 0.6 / speed, rate=1e3, pose_rate=1e3, tolerance=tolerance)
    return float(run.kinetic[-1] / run.kinetic[0])


OUT = (0.06, 0.02, -0.04, -0.08)  # distances of the head from a seam, out of the surface [m]


def continuity() -> list[Check]:
    """The force on a head that slides over a seam of parts changes little in a tenth of a millimetre, and so does the
    force on a pelvis deep in the leading edge of a car."""
    rows, turn = [], rotation_matrices(np.array([[0.3, 0.2, -0.4]]))[0]
    for name, (surface, place, direction) in places().items():
        pressed = Pressed(surface)
        for out in OUT:  # the first distance at which the head touches
            row, size = _slide(name, pressed, place, direction, out, turn)
            if size > 1000.0:
                break
        rows.append(row)
    tilt = rotation_matrices(np.array([[0.0, -0.3, 0.0]]))[0]
    for laws, out in (("equal", 0.08), ("different", -0.1)):
        for car in CARS:
            pressed, place = deep_in(car, laws)
            rows.append(_slide(f"pelvis in a {car}, {laws} parts", pressed, place, (1.0, 0.0, 0.0), out, tilt)[0])
    return rows


def _slide(
    name: str, pressed: Pressed, place: Point, direction: Point, out: float, turn: np.ndarray
) -> tuple[Check, float]:
    """Return the row of a body that slides past a place [m] at a distance [m] along a direction, and its force [N]."""
    way = np.array(direction) / np.linalg.norm(direction)
    places = (place + out * way + s * np.cross((0.0, 1.0, 0.0), way) for s in np.arange(-0.15, 0.15, 1e-4))
    found = [pressed(x, turn) for x in places]
    forces, deepest = np.array([row[0] for row in found]), max(row[2] for row in found)
    size = float(np.linalg.norm(forces, axis=1).max())
    jump = float(np.linalg.norm(np.diff(forces, axis=0), axis=1).max()) / max(size, 1.0)
    note = f"over the largest, {size:.0f} N, 0.3 m along the surface, to {1e3 * deepest:.0f} mm deep"
    return Check.at_most(f"largest change of the force in 0.1 mm, {name}", 0.05, jump, "-", note), size


def gutter(facets: int, radius: float = 0.2, stiffness: float = 1e5) -> Extrusion:
    """Return half a pipe of flat faces, open above, its lowest line at the origin."""
    angle = np.linspace(0.0, -np.pi, facets + 1)
    profile = tuple((radius * float(np.cos(a)), radius * (1.0 + float(np.sin(a)))) for a in angle)
    return Extrusion("gutter", profile, 2.0, contact=elastic(stiffness))


def refinement() -> list[Check]:
    """The force on a ball in a gutter converges as the gutter gets more faces."""
    rows, ball, depth = [], (0.09, 0.09, 0.09), 0.0141
    for facets in (33, 65, 129, 257):
        pressed = Pressed(gutter(facets), ball)
        # the lowest face is flat: the ball is as deep in it as asked for
        bottom = 0.2 * (1.0 - np.cos(0.5 * np.pi / facets))
        force, _, _ = pressed(np.array([0.0, 0.0, 0.09 - depth + bottom]), np.eye(3))
        note = f"1e5 N/m and {1e3 * depth:.1f} mm; of a smooth gutter"
        rows.append(
            Check.close(
                f"ball in a gutter of {facets} faces: force", 1e5 * depth, force[2], 0.05 * 1e5 * depth, "N", note
            )
        )
    return rows
