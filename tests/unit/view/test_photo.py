"""A result over a photo: the camera is that of the photo, and what it draws is where rays meet it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from scipy.spatial.transform import Rotation

from vitruvian.errors import InputError
from vitruvian.scenario import Scenario
from vitruvian.sim.result import Result
from vitruvian.view.matched_camera import MatchedCamera, match, read_points
from vitruvian.view.perspective import draw
from vitruvian.view.photo import ScenePhoto, film_over_photo, over_photo, read_photo
from vitruvian.view.renderer import NO_TRIANGLES, Camera, Ellipsoids, Triangles, render
from vitruvian.view.scene import Scene
from vitruvian.view.viewpoint import Snapshot

SIZE = (640, 400)
SPACE = np.array(
    [[0, 0, 0], [2, 0, 0], [0, 2, 0], [2, 2, 0], [0, 1, 1.5], [2, 1.5, 2], [-1, 1, 0.5], [1.5, -1, 0.3], [3, 1, 0.8]]
)
GREY = np.full((SIZE[1], SIZE[0], 3), 0.5, dtype=np.float32)


def camera_at(position, target, focal: float, radial: float = 0.0, size=SIZE) -> MatchedCamera:
    along = np.subtract(target, position) / np.linalg.norm(np.subtract(target, position))
    right = np.cross(along, [0.0, 0.0, 1.0]) / np.linalg.norm(np.cross(along, [0.0, 0.0, 1.0]))
    turn = np.array([right, np.cross(along, right), along])
    return MatchedCamera(size, focal, turn, np.array(position, dtype=float), radial)


TRUE = camera_at([4.0, -7.0, 1.7], [0.5, 0.0, 0.8], 700.0)


def snapshot(ellipsoids: Ellipsoids) -> Snapshot:
    return Snapshot(0.0, ellipsoids, NO_TRIANGLES, NO_TRIANGLES, None)


# the camera


def test_the_projection_is_that_of_a_homogeneous_matrix():
    """Another formulation: K [R | t] with a calibration matrix, and the division by the third row."""
    calibration = np.array([[700.0, 0.0, 320.0], [0.0, 700.0, 200.0], [0.0, 0.0, 1.0]])
    matrix = calibration @ np.column_stack([TRUE.turn, -TRUE.turn @ TRUE.position])
    seen = np.column_stack([SPACE, np.ones(len(SPACE))]) @ matrix.T
    assert TRUE.project(SPACE)[0] == pytest.approx(seen[:, :2] / seen[:, 2:], abs=1e-9)


@pytest.mark.parametrize(
    ("points", "known", "radial"),
    [(SPACE, None, 0.0), (SPACE[:6], None, 0.0), (SPACE[:4], None, 0.0), (SPACE[:4], 700.0, 0.0), (SPACE, None, -0.08)],
    ids=["space", "six", "plane", "plane-focal", "distortion"],
)
def test_points_without_error_give_the_camera(points, known, radial):
    true = replace(TRUE, radial=radial)
    found = match(true.project(points)[0], points, SIZE, focal=known, distortion=radial != 0.0)
    assert found.rms < 1e-6
    assert found.camera.focal == pytest.approx(700.0, rel=1e-6)
    assert found.camera.position == pytest.approx(true.position, abs=1e-5)
    assert found.camera.turn == pytest.approx(true.turn, abs=1e-6)
    assert found.camera.radial == pytest.approx(radial, abs=1e-6)


def test_the_standard_error_is_that_of_many_cameras():
    """With errors of 1 px the cameras scatter as the match predicts from one of them, and miss by about 1 px."""
    random = np.random.default_rng(0)
    exact = TRUE.project(SPACE)[0]
    found = [match(exact + random.normal(size=exact.shape), SPACE, SIZE) for _ in range(60)]
    focal = np.array([one.camera.focal for one in found])
    away = np.array([np.linalg.norm(one.camera.position - TRUE.position) for one in found])
    predicted = np.median([one.spread for one in found], axis=0)
    assert focal.std() == pytest.approx(predicted[0], rel=0.35)
    assert np.sqrt(np.mean(away**2)) == pytest.approx(predicted[1], rel=0.35)
    assert np.mean([one.rms for one in found]) == pytest.approx(np.sqrt(11.0 / 9.0), rel=0.2)  # 11 of 18 are spare


@pytest.mark.parametrize(
    ("pixels", "world", "words"),
    [
        (TRUE.project(SPACE)[0][:3], SPACE[:3], "3 points are given; expected at least 6"),
        (TRUE.project(SPACE)[0][:5], SPACE[:5], "5 points that are not in one plane"),
        (TRUE.project(SPACE)[0] + [400.0, 0.0], SPACE, "outside the photo of 640 x 400 px"),
        (TRUE.project(SPACE)[0][[0, 1, 2, 3, 4, 5, 0]], SPACE[[0, 1, 2, 3, 4, 5, 0]], "point 7 is given twice"),
        (TRUE.project(SPACE)[0][:5], np.arange(5.0)[:, None] * [1.0, 0.5, 0.2], "close to one line"),
        (TRUE.project(SPACE)[0] * [1, -1] + [0, 400], SPACE, "v goes down from the upper edge"),
        (TRUE.project(SPACE)[0], SPACE * [1, -1, 1], "right-handed with z up"),
        (TRUE.project(SPACE)[0][[1, 0, 2, 3, 4, 5, 6, 7, 8]], SPACE, "no camera sees the points"),
        (TRUE.project(SPACE)[0] + 30.0 * np.eye(9)[:, [4, 4]], SPACE, "misses them by .* px rms, point 5 by"),
    ],
)
def test_points_that_give_no_camera_are_refused(pixels, world, words):
    with pytest.raises(InputError, match=words):
        match(pixels, world, SIZE)


def test_a_plane_seen_from_the_front_does_not_give_the_focal_length():
    square = np.array([[x, 0.0, z] for x in (-1.0, 0.0, 1.0) for z in (0.0, 1.0, 2.0)])
    front = camera_at([0.0, -6.0, 1.0], [0.0, 0.0, 1.0], 700.0)
    with pytest.raises(InputError, match=r"do not determine the camera.*--focal"):
        match(front.project(square)[0], square, SIZE)
    found = match(front.project(square)[0], square, SIZE, focal=700.0)
    assert found.camera.position == pytest.approx(front.position, abs=1e-5)
    with pytest.raises(InputError, match="the focal length is 3 px"):
        match(front.project(square)[0], square, SIZE, focal=3.0)
    with pytest.raises(InputError, match="the distortion needs at least 8"):
        match(TRUE.project(SPACE[:7])[0], SPACE[:7], SIZE, distortion=True)


def test_a_wrong_point_is_named():
    pixels = TRUE.project(SPACE)[0]
    pixels[4] += [6.0, 0.0]
    assert "point 5 is" in match(pixels, SPACE, SIZE).doubts()[0]
    assert "equations more than unknowns" in match(TRUE.project(SPACE[:4])[0], SPACE[:4], SIZE).doubts()[0]
    assert not match(TRUE.project(SPACE)[0], SPACE, SIZE).doubts()


# the drawing


@pytest.mark.parametrize("radial", [0.0, -0.08])
def test_an_ellipsoid_is_where_rays_meet_it(radial):
    """The nearer of two ellipsoids that intersect is found for each pixel by a quadratic equation along its ray."""
    turns = Rotation.from_euler("xyz", [[0.3, 0.5, 0.9], [1.2, -0.4, 0.1]]).as_matrix()
    spread = turns @ np.array([np.diag([0.5, 0.3, 0.9]), np.diag([1.0, 0.2, 0.4])]) ** 2 @ np.swapaxes(turns, 1, 2)
    centre = np.array([[0.5, 0.2, 0.8], [0.7, -0.4, 0.9]])
    camera = replace(TRUE, radial=radial)
    shown = snapshot(Ellipsoids(centre, spread, np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])))
    drawn = draw(GREY, shown, camera)

    u, v = np.meshgrid(np.arange(SIZE[0]) + 0.5, np.arange(SIZE[1]) + 0.5)
    bent = np.stack([u - 320.0, v - 200.0], axis=-1) / 700.0
    ray = bent.copy()
    for _ in range(50):  # the distortion, inverted by iteration
        ray = bent / (1.0 + radial * (ray**2).sum(axis=-1, keepdims=True))
    ray = np.concatenate([ray, np.ones((*u.shape, 1))], axis=-1) @ camera.turn
    away = np.full((2, *u.shape), np.inf)
    for place in range(2):
        form, start = np.linalg.inv(spread[place]), camera.position - centre[place]
        a, b = np.einsum("...i,ij,...j", ray, form, ray), ray @ form @ start
        inside = b * b - a * (start @ form @ start - 1.0)
        away[place] = np.where(inside > 0.0, (-b - np.sqrt(np.maximum(inside, 0.0))) / a, np.inf)
    expected = np.where(np.isinf(away).all(axis=0), 0, 1 + away.argmin(axis=0))
    found = np.where(drawn[..., 0] > drawn[..., 2] + 0.05, 1, np.where(drawn[..., 2] > drawn[..., 0] + 0.05, 2, 0))
    assert np.count_nonzero(expected) > 5000
    assert np.count_nonzero(found != expected) < 0.03 * np.count_nonzero(expected)  # the facets of the outline


@pytest.fixture(scope="module")
def fall() -> Result:
    return Scenario.load("fall-1cm", {"solver.duration": 0.05}).run()


@pytest.mark.needs_jit
def test_from_far_away_the_picture_is_the_one_without_perspective(fall):
    shown = Scene(fall, skin=True).snapshot(0, fixed=False)
    named = Camera.at(-0.9, 0.2)
    middle = shown.solids.corner.reshape(-1, 3).mean(axis=0)
    far, scale = 2000.0, 150.0  # [m] and [px/m]
    turn = np.array([named.right, -named.up, -named.towards])
    camera = MatchedCamera(SIZE, far * scale, turn, middle + far * named.towards)
    white = np.ones_like(GREY)
    x, y = named.right @ middle, named.up @ middle
    window = (x - 320 / scale, x + 320 / scale, y - 200 / scale, y + 200 / scale)
    faces = Triangles.joined([shown.solids, shown.surfaces])
    expected = render(shown.ellipsoids, None, named, window, SIZE, triangles=faces)
    difference = abs(draw(white, shown, camera) - expected).max(axis=-1)
    drawn = np.count_nonzero((expected < 0.99).any(axis=-1))
    assert drawn > 5000
    assert np.count_nonzero(difference > 0.1) < 0.02 * drawn


@pytest.fixture(scope="module")
def scene_photo(tmp_path_factory, fall) -> tuple[Path, Path]:
    """A photo of the person by the known camera, and the points."""
    folder = tmp_path_factory.mktemp("photo")
    Image.fromarray((255 * GREY).astype(np.uint8)).save(folder / "scene.png")
    rows = np.column_stack([TRUE.project(SPACE)[0], SPACE])
    text = "\n".join(",".join(f"{value:.9g}" for value in row) for row in rows)
    (folder / "points.csv").write_text("# reviewed\nu [px],v [px],x [m],y [m],z [m]\n" + text + "\n")
    return folder / "scene.png", folder / "points.csv"


@pytest.mark.needs_jit
def test_the_matched_camera_draws_the_pixels_of_the_known_one(fall, scene_photo, tmp_path):
    photo = ScenePhoto.load(*scene_photo)
    over_photo(fall, photo, tmp_path / "over.png", frames="20 ms")
    shown = Scene(fall, skin=True).snapshot(Scene(fall).frame_at(0.02), fixed=False)
    exact, matched = draw(GREY, shown, TRUE), draw(GREY, shown, photo.match.camera)
    assert np.count_nonzero((exact != GREY).any(axis=-1)) > 2000
    assert np.count_nonzero(abs(exact - matched) > 0.02) < 20
    with Image.open(tmp_path / "over.png") as picture:
        assert picture.width == 640 and picture.height > 400
        assert picture.getpixel((5, 5)) == (127, 127, 127)  # the photo stays as it is


@pytest.mark.needs_jit
def test_a_film_over_a_photo(fall, scene_photo, tmp_path):
    film_over_photo(fall, ScenePhoto.load(*scene_photo), tmp_path / "over.gif", slow=10.0, rate=10.0, width=320)
    with Image.open(tmp_path / "over.gif") as film:
        assert film.width == 320 and film.n_frames > 4
    with pytest.raises(InputError, match=r"accepted: \.mp4, \.gif"):
        film_over_photo(fall, ScenePhoto.load(*scene_photo), tmp_path / "over.avi")
    with pytest.raises(InputError, match=r"accepted: \.png"):
        over_photo(fall, ScenePhoto.load(*scene_photo), tmp_path / "over.svg")


# files


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("u [px],v [px],x [m],y [m]\n1,2,3,4\n", r"has no column z \[m\]"),
        ("u [px],v [px],x,y [m],z [m]\n", "has no unit; write x"),
        ("u [mm],v [px],x [m],y [m],z [m]\n", r"expected u \[px\]"),
        ("u [px],u [px],x [m],y [m],z [m]\n", "two columns u"),
        ("u [px],v [px],x [kg],y [m],z [m]\n", "kg"),
        ("u [px],v [px],x [m],y [m],z [m]\n1,2,3,4,far\n", "z is 'far'|z is \"far\""),
        ("u [px],v [px],x [m],y [m],z [m]\n1,2,3,4\n", "z is .* in the row 1,2,3,4"),
        ("u [px],v [px],x [m],y [m],z [m]\n1,2,nan,4,5\n", "expected a number"),
    ],
)
def test_wrong_points_are_refused(text, words, tmp_path):
    (tmp_path / "points.csv").write_text(text)
    with pytest.raises(InputError, match=words):
        read_points(tmp_path / "points.csv")


def test_points_have_units_and_any_order(tmp_path):
    (tmp_path / "points.csv").write_text("z [cm];name;u [px];v [px];x [m];y [mm]\n50;kerb;10;20;3;4000\n")
    pixels, world = read_points(tmp_path / "points.csv")
    assert pixels.tolist() == [[10.0, 20.0]] and world.tolist() == [[3.0, 4.0, 0.5]]


def test_photos_are_upright_and_others_are_refused(tmp_path):
    turned = Image.new("RGB", (40, 20))
    turned.getexif()[0x0112] = 6  # taken upright
    turned.save(tmp_path / "turned.jpg", exif=turned.getexif())
    assert read_photo(tmp_path / "turned.jpg").shape == (40, 20, 3)
    (tmp_path / "text.jpg").write_text("no picture")
    for name, words in (("text.jpg", "no picture that can be read"), ("none.jpg", "there is no file")):
        with pytest.raises(InputError, match=words):
            read_photo(tmp_path / name)
