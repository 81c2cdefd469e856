"""The decorator and its cache, in a small package of their own that uses copies of `_jit.py` and
`_compiler.py`.

Each question is put to a fresh Python, as a user would start it. The two guards are the changed callee and the swapped
NamedTuple field: with Numba's own cache both give the old, wrong number.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import vitruvian

SOURCES = [Path(vitruvian.__file__).parent / name for name in ("_jit.py", "_compiler.py")]

LAW = """
from typing import NamedTuple
from numpy import ndarray
from .._jit import kernel

class Arrays(NamedTuple):
    mass: ndarray
    stiffness: ndarray

class Both(NamedTuple):
    arrays: Arrays
    factor: float

@kernel
def scaled(x):
    return 2.0 * x
"""

LOOP = """
from .._jit import inlined, inner, kernel
from .law import scaled

@inner
def _entry(arrays, k):
    return arrays.mass[k]

@inlined
def entry(both, k):
    return both.factor * _entry(both.arrays, k)

@kernel
def run(arrays):
    return scaled(arrays.mass.sum())

@kernel
def divide(a, b):
    return a / b
"""

ASK = """
import json
import numba
import numpy as np
from small import _jit
numba.config.CACHE_DIR = "the folder of somebody else"
from small.kernels import law, loop

cold = _jit.cache_is_cold(loop.run)
arrays = law.Arrays(mass=np.ones(3), stiffness=np.full(3, 100.0))
answer = {
    "run": loop.run(arrays),
    "not_finite": [str(loop.divide(1.0, 0.0)), str(loop.divide(float("nan"), 1.0))] if JITTED else [],
    "nested": [loop.entry(law.Both(arrays._replace(mass=np.arange(3.0)), 10.0), k) for k in range(3)],
    "kept": sorted({path.name.split("-")[0] for path in _jit.cache_folder().rglob("*.nbi")}),
    "cold_before": cold,
    "cold_after": _jit.cache_is_cold(loop.run),
    "folder": str(_jit.cache_folder()),
    "hits": sum(loop.run.stats.cache_hits.values()) if hasattr(loop.run, "stats") else None,
    "config": numba.config.CACHE_DIR,
    "compiled": hasattr(loop.run, "py_func"),
}
print(json.dumps(answer))
"""


class Small:
    """A package of two kernel files in a temporary folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = folder / "cache"
        self.kernels = folder / "small" / "kernels"
        self.kernels.mkdir(parents=True)
        for source in SOURCES:
            shutil.copy(source, self.kernels.parent / source.name)
        (self.kernels.parent / "__init__.py").touch()
        (self.kernels / "__init__.py").touch()
        (self.kernels / "law.py").write_text(LAW)
        (self.kernels / "loop.py").write_text(LOOP)

    def python(self, code: str, **environment: str) -> str:
        clean = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=clean | {"PYTHONPATH": str(self.folder), "VITRUVIAN_CACHE_DIR": str(self.cache)} | environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def ask(self, **environment: str) -> dict:
        jitted = environment.get("NUMBA_DISABLE_JIT") != "1"
        return json.loads(self.python(ASK.replace("JITTED", str(jitted)), **environment))

    def change(self, file: str, before: str, after: str) -> None:
        path = self.kernels / file
        text = path.read_text()
        assert before in text
        path.write_text(text.replace(before, after))


@pytest.fixture
def small(tmp_path):
    return Small(tmp_path)


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """A package that stays as it is, and its first answer."""
    made = Small(tmp_path_factory.mktemp("asked"))
    return made, made.ask()


@pytest.mark.needs_jit
def test_a_changed_callee_in_another_file_gives_the_new_value(small):
    first, second = small.ask(), small.ask()
    assert (first["run"], first["hits"], first["cold_before"], first["cold_after"]) == (6.0, 0, True, False)
    assert (second["run"], second["hits"], second["cold_before"]) == (6.0, 1, False)
    small.change("law.py", "2.0 * x", "5.0 * x")
    third = small.ask()
    assert (third["run"], third["cold_before"]) == (15.0, True)
    assert third["folder"] != first["folder"]


@pytest.mark.needs_jit
def test_a_swapped_field_in_another_file_gives_the_right_value(small):
    assert small.ask()["run"] == 6.0
    small.change("law.py", "mass: ndarray\n    stiffness: ndarray", "stiffness: ndarray\n    mass: ndarray")
    assert small.ask()["run"] == 6.0


@pytest.mark.needs_jit
def test_only_what_python_calls_becomes_machine_code(asked):
    """`law.scaled` is called by `loop.run` only, `loop._entry` by `loop.entry` only."""
    assert asked[1]["kept"] == ["loop.divide", "loop.entry", "loop.run"]


def test_a_record_in_a_record_is_read(asked):
    made, compiled = asked
    assert compiled["nested"] == made.ask(NUMBA_DISABLE_JIT="1")["nested"] == [0.0, 10.0, 20.0]


@pytest.mark.needs_jit
def test_plain_numba_gives_the_same_values_in_a_folder_of_its_own(asked):
    """With a version of Numba that `_compiler` does not know, plain Numba compiles the same kernels."""
    made, fast = asked
    first, second = (made.ask(VITRUVIAN_COMPILER="plain") for _ in range(2))
    assert first["folder"] != fast["folder"] and (first["cold_before"], second["cold_before"]) == (True, False)
    for answer in (first, second):
        assert [answer[key] for key in ("run", "nested", "not_finite")] == [
            fast[key] for key in ("run", "nested", "not_finite")
        ]
    assert second["hits"] == 1


@pytest.mark.needs_jit
def test_an_untested_numba_falls_back_to_the_plain_compiler_and_says_so(small):
    code = "from small import _jit; _jit.TESTED = ('0.1',); print(_jit.accelerated(), _jit.announcement())"
    words = small.python(code)
    assert words.startswith("False compiling kernels with plain Numba") and "works with Numba 0.1" in words
    wrong = "from small import _jit\ntry:\n    _jit.accelerated()\nexcept ValueError as error:\n    print(error)"
    assert 'accepted: "plain"' in small.python(wrong, VITRUVIAN_COMPILER="quick")


@pytest.mark.needs_jit
def test_an_index_out_of_bounds_in_a_part_is_seen_in_python(small):
    code = """
import numpy as np
from small.kernels import law, loop
both = law.Both(law.Arrays(np.ones(3), np.ones(3)), 1.0)
try:
    loop.entry(both, 3)
except IndexError:
    print("seen")
"""
    assert small.python(code, NUMBA_BOUNDSCHECK="1").strip() == "seen"


@pytest.mark.needs_jit
def test_not_a_number_and_division_by_zero_are_kept(asked):
    assert asked[1]["not_finite"] == ["inf", "nan"]


@pytest.mark.needs_jit
def test_the_folder_of_other_packages_is_left_alone(asked):
    small, answer = asked
    assert answer["config"] == "the folder of somebody else"
    assert Path(answer["folder"]).is_relative_to(small.cache)
    assert not (small.folder / "the folder of somebody else").exists()


def test_plain_python_gives_the_same_value_and_leaves_no_files(small):
    answer = small.ask(NUMBA_DISABLE_JIT="1")
    assert (answer["run"], answer["compiled"], answer["cold_before"]) == (6.0, False, False)
    assert list(small.cache.rglob("*.nb*")) == []


def test_the_key_changes_with_names_bytes_and_flags(tmp_path):
    from vitruvian._jit import source_key

    (tmp_path / "a.py").write_text("x = 1")
    (tmp_path / "b.py").write_text("y = 2")
    key = source_key([tmp_path])
    assert source_key([tmp_path]) == key
    assert source_key([tmp_path], ["0.61"]) != key
    (tmp_path / "b.py").write_text("y = 3")
    changed = source_key([tmp_path])
    (tmp_path / "b.py").rename(tmp_path / "c.py")
    renamed = source_key([tmp_path])
    assert len({key, changed, renamed}) == 3


def test_bounds_checked_kernels_have_a_folder_of_their_own(small):
    code = "from small import _jit; print(_jit.cache_folder())"
    assert small.python(code) != small.python(code, NUMBA_BOUNDSCHECK="1")


def test_an_unwritable_cache_falls_back_to_a_private_temporary_folder(small):
    small.cache.write_text("a file where the folder should be")
    code = "from small import _jit; print(_jit.cache_folder())"
    folder = Path(small.python(code, TMPDIR=str(small.folder), TEMP=str(small.folder)).strip())
    assert folder.is_relative_to(small.folder)
    private = small.folder / folder.relative_to(small.folder).parts[0]
    assert private.name.startswith("vitruvian-")
    if os.name == "posix":
        assert private.stat().st_mode & 0o077 == 0


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="XDG_CACHE_HOME is a Linux convention")
def test_the_users_cache_folder_is_respected(small):
    code = "from small import _jit; print(_jit.cache_folder())"
    folder = Path(small.python(code, VITRUVIAN_CACHE_DIR="", XDG_CACHE_HOME=str(small.folder / "xdg")).strip())
    assert folder.parent == small.folder / "xdg" / "vitruvian" / "kernels"


@pytest.mark.needs_jit
def test_clearing_removes_old_folders_first_and_then_all(small):
    small.ask()
    small.change("law.py", "2.0 * x", "5.0 * x")
    small.ask()
    folders = small.cache / "kernels"
    assert len(list(folders.iterdir())) == 2
    removed = small.python("from small import _jit; print(len(_jit.clear_cache(keep_current=True)))")
    assert (removed.strip(), len(list(folders.iterdir()))) == ("1", 1)
    assert small.ask()["hits"] == 1
    # a kernel that is decorated already still compiles after the clearing
    small.python("from small import _jit; from small.kernels.law import scaled; _jit.clear_cache(); scaled(1.0)")
    assert len(list(folders.rglob("*.nbi"))) == 1


@pytest.mark.needs_jit
@pytest.mark.parametrize("kind", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", ["cut", "empty", "byte"])
def test_a_damaged_file_is_compiled_again_with_a_message(asked, tmp_path, kind, damage):
    """Item 6: also where a single byte of the machine code has changed, which Numba alone would run."""
    made, first = asked
    cache = tmp_path / "cache"
    shutil.copytree(made.cache, cache)
    for path in cache.rglob(f"loop.run-*.{kind}"):
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes({"cut": content[:-9], "empty": b"", "byte": content}[damage])
    code = "import sys; sys.stderr = sys.stdout\n" + ASK.replace("JITTED", "True")
    note, answer = made.python(code, VITRUVIAN_CACHE_DIR=str(cache)).splitlines()
    assert "is damaged; its kernels are compiled again." in note and f".{kind}" in note
    assert (json.loads(answer)["run"], json.loads(answer)["hits"]) == (first["run"], 0)
    again = json.loads(made.python(ASK.replace("JITTED", "True"), VITRUVIAN_CACHE_DIR=str(cache)))
    assert again["hits"] == 1


@pytest.fixture
def read_only(asked, tmp_path):
    """A copy of a full cache in a folder that cannot be written."""
    cache = tmp_path / "cache"
    shutil.copytree(asked[0].cache, cache)
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    if root:  # permissions do not bind root
        if subprocess.run(["mount", "--bind", cache, cache], capture_output=True, check=False).returncode:
            pytest.skip("cannot mount a file system here")
        subprocess.run(["mount", "-o", "remount,ro,bind", cache], check=True)
    elif os.name == "posix":
        for path in [cache, *cache.rglob("*")]:
            path.chmod(path.stat().st_mode & ~0o222)
    else:
        pytest.skip("needs a folder that cannot be written")
    yield cache
    if root:
        subprocess.run(["umount", "-l", cache], check=True)
    else:
        for path in [cache, *cache.rglob("*")]:
            path.chmod(path.stat().st_mode | 0o200)


@pytest.mark.needs_jit
def test_a_read_only_cache_is_used(asked, read_only):
    """Item 6: as in a container image; a kernel that it does not hold is compiled for the process only."""
    made = asked[0]
    answer = json.loads(made.python(ASK.replace("JITTED", "True"), VITRUVIAN_CACHE_DIR=str(read_only)))
    assert (answer["cold_before"], answer["hits"], answer["run"]) == (False, 1, 6.0)
    assert Path(answer["folder"]).is_relative_to(read_only)
    code = "import sys; sys.stderr = sys.stdout\nfrom small.kernels import loop; print(loop.divide(1, 2))"
    note, value = made.python(code, VITRUVIAN_CACHE_DIR=str(read_only)).splitlines()
    assert "Compiled kernels cannot be kept in" in note and value == "0.5"


@pytest.mark.needs_jit
def test_clearing_touches_only_what_it_made(small):
    """Item 2: VITRUVIAN_CACHE_DIR may be a folder with other content."""
    small.ask()
    own = small.cache / "kernels"
    key = next(own.iterdir())
    others = [own / "thesis" / "chapter.tex", own / ("a" * 32) / "notes.txt", key / "mine.txt"]
    for path in others:
        path.parent.mkdir(exist_ok=True)
        path.write_text("mine")
    small.python("from small import _jit; _jit.clear_cache()")
    assert sorted(path for path in own.rglob("*") if path.is_file()) == sorted(others)
