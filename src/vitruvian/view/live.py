"""The scene of a result as nodes of viser, which `show` moves, for the studio.

    live = Live(client.scene, Scene(result))     # nodes under "/result"
    live.show(frame)                             # poses, glow, force arrows, strained joints
    live.remove()

Any object with the methods of `viser.SceneApi` will do. Several results on one scene have different roots; a ghost is
one with `opacity` below 1 and a `tint` of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .colour import CLOTH, FORCE, IMPACT, STRAINED, Colour, lit
from .part import FLAT, Part
from .scene import Scene
from .skin import Skin
from .words import spoken

_MOST_BONES = 4  # of a vertex in the browser library of viser


class Live:
    """The nodes of one result.

    root     name of the node above them all
    opacity  1 for a solid body; less for a ghost, which shows bodies alone: no forces, labels and surfaces
    tint     one colour for all of a ghost; None for the colours of the regions
    shift    of everything [m], to set results side by side
    """

    def __init__(
        self,
        viewer: Any,
        scene: Scene,
        *,
        root: str = "/result",
        opacity: float = 1.0,
        tint: Colour | None = None,
        shift: tuple[float, float, float] = (0.0, 0.0, 0.0),
        labels: bool = True,
    ) -> None:
        self.viewer, self.scene, self.root = viewer, scene, root
        self.frame = -1
        self._ghost, self._tint, self._opacity, self._labels = opacity < 1.0, tint, opacity, labels
        self._base = viewer.add_frame(root, show_axes=False, position=shift)
        self._carriers = {
            body: viewer.add_frame(f"{root}/{_node(name)}", show_axes=False) for body, name in enumerate(scene.bodies)
        }
        parts = [part for part in scene.parts if not part.under and (not self._ghost or part.kind not in FLAT)]
        self._nodes = [(part, self._add(part)) for part in parts]
        self._skins = [(skin, self._add_skin(skin)) for skin in (scene.skins if scene.skin else [])]
        self._glow = np.full(len(scene.bodies), -1.0)
        self._arrows: Any = None
        self._marks: dict[int, Any] = {}
        if not self._ghost:
            self._add_impacts()
        self.show(0)

    def show(self, frame: int) -> None:
        """Set everything to a frame of the result; frames beyond the end are the last one."""
        scene = self.scene
        frame = int(np.clip(frame, 0, scene.frames - 1))
        self.frame = frame
        position, orientation = scene.place(frame)
        for body, node in self._carriers.items():
            node.position, node.wxyz = position[body], orientation[body]
        for skin, nodes in self._skins:
            place, turn = skin.pose(position, orientation)
            for node in nodes:
                for bone, at, wxyz in zip(node.bones, place, turn, strict=True):
                    bone.position, bone.wxyz = at, wxyz
        if self._ghost:
            return
        glow = np.round(scene.glow(frame), 3)
        for part, node in self._nodes:
            if part.body >= 0 and glow[part.body] != self._glow[part.body]:
                node.color = rgb(lit(np.array([part.colour]), glow[part.body : part.body + 1])[0].tolist())
        self._glow = glow
        self._show_arrows(frame)
        self._show_stretched(frame)
        self._show_strained(frame)

    def show_time(self, time: float) -> None:
        """Set everything to the frame nearest to a time [s]."""
        self.show(self.scene.frame_at(time))

    def remove(self) -> None:
        """Take all nodes away."""
        self._base.remove()

    # nodes

    def _add(self, part: Part) -> Any:
        above = self.root if part.body < 0 else f"{self.root}/{_node(self.scene.bodies[part.body])}"
        flat = part.kind in FLAT
        return self.viewer.add_mesh_simple(
            f"{above}/{part.kind}.{_node(part.name)}",
            part.vertices,
            part.triangles,
            color=rgb(self._tint or part.colour),
            opacity=None if not self._ghost else self._opacity,
            side="double" if flat else "front",
            cast_shadow=part.kind != "ground" and not self._ghost,
            receive_shadow=flat,  # round bodies would shade themselves in stripes
        )

    def _add_skin(self, skin: Skin) -> list[Any]:
        """Return a mesh for each thing that covers a person; their bones are moved by `show`."""
        weight = np.zeros((len(skin.vertices), len(skin.bones.rest_place)), dtype=np.float32)
        bone, share = skin.led_by(_MOST_BONES)
        np.put_along_axis(weight, bone, share.astype(np.float32), axis=1)
        nodes = []
        for number, (cloth, colour) in enumerate(CLOTH.items()):
            used, triangles = np.unique(skin.triangles[skin.cloth == number], return_inverse=True)
            if len(used):
                node = self.viewer.add_mesh_skinned(
                    f"{self.root}/skin.{_node(skin.name)}.{cloth}",
                    skin.vertices[used].astype(np.float32),
                    triangles.reshape(-1, 3).astype(np.uint32),
                    bone_wxyzs=np.tile([1.0, 0.0, 0.0, 0.0], (len(skin.bones.rest_place), 1)),
                    bone_positions=skin.bones.rest_place,
                    skin_weights=weight[used],
                    color=rgb(self._tint or colour),
                    opacity=None if not self._ghost else self._opacity,
                    receive_shadow=False,
                )
                nodes.append(node)
        return nodes

    def _add_impacts(self) -> None:
        for place, impact in enumerate(self.scene.impacts):
            above = f"{self.root}/{_node(self.scene.bodies[impact.body])}/impact.{place}"
            self.viewer.add_icosphere(above, radius=0.03, color=rgb(IMPACT), position=impact.point)
            if self._labels:
                text = f"{spoken(impact.head)} at {1e3 * impact.time:.0f} ms"
                self.viewer.add_label(f"{above}.label", text, position=impact.point)

    def _show_arrows(self, frame: int) -> None:
        lines, _ = self.scene.arrows(frame)
        if self._arrows is not None and not len(lines):
            self._arrows.remove()
            self._arrows = None
        elif len(lines):
            # a node of the same name takes the place of the one before
            self._arrows = self.viewer.add_arrows(
                f"{self.root}/forces",
                lines.astype(np.float32),
                rgb(FORCE),
                shaft_radius=0.010,
                head_radius=0.026,
                head_length=0.065,
            )

    def _show_stretched(self, frame: int) -> None:
        for thing in self.scene.stretched:
            box, part = thing.boxes(frame), thing.part
            points = box[:, None, 3] + np.einsum("vk,nkx->nvx", part.vertices, box[:, :3])
            triangles = part.triangles + len(part.vertices) * np.arange(len(box))[:, None, None]
            name, points = f"{self.root}/{part.name}", points.reshape(-1, 3).astype(np.float32)
            self.viewer.add_mesh_simple(name, points, triangles.reshape(-1, 3), color=rgb(part.colour))

    def _show_strained(self, frame: int) -> None:
        strained, points = set(self.scene.strained(frame).tolist()), self.scene.joints(frame)
        for joint in strained:
            if joint not in self._marks:
                name = f"{self.root}/strained.{joint}"
                self._marks[joint] = self.viewer.add_icosphere(name, radius=0.045, color=rgb(STRAINED), opacity=0.75)
            self._marks[joint].position = points[joint]
        for joint, node in self._marks.items():
            node.visible = joint in strained


def rgb(colour: Sequence[float]) -> tuple[int, int, int]:
    """Red, green, blue from 0 to 1 as whole numbers up to 255."""
    red, green, blue = (round(255.0 * min(max(part, 0.0), 1.0)) for part in colour)
    return red, green, blue


def _node(name: str) -> str:
    """A name that is one step of a path."""
    return name.replace("/", "_")
