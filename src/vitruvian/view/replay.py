"""The replay of one or several results as data for `assets/replay.js`: a page plays it without Python and network.

A scene is a small tree that JSON can hold; its arrays lie one behind the other in one block of bytes, and the tree has
{type, offset, length} in their places. A page holds the block compressed (gzip) and as text (base64).
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import numpy as np

from ..errors import InputError
from .colour import CLOTH, FORCE, IMPACT, POWER, SCALE, STRAINED, Colour
from .folds import RULE
from .overlay import MODEL, overlay
from .part import Part
from .renderer import across
from .scene import ARROW, MARKED, Scene
from .skin import Skin
from .stretched import Stretched
from .words import spoken

MOST_FRAMES = 3000  # of one result: more are thinned evenly
_SLOW = 5e-3  # by which rounded positions change a speed [m/s]
_TURN = 1e-4  # step of unit quaternions in a page [-]
MOST_POSES = 200_000  # bodies x frames of one result: 28 bytes each
#: colours of the results that are laid over the first one
TINTS: tuple[Colour, ...] = ((0.85, 0.45, 0.10), (0.10, 0.55, 0.50), (0.55, 0.30, 0.70), (0.75, 0.20, 0.35))
_FIRST: Colour = (0.20, 0.40, 0.62)  # of the first one's name
_TYPES = {"f4": np.float32, "u1": np.uint8, "u2": np.uint16, "u4": np.uint32}


class Block:
    """Arrays one behind the other, each at a multiple of four bytes; equal arrays are kept once."""

    def __init__(self) -> None:
        self._parts: dict[bytes, int] = {}
        self.size = 0

    def add(self, array: np.ndarray, kind: str) -> dict[str, Any]:
        """Put an array at the end, as "f4", "u1", "u2" or "u4"; what a page reads it by."""
        data = np.ascontiguousarray(array, dtype=_TYPES[kind])
        raw = data.tobytes()
        raw += bytes(-len(raw) % 4)
        offset = self._parts.setdefault(raw, self.size)
        self.size += len(raw) if offset == self.size else 0
        return {"type": kind, "offset": offset, "length": int(data.size)}

    def bytes(self) -> bytes:
        """All of them."""
        return b"".join(self._parts)


def tree(scenes: Sequence[Scene], block: Block, labels: Sequence[str] = ()) -> dict[str, Any]:
    """Return the tree of a replay; the first result is solid, the others are ghosts. Labels replace their titles."""
    if not scenes:
        raise InputError("there is no result to show.")
    first = scenes[0]
    reach = max(scene.reach for scene in scenes)
    cloud = np.concatenate([scene.cloud for scene in scenes])
    middle = 0.5 * (cloud.min(axis=0) + cloud.max(axis=0))
    whole = float(np.linalg.norm(cloud - middle, axis=1).max()) + 0.15 * min(reach, 1.0)
    pressed = max(float(scene.pressed.max(initial=0.0)) for scene in scenes)
    row = first.ground_row
    ground = None
    if row is not None:
        normal = first.geometry.surface_normal[row]
        u, v = across(normal)
        point = first.geometry.surface_point[row]
        ground = {"point": point.tolist(), "normal": normal.tolist(), "u": u.tolist(), "v": v.tolist()}
    return {
        "start": float(min(scene.time[0] for scene in scenes)),
        "end": float(max(scene.time[-1] for scene in scenes)),
        "reach": reach,
        "whole": {"centre": middle.tolist(), "reach": whole},
        "follow": whole > 1.3 * reach and any(scene.people for scene in scenes),
        "view": "side" if np.ptp(cloud[:, 1]) < 1e-6 * max(whole, 1.0) else "oblique",  # a motion in a plane
        "apart": [float(np.ptp(cloud[:, 0])) + 2.0 * min(reach, 1.2), 2.2 * min(reach, 1.2)],  # along x, along y
        "largest": max(1e-9, *(scene.largest for scene in scenes)),
        "arrow": ARROW,
        "scale": SCALE.tolist(),
        "force": FORCE,
        "strained": STRAINED,
        "impact": IMPACT,
        "ground": ground,
        "model": MODEL,
        "actors": [
            _actor(scene, place, block, pressed, labels[place] if labels else scene.title or scene.name or "result")
            for place, scene in enumerate(scenes)
        ],
    }


def _actor(scene: Scene, place: int, block: Block, pressed: float, label: str) -> dict[str, Any]:
    """One result; `pressed` is the force at which a body glows fully [N]."""
    frames = chosen_frames(scene)
    glow = (scene.pressed[frames] / max(pressed, 1e-300)) ** POWER
    tint = None if place == 0 else TINTS[(place - 1) % len(TINTS)]
    interval = float(np.diff(scene.time[frames]).min(initial=1.0))
    excess = None
    if scene.excess is not None and (scene.excess > MARKED).any():
        excess = block.add(scene.excess[frames] > MARKED, "u1")
    return {
        "name": scene.name,
        "title": label,
        "bodies": len(scene.bodies),
        "heads": [body for body, name in enumerate(scene.bodies) if scene.recording.roster.role(name) == "head"],
        "tint": tint,
        "badge": tint or _FIRST,
        "time": block.add(scene.time[frames], "f4"),
        "position": block.add(_rounded(scene.recording.position[frames], _SLOW * interval), "f4"),
        "orientation": block.add(_rounded(scene.recording.orientation[frames], _TURN), "f4"),
        "centre": block.add(scene.centre[frames], "f4"),
        "glow": block.add(np.round(255.0 * glow), "u1"),
        "strained": excess,
        "joint_point": block.add(scene.geometry.joint_point_child, "f4"),
        "contact": _contacts(scene, frames, block),
        "stretched": [_stretched(thing, frames, block) for thing in scene.stretched],
        "impacts": [
            {"head": spoken(i.head), "other": spoken(i.other), "time": i.time, "body": i.body, "point": list(i.point)}
            for i in scene.impacts
        ],
        "parts": [_part(part, scene, block) for part in scene.parts],
        "skins": [_skin(skin, block) for skin in scene.skins],
        **overlay(scene.result, scene, frames, block),
    }


def _rounded(array: np.ndarray, step: float) -> np.ndarray:
    """Return numbers with the zeros at their end that compress well: multiples of a power of two of at most a step."""
    power = 2.0 ** np.floor(np.log2(max(step, 1e-9)))
    return np.asarray(np.round(array / power) * power)


def chosen_frames(scene: Scene) -> np.ndarray:
    """Numbers of the frames that are kept: all, or evenly fewer with the last one."""
    most = min(scene.frames, MOST_FRAMES, max(MOST_POSES // len(scene.bodies), 100))
    return np.unique(np.linspace(0, scene.frames - 1, most).round().astype(np.int64))


def _contacts(scene: Scene, frames: np.ndarray, block: Block) -> dict[str, Any]:
    """Point [m] and force [N] of every contact that is drawn, frame by frame; where each frame begins."""
    force, point = scene.recording.contact_force[frames], scene.recording.contact_point[frames]
    drawn = scene.drawn_contacts(frames)
    first = np.concatenate([[0], np.cumsum(drawn.sum(axis=1))])
    values = np.concatenate([point[drawn], force[drawn]], axis=1)
    return {"frame": block.add(first, "u4"), "values": block.add(values, "f4")}


def _stretched(thing: Stretched, frames: np.ndarray, block: Block) -> dict[str, Any]:
    """Return a mesh, and how every frame moves, turns and stretches it."""
    box, part = np.array([thing.boxes(int(frame)) for frame in frames]), thing.part
    return {
        "count": box.shape[1],
        "colour": part.colour,
        "boxes": block.add(box, "f4"),
        "vertices": block.add(part.vertices, "f4"),
        "normals": block.add(part.normals, "f4"),
        "triangles": block.add(part.triangles, "u2"),
    }


def _skin(skin: Skin, block: Block) -> dict[str, Any]:
    """Return the mesh of a person by what covers it, and the bones that move it; weights are out of 255."""
    bones = skin.bones
    order = np.argsort(skin.cloth, kind="stable")
    counts = np.bincount(skin.cloth, minlength=len(CLOTH)).tolist()
    return {
        "name": skin.name,
        "vertices": block.add(skin.vertices, "f4"),
        "normals": block.add(np.round(127.0 * skin.normals) + 128.0, "u1"),
        "triangles": block.add(skin.triangles[order], "u2"),
        "folding": block.add(skin.folding[order], "u1"),
        "rule": RULE._asdict(),
        "cloth": [{"colour": colour, "count": 3 * n} for colour, n in zip(CLOTH.values(), counts, strict=True) if n],
        "follows": skin.bone.shape[1],
        "bone": block.add(skin.bone, "u1"),
        "weight": block.add(np.round(255.0 * skin.weight), "u1"),
        "body": bones.body.tolist(),
        "pair": bones.pair.tolist(),
        "point": bones.point.tolist(),
        "part": bones.part.tolist(),
        "rest_place": bones.rest_place.tolist(),
        "rest_turn": bones.rest_turn.tolist(),
    }


def _part(part: Part, scene: Scene, block: Block) -> dict[str, Any]:
    return {
        "name": part.name,
        "kind": part.kind,
        "body": part.body,
        "colour": part.colour,
        "skinned": part.body in scene.covered,
        "under": part.under,
        "vertices": block.add(part.vertices, "f4"),
        "normals": block.add(part.normals, "f4"),
        "triangles": block.add(part.triangles, "u2" if len(part.vertices) < 65536 else "u4"),
    }


# what a page holds


def embedded(name: str, data: bytes, *, level: int = 6) -> str:
    """Bytes as an element of a page that `unpacked(name)` reads back."""
    text = base64.b64encode(gzip.compress(data, level, mtime=0)).decode("ascii")
    return f'<script type="text/plain" id="{name}">{text}</script>'


def embedded_json(name: str, tree: Any) -> str:
    """A tree as an element of a page; no text in it can end the element. What is not a number is null."""
    text = json.dumps(_plain(tree), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    safe = text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    return f'<script type="application/json" id="{name}">{safe}</script>'


def asset(name: str) -> str:
    """The text of a file of the folder `assets`."""
    return files(__package__).joinpath("assets", name).read_text(encoding="utf-8")


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float | np.floating):
        return float(value) if np.isfinite(value) else None
    return value
