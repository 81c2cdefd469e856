"""The multibody system: everything that is simulated together, checked on construction."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

from .._files import has_control
from ..errors import InputError, nearest
from .airbag import Airbag
from .belt import Belt
from .body import Body
from .common_tissue import CommonTissue, check_shares
from .element import BodyContact, Load, Plane, Sensor, SpringDamper, Tendon, TorsionSpring
from .frame import Vector
from .joint import Joint
from .muscle import Muscle
from .patch import FacetSurface
from .roster import Roster
from .tone import Tone
from .validation import finite_vector

if TYPE_CHECKING:
    from .table import Table

Surface = Plane | FacetSurface
GRAVITY: Vector = (0.0, 0.0, -9.80665)  # [m/s2], standard gravity; z is up

_KINDS = (
    "bodies",
    "joints",
    "surfaces",
    "contacts",
    "springs",
    "torsion_springs",
    "tendons",
    "loads",
    "sensors",
    "loops",
    "tones",
    "belts",
    "muscles",
    "common_tissues",
    "airbags",
)


@dataclass(frozen=True, repr=False)
class System:
    """A forest of trees of bodies with joints, force elements, sensors and surfaces.

    Every body is the child of exactly one joint; a joint with parent None roots its tree in the world.
    Bodies are kept in the order given; `order` lists them parents first. `loops` are further joints, which close loops
    of the tree (`Loop`, or a `Joint` for one that never opens). `tones` are people who hold their
    posture. `roster` names the people and vehicles of the bodies.
    """

    bodies: tuple[Body, ...]
    joints: tuple[Joint, ...]
    surfaces: tuple[Surface, ...] = ()
    contacts: tuple[BodyContact, ...] = ()
    springs: tuple[SpringDamper, ...] = ()
    torsion_springs: tuple[TorsionSpring, ...] = ()
    loads: tuple[Load, ...] = ()
    sensors: tuple[Sensor, ...] = ()
    gravity: Vector = GRAVITY
    loops: tuple[Joint, ...] = ()
    tones: tuple[Tone, ...] = ()
    belts: tuple[Belt, ...] = ()
    airbags: tuple[Airbag, ...] = ()
    roster: Roster = field(default_factory=Roster)
    tendons: tuple[Tendon, ...] = ()
    muscles: tuple[Muscle, ...] = ()
    common_tissues: tuple[CommonTissue, ...] = ()
    order: tuple[str, ...] = field(init=False)

    def __repr__(self) -> str:
        parts = ", ".join(f"{len(part)} {name}" for name in _KINDS if (part := getattr(self, name)))
        return f"<System: {parts.replace('_', ' ')}; {self.mass:.4g} kg>"

    def __post_init__(self) -> None:
        for name in _KINDS:
            object.__setattr__(self, name, tuple(getattr(self, name)))
        object.__setattr__(self, "gravity", finite_vector(self.gravity, "gravity"))
        self._check_names()
        object.__setattr__(self, "order", self._tree_order())
        self._check_references()

    # look-up

    @cached_property
    def _by_name(self) -> dict[str, dict[str, Any]]:
        return {"body": {body.name: body for body in self.bodies}, "joint": {one.name: one for one in self.joints}}

    def body(self, name: str) -> Body:
        """The body of that name."""
        return self._by_name["body"].get(name) or _missing(self.bodies, name, "body")

    def joint(self, name: str) -> Joint:
        """The joint of that name."""
        return self._by_name["joint"].get(name) or _missing(self.joints, name, "joint")

    def joint_of(self, body: str) -> Joint:
        """The joint whose child is that body."""
        for joint in self.joints:
            if joint.child == body:
                return joint
        raise InputError(f"no joint has the child {body!r}.{nearest(body, [j.child for j in self.joints])}")

    @property
    def mass(self) -> float:
        """Total mass [kg]."""
        return sum(body.mass for body in self.bodies)

    def replace(self, **changes: Any) -> System:
        """A copy with some fields changed, checked again."""
        return replace(self, **changes)

    def moved(self, joint: str, motion: tuple[Table, ...]) -> System:
        """Return a copy with another prescribed motion of one joint, which needs no check."""
        made: System = object.__new__(System)
        made.__dict__.update({name: value for name, value in self.__dict__.items() if name != "_by_name"})
        joints = tuple(replace(item, motion=motion) if item.name == joint else item for item in self.joints)
        object.__setattr__(made, "joints", joints)
        return made

    def merged(self, other: System) -> System:
        """Both systems in one scene, with this one's gravity."""
        return System(
            bodies=self.bodies + other.bodies,
            joints=self.joints + other.joints,
            surfaces=self.surfaces + other.surfaces,
            contacts=self.contacts + other.contacts,
            springs=self.springs + other.springs,
            torsion_springs=self.torsion_springs + other.torsion_springs,
            loads=self.loads + other.loads,
            sensors=self.sensors + other.sensors,
            gravity=self.gravity,
            loops=self.loops + other.loops,
            tones=self.tones + other.tones,
            belts=self.belts + other.belts,
            airbags=self.airbags + other.airbags,
            roster=self.roster.merged(other.roster),
            tendons=self.tendons + other.tendons,
            muscles=self.muscles + other.muscles,
            common_tissues=self.common_tissues + other.common_tissues,
        )

    # checks

    def _check_names(self) -> None:
        if not self.bodies:
            raise InputError("the system has no bodies; give at least one.")
        for kind in _KINDS:
            seen: set[str] = set()
            for item in getattr(self, kind):
                if has_control(item.name):
                    raise InputError(f"{kind}: the name {item.name!r} has control characters; leave them out.")
                if item.name in seen:
                    raise InputError(f"{kind}: the name {item.name!r} is used twice; names must be unique.")
                seen.add(item.name)

    def _tree_order(self) -> tuple[str, ...]:
        """Body names, parents before children."""
        names = [body.name for body in self.bodies]
        by_child: dict[str, Joint] = {}
        for joint in self.joints:
            for role, body in (("child", joint.child), ("parent", joint.parent)):
                if body is not None and body not in names:
                    raise InputError(
                        f"joint {joint.name!r}: its {role} {body!r} is not a body of the system.{nearest(body, names)}"
                    )
            if joint.child in by_child:
                raise InputError(
                    f"body {joint.child!r} is the child of joints {by_child[joint.child].name!r} and {joint.name!r}; "
                    "a tree allows one. A joint that closes a loop goes into `loops`."
                )
            by_child[joint.child] = joint
        for name in names:
            if name not in by_child:
                raise InputError(f"body {name!r} has no joint; give it a free joint to the world if it flies.")
        order: list[str] = []
        placed: set[str] = set()
        for name in names:
            chain: list[str] = []
            at: str | None = name
            while at is not None and at not in placed:
                if at in chain:
                    raise InputError(
                        f"the joints form a loop through {' -> '.join([*chain, at])}; a root must hang on the world."
                    )
                chain.append(at)
                at = by_child[at].parent
            order.extend(reversed(chain))
            placed.update(chain)
        return tuple(order)

    def _check_references(self) -> None:
        bodies = [body.name for body in self.bodies]
        for spring in self.springs:
            _known(
                [b for b in (spring.body_a, spring.body_b) if b is not None], bodies, f"spring {spring.name!r}", "body"
            )
        for load in self.loads:
            _known([load.body], bodies, f"load {load.name!r}", "body")
        for sensor in self.sensors:
            _known([sensor.body], bodies, f"sensor {sensor.name!r}", "body")
        for surface in self.surfaces:
            _known(surface.only or (), bodies, f"surface {surface.name!r}: only", "body")
            _known(
                [] if surface.carrier is None else [surface.carrier],
                bodies,
                f"surface {surface.name!r}: carrier",
                "body",
            )
        for contact in self.contacts:
            _known(contact.one + contact.other, bodies, f"contact {contact.name!r}", "body")
        for tissue in self.common_tissues:
            _known([tissue.one, tissue.other], bodies, f"common tissue {tissue.name!r}", "body")
        check_shares(self.common_tissues)
        for belt in self.belts:
            named = [name for point in belt.path for name in (point.over, point.carrier) if name is not None]
            _known(named, bodies, f"belt {belt.name!r}", "body")
        for muscle in self.muscles:
            carriers = [place.carrier for place in muscle.path if place.carrier is not None]
            _known(carriers, bodies, f"muscle {muscle.name!r}", "body")
        for bag in self.airbags:
            carrier = () if bag.carrier is None else (bag.carrier,)
            _known((*bag.segments, *carrier), bodies, f"airbag {bag.name!r}", "body")
            if bag.carrier in bag.segments:
                raise InputError(f"airbag {bag.name!r}: its carrier {bag.carrier!r} is one of its segments.")
        joints = [joint.name for joint in self.joints]
        for loop in self.loops:
            _known([b for b in (loop.parent, loop.child) if b is not None], bodies, f"loop {loop.name!r}", "body")
            if loop.name in joints:
                raise InputError(f"loop {loop.name!r}: a joint has this name already; names must be unique.")
            if loop.resistance is not None or loop.motion is not None or loop.type == "free":
                raise InputError(
                    f"loop {loop.name!r}: a joint that closes a loop has no prescribed motion and is not free; give "
                    "these to a joint of the tree. A resistance is added by `model.resisting_loop`."
                )
        for tone in self.tones:
            _known([held.joint for held in tone.joints], joints, f"tone {tone.name!r}", "joint")
            _known((*tone.bodies, *tone.feet), bodies, f"tone {tone.name!r}", "body")
        for tendon in self.tendons:
            crossed = [tendon.joint, *([] if tendon.other is None else [tendon.other])]
            _known(crossed, joints, f"tendon {tendon.name!r}", "joint")
            for name in crossed:
                if self.joint(name).type not in ("spherical", "revolute"):
                    raise InputError(
                        f"tendon {tendon.name!r}: joint {name!r} is {self.joint(name).type}; "
                        "expected spherical or revolute."
                    )
        for torsion in self.torsion_springs:
            _known([torsion.joint], joints, f"torsion spring {torsion.name!r}", "joint")
            replace(self.joint(torsion.joint), resistance=torsion.resistance)  # checks law against joint type


def _known(names: Iterable[str], known: list[str], where: str, kind: str) -> None:
    for name in names:
        if name not in known:
            raise InputError(f"{where}: there is no {kind} {name!r}.{nearest(name, known)}")


def _missing(items: tuple[Any, ...], name: str, kind: str) -> NoReturn:
    raise InputError(f"there is no {kind} {name!r}.{nearest(name, [item.name for item in items])}")
