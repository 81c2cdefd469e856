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
