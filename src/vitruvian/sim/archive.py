"""Results in files: one NetCDF-4 file a run, readable by any NetCDF tool.

Layout, format 1: the variables of `Result.dataset`; the geometry under its own names; the state at the end as
`final_<name>`, so that a run can continue; everything else (roster, scenario, versions, status, statistics) as
attributes. Every variable of numbers has `units`.
The attribute `contents` lists the names of all variables and attributes, so that a missing one is noticed.
All numbers are stored as they are (float64, load cells float32, compressed without loss): what is read is bit for bit
what was written.
Dimensions of length zero (a system without sensors) are left out and made again on reading.
"""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .._files import writing
from ..errors import InputError
from ..model.roster import Roster
from . import integrity, memory
from .channel import DIMENSIONS, STORED, WORK_CLASSES, dimension_sizes, displacement_mask
from .geometry import Geometry
from .recording import Event, Recording

if TYPE_CHECKING:
    from .dataset import Variable
    from .result import Result

FORMAT = 1
_STATISTICS = ("end_time", "steps", "rejected", "evaluations", "wall_time", "method", "tolerance", "status", "message")
_NO_ROSTER = (
    "This file has no roster of its people and vehicles: bodies are known by their names alone, and limits are those "
    "of the default size. Run its scenario again for the limits of each person."
)
_COMPRESSION: dict[str, Any] = {"compression": "gzip", "compression_opts": 1, "shuffle": True, "fletcher32": True}
_FINAL = "final_"
#: texts about each joint, pair and sensor, coordinates of the channels of those
_ABOUT_ITEMS: dict[str, tuple[str, ...]] = {
    "joint": ("joint_type", "joint_parent_body"),
    "pair": ("pair_body", "pair_surface"),
    "sensor": ("sensor_filter",),
}
#: units of the state at the end; "1" for tables whose columns have different units
FEWEST_CLASSES = 10  # classes of work in files of the first version
_FINAL_UNITS = {"work": "J", "pair_size": "m", "pair_limit": "m/s"}


def save(result: Result, path: str | Path) -> Path:
    """Write a result; an existing file is replaced in one move when the new one is complete."""
    with writing(path, new_folder=False) as temporary:
        temporary.write_bytes(packed(result))
    return Path(path)


def packed(result: Result) -> memoryview:
    """Return the bytes of a NetCDF-4 file. Written without xarray, whose import alone takes longer than this.

    Made in memory, because HDF5 crashes the process if the disk fills up while it writes.
    """
    import h5netcdf
    import h5py

    variables = _variables(result)
    buffer = io.BytesIO()
    with h5netcdf.File(buffer, "w") as file:
        file.dimensions = {
            dim: size for dims, array, _ in variables.values() for dim, size in zip(dims, array.shape, strict=True)
        }
        for name, (dims, array, about) in variables.items():
            kind = h5py.string_dtype() if array.dtype.kind == "O" else array.dtype
            filters = _COMPRESSION if dims and array.dtype.kind == "f" else {}
            variable = file.create_variable(name, dims, kind, data=array, **filters)
            variable.attrs.update(about)
        attributes = _attributes(result)
        file.attrs.update(attributes | {"contents": json.dumps(sorted([*variables, *attributes]))})
    return buffer.getbuffer()


def _variables(result: Result) -> dict[str, Variable]:
    """Channels, labels, geometry and final state, without those of length zero."""
    variables = result.coordinates() | result.variables()
    for name in result.variables():
        dims, _, about = variables[name]
        if more := [word for dim in dims for word in _ABOUT_ITEMS.get(dim, ()) if word in variables]:
            about |= {"coordinates": " ".join(more)}
    if result.geometry is not None:
        for item in Geometry.arrays():
            about = {key: item.metadata[key] for key in ("units", "long_name")}
            variables[item.name] = (item.metadata["dims"], getattr(result.geometry, item.name), about)
        for name, labels in (("surface", result.geometry.surface_name), ("part", result.geometry.part_name)):
            variables[name] = ((name,), np.array(labels, dtype=object), {"long_name": f"name of the {name}"})
    if result.joint_excess is not None:
        about = {"units": "rad", "long_name": "angle of the joint past a limit, zero inside"}
        variables["joint_excess"] = (("pose_time", "joint"), result.joint_excess, about)
    for name, array in result.recording.final.items():
        dims = tuple(f"{_FINAL}{name}_{axis}" for axis in range(array.ndim))
        about = {
            "units": _FINAL_UNITS.get(name, "1"),
            "long_name": f"{name} at the end, in the order of the engine; SI",
        }
        variables[_FINAL + name] = (dims, array, about)
    return {name: variable for name, variable in variables.items() if variable[1].size}


def _attributes(result: Result) -> dict[str, Any]:
    """Everything that is no array."""
    recording = result.recording
    empty = {name: [list(array.shape), str(array.dtype)] for name, array in recording.final.items() if not array.size}
    attributes = {
        "Conventions": "CF-1.11",
        "vitruvian_format": FORMAT,
        **result.attributes(),
        "name": result.name,
        "description": result.description,
        "scenario": result.scenario,
        "criteria": ", ".join(result.criteria),
        "command": result.command,
        "headline": result.headline,
        "notes": json.dumps(result.notes, ensure_ascii=False),
        "roster": json.dumps(result.roster.to_dict(), ensure_ascii=False),
        "final_empty": json.dumps(empty),
        **{f"version_{key}": value for key, value in result.provenance.items()},
        **{name: getattr(recording, name) for name in _STATISTICS},
    }
    return {name: _storable(value) if isinstance(value, str) else value for name, value in attributes.items()}


def _storable(text: str) -> str:
    """Return a text that HDF5 takes: without NUL and without bytes that are not UTF-8, as a command line may have."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "backslashreplace").decode()


def _add_classes(arrays: dict[str, np.ndarray]) -> None:
    """Add the classes of work that the version which wrote a file did not have, without work."""
    work = arrays.get("work")
    if work is not None and work.ndim == 2 and FEWEST_CLASSES <= work.shape[1] < len(WORK_CLASSES):
        arrays["work"] = np.pad(work, ((0, 0), (0, len(WORK_CLASSES) - work.shape[1])))


def load(path: str | Path) -> Result:
    """Read a result; refuse a file that is damaged or incomplete."""
    path = Path(path)
    if not path.is_file():
        raise InputError(f"there is no file {path}.")
    arrays, attributes = _read(path)
    if "vitruvian_format" not in attributes:
        raise InputError(f"{path} is a NetCDF file, but not a result of Vitruvian.")
    try:
        _add_classes(arrays)
        integrity.check(arrays, attributes, newest=FORMAT)
        return _result(arrays, attributes)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    except Exception as error:  # whatever an edited file makes of it
        raise InputError(f"{path} is damaged ({type(error).__name__}: {error}). {integrity.REMEDY}") from error


def stored_scenario(path: Path) -> str | None:
    """Return the scenario that a result file holds; None if the file is not a result of Vitruvian."""
    import h5py

    try:
        with h5py.File(path, "r") as file:
            return str(file.attrs["scenario"]) if "vitruvian_format" in file.attrs else None
    except Exception:  # h5py raises errors of many kinds for files that are not HDF5 or are damaged
        return None


def _result(arrays: dict[str, np.ndarray], attributes: dict[str, Any]) -> Result:
    from .result import Result

    notes = tuple(json.loads(attributes["notes"]))
    return Result(
        _recording(arrays, attributes),
        geometry=_geometry(arrays),
        name=attributes["name"],
        title=attributes["title"],
        description=str(attributes.get("description", "")),
        scenario=attributes["scenario"],
        criteria=tuple(word for word in attributes["criteria"].split(", ") if word),
        joint_excess=arrays.get("joint_excess"),
        notes=notes if "roster" in attributes else (*notes, _NO_ROSTER),
        command=attributes["command"],
        headline=attributes["headline"],
        provenance={
            key.removeprefix("version_"): str(value) for key, value in attributes.items() if key.startswith("version_")
        },
    )


def _read(path: Path) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Every variable and every attribute of a file. NetCDF-4 is HDF5, and h5py reads it in a third of xarray's time."""
    import h5py

    try:
        with h5py.File(path, "r") as file:
            variables = {name: item for name, item in file.items() if isinstance(item, h5py.Dataset)}
            memory.refuse_beyond(sum(item.nbytes for item in variables.values()), str(path))
            arrays = {name: _array(item) for name, item in variables.items() if _has_values(item)}
            return arrays, {name: _plain(value) for name, value in file.attrs.items()}
    except InputError:
        raise
    except Exception as error:  # h5py raises errors of many kinds for damaged files
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError(f"{path} is not a NetCDF file that can be read ({reason}). {integrity.REMEDY}") from error


def _has_values(item: Any) -> bool:
    """Whether an item of the file is more than the length of a dimension."""
    return "This is a netCDF dimension" not in str(item.attrs.get("NAME", ""))


def _array(item: Any) -> np.ndarray:
    """The values of a variable, texts as such."""
    return np.asarray(item.asstr()[()] if item.dtype.kind == "O" else item[()])


def _names(arrays: dict[str, np.ndarray], label: str) -> tuple[str, ...]:
    """The labels of a dimension; none where it is of length zero."""
    return tuple(str(name) for name in arrays.get(label, ()))


def _recording(arrays: dict[str, np.ndarray], attributes: dict[str, Any]) -> Recording:
    bodies, joints, sensors, cells = (_names(arrays, name) for name in ("body", "joint", "sensor", "load_cell"))
    pairs = tuple(zip(_names(arrays, "pair_body"), _names(arrays, "pair_surface"), strict=True))
    joint_types = _names(arrays, "joint_type")
    clocks: dict[str, Any] = {name: arrays.get(name, np.zeros(0)) for name in ("time", "pose_time")}
    counts = {"body": len(bodies), "joint": len(joints), "pair": len(pairs), "sensor": len(sensors)}
    counts |= {"load_cell": len(cells), "loop": len(loops := _names(arrays, "loop"))}
    counts |= {"webbing": len(webbing := _names(arrays, "webbing"))}
    counts |= {"muscle": len(muscles := _names(arrays, "muscle"))}
    counts |= {"muscle_point": len(places := _names(arrays, "muscle_point"))}
    counts |= {"airbag": len(airbags := _names(arrays, "airbag")), "dip": len(dips := _names(arrays, "dip"))}
    counts |= {"point": len(points := _names(arrays, "point"))}
    sizes = dimension_sizes({name: len(clock) for name, clock in clocks.items()} | counts)
    # `integrity` has refused a file without a channel unless that has no numbers
    channels = {
        channel.name: arrays.get(channel.name, np.full([sizes[dim] for dim in channel.dims], _absent(channel.name)))
        for channel in STORED
    }
    displacement = channels.pop("joint_displacement")
    channels["joint_rotation"] = np.where(displacement_mask(joint_types), displacement, channels["joint_rotation"])
    return Recording(
        channels=channels,
        bodies=bodies,
        joints=joints,
        joint_types=joint_types,
        pairs=pairs,
        sensors=sensors,
        events=_events(arrays),
        balance_error=float(arrays["balance_error"]),
        final=_final(arrays, attributes),
        sensor_filters=_names(arrays, "sensor_filter"),
        parents=_names(arrays, "joint_parent_body"),
        load_cells=cells,
        loops=loops,
        webbing=webbing,
        muscles=muscles,
        muscle_points=places,
        points=points,
        point_axes=arrays.get("point_axes", np.full((len(points), 2, 3), np.nan)),
        point_young=arrays.get("point_young", np.full(len(points), np.nan)),
        point_poisson=arrays.get("point_poisson", np.full(len(points), np.nan)),
        airbags=airbags,
        dips=dips,
        roster=Roster.from_dict(json.loads(attributes["roster"])) if "roster" in attributes else Roster(),
        **clocks,
        **{name: attributes[name] for name in _STATISTICS},
    )


def _absent(channel: str) -> float:
    """Return what a channel that a file does not have is filled with."""
    return np.nan if channel in integrity.LATER else 0.0


def _final(arrays: dict[str, np.ndarray], attributes: dict[str, Any]) -> dict[str, np.ndarray]:
    """The state at the end, the arrays of length zero included."""
    stored = {name.removeprefix(_FINAL): array for name, array in arrays.items() if name.startswith(_FINAL)}
    empty = json.loads(attributes["final_empty"])
    return stored | {name: np.zeros(shape, dtype=kind) for name, (shape, kind) in empty.items()}


def _events(arrays: dict[str, np.ndarray]) -> list[Event]:
    columns = (arrays.get(f"event_{part}", ()) for part in ("time", "kind", "body", "surface", "value"))
    return [
        Event(float(time), str(kind), str(body), str(surface), float(value))
        for time, kind, body, surface, value in zip(*columns, strict=True)
    ]


def _geometry(arrays: dict[str, np.ndarray]) -> Geometry | None:
    if "body_mass" not in arrays:
        return None

    found: dict[str, Any] = {"surface_name": _names(arrays, "surface"), "part_name": _names(arrays, "part")}
    for item in Geometry.arrays():
        widths = [len(DIMENSIONS[dim].labels) if dim in DIMENSIONS else 2 for dim in item.metadata["dims"][1:]]
        kind = np.int64 if "of" in item.metadata else float
        found[item.name] = np.asarray(arrays.get(item.name, np.zeros((0, *widths))), dtype=kind)
    return Geometry(**found)


def _plain(value: Any) -> Any:
    """Return the value of an attribute as a Python value: a number, a text or a list."""
    if isinstance(value, np.generic | np.ndarray):
        return value.item() if value.size == 1 else value.tolist()
    return value
