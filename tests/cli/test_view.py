"""`vitruvian view`: the files it says it has written, and wrong input."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner

from vitruvian.cli.app import app
from vitruvian.errors import InputError
from vitruvian.scenario import Scenario

pytestmark = pytest.mark.needs_jit


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ball")
    Scenario.load("bouncing-ball", {"solver.duration": 0.5}).run().save(folder / "result.nc")
    return folder


def test_strip_beside_the_result(folder: Path) -> None:
    done = CliRunner().invoke(app, ["view", str(folder), "--frames", "0 ms,200 ms", "--dpi", "40"])
    assert done.exit_code == 0, done.output
    with Image.open(folder / "frames.png") as picture:
        assert picture.width > picture.height > 20


def test_film_of_two(folder: Path, tmp_path: Path) -> None:
    film = tmp_path / "film.gif"
    words = ["view", str(folder), "--against", str(folder / "result.nc"), "--movie", str(film)]
    done = CliRunner().invoke(app, [*words, "--size", "320x200", "--slow", "1", "--camera", "side", "--fps", "10"])
    assert done.exit_code == 0, done.output
    assert f"Written: {film}" in done.output.replace("\n", "")
    with Image.open(film) as picture:
        assert picture.size == (320, 200) and picture.n_frames > 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--movie", "film.gif", "--size", "big"], "write width and height"),
        (["--frames", "9 s"], "there is no picture at 9 s"),
        (["--frames", "3", "--camera", "above"], "there is no camera 'above'"),
        (["--frames", "3", "--dpi", "1"], "accepted 20 to 1200"),
    ],
)
def test_wrong_input(folder: Path, words: list[str], said: str) -> None:
    done = CliRunner().invoke(app, ["view", str(folder), *words])
    assert isinstance(done.exception, InputError) and said in str(done.exception)


def test_a_picture_over_a_photo(folder: Path, tmp_path: Path) -> None:
    """A wall of one metre squares seen from 5 m: the camera is found and printed, and bad input is refused."""
    Image.new("RGB", (640, 480), "grey").save(tmp_path / "scene.png")
    rows = [(x, y, z) for x, y in ((0.0, 2.0), (-1.0, 4.0), (1.0, 3.0)) for z in (0.0, 1.0, 2.0)]
    text = [f"{320 + 500 * x / (3 + y)},{240 - 500 * (z - 1) / (3 + y)},{x},{y},{z}" for x, y, z in rows]
    (tmp_path / "points.csv").write_text("\n".join(["u [px],v [px],x [m],y [m],z [m]", *text]))
    given = ["--photo", str(tmp_path / "scene.png"), "--points", str(tmp_path / "points.csv")]
    done = CliRunner().invoke(app, ["view", str(folder), *given, "--frames", "0 ms,200 ms"])
    assert done.exit_code == 0, done.output
    assert "error 0.0 px rms" in done.output and "focal length 500 px" in done.output
    assert "y -3.00, z 1.00 m" in done.output
    with Image.open(folder / "photo.png") as picture:
        assert picture.width == 640
    for words, said in (
        (given[:2], "--photo or --video and --points go together"),
        ([*given, "--video", given[1]], "give one of them"),
        ([*given, "--offset", "1 s"], "give --video and --points"),
        (["--video", given[1], *given[2:], "--frames", "3"], "only a film is drawn"),
        (["--video", given[3], *given[2:]], "is no video that can be read"),
        (["--video", given[1], *given[2:], "--offset", "2 m"], "--offset"),
        (["--focal", "500"], "describe the camera of a photo or video"),
        ([*given, "--against", str(folder)], "2 results over one photo"),
        ([*given, "--movie", "film.gif", "--frames", "2"], "not both"),
        ([*given, "--frames", "9 s"], "there is no picture at 9 s"),
        ([*given, "--out", given[1]], "is also the input"),
    ):
        done = CliRunner().invoke(app, ["view", str(folder), *words])
        assert isinstance(done.exception, InputError) and said in str(done.exception)


def test_a_folder_of_measured_data_is_no_result(tmp_path: Path) -> None:
    (tmp_path / "test.mme").write_text("")
    for folder, said in ((tmp_path, "read by vitruvian assess and vitruvian compare"), (tmp_path / "none", "no file")):
        done = CliRunner().invoke(app, ["plot", str(folder), "head.acceleration"])
        assert isinstance(done.exception, InputError) and said in str(done.exception)


def test_the_replay_opens_in_the_browser(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda url: asked.append(url) or True)
    done = CliRunner().invoke(app, ["view", str(folder)])
    assert done.exit_code == 0, done.output
    page = folder / "replay.html"
    assert asked == [page.absolute().as_uri()] and page.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_several_results_in_one_page_that_is_only_written(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webbrowser.open", lambda url: pytest.fail("it was not to be opened"))
    page = tmp_path / "two.html"
    words = ["view", str(folder), str(folder / "result.nc"), "--no-browser", "--out", str(page)]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert page.read_text(encoding="utf-8").count('"tint":null') == 1


def test_without_a_browser_it_says_so(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webbrowser.open", lambda url: False)
    done = CliRunner().invoke(app, ["view", str(folder)])
    assert done.exit_code == 0 and "open the file yourself" in done.output
