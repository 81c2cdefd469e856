"""`vitruvian convert`: a result in the formats of other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from ..sim.result import Result

_HEAD = 65_536  # bytes of a file in which it names its origin
#: format -> (ending, or "" for a folder of that name; what it is)
FORMATS = {
    "glb": (".glb", "glTF 2.0 with animation: Blender, viewers, browsers"),
    "csv": ("", "all channels as tidy tables with units"),
    "parquet": ("", "the same, in columns"),
    "isomme": ("", "ISO-MME (ISO/TS 13499), the format of crash tests"),
    "trc": (".trc", "markers for OpenSim, and joint angles in a .mot file next to it"),
    "c3d": (".c3d", "markers, accelerometers and events for motion laboratories"),
    "mjcf": (".xml", "the model with its states for MuJoCo"),
    "fe": ("", "motion and loads of the segments for finite elements: LS-DYNA keyword and CSV"),
}


def command(
    result: Path = typer.Argument(help="result.nc of a run, or its folder."),
    to: list[str] = typer.Option(
        ..., "--to", metavar="FORMAT", help=f"{', '.join(FORMATS)}. May be given several times."
    ),
    out: Path | None = typer.Option(None, "--out", help="File or folder; next to the result unless given."),
    only: list[str] = typer.Option(
        [], "--only", help="csv, parquet: only this body, joint, sensor or surface. May be given several times."
    ),
    channels: list[str] = typer.Option(
        [], "--channels", help="csv, parquet: only this channel, as joint_force_local. May be given several times."
    ),
    units: str = typer.Option(
        "mm-ms-kg", "--units", help="Units of the keyword files of fe: mm-ms-kg, m-s-kg or mm-s-t."
    ),
    skin: bool = typer.Option(
        True, "--skin/--shapes", help="glb: draw people with their skin, or as the shapes used for contact."
    ),
    contact: bool = typer.Option(True, "--contact/--no-contact", help="mjcf: shapes touch the planes."),
) -> None:
    """Write a result in the formats of other programs."""
    from .._files import plain_name, refuse_inputs
    from ..errors import InputError, nearest
    from . import screen

    for name in to:
        if name not in FORMATS:
            table = "".join(f"\n  {known:8s} {words}" for known, (_, words) in FORMATS.items())
            raise InputError(f"the format {name!r} is not known.{nearest(name, FORMATS)} Accepted:{table}")
    if out is not None and len(to) > 1:
        raise InputError(f"--out {out} is one place for {len(to)} formats; leave it out, or give one format.")
    if (only or channels) and not {*to} <= {"csv", "parquet"}:
        raise InputError("--only and --channels go with csv and parquet; leave them out for the other formats.")
    shown = screen.loaded(result)
    for name in dict.fromkeys(to):
        ending, _ = FORMATS[name]
        stem = plain_name(shown.name)
        path = out or screen.folder_of(result) / (f"{stem}{ending}" if ending else name)
        if ending and path.suffix.lower() != ending:
            raise InputError(f"--out {path}: a file of the format {name} ends in {ending}.")
        refuse_inputs(path, screen.files_of(result))
        if (out is None or not ending) and path.suffix.lower() != ".csv":
            _refuse_foreign(path, name)
        options: dict[str, Any] = {
            "units": units,
            "skin": skin,
            "contact": contact,
            "choice": (tuple(only), tuple(channels)),
        }
        for line in _written(shown, name, path, **options):
            print(line)


def _refuse_foreign(path: Path, name: str) -> None:
    """Refuse a place that the user did not name, or a folder, that holds something that `convert` did not write."""
    from ..errors import InputError

    origins = {"trc": (path.with_suffix(".mot"),), "fe": (path / "main.k",), "isomme": tuple(path.glob("*.mme"))}
    told = origins.get(name, (path / f"about.{name}",) if path.is_dir() else (path,))  # files that name their origin
    holds = any(path.iterdir()) if path.is_dir() else path.exists()
    if holds and not any(file.is_file() and b"vitruvian" in file.read_bytes()[:_HEAD].lower() for file in told):
        raise InputError(
            f"{path} was not written by vitruvian convert. Move it away, or choose another place with --out."
        )


def _tidy(result: Result, name: str, path: Path, choice: tuple[tuple[str, ...], ...]) -> list[str]:
    """Write tables as CSV or Parquet; return a line on what was written."""
    from .._files import writing_folder
    from ..export import tidy
    from . import screen

    with screen.counted(f"convert to {name}") as progress:
        if path.suffix.lower() == ".csv":
            file = tidy.write_single_csv(result, path, tidy.Choice(*choice), progress=progress)
            return [f"Written: {file} ({file.stat().st_size / 1e6:.3g} MB)"]
        write = tidy.write_csv if name == "csv" else tidy.write_parquet
        with writing_folder(path) as temporary:
            files = write(result, temporary, tidy.Choice(*choice), progress=progress)
            size = sum(file.stat().st_size for file in files)
    return [f"Written: {path}: {', '.join(file.name for file in files)} ({size / 1e6:.3g} MB)"]


def _written(
    result: Result,
    name: str,
    path: Path,
    *,
    units: str,
    skin: bool,
    contact: bool,
    choice: tuple[tuple[str, ...], ...],
) -> list[str]:
    """Write one format; return lines on what was written."""
    from .._files import writing_folder

    if name == "glb":
        from ..view import gltf

        return [f"Written: {gltf.write(result, path, skin=skin)}"]
    if name in ("csv", "parquet"):
        return _tidy(result, name, path, choice)
    if name == "isomme":
        from ..export import isomme

        with writing_folder(path) as temporary:
            file = isomme.write(result, temporary)
        return [f"Written: {path / file.name}"]
    if name == "trc":
        from ..export import opensim

        return [f"Written: {file}" for file in opensim.write(result, path)]
    if name == "c3d":
        from ..export import c3d

        return [f"Written: {c3d.write(result, path)}"]
    if name == "fe":
        from ..export import fe

        with writing_folder(path) as temporary:
            files = fe.write(result, temporary, units=units)
        return [f"Written: {path}: {', '.join(file.name for file in files)}"]
    from ..errors import InputError
    from ..export import mjcf_file
    from ..scenario import Scenario

    if not result.scenario:
        raise InputError("the result holds no scenario to build the model from; in Python use export.mjcf_file.write.")
    system, _ = Scenario.from_toml(result.scenario, name=result.name, label="the scenario of the result").build()
    file, notes = mjcf_file.write(result, system, path, contact=contact)
    return [f"Written: {file}", *(f"Note: left out or changed: {note}." for note in notes)]
