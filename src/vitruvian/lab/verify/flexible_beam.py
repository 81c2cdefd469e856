"""Beams of finite elements and their reduction, against closed forms. SI units."""

from __future__ import annotations

from math import log2, pi, sqrt
from typing import Any

import numpy as np

from ...flex import (
    Interface,
    Material,
    Structure,
    beam,
    craig_bampton,
    eigenmodes,
    enough,
    imported,
    reduced,
    solid,
    static,
    straight,
    truncation,
    tube,
    tube_mesh,
)
from ...flex.modes import fixed_by
from ..evidence import Check

LENGTH = 0.421  # of the shank [m]; Al Nazer 2006, Table 3.1
MASS = 3.0  # [kg]
SECTION = tube(0.037, 0.027)
BONE = Material(17e9, 0.3, MASS / (LENGTH * SECTION.area))  # Poisson's ratio is not printed
#: roots of the frequency equations; k L of the first three modes
ROOTS = {
    "free-free": (4.730040745, 7.853204624, 10.995607838),
    "cantilever": (1.875104069, 4.694091133, 7.854757438),
    "simply-supported": (pi, 2.0 * pi, 3.0 * pi),
}


def shank(count: int = 10, **options: Any) -> Structure:
    """Return the printed tube of the shank with its printed mass."""
    return beam(straight(LENGTH, count), SECTION, BONE, **options)


def slender(count: int) -> Structure:
    """Return the planar tube of Euler and Bernoulli without rotary inertia."""
    return shank(count, planar=True, theory="euler-bernoulli", rotary=False)


def bending(structure: Structure, reference: str, number: int = 3) -> np.ndarray:
    """Return the lowest bending frequencies [Hz] in the plane, without stretching modes."""
    modes = eigenmodes(structure, count=12, reference=reference)
    across = abs(modes.shapes[structure.dofs[:, 1]]).max(axis=0) > 1e-6 * abs(modes.shapes).max(axis=0)
    return modes.frequency[across][:number]


def closed(root: float) -> float:
    """Return the frequency [Hz] of the slender shank for a root k L."""
    stiffness = BONE.young * SECTION.inertia_z
    return (root / LENGTH) ** 2 * sqrt(stiffness * LENGTH / MASS) / (2.0 * pi)


def pinned_timoshenko(number: int) -> float:
    """Return the frequency [Hz] of a pinned Timoshenko beam: the lower root of its frequency equation."""
    density, second, young = BONE.density, SECTION.inertia_z, BONE.young
    sheared = SECTION.shear_y * BONE.shear
    k2 = (number * pi / LENGTH) ** 2
    a = density**2 * second / sheared
    b = density * SECTION.area + density * second * (1.0 + young / sheared) * k2
    c = young * second * k2 * k2
    return sqrt(2.0 * c / (b + sqrt(b * b - 4.0 * a * c))) / (2.0 * pi)


def closed_forms() -> list[Check]:
    """Ten elements give static deflections and the first three frequencies of the closed forms, to 0.2 %."""
    rows = []
    for reference, roots in ROOTS.items():
        found = bending(slender(10), reference)
        for number, (root, got) in enumerate(zip(roots, found, strict=True), start=1):
            exact = closed(root)
            rows.append(Check.close(f"{reference}, mode {number}", exact, got, 2e-3 * exact, "Hz", "Euler-Bernoulli"))
    fine, thick = shank(40, planar=True), shank(10, planar=True)
    coarse = bending(thick, "simply-supported")
    for number, got in enumerate(bending(fine, "simply-supported"), start=1):
        exact = pinned_timoshenko(number)
        note = f"40 elements; 10 elements: {100.0 * (coarse[number - 1] / exact - 1.0):+.2f} %"
        rows.append(Check.close(f"pinned Timoshenko, mode {number}", exact, got, 2e-3 * exact, "Hz", note))
    bend = BONE.young * SECTION.inertia_z
    for name, structure in (("Euler-Bernoulli", slender(10)), ("Timoshenko", thick)):
        sheared = 0.0 if name[0] == "E" else LENGTH / (SECTION.shear_y * BONE.shear * SECTION.area)
        exact = 1000.0 * (LENGTH**3 / (3.0 * bend) + sheared)
        down = static(structure, structure.load(10, (0.0, 1000.0, 0.0)), fixed_by(structure, "cantilever"))
        got = down[structure.dofs[10, 1]]
        rows.append(Check.close(f"{name}: tip under 1 kN", exact, got, 1e-9 * exact, "m", "P L^3/3EI + P L/kGA"))
    return rows


def order() -> list[Check]:
    """Bending frequencies converge with the fourth power of the element length."""
    rows = []
    for reference, roots in ROOTS.items():
        errors = [bending(slender(count), reference, 1)[0] / closed(roots[0]) - 1.0 for count in (8, 16)]
        note = f"errors {errors[0]:.3g} and {errors[1]:.3g} with 8 and 16 elements"
        rows.append(Check.at_least(f"order, {reference}", 4.0, log2(errors[0] / errors[1]), "-", note, tolerance=0.15))
    return rows


def reduction() -> list[Check]:
    """Craig-Bampton modes are orthonormal, carry static loads on the interface exactly, and keep the frequencies."""
    structure = shank(10)
    modes = craig_bampton(structure, (0, 10), below=20e3)
    mass = modes.shapes.T @ (structure.mass @ modes.shapes)
    # loads in balance: compression, torsion, bending in both planes, and shear with the moment that balances it
    load = structure.load(0, (100.0, 20.0, 0.0), (1.0, 2.0, 3.0))
    load += structure.load(10, (-100.0, -20.0, 0.0), (-1.0, -2.0, 20.0 * LENGTH - 3.0))
    inner = structure.load(5, (0.0, 100.0, 0.0))
    eigen = eigenmodes(structure, count=60)
    chosen = enough(structure, eigen, inner, 0.01)
    exact = eigen.frequency[:6]
    rows = [
        Check.at_most("modes are orthonormal", 1e-9, float(abs(mass - np.eye(modes.count)).max())),
        Check.at_most("missing energy, load on the interface", 1e-8, truncation(structure, modes, load).energy),
        Check.at_most("frequency of six modes", 2e-3, float((modes.frequency[:6] / exact - 1.0).max())),
        Check.measured("missing energy, load at mid-length", truncation(structure, modes, inner).energy, "-"),
        Check.measured("eigenmodes for 1 % of the energy at mid-length", chosen.count, "-", "chosen by error"),
    ]
    return rows + _imported_rows()


def _imported_rows() -> list[Check]:
    """Return the rows of imported matrices: eight masses at the corners of a cube, springs between all of them."""
    nodes = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
    stiffness = np.zeros((24, 24))
    for i in range(8):
        for j in range(i):
            along = (nodes[i] - nodes[j]) / np.linalg.norm(nodes[i] - nodes[j])
            pair = np.zeros(24)
            pair[3 * i : 3 * i + 3], pair[3 * j : 3 * j + 3] = along, -along
            stiffness += 1e4 * np.outer(pair, pair)
    structure = imported(0.5 * np.eye(24), stiffness, nodes)
    modes = eigenmodes(structure, count=18)
    breathing = nodes.ravel() - 0.5
    exact = sqrt(breathing @ stiffness @ breathing / (0.5 * breathing @ breathing)) / (2.0 * pi)
    body = reduced("cube", structure, modes)
    return [
        Check.at_most("imported: breathing mode of a cube", 1e-9, float(abs(modes.frequency / exact - 1.0).min())),
        Check.close("imported: mass", 4.0, body.mass, 1e-12, "kg"),
        Check.close("imported: moment of inertia", 4.0, float(body.second[0, 0] + body.second[1, 1]), 1e-12, "kg m2"),
    ]


def shank_frequencies() -> list[Check]:
    """The free tube of the shank, 3 kg: our beams next to the printed shell model, which they do not give (E101)."""
    slim, thick = bending(slender(40), "free-free"), bending(shank(40, planar=True), "free-free")
    rows = [
        Check.close("Euler-Bernoulli, mode 1", 1008.0, slim[0], 1.0, "Hz", "E101"),
        Check.close("Euler-Bernoulli, f2/f1", 2.757, slim[1] / slim[0], 0.002, "-", "E101: 2.76"),
    ]
    for number, (got, listed, printed) in enumerate(
        zip(thick, (884.0, 2019.0, 3294.0), (652.1, 1596.3, 2634.4), strict=True), start=1
    ):
        note = f"printed {printed:g} Hz (shell model); f2/f1 2.45 printed, ours {thick[1] / thick[0]:.2f}"
        rows.append(Check.close(f"Timoshenko, mode {number}", listed, got, 0.01 * listed, "Hz", note))
    space = eigenmodes(shank(40), count=6).frequency
    rows.append(Check.at_most("pairs in space: difference", 1e-6, abs(space[1] / space[0] - 1.0)))
    body = reduced("shank", shank(10), craig_bampton(shank(10), (0, 10), count=6), interfaces={"knee": Interface(0)})
    rows.append(Check.close("mass of the reduced body", MASS, body.mass, 1e-12, "kg"))
    return rows


def solid_tube() -> list[Check]:
    """The shank as a solid of hexahedra bends at the frequencies of a Timoshenko beam, not at those of the seed."""
    points, cells = tube_mesh(0.037, 0.027, LENGTH, (24, 1, 6))
    structure = solid(points, cells, BONE)
    modes, end = eigenmodes(structure, count=18), structure.nodes[:, 0] < 1e-9
    moved = modes.shapes.reshape(-1, 3, modes.count)[end][:, 1:]
    sideways = np.linalg.norm(moved.mean(axis=0), axis=0) / np.sqrt((moved**2).sum(axis=1).mean(axis=0))
    found = modes.frequency[sideways > 0.5][::2]  # sections of other modes twist, stretch or become oval
    rows = [Check.measured("coordinates of the solid", float(structure.size), "-")]
    for number, (beam_, shell) in enumerate(zip((884.0, 2019.0, 3294.0), (652.0, 1596.0, 2634.0), strict=True)):
        note = f"Timoshenko; the shell of the seed has {shell:g} Hz"
        rows.append(Check.close(f"bending pair {number + 1}", beam_, float(found[number]), 0.02 * beam_, "Hz", note))
    return rows
