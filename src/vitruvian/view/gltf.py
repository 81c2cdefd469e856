"""glTF 2.0 with animation, in one binary file (.glb): opens in Blender, in Windows and macOS viewers, in browsers.

Each body is a node, moved by translations [m] and rotations (quaternions) at the rate of the poses; below it is a mesh
for every shape. A person is one mesh that its bones deform (a skin of glTF). All of them are below the node
"vitruvian", which turns our axes (z up) to those of glTF (y up): x forward, y up, z right. Numbers are in single
precision, as glTF has them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from .._files import writing
from ..export.output import about
from ..sim.result import Result
from .colour import CLOTH
from .part import FLAT, Part
from .scene import Scene
from .skin import Skin

_FLOAT, _BYTE, _SHORT, _INT = 5126, 5121, 5123, 5125
_VERTICES, _INDICES = 34962, 34963
_HALF = float(np.sqrt(0.5))
_KINDS = {(): "SCALAR", (3,): "VEC3", (4,): "VEC4", (4, 4): "MAT4"}  # shape of one row


def write(result: Result, path: str | Path, *, skin: bool = True) -> Path:
    """Write the file.

    skin  people as they look; otherwise the shapes that the engine uses for contact
    """
    document, binary = built(result, skin=skin)
    text = json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    chunks = [(text, b"JSON"), (binary, b"BIN\0")]
    length = 12 + sum(8 + len(data) for data, _ in chunks)
    with writing(path) as temporary, temporary.open("wb") as file:
        file.write(b"glTF" + _words(2, length))
        for data, kind in chunks:
            file.write(_words(len(data)) + kind + data)
    return Path(path)


def built(result: Result, *, skin: bool = True) -> tuple[dict[str, Any], bytes]:
    """The document and its binary part."""
    scene, buffer = Scene(result, skin=skin), _Buffer()
    meshes, materials = _Meshes(buffer), _Materials()
    nodes: list[dict[str, Any]] = [{"name": "vitruvian", "rotation": [-_HALF, 0.0, 0.0, _HALF], "children": []}]
    position, orientation = scene.place(0)
    for body, name in enumerate(scene.bodies):
        nodes[0]["children"].append(len(nodes))
        turn = np.roll(orientation[body], -1).tolist()
        nodes.append({"name": name, "translation": position[body].tolist(), "rotation": turn})
    for part in scene.parts:
        if part.under:
            continue
        carrier = nodes[part.body + 1]  # the world is number -1
        carrier.setdefault("children", []).append(len(nodes))
        number = meshes.add(part, materials.of(part.colour, two_sided=part.kind in FLAT))
        nodes.append({"name": f"{part.name} mesh", "mesh": number})
    skins = _skins(scene, nodes, meshes, materials) if skin else []
    stretched = _stretchable(scene, nodes, meshes, materials)
    if not nodes[0]["children"]:
        del nodes[0]["children"]
    document: dict[str, Any] = {
        "asset": {"version": "2.0", "generator": about(result)["exported by"], "extras": _extras(result)},
        "scene": 0,
        "scenes": [{"name": result.name or "result", "nodes": [0]}],
        "nodes": nodes,
        "meshes": meshes.rows,
        "materials": materials.rows,
    }
    if skins:
        document["skins"] = skins
    if scene.frames > 1:
        document["animations"] = [_animation(scene, result, buffer, stretched, skins)]
    document |= {
        "accessors": buffer.accessors,
        "bufferViews": buffer.views,
        "buffers": [{"byteLength": len(buffer.data)}],
    }
    return document, bytes(buffer.data)


def _extras(result: Result) -> dict[str, str]:
    axes = "nodes below 'vitruvian': x forward, y left, z up [m]; time of the animation [s]"
    return {key.replace(" ", "_"): text for key, text in about(result).items()} | {"axes": axes}


class _Buffer:
    """The binary part: arrays one after the other, each with its accessor."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.views: list[dict[str, Any]] = []
        self.accessors: list[dict[str, Any]] = []

    def add(self, array: np.ndarray, *, target: int | None = None, bounds: bool = False) -> int:
        """Store an array (n,) or (n, k); returns the number of its accessor."""
        self.data += b"\0" * (-len(self.data) % 4)
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": array.nbytes}
        self.views.append(view | ({"target": target} if target else {}))
        self.data += array.tobytes()
        kinds = {"float32": _FLOAT, "uint8": _BYTE, "uint16": _SHORT, "uint32": _INT}
        accessor: dict[str, Any] = {
            "bufferView": len(self.views) - 1,
            "componentType": kinds[array.dtype.name],
            "count": len(array),
            "type": _KINDS[array.shape[1:]],
        }
        if bounds:
            columns = array.reshape(len(array), -1)
            accessor |= {"min": columns.min(axis=0).tolist(), "max": columns.max(axis=0).tolist()}
        self.accessors.append(accessor)
        return len(self.accessors) - 1


class _Meshes:
    """Meshes of parts."""

    def __init__(self, buffer: _Buffer) -> None:
        self.buffer = buffer
        self.rows: list[dict[str, Any]] = []

    def add(self, part: Part, material: int) -> int:
        """A mesh with its normals; its number."""
        kind = np.uint16 if len(part.vertices) < 65535 else np.uint32
        normals = part.normals / np.maximum(np.linalg.norm(part.normals, axis=1, keepdims=True), 1e-12)
        attributes = {
            "POSITION": self.buffer.add(part.vertices.astype(np.float32), target=_VERTICES, bounds=True),
            "NORMAL": self.buffer.add(normals.astype(np.float32), target=_VERTICES),
        }
        indices = self.buffer.add(part.triangles.ravel().astype(kind), target=_INDICES)
        primitive = {"attributes": attributes, "indices": indices, "material": material}
        self.rows.append({"name": part.name, "primitives": [primitive]})
        return len(self.rows) - 1

    def add_skin(self, skin: Skin, materials: _Materials) -> int:
        """Add the mesh of a person, a primitive for each thing that covers it; return its number."""
        attributes = {
            "POSITION": self.buffer.add(skin.vertices.astype(np.float32), target=_VERTICES, bounds=True),
            "NORMAL": self.buffer.add(skin.normals.astype(np.float32), target=_VERTICES),
        }
        bone, weight = np.where(skin.weight > 0.0, skin.bone, 0).astype(np.uint8), skin.weight.astype(np.float32)
        for four in range(weight.shape[1] // 4):  # glTF has them by fours; the first four are the nearest
            part = slice(4 * four, 4 * four + 4)
            attributes[f"JOINTS_{four}"] = self.buffer.add(bone[:, part], target=_VERTICES)
            attributes[f"WEIGHTS_{four}"] = self.buffer.add(weight[:, part], target=_VERTICES)
        primitives = []
        for number, colour in enumerate(CLOTH.values()):
            triangles = skin.triangles[skin.cloth == number].ravel().astype(np.uint16)
            if len(triangles):
                indices = self.buffer.add(triangles, target=_INDICES)
                material = materials.of(colour, two_sided=False)
                primitives.append({"attributes": attributes, "indices": indices, "material": material})
        self.rows.append({"name": f"{skin.name} skin", "primitives": primitives})
        return len(self.rows) - 1


class _Materials:
    """One material for each colour."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []
        self._known: dict[tuple[Any, ...], int] = {}

    def of(self, colour: tuple[float, float, float], *, two_sided: bool) -> int:
        """The number of the material of a colour as screens show it (sRGB); glTF wants it linear in the light."""
        key = (*np.round(colour, 4).tolist(), two_sided)
        if key not in self._known:
            c = np.array(colour)
            linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
            looks = {"baseColorFactor": [*linear.tolist(), 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.7}
            self._known[key] = len(self.rows)
            self.rows.append({"pbrMetallicRoughness": looks, "doubleSided": two_sided})
        return self._known[key]


def _skins(scene: Scene, nodes: list[dict[str, Any]], meshes: _Meshes, materials: _Materials) -> list[dict[str, Any]]:
    """Add the mesh of each person and a node for each of its bones; return the skins of the document."""
    rows = []
    for skin in scene.skins:
        place, turn = skin.pose(*scene.place(0))
        first = len(nodes)
        for number in range(len(place)):
            nodes[0]["children"].append(len(nodes))
            pose = {"translation": place[number].tolist(), "rotation": np.roll(turn[number], -1).tolist()}
            nodes.append({"name": f"{skin.name} bone {number + 1}"} | pose)
        bind = np.tile(np.eye(4, dtype=np.float32), (len(place), 1, 1))
        bind[:, 3, :3] = -skin.bones.rest_place  # columns first: a bone is turned from the rest posture about its place
        rows.append(
            {
                "name": skin.name,
                "inverseBindMatrices": meshes.buffer.add(bind),
                "joints": list(range(first, len(nodes))),
            }
        )
        nodes[0]["children"].append(len(nodes))
        nodes.append({"name": f"{skin.name} skin", "mesh": meshes.add_skin(skin, materials), "skin": len(rows) - 1})
    return rows


def _stretchable(scene: Scene, nodes: list[dict[str, Any]], meshes: _Meshes, materials: _Materials) -> int:
    """Add a node for every mesh that is moved, turned and stretched, such as a box of webbing; the first of them."""
    first = len(nodes)
    for thing in scene.stretched:
        mesh = meshes.add(thing.part, materials.of(thing.part.colour, two_sided=False))
        for place, box in enumerate(thing.boxes(0)):
            nodes[0]["children"].append(len(nodes))
            nodes.append({"name": f"{thing.part.name} {place + 1}", "mesh": mesh} | _stretched(box))
    return first


def _stretched(box: np.ndarray) -> dict[str, list[float]]:
    """Return where a mesh is to be, how it is turned and stretched, as glTF has it."""
    from scipy.spatial.transform import Rotation

    size = np.maximum(np.linalg.norm(box[:3], axis=1), 1e-6)
    turn = Rotation.from_matrix((box[:3] / size[:, None]).T).as_quat()  # scalar last, as glTF has it
    return {"translation": box[3].tolist(), "rotation": turn.tolist(), "scale": size.tolist()}


def _animation(
    scene: Scene, result: Result, buffer: _Buffer, first: int, skins: list[dict[str, Any]]
) -> dict[str, Any]:
    """Translation and rotation of every body and bone over time, and of what is stretched, from node `first` on."""
    clock = buffer.add(scene.time.astype(np.float32), bounds=True)
    samplers: list[dict[str, Any]] = []
    channels: list[dict[str, Any]] = []

    def animate(node: int, path: str, samples: np.ndarray) -> None:
        """Add the values of one node over time; of quaternions the scalar comes first."""
        if path == "rotation":
            samples = np.roll(_continuous(samples), -1, axis=1)
        channels.append({"sampler": len(samplers), "target": {"node": node, "path": path}})
        output = buffer.add(np.ascontiguousarray(samples, dtype=np.float32))
        samplers.append({"input": clock, "output": output, "interpolation": "LINEAR"})

    for body in range(len(scene.bodies)):
        animate(body + 1, "translation", scene.recording.position[: scene.frames, body])
        animate(body + 1, "rotation", scene.recording.orientation[: scene.frames, body])
    for row, skin in zip(skins, scene.skins if skins else [], strict=True):
        poses = [skin.pose(*scene.place(frame)) for frame in range(scene.frames)]
        for number, node in enumerate(row["joints"]):
            animate(node, "translation", np.array([place[number] for place, _ in poses]))
            animate(node, "rotation", np.array([turn[number] for _, turn in poses]))
    every = [[thing.boxes(frame) for thing in scene.stretched] for frame in range(scene.frames)]
    boxes = np.array([np.concatenate([np.zeros((0, 4, 3)), *row]) for row in every])
    for number in range(boxes.shape[1]):
        moved = [_stretched(box) for box in boxes[:, number]]
        for path in ("translation", "rotation", "scale"):
            samples = np.array([row[path] for row in moved])
            animate(first + number, path, np.roll(samples, 1, axis=1) if path == "rotation" else samples)
    return {"name": result.name or "motion", "samplers": samplers, "channels": channels}


def _continuous(quaternion: np.ndarray) -> np.ndarray:
    """Quaternions (n, 4) of the same rotations without jumps of sign, so that they can be interpolated."""
    flips = np.einsum("ij,ij->i", quaternion[1:], quaternion[:-1]) < 0.0
    sign = np.concatenate([[1.0], np.where(np.cumsum(flips) % 2 == 1, -1.0, 1.0)])
    unit = quaternion / np.linalg.norm(quaternion, axis=1, keepdims=True)
    return sign[:, None] * unit


def _words(*numbers: int) -> bytes:
    return b"".join(number.to_bytes(4, "little") for number in numbers)
