"""Results in files: one NetCDF-4 file a run, readable by any NetCDF tool.

Layout, format 1: the variables of `Result.dataset`; the geometry under its own names; the state at the end as
`final_<name>`, so that a run can go on; everything else (scenario, versions, status, statistics) as attributes.
All numbers are stored as they are (float64, compressed without loss): what is read is bit for bit what was written.
Dimensions of length zero (a system without sensors) are left out and made again on reading.
"""

from __future__ import annotations

import json
import os
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError
from .channel import STORED, displacement_mask
from .geometry import Geometry
from .recording import WORK_CLASSES, Event, Recording

if TYPE_CHECKING:
    import xarray

    from .result import Result, Variable

FORMAT = 1
_STATISTICS = ("end_time", "steps", "rejected", "evaluations", "wall_time", "method", "tolerance", "status", "message")
_COMPRESSION: dict[str, Any] = {"compression": "gzip", "compression_opts": 1, "shuffle": True}
_FINAL = "final_"
_ROW = {(): (), (2,): ("exponent",), (3,): ("axis",), (4,): ("quaternion",)}  # dimensions of the rows of the geometry


def save(result: Result, path: str | Path) -> Path:
    """Write a result; an existing file is replaced in one move when the new one is complete."""
    path = Path(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{uuid.uuid4().hex[:8]}.part")
    try:
        _write(temporary, _variables(result), _attributes(result))
        os.replace(temporary, path)
    except OSError as error:
        raise InputError(f"{path} cannot be written ({error.strerror or error}). Choose another folder.") from error
    finally:
        temporary.unlink(missing_ok=True)
    return path


def _write(path: Path, variables: dict[str, Variable], attributes: dict[str, Any]) -> None:
    """A NetCDF-4 file. Written without xarray, whose import alone takes longer than this."""
    import h5netcdf
    import h5py

    with h5netcdf.File(path, "w") as file:
        file.dimensions = {
            dim: size for dims, array, _ in variables.values() for dim, size in zip(dims, array.shape, strict=True)
        }
        for name, (dims, array, about) in variables.items():
            kind = h5py.string_dtype() if array.dtype.kind == "O" else array.dtype
            packed = _COMPRESSION if dims and array.dtype.kind == "f" else {}
            variable = file.create_variable(name, dims, kind, data=array, **packed)
            variable.attrs.update(about)
        file.attrs.update(attributes)


def _variables(result: Result) -> dict[str, Variable]:
    """Channels, labels, geometry and final state, without those of length zero."""
    variables = result.coordinates() | result.variables()
    for name, (dims, _, about) in variables.items():
        if name not in ("joint", "joint_type", "pair", "pair_body", "pair_surface"):
            more = [word for word in ("joint_type", "pair_body", "pair_surface") if word.split("_")[0] in dims]
            about |= {"coordinates": " ".join(more)} if more else {}
    if result.geometry is not None:
        for name, array in result.geometry.arrays().items():
            item = "body" if name.startswith(("body", "joint")) else name.split("_")[0]
            variables[name] = ((item, *_ROW[array.shape[1:]]), array, {})
        for name in ("surface", "part"):
            labels = getattr(result.geometry, f"{name}_name")
            variables[name] = ((name,), np.array(labels, dtype=object), {})
    if result.joint_excess is not None:
        about = {"units": "rad", "long_name": "angle of the joint past a limit, zero inside"}
        variables["joint_excess"] = (("pose_time", "joint"), result.joint_excess, about)
    for name, array in result.recording.final.items():
        dims = tuple(f"{_FINAL}{name}_{axis}" for axis in range(array.ndim))
        variables[_FINAL + name] = (dims, array, {})
    return {name: variable for name, variable in variables.items() if variable[1].size}


def _attributes(result: Result) -> dict[str, Any]:
    """Everything that is no array."""
    recording = result.recording
    empty = {name: [list(array.shape), str(array.dtype)] for name, array in recording.final.items() if not array.size}
    return {
        "Conventions": "CF-1.11",
        "vitruvian_format": FORMAT,
        **result.attributes(),
        "name": result.name,
        "scenario": result.scenario,
        "criteria": ", ".join(result.criteria),
        "command": result.command,
        "headline": result.headline,
        "notes": json.dumps(result.notes, ensure_ascii=False),
        "final_empty": json.dumps(empty),
        **{f"version_{key}": value for key, value in result.provenance.items()},
        **{name: getattr(recording, name) for name in _STATISTICS},
    }


def load(path: str | Path) -> Result:
    """Read a result of this or an earlier format."""
    import xarray

    from .result import Result

    path = Path(path)
    if not path.is_file():
        raise InputError(f"there is no file {path}.")
    try:
        dataset = xarray.load_dataset(path, engine="h5netcdf", decode_times=False)
    except (OSError, ValueError) as error:
        raise InputError(f"{path} is not a NetCDF file that can be read ({str(error).splitlines()[0]}).") from error
    attributes = dataset.attrs
    if "vitruvian_format" not in attributes:
        raise InputError(f"{path} is a NetCDF file, but not a result of Vitruvian.")
    if int(attributes["vitruvian_format"]) > FORMAT:
        raise InputError(
            f"{path} has format {attributes['vitruvian_format']}; this version reads up to {FORMAT}. Update vitruvian."
        )
    return Result(
        _recording(dataset),
        geometry=_geometry(dataset),
        name=str(attributes["name"]),
        title=str(attributes["title"]),
        scenario=str(attributes["scenario"]),
        criteria=tuple(word for word in str(attributes["criteria"]).split(", ") if word),
        joint_excess=dataset["joint_excess"].values if "joint_excess" in dataset else None,
        # older files do not have these
        notes=tuple(json.loads(str(attributes.get("notes", "[]")))),
        command=str(attributes.get("command", "")),
        headline=str(attributes.get("headline", "")),
        provenance={
            key.removeprefix("version_"): str(value) for key, value in attributes.items() if key.startswith("version_")
        },
    )


def _recording(dataset: xarray.Dataset) -> Recording:
    def labels(name: str) -> tuple[str, ...]:
        return tuple(str(label) for label in dataset[name].values) if name in dataset.coords else ()

    bodies, joints = labels("body"), labels("joint")
    pairs = tuple(zip(labels("pair_body"), labels("pair_surface"), strict=True))
    sensors = labels("sensor")
    joint_types = tuple(str(kind) for kind in dataset["joint_type"].values)
    sizes = {
        "time": dataset.sizes.get("time", 0),
        "pose_time": dataset.sizes.get("pose_time", 0),
        "body": len(bodies),
        "joint": len(joints),
        "pair": len(pairs),
        "sensor": len(sensors),
        "axis": 3,
        "coordinate": 3,
        "quaternion": 4,
        "work_class": len(WORK_CLASSES),
    }
    arrays: dict[str, Any] = {}
    for channel in STORED:
        empty = np.zeros(tuple(sizes[dim] for dim in channel.dims))
        arrays[channel.name] = dataset[channel.name].values if channel.name in dataset else empty
    displacement = arrays.pop("joint_displacement")
    arrays["joint_rotation"] = np.where(displacement_mask(joint_types), displacement, arrays["joint_rotation"])
    return Recording(
        bodies=bodies,
        joints=joints,
        joint_types=joint_types,
        pairs=pairs,
        sensors=sensors,
        time=dataset["time"].values if "time" in dataset.sizes else np.zeros(0),
        pose_time=dataset["pose_time"].values if "pose_time" in dataset.sizes else np.zeros(0),
        events=_events(dataset),
        balance_error=float(dataset["balance_error"]),
        final=_final(dataset),
        **arrays,
        **{name: _plain(dataset.attrs[name]) for name in _STATISTICS},
    )


def _final(dataset: xarray.Dataset) -> dict[str, np.ndarray]:
    """The state at the end, the arrays of length zero included."""
    stored = {str(name): array.values for name, array in dataset.data_vars.items() if str(name).startswith(_FINAL)}
    empty = json.loads(dataset.attrs.get("final_empty", "{}"))
    return {name.removeprefix(_FINAL): array for name, array in stored.items()} | {
        name: np.zeros(shape, dtype=kind) for name, (shape, kind) in empty.items()
    }


def _events(dataset: xarray.Dataset) -> list[Event]:
    if "event" not in dataset.sizes:
        return []
    columns = (dataset[f"event_{part}"].values for part in ("time", "kind", "body", "surface", "value"))
    rows = zip(*columns, strict=True)
    return [
        Event(float(time), str(kind), str(body), str(surface), float(value))
        for time, kind, body, surface, value in rows
    ]


def _geometry(dataset: xarray.Dataset) -> Geometry | None:
    if "body_mass" not in dataset:
        return None

    def array(name: str, *shape: int, kind: type = float) -> np.ndarray:
        return np.asarray(dataset[name].values, dtype=kind) if name in dataset else np.zeros((0, *shape), dtype=kind)

    def names(dim: str) -> tuple[str, ...]:
        return tuple(str(name) for name in dataset[dim].values) if dim in dataset.sizes else ()

    shape_body, surface_point = array("shape_body", kind=np.int64), array("surface_point", 3)
    # results of before other shapes, moving surfaces and parts with names: ellipsoids, planes of the world
    shape_kind = array("shape_kind", kind=np.int64) if "shape_kind" in dataset else np.zeros_like(shape_body)
    exponents = array("shape_exponents", 2) if "shape_exponents" in dataset else np.full((len(shape_body), 2), 2.0)
    triangle_body = array("triangle_body", kind=np.int64)
    triangle_part = np.full_like(triangle_body, -1)
    if "triangle_part" in dataset:
        triangle_part = array("triangle_part", kind=np.int64)
    surface_body = array("surface_body", kind=np.int64)
    if not len(surface_body):
        surface_body = np.full(len(surface_point), -1)
    return Geometry(
        body_mass=array("body_mass"),
        shape_body=shape_body,
        shape_kind=shape_kind,
        shape_semi_axes=array("shape_semi_axes", 3),
        shape_exponents=exponents,
        shape_offset=array("shape_offset", 3),
        shape_rotation=array("shape_rotation", 4),
        surface_name=names("surface"),
        surface_body=surface_body,
        surface_point=surface_point,
        surface_normal=array("surface_normal", 3),
        vertex_position=array("vertex_position", 3),
        triangle_vertices=array("triangle_vertices", 3, kind=np.int64),
        triangle_body=triangle_body,
        triangle_part=triangle_part,
        part_name=names("part"),
        joint_parent=array("joint_parent", kind=np.int64),
        joint_point_parent=array("joint_point_parent", 3),
        joint_point_child=array("joint_point_child", 3),
    )


def _plain(value: Any) -> Any:
    """A numpy scalar from an attribute as a Python value."""
    return value.item() if isinstance(value, np.generic) else value
