"""Contact and friction: blocks that stop, bodies that stand, balls that bounce. SI units."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...model import Body, Configuration, Contact, Ellipsoid, Joint, Load, Plane, System, Table, constant
from ...model.compile import Compiled, compile_system
from ...model.contact_law import damping_number
from ...model.system import GRAVITY
from ...sim.recording import Recording
from ...sim.simulate import simulate
from ..evidence import Check

G = -GRAVITY[2]
ALONG_X = (np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0)  # z of the joint frame along x


def block(contact: Contact, loads: tuple[Load, ...] = ()) -> Compiled:
    """Return a block of 10 kg that slides along x and moves up and down without turning, on two slides."""
    bodies = (Body("cart", 1e-3, np.ones(3) * 1e-3), Body("block", 10.0, np.ones(3), (Ellipsoid((0.2, 0.2, 0.1)),)))
    joints = (
        Joint("along", "prismatic", None, "cart", frame_parent=ALONG_X, frame_child=ALONG_X),
        Joint("up", "prismatic", "cart", "block"),
    )
    return compile_system(System(bodies, joints, surfaces=(Plane("ground", contact=contact),), loads=loads))


def sliding_block(starts: int = 200) -> list[Check]:
    """A block pressed with 500 N stops once, without a change of sign, from many start speeds, and where it should."""
    contact = Contact(stiffness=1e6, friction=0.6, restitution=0.1)
    pressed = 500.0 + 10.0 * G
    system = block(contact, (Load("press", "block", (constant(0.0), constant(0.0), constant(-500.0))),))
    turned, slow, lengths = 0, 0, []
    for speed in np.linspace(0.05, 3.0, starts):
        start = Configuration({"up": (0.1 - pressed / 1e6,)}, {"along": (float(speed),)})
        run = simulate(system, start, duration=0.25, rate=100.0)
        velocity = run.velocity[:, 1, 0]
        turned += bool((velocity < -1e-9).any())
        slow += bool(abs(velocity[-1]) < 1e-3)
        # sliding, then viscous below the slip speed v_s: (v^2 + v_s^2)/2a
        deceleration = contact.friction * pressed / 10.0
        lengths.append(run.position[-1, 1, 0] / ((speed**2 + contact.slip_speed**2) / (2.0 * deceleration)) - 1.0)
    rows = [
        Check.close("pressed sliding block: runs with a change of sign", 0.0, turned, 0.0, "-", f"of {starts} speeds"),
        Check.close(
            "pressed sliding block: runs that stopped", starts, slow, 0.0, "-", "slower than 1 mm/s after 0.25 s"
        ),
    ]
    far = float(np.abs(lengths).max())
    rows.append(Check.close("pressed sliding block: stopping distance", 0.0, far, 0.01, "-", "(v2 + vs2)/2a, relative"))
    return rows


def pressed_standing() -> list[Check]:
    """A block at rest that is then pressed feels at most (1 + d) times the elastic force, d the damping number."""
    contact = Contact(stiffness=1e6, restitution=0.1)
    bound = 1.0 + damping_number(contact.restitution)
    rows = []
    for name, rise in (("slowly", 0.1), ("suddenly", 1e-4)):
        press = Table((0.0, 0.01, 0.01 + rise), (0.0, 0.0, -2000.0))
        system = block(contact, (Load("press", "block", (constant(0.0), constant(0.0), press)),))
        start = Configuration({"up": (0.1 - 10.0 * G / contact.stiffness,)})
        # loads are means over a step and depths are not: the steps are short
        run = simulate(system, start, duration=0.02 + rise, pose_rate=1e5, tolerance=1e-5, contact_step=1e-5)
        force = run.contact_force[:, 0, 2]
        ratio = float((force / (contact.stiffness * run.contact_depth[:, 0])).max())
        note = f"bound 1 + d; largest force {force.max():.0f} N, pressed with {2000.0 + 10.0 * G:.0f} N"
        label = f"standing block, {name} pressed: force over elastic force"
        rows.append(Check.at_most(label, bound, ratio, "-", note, tolerance=1e-3 * bound))
    return rows


def ball(contact: Contact, *, gravity: float = 0.0) -> System:
    """Return a ball of 1 kg and 0.1 m over a plane."""
    body = Body("ball", 1.0, np.ones(3) * 4e-3, (Ellipsoid((0.1, 0.1, 0.1)),))
    return System(
        (body,),
        (Joint("root", "free", None, "ball"),),
        (Plane("ground", contact=contact),),
        gravity=(0.0, 0.0, -gravity),
    )


def bounce(contact: Contact, speed: float, height: float = 0.02, **options: Any) -> Recording:
    """Return the ball thrown down at a speed [m/s]."""
    start = Configuration(
        {"root": (0.0, 0.0, 0.1 + height, 1.0, 0.0, 0.0, 0.0)}, {"root": (0.0, 0.0, -speed, 0.0, 0.0, 0.0)}
    )
    return simulate(ball(contact), start, duration=0.2, rate=1e3, **options)


def restitution() -> list[Check]:
    """A bouncing ball returns the restitution that it was given, whatever the exponent of the contact."""
    rows = []
    for exponent in (1.0, 1.5, 2.0):
        for wanted in (0.1, 0.5, 0.9):
            contact = Contact(stiffness=1e5, exponent=exponent, restitution=wanted, friction=0.0)
            run = bounce(contact, 3.0, tolerance=1e-5, contact_step=1e-4)
            got = run.velocity[-1, 0, 2] / 3.0
            rows.append(Check.close(f"restitution, exponent {exponent:g}", wanted, got, 1e-3, "-", "ball at 3 m/s"))
    return rows


def fast_impact() -> list[Check]:
    """A 10 m/s impact at a suggested step of 10 ms, in which the ball moves its own radius, is not stepped over."""
    contact = Contact(stiffness=1e6, restitution=0.5, friction=0.0)
    coarse = bounce(contact, 10.0, 0.35, step=0.01, max_step=0.01)
    fine = bounce(contact, 10.0, 0.35, tolerance=1e-7, contact_step=1e-5)
    rebound, reference = coarse.velocity[-1, 0, 2] / 10.0, fine.velocity[-1, 0, 2] / 10.0
    touch = next(event for event in coarse.events if event.kind == "touch")
    return [
        Check.close(
            "10 m/s at a step of 10 ms: restitution", 0.5, rebound, 0.01, "-", f"at fine steps {reference:.6f}"
        ),
        Check.close("10 m/s at a step of 10 ms: time of touch", 0.035, touch.time, 1e-6, "s"),
    ]


def rejection() -> list[Check]:
    """A rejected step leaves nothing behind: rejecting every third changes the answer by less than the tolerance."""
    rows = []
    tolerance = 1e-4
    contact = Contact(stiffness=1e5, restitution=0.5, friction=0.3)
    system = ball(contact, gravity=G)
    start = Configuration({"root": (0.0, 0.0, 0.12, 1.0, 0.0, 0.0, 0.0)}, {"root": (2.0, 0.0, -3.0, 0.0, 5.0, 0.0)})
    for method in ("implicit", "dormand-prince"):
        plain, bothered = (
            simulate(system, start, duration=0.3, method=method, tolerance=tolerance, reject_every=every)
            for every in (0, 3)
        )
        assert bothered.rejected > plain.rejected
        # the error norm allows tolerance x (10 m/s + |v|) a step
        allowed = tolerance * (10.0 + float(np.linalg.norm(plain.velocity[-1, 0])))
        off = float(abs(plain.velocity[-1] - bothered.velocity[-1]).max())
        note = f"bouncing ball with spin, {bothered.rejected} rejected; bound: tolerance x (10 m/s + |v|)"
        rows.append(Check.close(f"every third step rejected, {method}", 0.0, off, allowed, "m/s", note))
    return rows
