"""Facets, profiles and meshes: what they are made of, and what is refused."""

import sys

import numpy as np
import pytest

from vitruvian.errors import InputError, MissingExtra
from vitruvian.model import Contact, Extrusion, Facet, Mesh
from vitruvian.model.facet_table import Tables
from vitruvian.model.pieces import split
from vitruvian.world import read_mesh

SQUARE = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.0, 1.0, 0.0))
BOX_VERTICES = np.array([(i, j, k) for i in (0.0, 1.0) for j in (0.0, 1.0) for k in (0.0, 1.0)])
BOX_SIDES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
BOX = np.array([f for a, b, c, d in BOX_SIDES for f in ((a, b, c), (a, c, d))])


def test_a_square_facet_is_one_piece():
    surface = Facet("table", SQUARE).faces
    assert surface.normal == pytest.approx(np.array([[0.0, 0.0, 1.0]]))
    assert len(split(surface).pieces) == 1


def test_a_facet_with_a_notch_is_convex_pieces_of_one_patch():
    corners = [(0, 0, 0), (2, 0, 0), (2, 1, 0), (1, 1, 0), (1, 2, 0), (0, 2, 0)]
    parts = split(Facet("L", corners).faces)
    assert len(parts.pieces) == 2
    assert parts.part == (0,)
    assert Facet("L", corners).faces.area.sum() == pytest.approx(3.0)


def test_a_box_is_one_convex_piece():
    parts = split(Mesh("box", vertices=BOX_VERTICES, triangles=BOX).faces)
    assert [len(piece) for piece in parts.pieces] == [12]


def test_a_valley_parts_patches():
    kerb = Extrusion("kerb", ((-1.0, 0.15), (0.0, 0.15), (0.0, 0.0), (1.0, 0.0))[::-1], 2.0)
    parts = split(kerb.faces)
    assert sorted(len(piece) for piece in parts.pieces) == [1, 2]  # the street; riser and top
    assert len(parts.part) == 2


def test_parts_of_a_profile_have_laws_of_their_own():
    front = ((0.0, 0.3), (0.05, 0.5), (-0.05, 0.75), (-1.0, 0.95))
    laws = {"bumper": Contact(stiffness=1e5), "hood": Contact(stiffness=5e4)}
    car = Extrusion("car", front, 1.7, ("bumper", "bumper", "hood"), contact=laws)
    assert car.parts == ("bumper", "hood")
    assert car.faces.part == (0, 0, 1)
    assert (car.faces.normal[:, 0] > 0.0).all()
    patches = Tables().add(car.faces)
    assert [part for part, _, _ in patches] == [0, 1]
    # they meet at a ridge: one region, which is neither of them alone
    assert len({region for _, _, region in patches}) == 1
    assert all(root != region for _, root, region in patches)
    with pytest.raises(InputError, match="no law for the part 'hood'"):
        Extrusion("car", front, 1.7, ("bumper", "bumper", "hood"), contact={"bumper": Contact()})


@pytest.mark.parametrize(
    ("corners", "words"),
    [
        (SQUARE[:2], "at least 3"),
        ((*SQUARE[:3], (0.0, 1.0, float("nan"))), "row 3"),
        ((*SQUARE[:3], (0.0, 1.0, 0.1)), "off the plane"),
        ((SQUARE[0], SQUARE[1], SQUARE[1], SQUARE[2]), "corner 2 lies in the same place as 1"),
        ((SQUARE[0], SQUARE[2], SQUARE[1], SQUARE[3]), "no area|crosses"),
        (((0, 0, 0), (1, 0, 0), (2, 0, 0)), "on a line"),
    ],
)
def test_facets_that_are_none(corners, words):
    with pytest.raises(InputError, match=words):
        Facet("facet", corners)


@pytest.mark.parametrize(
    ("profile", "words"),
    [
        (((0.0, 0.0),), "at least 2"),
        (((0.0, 0.0), (1.0, float("inf"))), "row 1"),
        (((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.5, -1.0)), "segment 2 crosses or touches 0"),
        (((0.0, 0.0), (1.0, 0.0), (0.5, 0.0)), "folds back"),
        (((0.0, 0.0), (0.0, 0.0), (1.0, 0.0)), "profile row 1"),
    ],
)
def test_profiles_that_are_none(profile, words):
    with pytest.raises(InputError, match=words):
        Extrusion("front", profile, 1.0)


def test_a_straight_profile_with_corners_on_it_is_accepted():
    flat = Extrusion("flat", ((0.0, 0.0), (-1.0, 0.0), (-2.0, 0.0), (-3.0, 0.0)), 1.0)
    assert len(split(flat.faces).pieces) == 1


def test_profile_needs_width_and_names():
    with pytest.raises(InputError, match="width"):
        Extrusion("front", ((0.0, 0.0), (0.0, 1.0)), 0.0)
    with pytest.raises(InputError, match="2 names of segments for 1"):
        Extrusion("front", ((0.0, 0.0), (0.0, 1.0)), 1.0, ("a", "b"))


def test_meshes_that_are_none():
    with pytest.raises(InputError, match=r"has a hole: the edge .* of face"):
        Mesh("box", vertices=BOX_VERTICES, triangles=BOX[:-1])
    assert Mesh("box", vertices=BOX_VERTICES, triangles=BOX[:-1], open=True).open
    with pytest.raises(InputError, match="inside out"):
        Mesh("box", vertices=BOX_VERTICES, triangles=BOX[:, ::-1])
    turned = BOX.copy()
    turned[3] = turned[3, ::-1]
    with pytest.raises(InputError, match=r"faces \d+ and \d+ .*wound the wrong way"):
        Mesh("box", vertices=BOX_VERTICES, triangles=turned)
    holed = BOX_VERTICES.copy()
    holed[5, 1] = np.nan
    with pytest.raises(InputError, match="vertex 5"):
        Mesh("box", vertices=holed, triangles=BOX)
    with pytest.raises(InputError, match=r"face 12 .*there are 8"):
        Mesh("box", vertices=BOX_VERTICES, triangles=np.vstack([BOX, [[0, 1, 8]]]))
    with pytest.raises(InputError, match=r"face 12 .*no area"):
        Mesh("box", vertices=BOX_VERTICES, triangles=np.vstack([BOX, [[0, 1, 1]]]))


def test_common_options_are_checked():
    for wrong, words in (
        ({"rounding": -0.01}, "rounding"),
        ({"backing": float("nan")}, "backing"),
        ({"crease": 4.0}, "crease"),
        ({"place": (0.0, 0.0)}, "place"),
        ({"rotation": (1.0, 1.0, 0.0, 0.0)}, "unit quaternion"),
    ):
        with pytest.raises(InputError, match=words):
            Facet("facet", SQUARE, **wrong)


@pytest.mark.needs_jit
def test_point_sampled_contact_is_an_option_of_a_surface():
    """Item 13: a ball that rests on so many of its points; the stiffness grows with the number that touch (E051)."""
    from vitruvian import Scenario

    deepest = Scenario.load("bouncing-ball").run().recording
    sampled = Scenario.load("bouncing-ball", {"surface.floor.points": 500}).run().recording
    assert len(deepest.pairs) == 1
    assert len(sampled.pairs) == 500
    touching = (sampled.contact_depth > 0.0).sum(axis=1)
    assert touching.max() > 1  # a cap of points
    assert sampled.balance_error < 1e-4
    assert sampled.contact_depth.max() < deepest.contact_depth.max()  # stiffer
    with pytest.raises(InputError, match="points is 3; accepted 0"):
        Scenario.load("bouncing-ball", {"surface.floor.points": 3}).build()
    with pytest.raises(InputError, match=r"points does not fit the shape facet"):
        Scenario.load("bouncing-ball", {"surface.floor.shape": "facet", "surface.floor.points": 8})


# --- files


def stl(path, vertices, triangles):
    lines = ["solid thing"]
    for face in triangles:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += ["vertex " + " ".join(f"{x:.9g}" for x in vertices[v]) for v in face]
        lines += ["endloop", "endfacet"]
    path.write_text("\n".join([*lines, "endsolid thing", ""]))
    return path


def test_stl_file(tmp_path):
    pytest.importorskip("trimesh")
    file = stl(tmp_path / "box.stl", 1000.0 * BOX_VERTICES, BOX)
    surface = read_mesh(file, unit="mm", carrier="trolley")
    assert (surface.name, surface.carrier) == ("box", "trolley")
    assert len(surface.vertices) == 8
    assert surface.faces.area.sum() == pytest.approx(6.0)
    turned = read_mesh(file, unit="mm", turn=((0, -1, 0), (1, 0, 0), (0, 0, 1)))
    assert turned.vertices.min(axis=0) == pytest.approx((-1.0, 0.0, 0.0))
    with pytest.raises(InputError, match="hole"):
        read_mesh(stl(tmp_path / "open.stl", BOX_VERTICES, BOX[:-1]))


def test_obj_file(tmp_path):
    pytest.importorskip("trimesh")
    file = tmp_path / "box.obj"
    lines = [f"v {x} {y} {z}" for x, y, z in BOX_VERTICES] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in BOX]
    file.write_text("\n".join(lines))
    assert len(read_mesh(file, scale=2.0).triangles) == 12
    assert read_mesh(file, scale=2.0).vertices.max() == 2.0


def test_files_that_are_none(tmp_path):
    pytest.importorskip("trimesh")
    with pytest.raises(InputError, match="no such file"):
        read_mesh(tmp_path / "nothing.stl")
    with pytest.raises(InputError, match="ending"):
        read_mesh(tmp_path / "thing.step")
    empty = tmp_path / "empty.obj"
    empty.write_text("# nothing\n")
    with pytest.raises(InputError, match=r"empty\.obj"):
        read_mesh(empty)
    box = stl(tmp_path / "box.stl", BOX_VERTICES, BOX)
    with pytest.raises(InputError, match="unit"):
        read_mesh(box, unit="parsec")
    with pytest.raises(InputError, match="rotation"):
        read_mesh(box, turn=np.ones((3, 3)))
    with pytest.raises(InputError, match="scale"):
        read_mesh(box, scale=-1.0)
    vertices = BOX_VERTICES.copy()
    vertices[3, 0] = np.nan
    with pytest.raises(InputError, match=r"face \d+ has the vertex"):
        read_mesh(stl(tmp_path / "nan.stl", vertices, BOX))


def test_without_trimesh_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "trimesh", None)
    with pytest.raises(MissingExtra, match=r"vitruvian\[mesh\]"):
        read_mesh(stl(tmp_path / "box.stl", BOX_VERTICES, BOX))
