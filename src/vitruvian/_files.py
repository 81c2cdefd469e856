"""Files that users keep: written completely or not at all, and never over a file that Vitruvian did not write.

- `writing` and `write_text` write into a hidden file in the same folder, which replaces the target when it is complete.
  A process that is killed leaves only such a hidden file; the next `writing` in that folder removes it.
- `writing_folder` does the same for files that belong together.
- `locked` reserves an output folder for one process. The system releases the lock when the process ends in any way.
- `MARK` is in the head of every report, picture and outcome; `is_marked` recognises a file that may be replaced.
- `plain_name` and `csv_cell` make texts from files harmless in paths and in spreadsheets.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .errors import InputError, OutputError

__all__ = [
    "MARK", "cannot_write", "csv_cell", "has_control", "is_marked", "locked", "one_line", "plain_name",
    "refuse_inputs", "shown", "write_text", "writing", "writing_folder",
]  # fmt: skip

MARK = "written by vitruvian"
LOCK = ".vitruvian.lock"
_HEAD = 4096  # bytes of a file in which the mark is searched
_PART = re.compile(r"\..*\.(?P<process>\d+)\.[0-9a-f]{8}\.part(\.\w+)?")
#: faults of the storage, not of the path that the user chose
_STORAGE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO) if hasattr(errno, "EDQUOT") else (errno.ENOSPC,)
#: control characters (C0, C1, delete) and the signs that reverse or hide text
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u200b-\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
#: names that Windows reserves for devices, with any ending
_DEVICES = {"con", "prn", "aux", "nul", *(f"{kind}{n}" for kind in ("com", "lpt") for n in range(1, 10))}


# writing


@contextmanager
def writing(path: str | Path, *, new_folder: bool = True) -> Iterator[Path]:
    """Give a temporary path in the same folder, which replaces the target when the block ends without an error.

    new_folder  make the folder of the target if it does not exist

    A link is followed. A device or pipe, such as /dev/stdout, is written directly.
    """
    target = Path(os.path.realpath(path))
    direct = target.exists() and not target.is_file() and not target.is_dir()
    temporary = target.with_name(f".{target.stem[:60]}.{os.getpid()}.{uuid.uuid4().hex[:8]}.part{target.suffix}")
    try:
        if direct:
            yield target
            return
        if new_folder:
            target.parent.mkdir(parents=True, exist_ok=True)
        _remove_leftovers(target.parent)
        yield temporary
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())  # some file systems report a full disk only here
        os.replace(temporary, target)
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        if not direct:
            with suppress(OSError):
                temporary.unlink()


def write_text(path: str | Path, text: str, *, new_folder: bool = True) -> Path:
    """Write a text file in UTF-8 with line feeds."""
    with writing(path, new_folder=new_folder) as temporary:
        temporary.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
    return Path(path)


@contextmanager
def writing_folder(folder: str | Path) -> Iterator[Path]:
    """Give a temporary folder; its files take their places in the target when the block ends without an error.

    A disk that fills up while they are written changes nothing in the target.
    """
    target = Path(os.path.realpath(folder))
    temporary = target.with_name(f".{target.name[:60]}.{os.getpid()}.{uuid.uuid4().hex[:8]}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _remove_leftovers(target.parent)
        temporary.mkdir()
        yield temporary
        for path in sorted(path for path in temporary.rglob("*") if path.is_file()):
            place = target / path.relative_to(temporary)
            place.parent.mkdir(parents=True, exist_ok=True)
            os.replace(path, place)
    except OSError as error:
        raise cannot_write(folder, error) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def cannot_write(path: str | Path, error: OSError) -> InputError | OutputError:
    """Return the refusal of a path that the system does not let us write: exit code 2, or 1 if the storage failed."""
    reason = f"{path} cannot be written ({error.strerror or error})."
    if error.errno in _STORAGE:
        return OutputError(f"{reason} The attempt changed no file. Free some space, or choose another folder.")
    return InputError(f"{reason} Choose another folder.")


def _remove_leftovers(folder: Path) -> None:
    """Remove the temporary files of processes that no longer run."""
    with suppress(OSError):
        for entry in list(os.scandir(folder)):
            part = _PART.fullmatch(entry.name)
            if part and not _runs(int(part["process"])):
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry, ignore_errors=True)
                else:
                    with suppress(OSError):
                        os.unlink(entry)


def _runs(process: int) -> bool:
    if process == os.getpid():
        return True
    if os.name == "nt":  # os.kill would end it; a file that is open there cannot be removed anyway
        return False
    try:
        os.kill(process, 0)
    except OverflowError:
        return False
    except OSError as error:
        return error.errno != errno.ESRCH
    return True


# folders


@contextmanager
def locked(folder: str | Path) -> Iterator[None]:
    """Reserve a folder for this process, made if it does not exist; refuse it if another process writes there.

    A folder that was made here and stays empty is removed again.
    """
    folder = Path(folder)
    made = [at for at in (folder, *folder.parents) if not at.exists()]
    path = folder / LOCK
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = _locked_file(path)
    except OSError as error:
        raise cannot_write(folder, error) from error
    if descriptor is None:
        raise InputError(
            f"another run is writing into {folder}. Wait until it ends, or choose another folder with --out."
        )
    try:
        yield
    finally:
        if os.name == "nt":  # where an open file cannot be removed
            os.close(descriptor)
        with suppress(OSError):
            path.unlink()
        if os.name != "nt":
            os.close(descriptor)
        for at in made:
            with suppress(OSError):  # not empty
                at.rmdir()


def _locked_file(path: Path) -> int | None:
    """Open and lock a file; return its descriptor, or None if another process holds the lock."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        if not _lock(descriptor):
            os.close(descriptor)
            return None
        with suppress(OSError):
            if os.path.samestat(os.fstat(descriptor), os.stat(path)):
                return descriptor
        os.close(descriptor)  # removed by its holder before we had the lock: try the new one


def _lock(descriptor: int) -> bool:
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        # a file system without locks is used without a lock
        return error.errno not in (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
    return True


# what is ours, what is not


def is_marked(path: Path) -> bool:
    """Return True if the head of a file holds the mark that Vitruvian writes."""
    with path.open("rb") as file:
        return MARK.encode() in file.read(_HEAD)


def refuse_inputs(output: Path, inputs: Iterable[Path]) -> None:
    """Refuse an output file that is also one of the input files, by whatever path it is named."""
    for given in inputs:
        with suppress(OSError):
            if os.path.samefile(output, given) and given.is_file():
                raise InputError(f"{output} is also the input; it would be overwritten. Choose another output file.")


def plain_name(name: str, otherwise: str = "result") -> str:
    """Return a name that is a single part of a path: letters, digits, spaces, dots, + and -; other signs become _."""
    text = re.sub(r"[^\w .+-]", "_", one_line(name))[:100].strip(" .")
    if not text or text.startswith("-") or text.partition(".")[0].lower() in _DEVICES:
        text = f"{otherwise}{'_' if text else ''}{text}"
    return text


# texts


def one_line(text: str) -> str:
    """Return a text on one line: white space becomes a space, other control characters a visible sign."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", re.sub(r"\s", " ", text))


def shown(text: str) -> str:
    """Return a text for a terminal: lines stay, other control characters become a visible sign."""
    return "\n".join(_CONTROL.sub("\N{REPLACEMENT CHARACTER}", line.expandtabs()) for line in text.split("\n"))


def has_control(text: str) -> bool:
    """Return True if a text holds control characters, line breaks included."""
    return _CONTROL.search(text) is not None


def csv_cell(word: str) -> str:
    """Return a text that a spreadsheet does not run as a formula: one that looks like a formula gets an apostrophe."""
    if word[:1] in ("=", "@", "\t", "\r") or (word[:1] in ("+", "-") and len(word) > 1 and not _is_number(word)):
        return f"'{word}"
    return word


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
