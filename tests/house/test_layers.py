"""The rooms import only what the table of the design allows: the contracts in pyproject.toml, run by import-linter."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

LINT = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(cache_dir=None))"

PACKAGES = [
    "cli",
    "data",
    "export",
    "flex",
    "human",
    "injury",
    "kernels",
    "lab",
    "model",
    "scenario",
    "signals",
    "sim",
    "studio",
    "study",
    "view",
    "world",
]


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", LINT],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder / "src"), "PYTHONIOENCODING": "utf-8", "COLUMNS": "200"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_contracts_are_kept():
    done = lint(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def bare_house(tmp_path):
    """All rooms with nothing in them, under the contracts of the project."""
    house = tmp_path / "src" / "vitruvian"
    for package in PACKAGES:
        (house / package).mkdir(parents=True)
        (house / package / "__init__.py").touch()
    for module in ["__init__", "_compiler", "_files", "_jit", "errors", "units"]:
        (house / f"{module}.py").touch()
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_bare_house_keeps_the_contracts(bare_house):
    done = lint(bare_house)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("room", "line"),
    [
        ("kernels", "import vitruvian._jit"),
        ("kernels", "import numpy"),
        ("model", "import vitruvian.kernels, vitruvian.units"),
        ("data", "import vitruvian.units, vitruvian.errors"),
        ("lab", "import vitruvian.model, vitruvian.kernels, scipy"),
        ("human", "import vitruvian.model, vitruvian.data"),
        ("signals", "import numpy, scipy, vitruvian.errors"),
        ("injury", "import vitruvian.signals, vitruvian.data, scipy"),
        ("lab", "import vitruvian.scenario, vitruvian.view"),
    ],
)
def test_contracts_allow_the_table(bare_house, room, line):
    (bare_house / "src" / "vitruvian" / room / "guest.py").write_text(line + "\n")
    done = lint(bare_house)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("room", "line", "contract"),
    [
        ("model", "import vitruvian.sim", "Packages import only from the packages below them"),
        ("sim", "import vitruvian.human", "Packages import only from the packages below them"),
        ("lab", "import vitruvian.cli", "Packages import only from the packages below them"),
        ("kernels", "import vitruvian.errors", "kernels import nothing of the package but _jit"),
        ("kernels", "import scipy", "kernels import no package but numpy (numba only through _jit)"),
        ("kernels", "import numba", "kernels import no package but numpy (numba only through _jit)"),
        ("studio", "import vitruvian.lab", "only the command line imports the laboratory"),
        ("sim", "import vitruvian.lab", "only the command line imports the laboratory"),
        ("model", "import pydantic", "model knows neither files nor screens"),
        ("data", "import vitruvian.kernels", "data import only units and errors"),
        ("sim", "import vitruvian.data", "sim takes its numbers from the model, not from the tables"),
        ("signals", "import numba", "signals and injury are numpy and scipy (and rich, to show a table)"),
        ("injury", "import vitruvian.model", "signals and injury are numpy and scipy (and rich, to show a table)"),
        ("view", "import vitruvian.scenario", "view shows results and does not read scenarios"),
    ],
)
def test_contracts_notice_a_trespass(bare_house, room, line, contract):
    (bare_house / "src" / "vitruvian" / room / "guest.py").write_text(line + "\n")
    done = lint(bare_house)
    assert done.returncode != 0
    assert f"{contract} BROKEN" in done.stdout


def test_a_room_without_a_line_in_the_contract_is_noticed(bare_house):
    attic = bare_house / "src" / "vitruvian" / "attic"
    attic.mkdir()
    (attic / "__init__.py").touch()
    done = lint(bare_house)
    assert done.returncode != 0
    assert "attic" in done.stdout
