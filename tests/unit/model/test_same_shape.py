"""Tables and regions of a front are made once, and only for surfaces that have the same shape."""

import numpy as np
import pytest

from vitruvian.model import Extrusion, Facet, Mesh, System
from vitruvian.model.body import Body
from vitruvian.model.compile import compile_system
from vitruvian.model.contact import Contact
from vitruvian.model.facet_table import Tables, joined
from vitruvian.model.joint import Joint
from vitruvian.model.same_shape import patches_of
from vitruvian.model.shape import Sphere
from vitruvian.world import front

PROFILE = ((0.0, 0.3), (0.0, 0.7), (-0.9, 1.0), (-1.6, 1.5))
GIVEN = {"segments": ("low", "top", "top"), "edge_radius": 0.03, "backing": 0.3, "solid": 4.0}


def wall(**more):
    return Extrusion("wall", PROFILE, 1.6, **GIVEN | more)


def made(surface):
    """Tables as they are made from the faces or the solid, without memory."""
    tables = Tables()
    faces, rounding = surface.core
    options = {"rounding": rounding, "backing": surface.backing, "crease": surface.crease}
    found = tables.add_solids(surface._regions(), **options) if surface._regions() else tables.add(faces, **options)
    return (*tables.arrays(), tuple(found))


def test_name_law_and_place_do_not_matter():
    laws = {"low": Contact(stiffness=1e5), "top": Contact(stiffness=2e4)}
    other = Extrusion(
        "other", PROFILE, 1.6, contact=laws, carrier="car", place=(1.0, 2.0, 0.0), only=("head",), **GIVEN
    )
    assert other.patches is wall().patches
    assert other.solids is wall().solids
    assert wall(segments=("bumper", "hood", "hood")).patches is wall().patches


@pytest.mark.parametrize(
    "change",
    [
        {"segments": ("low", "low", "top")},
        {"segments": None},
        {"edge_radius": 0.02},
        {"backing": 0.2},
        {"solid": 0.0},
        {"rounding": 0.01},
        {"crease": 0.5},
        {"plan": ((-0.8, -0.1), (0.0, 0.0), (0.8, -0.1)), "solid": 0.0},
    ],
)
def test_every_other_field_has_tables_of_its_own(change):
    first, second = wall(), wall(**change)
    assert second.patches is not first.patches
    for mine, fresh in zip(second.patches, made(second), strict=True):
        assert np.array_equal(mine, fresh)


def test_a_mesh_is_known_by_its_vertices():
    corners = np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)])
    sheets = [Mesh("sheet", vertices=corners * size, triangles=np.array([(0, 1, 2)]), open=True) for size in (1, 1, 2)]
    assert sheets[0].patches is sheets[1].patches
    assert sheets[2].patches is not sheets[0].patches


def test_tables_are_read_only():
    with pytest.raises(ValueError, match="read-only"):
        patches_of(wall().same_shape).facet[0, 0] = 1.0


def test_surfaces_one_after_the_other_are_those_of_one_table():
    surfaces = [front("sedan").surface(), Facet("kerb", ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))), wall()]
    tables = Tables()
    for surface in surfaces:
        faces, rounding = surface.core
        options = {"rounding": rounding, "backing": surface.backing, "crease": surface.crease}
        if surface.solids:
            tables.add_solids(surface.solids, **options)
        else:
            tables.add(faces, **options)
    for mine, wanted in zip(joined([surface.patches for surface in surfaces]), tables.arrays(), strict=True):
        assert np.array_equal(mine, wanted)


def test_the_second_system_has_the_same_tables_although_the_first_was_changed():
    def compiled():
        ball = Body("ball", 1.0, np.eye(3), (Sphere(0.1, stiffness=1e5),))
        return compile_system(System((ball,), (Joint("root", "free", None, "ball"),), surfaces=(wall(),)))

    first = compiled().model
    kept = first.facet.copy()
    first.facet[:] = 0.0
    assert np.array_equal(compiled().model.facet, kept)
