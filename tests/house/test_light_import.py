"""`import vitruvian` is quick because it loads nothing heavy, and its public names lead somewhere."""

import subprocess
import sys
from pathlib import Path

import pytest

import vitruvian

HEAVY = ["numba", "llvmlite", "numpy", "scipy", "xarray", "pandas", "h5py", "matplotlib", "pydantic", "typer", "rich"]


def loaded_after(statement: str) -> set[str]:
    code = f"{statement}\nimport sys\nprint(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize("statement", ["import vitruvian", "import vitruvian.units, vitruvian.errors"])
def test_import_is_light(statement):
    assert loaded_after(statement).intersection(HEAVY) == set()


def test_the_check_itself_sees_a_heavy_import():
    assert "numpy" in loaded_after("import vitruvian; import numpy")


@pytest.mark.parametrize("name", sorted(vitruvian._PUBLIC))
def test_public_names_exist(name):
    assert getattr(vitruvian, name) is not None


@pytest.mark.parametrize("name", sorted(vitruvian._PUBLIC))
def test_no_public_name_is_hidden_by_a_room(name):
    """Importing the room vitruvian.x binds vitruvian.x to it, so the public name x must mean the same."""
    folder = Path(vitruvian.__file__).parent
    is_room = (folder / name).is_dir() or (folder / f"{name}.py").is_file()
    assert not is_room or vitruvian._PUBLIC[name] == f"vitruvian.{name}"


def test_a_wrong_name_is_refused_with_the_nearest():
    with pytest.raises(AttributeError) as caught:
        _ = vitruvian.simulat
    assert str(caught.value) == 'vitruvian has no simulat. Did you mean "simulate"?'


def test_dir_lists_public_names():
    assert {"__version__", *vitruvian._PUBLIC} <= set(dir(vitruvian))
