"""From the tables of a scenario to the model: bodies, joints, surfaces, and where everything starts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from .. import human, model, world
from ..errors import InputError, nearest
from ..model import Configuration, System
from ..model.field import keys_of
from ..model.roster import Surface as SurfaceEntry
from ..model.system import Surface
from . import assembly, cabin, driving, riding, schema
from .assembly import named
from .definition import Row


class Standing(NamedTuple):
    """A person of a scenario: row, model, where it was placed and starts, how it stands if settled, its tone.

    upright  settled start that looks along x (a planar person: along its plane), without motion
    alone    the person with the surfaces that may carry it while its tone is found
    """

    row: Row
    person: human.Human
    placement: human.Placement
    start: Configuration
    balance: human.Balance | cabin.Seated | None
    tone: model.Tone | None
    upright: Configuration | None = None
    alone: System | None = None

    def begun(self, row: Row, surfaces: tuple[Surface, ...]) -> Configuration:
        """Return the start for another row that differs in place and motion only."""
        placed_there = placed(self.person, row, surfaces).configuration
        if self.upright is None:
            return placed_there
        return _faced(self.person, row, self.upright, placed_there)


class Built(NamedTuple):
    """The model of a scenario: system and start, both checked, and what it was made from.

    seats  names of the surfaces of sled and seats
    """

    system: System
    start: Configuration
    people: tuple[Standing, ...]
    vehicles: tuple[world.Vehicle, ...]
    seats: frozenset[str]


def build(table: Row) -> Built:
    """Return the system and its start, both checked, with what they were made of."""
    carried = cabin.cabin(table)
    surfaces = tuple(_surface(surface) for surface in table.surface)
    bodies: list[model.Body] = []
    joints: list[model.Joint] = []
    sensors: list[model.Sensor] = []
    start = Configuration()
    # people
    people = tuple(_standing(table, row, surfaces, carried) for row in table.human)
    surfaces += carried.surfaces
    for _, person, _, begun, *_ in people:
        bodies += person.system.bodies
        joints += person.system.joints
        sensors += person.system.sensors
        start = start.replace(begun.coordinates, begun.rates)

    # mechanisms
    own_bodies, own_joints, own_start = assembly.mechanisms(table.body, table.joint)
    bicycles = _bicycles(table, people, carried, surfaces)
    bodies += (*own_bodies, *carried.bodies, *bicycles.bodies)
    joints += (*own_joints, *carried.joints, *bicycles.joints)
    for begun in (own_start, carried.start, bicycles.start):
        start = start.replace(begun.coordinates, begun.rates)

    # vehicles, before the people and bodies that are there
    vehicles = driving.vehicles(table, System(tuple(bodies), tuple(joints)), start)
    vehicles = driving.strips_for(vehicles, _heads_and_things(people, bodies))
    bodies += (vehicle.body for vehicle in vehicles)
    joints += (vehicle.joint for vehicle in vehicles)
    surfaces += tuple(surface for vehicle in vehicles for surface in vehicle.surfaces)
    for vehicle in vehicles:
        start = start.replace(vehicle.start.coordinates, vehicle.start.rates)

    system = System(
        bodies=tuple(bodies),
        joints=tuple(joints),
        surfaces=surfaces,
        contacts=(*bicycles.contacts, *_contacts(table, people, start)),
        springs=tuple(assembly.spring(row) for row in table.spring),
        torsion_springs=tuple(assembly.torsion_spring(row, joints) for row in table.torsion_spring),
        loads=(*(assembly.load(row) for row in table.load), *(load for vehicle in vehicles for load in vehicle.loads)),
        sensors=(*sensors, *(model.Sensor(**row.given()) for row in table.sensor)),
        gravity=table.gravity,
        loops=tuple(assembly.loop(row) for row in table.loop),
        tones=tuple(one.tone for one in people if one.tone is not None),
        tendons=tuple(tendon for one in people for tendon in one.person.system.tendons),
        muscles=tuple(assembly.muscle(row) for row in table.muscle),
        common_tissues=tuple(tissue for one in people for tissue in one.person.system.common_tissues),
        roster=_roster(table, people, vehicles, surfaces),
    )
    _check_stop(table.solver.stop, system)
    system, start = assembly.resisting_loops(table.loop, system, start.checked(system))
    breaking = _breaking(table, system)
    if breaking is not system and system.loops:  # closed by whole bones: hinges of theirs would give way first
        start = model.closed(system, start)
    system = _with_restraints(table, breaking, start)
    system = _bent(table, model.held_at(system, start))
    return Built(system, start, people, tuple(vehicles), frozenset(surface.name for surface in carried.surfaces))


def _bicycles(
    table: Row, people: tuple[Standing, ...], carried: cabin.Cabin, surfaces: tuple[Surface, ...]
) -> riding.Ridden:
    """Return the bicycles under people who do not sit on a seat."""
    riders = {one.row.name: (one.row, one.person, one.start) for one in people if carried.seat_of(one.row.name) is None}
    return riding.bicycles(table.bicycle, riders, ground_of(surfaces))


def _heads_and_things(people: tuple[Standing, ...], bodies: list[model.Body]) -> list[str]:
    """Return the bodies on which the side strips of fronts push: all but the segments of people below the head."""
    segments = {body.name for one in people for body in one.person.system.bodies}
    heads = {f"{one.person.prefix}head" for one in people}
    return [body.name for body in bodies if body.name not in segments - heads]


def _bent(table: Row, system: System) -> System:
    """Return the system in which bones of people bend, and bodies with a tube."""
    people = {row.name: row for row in table.human if row.flexible}
    if not people and not any(body.tube for body in system.bodies):
        return system
    from ..flex import bone  # needs scipy

    for name, row in people.items():
        where = "human.flexible" if name == "human" else f"human.{name}.flexible"
        system = named(where, bone.bent, system, {name: row.flexible}, row.modes)
    return named("body.tube", bone.bent, system, {})


def _breaking(table: Row, system: System) -> System:
    """Return the system in which long bones may break: of people with failure, and bodies whose tube has a fall."""
    rows = [row for row in table.human if row.failure]
    if not rows and not any(body.tube is not None and body.tube.breaks for body in system.bodies):
        return system
    from ..flex import bone  # needs scipy

    for row in rows:
        where = "human.failure" if row.name == "human" else f"human.{row.name}.failure"
        system = named(where, bone.breaking, system, [row.name], {row.name: row.flexible}, row.modes, row.breaks_at)
    return named("body.tube", bone.breaking, system, [], {})


def _with_restraints(table: Row, system: System, start: Configuration) -> System:
    """Return the system with its belts and airbags."""
    people = [row.name for row in table.human]
    belts = assembly.belts(table.belt, people, system, start) if table.belt else ()
    system = system.replace(belts=belts, airbags=tuple(assembly.airbag(row, people, system) for row in table.airbag))
    return model.yielding(system, human.belt_tissues(system))


def _roster(
    table: Row,
    people: tuple[Standing, ...],
    vehicles: list[world.Vehicle],
    surfaces: tuple[Surface, ...],
) -> model.Roster:
    """Return who takes part, with what the scenario states of their start and of the surfaces."""
    contacts = {row.name: row.contact for row in table.surface if isinstance(row.contact, str)}
    return model.Roster(
        people=tuple(
            replace(
                who,
                posture="seated" if on_seat else row.posture if isinstance(row.posture, str) else "",
                clearance=row.start.clearance,
                velocity=row.start.velocity,
                angular_velocity=row.start.angular_velocity,
            )
            for row, person, _, _, balance, *_ in people
            for who, on_seat in ((who, isinstance(balance, cabin.Seated)) for who in person.system.roster.people)
        ),
        vehicles=tuple(vehicle.entry for vehicle in vehicles),
        surfaces=tuple(SurfaceEntry.of(surface, contacts.get(surface.name, "")) for surface in surfaces),
    )


def _person(row: Row) -> human.Human:
    said = row.given(
        "model", "scaling", "individual", "posture", "start", "self_contact", "hinges", "flexible", "modes", *TONE
    )
    said |= {"measured": _measured(row), "added": [human.Added(**item.given()) for item in row.added]}
    if row.model == "occupant12":
        del said["tissue"], said["axial"], said["body"]
    elif not isinstance(row.tissue, str):
        said["tissue"] = {name: one.given() for name, one in row.tissue.given().items()}
    try:
        if row.model == "pedestrian11":
            return human.pedestrian11(scaling=row.scaling or "build", heading=row.start.heading, **said)
        if row.model == "occupant12":
            return human.occupant12(individual=row.individual, hinges=row.hinges, **said)
        return human.human(hinges=row.hinges, **said)
    except InputError as error:
        if str(error).startswith("human"):
            raise
        raise InputError(f"{'human' if row.name == 'human' else f'human.{row.name}'}: {error}") from None


def _measured(row: Row) -> human.Measured | None:
    """The person's own numbers, or None."""
    return None if row.measured is None else human.measured(row.measured, "human.measured")


def person_words(row: Row) -> str:
    """A person in words: "woman of 35 years (1.53 m, 49 kg)"."""
    who = human.person_of(vars(row))
    child = who.age is not None and who.age < human.proportion.ADULT_AGE
    noun = {"male": ("man", "boy"), "female": ("woman", "girl")}[who.sex][child]
    years = "" if who.age is None else f" of {who.age:.3g} years"
    return f"{noun}{years} ({who.height:.2f} m, {who.mass:.0f} kg)"


def ground_of(surfaces: tuple[Surface, ...]) -> model.Plane | None:
    """The first plane at rest that faces upwards, or the first plane at rest."""
    resting = [surface for surface in surfaces if isinstance(surface, model.Plane) and surface.carrier is None]
    return next((surface for surface in resting if surface.normal[2] > 0.0), resting[0] if resting else None)


def _standing(table: Row, row: Row, surfaces: tuple[Surface, ...], carried: cabin.Cabin) -> Standing:
    """Return a person, where it starts, and how it stands or sits if it is to be settled."""
    person = _person(row)
    seat = carried.seat_of(row.name)
    if seat is not None:
        person = human.shaped_to_sit(person)
        start, sitting = cabin.seated(carried, seat, person, row)
        tone = human.tone_of(person, cabin.alone(person, seat), sitting.start, _tone_keys(row))
        return Standing(row, person, human.Placement(start), start, sitting, tone)
    placement = placed(person, row, surfaces)
    start = placement.configuration
    if not row.start.settle:
        alone = _alone(table, row, person, surfaces)
        return Standing(row, person, placement, start, None, _tone(row, person, alone, start), None, alone)
    upright, balance = _upright(table, row, person, surfaces)
    start = _faced(person, row, upright, start)
    alone = _alone(table, row, person, surfaces)
    return Standing(row, person, placement, start, balance, _tone(row, person, alone, start), upright, alone)


def _upright(
    table: Row, row: Row, person: human.Human, surfaces: tuple[Surface, ...]
) -> tuple[Configuration, human.Balance]:
    """Return the settled start of a person who looks along x, and the balance; a planar person keeps its plane.

    Balance does not depend on the heading. Found for one, it is the same to the last bit for all.
    """
    where = f"{'human' if row.name == 'human' else f'human.{row.name}'}.start.settle"
    ground = ground_of(surfaces)
    if ground is None or ground.normal[2] < 1.0 - 1e-9 or any(table.gravity[:2]) or table.gravity[2] >= 0.0:
        raise InputError(f"{where}: there is no level ground to stand on; give a [[surface]], and gravity downwards.")
    if row.start.clearance != 0.0:
        raise InputError(f"{where}: a settled person stands on the ground; leave start.clearance out.")
    if _turns(person):
        row = row.replace(start=row.start.replace(heading=0.0))
    found: tuple[Configuration, human.Balance] = named(
        where,
        human.settled,
        person.system,
        Configuration(placed(person, row, surfaces).configuration.coordinates),
        ground.contact,
        root=f"{person.prefix}root",
        height=ground.point[2],
        gravity=-table.gravity[2],
    )
    return found


def _faced(person: human.Human, row: Row, upright: Configuration, start: Configuration) -> Configuration:
    """Return a settled start with the heading of a row and the motion of a start."""
    if _turns(person):
        upright = human.headed(upright, f"{person.prefix}root", row.start.heading)
    return upright.replace(rates=start.rates)


def _turns(person: human.Human) -> bool:
    """Return True if a person may have any heading."""
    return person.system.joint(f"{person.prefix}root").type == "free"


def _tone(row: Row, person: human.Human, alone: System | None, start: Configuration) -> model.Tone | None:
    """Return the muscle tone of a person on the surfaces of the scene."""
    return None if alone is None else human.tone_of(person, alone, start, _tone_keys(row))


def _alone(table: Row, row: Row, person: human.Human, surfaces: tuple[Surface, ...]) -> System | None:
    """Return a person with the surfaces at rest that may carry it; None if it has no tone."""
    if _tone_keys(row).tone == "limp":
        return None
    names = {body.name for body in person.system.bodies}
    still = tuple(
        replace(surface, only=surface.only and tuple(names.intersection(surface.only)))
        for surface in surfaces
        if surface.carrier is None and (surface.only is None or names.intersection(surface.only))
    )
    return person.system.replace(surfaces=still, gravity=table.gravity)


def _tone_keys(row: Row) -> human.ToneKeys:
    """Return the keys of the muscle tone; refuse a time at which the muscles of a limp person let go."""
    keys = human.ToneKeys(**{name: getattr(row, name) for name in TONE})
    if keys.tone == "limp" and keys.tone_until != human.ToneKeys().tone_until:
        where = "human" if row.name == "human" else f"human.{row.name}"
        raise InputError(
            f"{where}.tone_until is {keys.tone_until!r}, but {where}.tone is limp: there are no muscles that let go. "
            f'Give {where}.tone = "standing" or "relaxed", or leave tone_until out.'
        )
    return keys


#: keys of the muscle tone
TONE = tuple(keys_of(human.ToneKeys))


def placed(person: human.Human, row: Row, surfaces: tuple[Surface, ...]) -> human.Placement:
    """The person above the first surface at rest that faces upwards, or above z = 0."""
    ground = ground_of(surfaces)
    plane = {} if ground is None else {"plane": (ground.point, ground.normal)}
    return named(
        f"{'human' if row.name == 'human' else f'human.{row.name}'}.start",
        human.placement,
        person,
        row.posture,
        **row.start.given("push", "settle"),
        push=[human.Push(**push.given()) for push in row.start.push],
        **plane,
    )


def _surface(row: Row) -> Surface:
    where = f"surface.{row.name}"
    given = schema.SURFACES.parameters(row)
    given.pop("contacts", None)
    if row.shape == "plane":
        return named(where, world.plane, contact_of=_parameters(row.contact), **given)
    laws: Any = _contact(row.contact)
    if row.contacts is not None:
        laws = {part: named(f"{where}.contacts.{part}", _contact, law) for part, law in row.contacts.items()}
    if row.shape == "mesh":
        return named(where, world.read_mesh, contact_of=laws, **given)
    return named(where, schema.SURFACES.variants[row.shape][0], contact=laws, **given)


def _contacts(table: Row, standing: tuple[Standing, ...], start: Configuration) -> tuple[model.BodyContact, ...]:
    """Contacts between bodies, and those of people with themselves: no force when they stand and as they start."""
    people = {one.row.name: tuple(body.name for body in one.person.system.bodies) for one in standing}
    found = []
    for person in table.human:
        if person.self_contact is not False:
            given = person.self_contact
            name = "self" if person.name == "human" else f"{person.name}.self"
            contact = SELF_CONTACT if given is True else _contact(given)
            segments = people[person.name]
            postures = (Configuration(), Configuration(start.coordinates))
            found.append(model.BodyContact(name, segments, segments, contact, postures))
    for row in table.contact:
        one, other = (tuple(name for word in side for name in people.get(word, (word,))) for side in row.between)
        found.append(named(f"contact.{row.name}", model.BodyContact, row.name, one, other, _contact(row.contact)))
    return tuple(found)


#: of a person's own segments: only their flesh is compressed; clothed skin on skin
SELF_CONTACT = model.Contact(restitution=0.1, friction=0.3)


def _parameters(given: str | Row) -> str | dict[str, Any]:
    """A row of the surface table by its name, or the given parameters of a contact."""
    return given if isinstance(given, str) else given.given()


def _contact(given: str | Row) -> model.Contact:
    return world.contact(_parameters(given))


def _check_stop(stop: str | None, system: System) -> None:
    if stop is None or stop == "at rest":
        return
    body = stop.removesuffix(" contact")
    known = [item.name for item in system.bodies]
    if body not in known:
        raise InputError(f'solver.stop is "{stop}"; there is no body {body!r}.{nearest(body, known)}')
