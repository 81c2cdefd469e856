"""Strips and films: the times asked for, bodies that are seen and move, and a last picture of the last moment."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageSequence

from vitruvian.errors import InputError, MissingExtra
from vitruvian.scenario import Scenario
from vitruvian.sim.result import Result
from vitruvian.view import colour, film, filmstrip, viewpoint
from vitruvian.view.scene import Scene

pytestmark = pytest.mark.needs_jit  # whole runs

SMALL = (320, 240)


@pytest.fixture(scope="module")
def fall() -> Result:
    return Scenario.load("fall-1cm", {"solver.duration": 0.3}).run()


@pytest.fixture(scope="module")
def shorter() -> Result:
    return Scenario.load("fall-1cm", {"solver.duration": 0.1, "human.height": 1.6, "human.mass": 60.0}).run()


# when


def test_times_are_read_with_units(fall: Result) -> None:
    assert filmstrip.moments_of([fall], "0 ms, 50 ms, 0.1, 0.3 s") == pytest.approx([0.0, 0.05, 0.1, 0.3])
    assert len(filmstrip.moments_of([fall], "4")) == 4
    assert filmstrip.moments_of([fall, fall], 4) == pytest.approx([0.0, 0.1, 0.2, 0.3])


@pytest.mark.parametrize(
    ("frames", "words"),
    [
        ("0 ms, 400 ms", "there is no picture at 0.4 s; the run goes from 0 s to 0.3 s"),
        ("5 kg", "expected a time"),
        ("", "no times are given"),
        ("100", "accepted 1 to 48"),
        (0, "accepted 1 to 48"),
    ],
)
def test_wrong_times_are_refused(fall: Result, frames: str | int, words: str) -> None:
    with pytest.raises(InputError, match=words):
        filmstrip.moments_of([fall], frames)


def test_the_schedule_is_even_and_ends_at_the_end(fall: Result, shorter: Result) -> None:
    times, slow = film.schedule([shorter, fall], 25.0, 10.0)
    assert slow == 10.0
    moving = times[: np.argmax(times) + 1]
    assert np.diff(moving) == pytest.approx(1.0 / 250.0)
    assert times[0] == 0.0 and times[-1] == pytest.approx(0.3)
    assert film.schedule([fall], 25.0)[1] == 20.0  # six seconds


# what


def test_bodies_light_up_with_the_force_of_the_audit(fall: Result) -> None:
    forces = colour.body_forces(fall.recording)
    peaks = {row.body: row.peak_force for row in fall.contacts()}
    for body, name in enumerate(fall.recording.bodies):
        assert forces[:, body].max() <= 1.0001 * peaks.get(name, 0.0) + 1e-9
    assert forces.max() > 500.0  # a person of 80 kg lands
    foot = fall.recording.bodies.index("left_foot")  # on heel and forefoot: the force is the resultant of both
    assert forces[:, foot].max() == pytest.approx(peaks["left_foot"])
    sample, body = np.unravel_index(np.argmax(forces), forces.shape)
    dark, bright = (
        Scene(fall).snapshot(int(sample), full_force=force).ellipsoids.colour for force in (0.0, forces.max())
    )
    shape = list(fall.geometry.shape_body).index(body)
    assert bright[shape] == pytest.approx(colour.SCALE[-1])
    untouched = forces[sample][fall.geometry.shape_body] == 0.0
    assert untouched.any() and bright[untouched] == pytest.approx(dark[untouched])


def test_a_skin_takes_the_place_of_the_shapes(fall: Result) -> None:
    """Nothing of the person is left as an ellipsoid, and the outline stays within a hand of the shapes'."""
    camera = viewpoint.camera_named("front")
    bare, dressed = (Scene(fall, skin=skin).snapshot(0) for skin in (False, True))
    assert (
        len(bare.ellipsoids.centre) == 22 and len(dressed.ellipsoids.centre) == 0 and len(dressed.solids.corner) > 1000
    )
    for one, other in zip(bare.extent(camera), dressed.extent(camera), strict=True):
        assert other[:2] == pytest.approx(one[:2], abs=0.05)
    force = colour.body_forces(fall.recording).max()
    sample = int(np.argmax(colour.body_forces(fall.recording).max(axis=1)))
    lit = Scene(fall, skin=True).snapshot(sample, full_force=force).solids.colour
    assert abs(lit - colour.SCALE[-1]).sum(axis=1).min() < 1e-9  # it lights up too


def test_a_pushed_body_pushes_back() -> None:
    """Between two bodies the force counts for both."""
    result = Scenario.load("fall-1cm", {"solver.duration": 0.002}).run()
    recording = result.recording
    force = np.zeros((len(recording.pose_time), 1, 3))
    force[:, 0] = (3.0, 0.0, 4.0)
    pair = recording.replace(pairs=((recording.bodies[0], recording.bodies[1]),), contact_force=force)
    assert colour.body_forces(pair)[0, :3] == pytest.approx([5.0, 5.0, 0.0])


@pytest.mark.parametrize(("camera", "right", "up"), [("side", 0, 2), ("front", 1, 2), ("top", 0, 1)])
def test_cameras_look_along_the_axes(camera: str, right: int, up: int) -> None:
    view = viewpoint.camera_named(camera)
    assert view.right[right] == pytest.approx(1.0)
    assert view.up[up] > 0.99


def test_an_unknown_camera_is_refused() -> None:
    with pytest.raises(InputError, match=r"no camera 'sid'; accepted: oblique, side.*Did you mean .side."):
        viewpoint.camera_named("sid")


@pytest.mark.parametrize("follow", [False, True])
def test_the_film_keeps_the_bodies_in_sight(fall: Result, follow: bool) -> None:
    scene, camera = Scene(fall), viewpoint.camera_named("side")
    moments = [scene.snapshot(sample) for sample in range(0, 300, 20)]
    for moment, (left, right, bottom, top) in zip(
        moments, viewpoint.track(moments, camera, 1.5, follow=follow), strict=True
    ):
        low, high = moment.extent(camera)
        assert left <= low[0] and high[0] <= right and bottom <= low[1] and high[1] <= top
        assert (right - left) / (top - bottom) == pytest.approx(1.5)


# files


def decoded(path: Path) -> list[np.ndarray]:
    """The pictures of a film, read again."""
    if path.suffix == ".gif":
        with Image.open(path) as file:
            return [np.asarray(frame.convert("RGB"), dtype=float) for frame in ImageSequence.Iterator(file)]
    reader = pytest.importorskip("imageio_ffmpeg").read_frames(str(path))
    width, height = next(reader)["size"]
    return [np.frombuffer(frame, np.uint8).reshape(height, width, 3).astype(float) for frame in reader]


def changed(one: np.ndarray, other: np.ndarray) -> float:
    """The share of pixels that differ by more than what compression does to them."""
    return float((abs(one - other).max(axis=2) > 50.0).mean())


def coloured(picture: np.ndarray) -> float:
    """The share of pixels that are neither white nor grey: bodies, and a little for the texts."""
    return float((np.ptp(picture, axis=2) > 30.0).mean())


@pytest.mark.parametrize("ending", ["mp4", "gif"])
def test_the_film_shows_the_motion_up_to_its_end(fall: Result, tmp_path: Path, ending: str) -> None:
    if ending == "mp4":
        pytest.importorskip("imageio_ffmpeg")
    told: list[tuple[int, int]] = []

    def progress(_: str, done: int, total: int) -> None:
        told.append((done, total))

    path = film.movie(fall, tmp_path / f"fall.{ending}", slow=2.0, size=SMALL, progress=progress)
    pictures = decoded(path)
    times, _ = film.schedule([fall], 25.0, 2.0)
    assert told[-1][0] == told[-1][1] == len(told) == 16
    if ending == "mp4":
        assert len(pictures) == len(times)
    assert all(picture.shape == (SMALL[1], SMALL[0], 3) for picture in pictures)
    assert all(coloured(picture) > 0.02 for picture in pictures)
    steps = [abs(b - a).mean() for a, b in pairwise(pictures[:16])]
    assert min(steps) > 0.0  # every picture differs from the one before

    # the last one is the last moment, and not the first: drawn anew without the file
    panels = film._panels(
        [fall], ["x"], times, SMALL, np.full(len(times), 2.0), viewpoint.camera_named("oblique"), None
    )
    top, bottom = 20, 180  # the bodies, without title and curve
    first, last = (np.asarray(panels[0].draw(at), dtype=float)[top:bottom, :250] for at in (0, len(times) - 1))
    shown = pictures[-1][top:bottom, :250]
    assert changed(shown, last) < 0.1 * changed(first, last)
    assert panels[0].samples[-1] == len(fall.recording.pose_time) - 1
    assert list(tmp_path.iterdir()) == [path]  # nothing half-made is left


def test_two_results_stand_side_by_side(fall: Result, shorter: Result, tmp_path: Path) -> None:
    path = film.movie([fall, shorter], tmp_path / "two.gif", slow=1.0, rate=10.0, size=SMALL, labels=["tall", "small"])
    pictures = decoded(path)
    assert coloured(pictures[0][:, :160]) > 0.01 and coloured(pictures[0][:, 160:]) > 0.01
    # the shorter run rests from its end on while the other goes on
    left, right = ([p[20:180, cut] for p in pictures] for cut in (slice(0, 160), slice(160, 280)))
    assert changed(left[-1], left[2]) > 0.01
    assert changed(right[-1], right[2]) == 0.0


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_the_strip_is_written_in_every_format(fall: Result, tmp_path: Path, ending: str) -> None:
    path = filmstrip.strip(fall, tmp_path / "new" / f"strip.{ending}", frames="0 ms, 150 ms, 300 ms", dots=60)
    starts = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    assert path.read_bytes().startswith(starts[ending])
    if ending == "svg":
        assert path.read_text(encoding="utf-8").count("<image") >= 3


def test_the_pictures_of_a_strip_differ_and_rows_are_results(fall: Result, shorter: Result) -> None:
    figure = filmstrip.picture([fall, shorter], frames="0 ms, 100 ms, 300 ms", camera="side", dots=50)
    pictures = [axes.get_images()[0].get_array() for axes in figure.axes if axes.get_images()]
    assert len(pictures) == 6
    assert abs(pictures[0] - pictures[1]).mean() > 1e-3
    labels = [text.get_text() for axes in figure.axes for text in axes.texts]
    assert "300 ms" in labels and "100 ms (end)" in labels  # the shorter run has ended
    windows = np.array([axes.get_images()[0].get_extent() for axes in figure.axes if axes.get_images()])
    assert np.ptp(windows[:, 1] - windows[:, 0]) < 1e-9 and np.ptp(windows[:, 3] - windows[:, 2]) < 1e-9


# refusals


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"rate": 0.0}, "accepted 1 to 120"),
        ({"slow": -1.0}, "slow motion is -1"),
        ({"size": (10, 10)}, "accepted 160 x 120"),
        ({"slow": 1e5}, "20000"),
    ],
)
def test_wrong_options_are_refused(fall: Result, tmp_path: Path, options: dict, words: str) -> None:
    with pytest.raises(InputError, match=words):
        film.movie(fall, tmp_path / "film.gif", **options)
    assert not list(tmp_path.iterdir())


def test_a_result_without_poses_is_refused(fall: Result, tmp_path: Path) -> None:
    lost = fall.recording.replace(position=np.full_like(fall.recording.position, np.nan))
    empty = Result(lost, geometry=fall.geometry)
    for call, name in ((film.movie, "film.gif"), (filmstrip.strip, "strip.png")):
        with pytest.raises(InputError, match="no pose to draw"):
            call(empty, tmp_path / name)


def test_a_film_ends_where_a_failed_run_failed(fall: Result) -> None:
    position = fall.recording.position.copy()
    position[100:] = np.nan
    times, _ = film.schedule([Result(fall.recording.replace(position=position), geometry=fall.geometry)], 25.0, 10.0)
    assert times[-1] == pytest.approx(0.099)


def test_unknown_endings_are_refused(fall: Result, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.avi is not known; accepted: \.mp4, \.gif"):
        film.movie(fall, tmp_path / "film.avi")
    with pytest.raises(InputError, match=r"\.bmp is not known; accepted: \.png, \.svg, \.pdf"):
        filmstrip.strip(fall, tmp_path / "strip.bmp")
    with pytest.raises(InputError, match="accepted 1 to 4"):
        film.movie([fall] * 5, tmp_path / "film.gif")


def test_a_missing_encoder_is_named(fall: Result, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(MissingExtra, match=r"imageio-ffmpeg.*pip install \"vitruvian\[film\]"):
        film.movie(fall, tmp_path / "film.mp4")
