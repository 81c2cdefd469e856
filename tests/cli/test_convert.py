"""`vitruvian convert`: every format, one after the other, and wrong input."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from vitruvian.cli.app import app
from vitruvian.cli.convert import FORMATS
from vitruvian.errors import InputError
from vitruvian.scenario import Scenario

pytestmark = pytest.mark.needs_jit


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fall")
    Scenario.load("fall-1cm", {"solver.duration": 0.06}).run().save(folder / "result.nc")
    return folder


def test_every_format_beside_the_result(folder: Path) -> None:
    for module in ("pyarrow", "ezc3d"):
        pytest.importorskip(module)
    words = [word for name in FORMATS for word in ("--to", name)]
    done = CliRunner().invoke(app, ["convert", str(folder), *words])
    assert done.exit_code == 0, done.output
    made = {path.name for path in folder.iterdir()} - {"result.nc"}
    files = {"fall-1cm.glb", "fall-1cm.trc", "fall-1cm.mot", "fall-1cm.c3d", "fall-1cm.xml"}
    assert made == files | {"csv", "parquet", "isomme", "fe"}
    assert done.output.count("Written: ") == 9


def test_a_place_of_ones_own(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "new" / "model.glb"
    done = CliRunner().invoke(app, ["convert", str(folder / "result.nc"), "--to", "glb", "--out", str(out)])
    assert done.exit_code == 0 and out.read_bytes().startswith(b"glTF")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--to", "gbl"], "the format 'gbl' is not known. Did you mean \"glb\"?"),
        (["--to", "glb", "--out", "model.obj"], "ends in .glb"),
        (["--to", "glb", "--to", "csv", "--out", "x"], "one place for 2 formats"),
        (["--to", "fe", "--units", "inch"], "accepted: mm-ms-kg"),
    ],
)
def test_wrong_input(folder: Path, words: list[str], said: str) -> None:
    done = CliRunner().invoke(app, ["convert", str(folder), *words])
    assert isinstance(done.exception, InputError) and said in str(done.exception)


def test_a_result_without_scenario_has_no_model(tmp_path: Path) -> None:
    result = Scenario.load("bouncing-ball", {"solver.duration": 0.01}).run()
    result.scenario = ""
    result.save(tmp_path / "result.nc")
    done = CliRunner().invoke(app, ["convert", str(tmp_path), "--to", "mjcf"])
    assert isinstance(done.exception, InputError) and "holds no scenario" in str(done.exception)
