"""The one Numba decorator, `@kernel`, and its cache.

Numba's own cache looks only at the file of the function it stores: when a callee or a NamedTuple in another file
changes, it keeps the old machine code and answers wrongly without a word. Here the cache folder is therefore named
by a hash of every source file in `kernels/` and `lab/kernels/`, so that any change leads to an empty folder. What a
kernel is given or calls must live there for this to hold, the NamedTuples of its arguments included.

`_compiler.py` makes Numba compile faster and better, on the versions of Numba with which it was tested. With any
other version, or with VITRUVIAN_COMPILER=plain, Numba compiles the kernels on its own: the same results within
rounding, a longer first run and slower runs. These two files import nothing else of the package.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import sys
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite.binding
import numba

__all__ = ["accelerated", "announcement", "cache_folder", "cache_is_cold", "clear_cache"]
__all__ += ["exact", "inlined", "inner", "kernel"]

Function = TypeVar("Function", bound=Callable[..., Any])

# numba makes its settings at run time, out of sight of type checkers, and its hints do not know all options
config: Any = numba.config
njit: Any = numba.njit

_KEY = re.compile("[0-9a-f]{32}")
KERNEL_SOURCES = tuple(Path(__file__).parent / folder for folder in ("kernels", "lab/kernels"))

#: versions of Numba with which `_compiler` was tested
TESTED = ("0.68",)

# nnan and ninf would remove the checks for NaN, reassoc would change results between compilers
FASTMATH = frozenset({"contract", "arcp", "nsz"})


@cache
def accelerated() -> bool:
    """Return whether `_compiler` compiles the kernels; otherwise plain Numba does."""
    choice = os.environ.get("VITRUVIAN_COMPILER", "")
    if choice not in ("", "plain"):
        raise ValueError(f'the environment variable VITRUVIAN_COMPILER is {choice!r}; accepted: "plain", or nothing.')
    return choice != "plain" and numba.__version__.rpartition(".")[0] in TESTED


def announcement() -> str:
    """Return what to print before the kernels are compiled."""
    if accelerated():
        return "compiling kernels, once per machine, about 45 s"
    return (
        f"compiling kernels with plain Numba {numba.__version__}, once per machine, some minutes; runs are slower. "
        f"Vitruvian's own compiler works with Numba {', '.join(TESTED)}."
    )


def kernel(function: Function) -> Function:
    """Compile a function at its first call, keep it on disk, and run it without the interpreter lock.

    A division by zero gives inf or nan, as in numpy. Kernels neither make nor return arrays, so reference counting is
    off (`_nrt=False`): each call that is not inlined would count every array of its arguments up and down, which made
    the kinematics of 17 bodies 18 times slower. With NUMBA_DISABLE_JIT=1 the function stays plain Python.

    A NamedTuple is passed by reference (`_compiler.Reference`). Other kernels that call this one take a part of
    its own, so that only what Python calls is made into machine code.
    """
    if config.DISABLE_JIT:
        return function
    return _called_from_python(function, inner(function))


def exact(function: Function) -> Function:
    """Compile a function of signals without fused multiplication and addition, so that its bits are those of numpy."""
    if config.DISABLE_JIT:
        return function
    before = config.CACHE_DIR
    config.CACHE_DIR = str(cache_folder())
    try:
        return cast(Function, njit(nogil=True, error_model="numpy", cache=True)(function))
    finally:
        config.CACHE_DIR = before


def inner(function: Function) -> Function:
    """Compile a kernel that only other kernels call: it is neither callable from Python nor kept on disk."""
    return _called_by_kernels(function)


def inlined(function: Function) -> Function:
    """Compile a kernel into the code of its caller, however large it is: for what is called once for every body."""
    part = _called_by_kernels(function, forceinline=True)
    if config.DISABLE_JIT or function.__name__.startswith("_"):
        return part
    return _called_from_python(function, part)


OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "fastmath": set(FASTMATH), "_nrt": False}


def _called_by_kernels(function: Function, *, forceinline: bool = False) -> Function:
    if config.DISABLE_JIT:
        return function
    if not accelerated():
        return cast(Function, njit(**OPTIONS)(function))
    from . import _compiler

    # forceinline is given for each kernel, because Numba otherwise propagates it to all that the kernel calls
    options = {**OPTIONS, "forceinline": forceinline, "pipeline_class": _compiler.Compiler}
    return cast(Function, njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **options)(function))


def _called_from_python(function: Function, part: Any) -> Function:
    # numba takes the folder when the dispatcher is made; other packages keep their own
    before = config.CACHE_DIR
    config.CACHE_DIR = str(cache_folder())
    try:
        if not accelerated():
            part.enable_caching()
            return cast(Function, part)
        from . import _compiler

        whole: Any = njit(**OPTIONS, forceinline=False, pipeline_class=_compiler.Compiler)(function)
        whole._cache = _compiler.KernelCache(function)
    finally:
        config.CACHE_DIR = before
    type_of = whole.typeof_pyval
    whole.typeof_pyval = lambda value: _compiler.referred(type_of(value))
    whole.get_call_template, whole.get_overload = part.get_call_template, part.get_overload
    return cast(Function, whole)


def source_key(folders: Iterable[Path], also: Iterable[str] = ()) -> str:
    """Return a SHA-256 over the names and bytes of all Python files in some folders, and over further texts."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            content = path.read_bytes()
            digest.update(f"{path.relative_to(folder).as_posix()}\0{len(content)}\0".encode())
            digest.update(content)
    for text in also:
        digest.update(f"{text}\0".encode())
    return digest.hexdigest()


@cache
def cache_folder() -> Path:
    """Return the folder of the compiled kernels: one for each state of sources, numba, Python, CPU and debug flags.

    It is in `<user cache>/vitruvian/kernels`, or in a private temporary folder if that can be neither written nor used
    as it is.
    """
    machine = (
        Path(__file__).read_text(encoding="utf-8"),
        Path(__file__).with_name("_compiler.py").read_text(encoding="utf-8") if accelerated() else "plain",
        numba.__version__,
        platform.python_version(),
        config.CPU_NAME or llvmlite.binding.get_host_cpu_name(),
        # these change the machine code too, and numba's own index does not notice
        f"boundscheck={config.BOUNDSCHECK} opt={config.OPT} debug={config.DEBUGINFO_DEFAULT}",
    )
    key = source_key(KERNEL_SOURCES, machine)[:32]
    root = _user_cache() / "kernels"
    if _is_writable(root) or _has_kernels(root / key):  # in a container image the cache is often read-only
        return root / key
    root = _private_temporary() / "kernels"
    root.mkdir(exist_ok=True)
    return root / key


def cache_is_cold(entry: Callable[..., Any] | None = None) -> bool:
    """True if the next run has to compile: nothing is stored yet, or not the given kernel."""
    if config.DISABLE_JIT:
        return False
    pattern = "*.nbi"
    if entry is not None:
        python = getattr(entry, "py_func", entry)
        pattern = f"{python.__module__.rpartition('.')[2]}.{python.__qualname__}-*.nbi"
    return next(cache_folder().rglob(pattern), None) is None


def clear_cache(*, keep_current: bool = False) -> list[Path]:
    """Remove the compiled kernels of every version, or of all but the present one; return the folders removed.

    Only folders that are named by a key and files of compiled code in them are touched: the cache may lie in a folder
    with other content.
    """
    removed = []
    for folder in sorted(cache_folder().parent.glob("?" * 32)):
        if not _KEY.fullmatch(folder.name) or folder.is_symlink() or (keep_current and folder == cache_folder()):
            continue
        for path in [*folder.glob("*/*.nbi*"), *folder.glob("*/*.nbc*")]:
            with suppress(OSError):
                path.unlink()
        for path in (*folder.glob("*/"), folder):
            with suppress(OSError):  # not empty
                path.rmdir()
        if not folder.exists():
            removed.append(folder)
    return removed


def _has_kernels(folder: Path) -> bool:
    return next(folder.rglob("*.nbi"), None) is not None


def _user_cache() -> Path:
    if own := os.environ.get("VITRUVIAN_CACHE_DIR"):
        return Path(own).expanduser().absolute()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()
    return base / "vitruvian"


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def _private_temporary() -> Path:
    """A temporary folder that only this user can write: what lies in the cache is executed."""
    if hasattr(os, "getuid"):
        folder = Path(tempfile.gettempdir()) / f"vitruvian-{os.getuid()}"
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
            status = folder.lstat()
            if folder.is_dir() and not folder.is_symlink() and status.st_uid == os.getuid():
                folder.chmod(0o700)
                return folder
        except OSError:
            pass
    return Path(tempfile.mkdtemp(prefix="vitruvian-"))
