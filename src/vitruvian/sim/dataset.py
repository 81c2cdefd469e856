"""Channels of a recording as labelled arrays with CF attributes, for xarray and NetCDF."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import nearest
from ..units import STANDARD_GRAVITY
from .channel import CHANNELS, DIMENSIONS, STORED, Channel, displacement_mask, labels, values
from .recording import Recording

if TYPE_CHECKING:
    import xarray

#: dimensions, values, CF attributes
Variable = tuple[tuple[str, ...], np.ndarray, dict[str, str]]


def variables(recording: Recording) -> dict[str, Variable]:
    """Return every stored channel and the events, without labels: dimensions, values, CF attributes."""
    found: dict[str, Variable] = {}
    for channel in STORED:
        if channel.name == "joint_displacement" and not displacement_mask(recording.joint_types).any():
            continue
        found[channel.name] = (channel.dims, values(recording, channel.name), attributes(channel))
    events = recording.events
    about = {"units": "1", "long_name": "largest energy balance over the energy put in"}
    found["balance_error"] = ((), np.array(recording.balance_error), about)
    about = {"units": "s", "long_name": "time of the event"}
    found["event_time"] = (("event",), np.array([event.time for event in events]), about)
    about = {"units": "m/s", "long_name": "closing speed of a touch, opening speed of a separation"}
    found["event_value"] = (("event",), np.array([event.value for event in events]), about)
    for part in ("kind", "body", "surface"):
        words = text([getattr(event, part) for event in events])
        found[f"event_{part}"] = (("event",), words, {"long_name": f"{part} of the event"})
    return found


def coordinates(recording: Recording) -> dict[str, Variable]:
    """Return the labels of every dimension, and type, bodies and filter of each joint, pair and sensor."""
    bodies, surfaces = ([pair[side] for pair in recording.pairs] for side in (0, 1))
    dims = dict.fromkeys(dim for channel in STORED for dim in channel.dims)
    found: dict[str, Variable] = {dim: ((dim,), *label(recording, dim)) for dim in dims}
    found |= {
        "joint_type": (("joint",), text(recording.joint_types), {"long_name": "type of the joint"}),
        "pair_body": (("pair",), text(bodies), {"long_name": "body of the pair"}),
        "pair_surface": (("pair",), text(surfaces), {"long_name": "surface of the pair"}),
    }
    if recording.parents:
        about = {"long_name": "parent body of the joint, empty for the world"}
        found["joint_parent_body"] = (("joint",), text(recording.parents), about)
    if recording.points:
        about = {"units": "1", "long_name": "directions along the bone and out of its surface, axes of the segment"}
        found["point_axes"] = (("point", "direction", "axis"), recording.point_axes, about)
        about = {"units": "Pa", "long_name": "Young's modulus of the bone at the point"}
        found["point_young"] = (("point",), recording.point_young, about)
        about = {"units": "1", "long_name": "Poisson's ratio of the bone at the point"}
        found["point_poisson"] = (("point",), recording.point_poisson, about)
    if recording.sensor_filters:
        about = {"long_name": "filter class of the sensor"}
        found["sensor_filter"] = (("sensor",), text(recording.sensor_filters), about)
    return found


def label(recording: Recording, dim: str) -> tuple[Any, dict[str, str]]:
    """Return the labels of a dimension with their attributes."""
    about = {"long_name": DIMENSIONS[dim].long_name}
    if dim in ("time", "pose_time"):
        return getattr(recording, dim), {"units": "s", **about} | ({"axis": "T"} if dim == "time" else {})
    if dim == "coordinate":
        return np.arange(3), {"units": "1", **about}
    return text(labels(recording, dim)), about


def array(recording: Recording, channel: Channel) -> xarray.DataArray:
    """Return a channel with labelled dimensions and CF attributes."""
    import xarray

    return xarray.DataArray(
        values(recording, channel.name),
        dims=channel.dims,
        coords={dim: (dim, *label(recording, dim)) for dim in channel.dims},
        name=channel.name,
        attrs=attributes(channel),
    )


def unknown(recording: Recording, name: str) -> str:
    """Return why a name is no channel: it may be an item, whose channels are listed then."""
    own = [key for key, channel in CHANNELS.items() if channel.of and name in labels(recording, channel.of)]
    if own:
        return f"{name!r} has several channels; write one of {', '.join(f'{name}.{key}' for key in own)}."
    near = nearest(name.rpartition(".")[2], CHANNELS)
    return f"there is no channel {name!r}; accepted: {', '.join(CHANNELS)}.{near}"


def attributes(channel: Channel) -> dict[str, str]:
    """Return the CF attributes of a channel."""
    found = {"units": channel.units, "long_name": channel.long_name}
    if channel.units == "g":
        found["comment"] = f"multiples of standard gravity, {STANDARD_GRAVITY} m/s2"
    return found


def text(labels: Any) -> np.ndarray:
    """Return labels as an array of texts, of length zero too."""
    return np.array(list(labels), dtype=object) if len(labels) else np.array([], dtype=object)
