"""The making of a skin: rest posture, surface around the form of the segments, bones that each vertex follows. SI."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..model.pose import rotation_matrix
from ..model.roster import Participant
from .body_form import ARM, LEG, Frame, Solid, form
from .colour import CLOTH
from .isosurface import isosurface
from .skin import Bones, Skin, product, vertex_normals

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from .scene import Scene

_SPACING = 0.0085  # of the grid, of the height of the person
_BLEND = 0.0045  # how far solids flow into each other, of the height
_FOLLOW = 0.25  # a bone so much farther away than the nearest one has 1/e of its weight; of its half-width
_FAR = 5.0  # blends around a solid where it still counts
# the rest posture is in the middle of what the joints can do, so that no fold of the skin has to open or close far
_ABDUCTED, _SPREAD = np.radians([60.0, 20.0])  # arms and legs
_SLIM, _WIDEST = 0.0583, np.radians(40.0)  # thick thighs (half-width over height) are farther apart, up to this angle
#: flexion of the segments against the vertical
_FLEXED = {
    region: np.radians(angle)
    for region, angle in {"upper_arm": 50, "forearm": 90, "hand": 90, "thigh": 52, "shank": 0, "foot": 0}.items()
}
_SMOOTHED = 130  # times that shares are averaged over neighbours
_BROAD = 0.056  # of the height: segments of this half-width are smoothed at the full rate
_THIN = 1.5  # power of the half-width by which thinner ones are smoothed less
_SHARP = 1.15  # power that makes smoothed shares decide for a bone again
_EVENED = 12  # times that vertices are moved along the surface
_MOST_BONES = 8  # that a vertex follows
#: how far the bones at a joint turn; shoulders and hips turn farthest and about all axes
_PARTS, _PARTS_OF_BALLS = (0.5,), (0.25, 0.5, 0.75)
_BALLS = ("upper_arm", "thigh")
_ADULT = 14.0  # [years]
_MOST_KEPT = 16  # skins of the people drawn last
_kept: OrderedDict[bytes, Skin] = OrderedDict()


def skins(scene: Scene) -> list[Skin]:
    """Return the skin of each person of a scene."""
    found = []
    for person in scene.recording.roster.people:
        names = set(person.segments.values())
        bodies = [body for body in scene.segments if scene.bodies[body] in names and body in scene.geometry.shape_body]
        if bodies:
            found.append(_skin(scene, person, bodies))
    return found


class Break(NamedTuple):
    """A bone of two pieces: places of both among the bones, and the section between them in the frame of the first."""

    whole: int
    piece: int
    point: np.ndarray
    axis: np.ndarray


def _skin(scene: Scene, person: Participant, segments: list[int]) -> Skin:
    frame = {body: _frame(scene, person, body, segments) for body in segments}
    pieces = [body for body in scene.pieces if joint_above(scene, body, segments)[0] in segments]
    bodies = segments + pieces
    breaks = [_break(scene, bodies, body) for body in pieces]
    frames = [*frame.values(), *(frame[bodies[broken.whole]] for broken in breaks)]
    thick = max([frame.width / person.height for frame in frames if frame.region == "thigh"], default=_SLIM)
    bones = _bones(scene, bodies, frames, min(_SPREAD * max(thick / _SLIM, 1.0) ** 2, _WIDEST))
    numbers = [np.concatenate([f.half, f.middle, f.joint, *(p for at in f.ends.values() for p in at)]) for f in frames]
    words = "|".join([person.name, person.sex, str(frames[0].adult), *(frame.region + frame.side for frame in frames)])
    key = words.encode() + np.concatenate([*numbers, *(part.ravel() for part in bones)]).tobytes()
    if key not in _kept:
        _kept[key] = _made(person, frames, bones, breaks)
        while len(_kept) > _MOST_KEPT:
            _kept.popitem(last=False)
    _kept.move_to_end(key)
    return _kept[key]


def _frame(scene: Scene, person: Participant, body: int, bodies: list[int]) -> Frame:
    """Return what the form of a segment needs."""
    part = scene.recording.roster.part
    half, middle = _outline(scene, body, bodies)
    ends: dict[str, list[np.ndarray]] = {}
    for other in bodies:
        above, point, _ = joint_above(scene, other, bodies)
        if above == body:
            ends.setdefault(part(scene.bodies[other]).region, []).append(point)
    trunk = {part(scene.bodies[other]).region: other for other in bodies}
    whole = [_size(scene, trunk.get(region, body))[0][1] for region in ("pelvis", "thorax")]
    return Frame(
        *part(scene.bodies[body]),
        half=half,
        middle=middle,
        joint=joint_above(scene, body, bodies)[2],
        ends=ends,
        whole=(whole[0], whole[1]),
        female=person.sex == "female",
        adult=person.age is None or person.age >= _ADULT,
    )


def _outline(scene: Scene, body: int, bodies: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return half sizes and middle of a segment [m], with those of the pieces of its bone."""
    low, high = [], []
    for piece in (body, *scene.pieces):
        above, upper, lower = joint_above(scene, piece, bodies)
        if piece == body or above == body:
            half, middle = _size(scene, piece)
            middle = middle + (upper - lower if piece != body else 0.0)
            low.append(middle - half)
            high.append(middle + half)
    least, most = np.min(low, axis=0), np.max(high, axis=0)
    return 0.5 * (most - least), 0.5 * (most + least)


def _size(scene: Scene, body: int) -> tuple[np.ndarray, np.ndarray]:
    """Return half sizes and middle of the shape that gives the size of a body [m]."""
    shape = scene.geometry.outline(body)
    assert shape is not None  # bodies without a shape have no skin
    return np.array(shape.half_size), np.array(shape.offset)


def _break(scene: Scene, bodies: list[int], piece: int) -> Break:
    above, upper, lower = joint_above(scene, piece, bodies)
    axis = upper - lower  # between the centres of both
    return Break(bodies.index(above), bodies.index(piece), upper, axis / np.linalg.norm(axis))


def joint_above(scene: Scene, body: int, bodies: list[int]) -> tuple[int, np.ndarray, np.ndarray]:
    """Return the one of `bodies` above a body (-1 for none) and the joint in the frames of both [m].

    Links between both count as straight.
    """
    geometry = scene.geometry
    lower, upper, above = geometry.joint_point_child[body], geometry.joint_point_parent[body], body
    while (above := int(geometry.joint_parent[above])) >= 0 and above not in bodies:
        upper = upper - geometry.joint_point_child[above] + geometry.joint_point_parent[above]
    return above, upper, lower


def _bones(scene: Scene, bodies: list[int], frames: list[Frame], spread: float) -> Bones:
    """Return the bones in the rest posture: upright, with the limbs apart, the legs by an angle [rad]."""
    place = {body: row for row, body in enumerate(bodies)}
    turn, at = np.array([_rest_turn(frame, spread) for frame in frames]), np.zeros((len(bodies), 3))
    pairs, points, joints, parts = [], [], [], []
    for row in np.argsort(bodies).tolist():  # bodies are numbered from the root outwards
        frame = frames[row]
        above, upper, lower = joint_above(scene, bodies[row], bodies)
        if above < 0:
            continue
        parent = place[above]
        joint = at[parent] + rotation_matrix(turn[parent]) @ upper
        at[row] = joint - rotation_matrix(turn[row]) @ lower
        for part in _PARTS_OF_BALLS if frame.region in _BALLS else _PARTS:
            pairs.append((parent, row))
            points.append((upper, lower))
            joints.append(joint)
            parts.append(part)
    return Bones(
        np.array(bodies),
        np.array(pairs, dtype=np.int64).reshape(-1, 2),
        np.array(points).reshape(-1, 2, 3),
        np.array(parts),
        np.vstack([at, *joints]),
        turn,
    )


def _rest_turn(frame: Frame, spread: float) -> np.ndarray:
    """Return the unit quaternion of a segment in the rest posture."""
    flexed = _FLEXED.get(frame.region, 0.0)
    outward = {"left": 1.0, "right": -1.0}.get(frame.side, 0.0)
    apart = outward * (_ABDUCTED if frame.region in ARM else spread if frame.region in LEG else 0.0)
    about_x = np.array([[np.cos(0.5 * apart), np.sin(0.5 * apart), 0.0, 0.0]])
    about_y = np.array([[np.cos(0.5 * flexed), 0.0, -np.sin(0.5 * flexed), 0.0]])
    return product(about_x, about_y)[0]


def _made(person: Participant, frames: list[Frame], bones: Bones, breaks: list[Break]) -> Skin:
    size, owner = person.height, list(range(len(frames)))
    solids = [form(frame) for frame in frames[: len(frames) - len(breaks)]]
    vertices, triangles = _surface(solids, bones, size)
    near = _neighbourhood(triangles, len(vertices))
    vertices = _evened(vertices, triangles, near)
    apart = np.stack(
        [
            np.min([solid.distance(_local(vertices, bones, row)) for solid in of], axis=0)
            for row, of in enumerate(solids)
        ],
        axis=1,
    )
    for whole, piece, point, axis in breaks:  # each piece is as near as the whole on its side of the section
        beyond = (_local(vertices, bones, whole) - point) @ axis
        apart = np.column_stack([apart, apart[:, whole] + np.maximum(-beyond, 0.0)])
        apart[:, whole] += np.maximum(beyond, 0.0)
        owner[piece] = whole
    follow = _FOLLOW * np.array([frame.width for frame in frames])
    bone, weight = _weights(apart, bones, follow, near, size)
    nearest = apart[triangles].mean(axis=1).argmin(axis=1)
    middle = vertices[triangles].mean(axis=1)
    cloth = np.zeros(len(triangles), dtype=np.int64)
    for row, frame in enumerate(frames):
        mine = nearest == row
        cloth[mine] = _cloth(frame, _local(middle[mine], bones, owner[row]))
    return Skin(person.name, vertices, triangles, cloth, bone, weight, bones)


def _evened(vertices: np.ndarray, triangles: np.ndarray, near: csr_array) -> np.ndarray:
    """Return the vertices moved along the surface towards their neighbours, so that no triangle is thin."""
    for _ in range(_EVENED):
        step = near @ vertices - vertices
        normal = vertex_normals(vertices, triangles)
        vertices = vertices + step - (step * normal).sum(axis=1, keepdims=True) * normal
    return vertices


def _local(points: np.ndarray, bones: Bones, row: int) -> np.ndarray:
    """Return points (n, 3) [m] of the rest posture in the frame of a segment."""
    return (points - bones.rest_place[row]) @ rotation_matrix(bones.rest_turn[row])


def _surface(solids: list[list[Solid]], bones: Bones, size: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the closed surface around all solids in the rest posture, joined smoothly."""
    spacing, blend = _SPACING * size, _BLEND * size
    margin = _FAR * blend
    boxes = [[_box(solid, bones, row, margin) for solid in of] for row, of in enumerate(solids)]
    low = np.min([box[0] for of in boxes for box in of], axis=0) - spacing
    high = np.max([box[1] for of in boxes for box in of], axis=0) + spacing
    axes = [low[k] + spacing * np.arange(int(np.ceil((high[k] - low[k]) / spacing)) + 1) for k in range(3)]
    total = np.zeros([len(axis) for axis in axes])
    for row, of in enumerate(solids):
        for solid, (lowest, highest) in zip(of, boxes[row], strict=True):
            part = tuple(slice(*np.searchsorted(axes[k], (lowest[k], highest[k]))) for k in range(3))
            grid = np.stack(np.meshgrid(*(axes[k][part[k]] for k in range(3)), indexing="ij"), axis=-1)
            gap = solid.distance(_local(grid.reshape(-1, 3), bones, row)).reshape(grid.shape[:3])
            total[part] += np.exp(np.clip(-gap / blend, -30.0, 30.0))
    return isosurface(np.log(np.maximum(total, 1e-12)), low, spacing)


def _box(solid: Solid, bones: Bones, row: int, margin: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the lowest and highest coordinates [m] of a solid in the rest posture, with a margin [m]."""
    low, high = solid.box
    corner = np.array([[(low, high)[(k >> axis) & 1][axis] for axis in range(3)] for k in range(8)])
    corner = bones.rest_place[row] + corner @ rotation_matrix(bones.rest_turn[row]).T
    return corner.min(axis=0) - margin, corner.max(axis=0) + margin


def _weights(
    apart: np.ndarray, bones: Bones, follow: np.ndarray, near: csr_array, size: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the bones that each vertex follows and their shares, from its distances to the segments (n, s) [m].

    follow  how far each segment reaches (s,) [m]
    near    mean over a vertex and its neighbours (n, n)
    size    height of the person [m]
    """
    nearest = apart.argmin(axis=1)
    linked = np.eye(len(follow), dtype=bool)
    linked[tuple(bones.pair.T)] = linked[tuple(bones.pair[:, ::-1].T)] = True
    share = linked[nearest] * np.exp(-(apart - apart.min(axis=1, keepdims=True)) / follow)
    share /= share.sum(axis=1, keepdims=True)
    # folds need wide blends on the trunk and short ones on thin limbs
    rate = np.minimum(1.0, (follow / (_FOLLOW * _BROAD * size)) ** _THIN)[nearest][:, None]
    for _ in range(5):
        rate = near @ rate
    for _ in range(_SMOOTHED):
        share = share + rate * (near @ share - share)
    share = share**_SHARP
    every = _over_joints(share / share.sum(axis=1, keepdims=True), bones)
    order = np.argsort(-every, axis=1)
    bone = order[:, :_MOST_BONES]
    weight = np.take_along_axis(every, bone, axis=1)
    if order.shape[1] > _MOST_BONES:  # no jump where the bone that is left out changes
        weight = weight - np.take_along_axis(every, order[:, _MOST_BONES : _MOST_BONES + 1], axis=1)
    return bone, weight / weight.sum(axis=1, keepdims=True)


def _over_joints(share: np.ndarray, bones: Bones) -> np.ndarray:
    """Return the shares of all bones (n, b), from those of the segments (n, s).

    Each segment divides its share among its joints by the shares of its neighbours there. What the two sides of a
    joint have is given to the two bones whose parts of the turn are next to the mean turn of both.
    """
    pairs, first, count = np.unique(bones.pair, axis=0, return_index=True, return_counts=True)
    partner = np.zeros_like(share)
    for above, below in pairs:
        partner[:, above] += share[:, below]
        partner[:, below] += share[:, above]
    segments = len(bones.body)
    every = np.zeros((len(share), segments + len(bones.pair)))
    every[:, :segments] = share
    for (above, below), start, many in zip(pairs, first.tolist(), count.tolist(), strict=True):
        common = share[:, above] * share[:, below]
        upper, lower = (common / np.maximum(partner[:, side], 1e-12) for side in (above, below))
        whole = upper + lower
        turn = lower / np.maximum(whole, 1e-15)
        knots = np.concatenate([[0.0], bones.part[start : start + many], [1.0]])
        hats = whole[:, None] * np.maximum(1.0 - np.abs(turn[:, None] - knots) * (many + 1), 0.0)
        every[:, above] += hats[:, 0] - upper
        every[:, below] += hats[:, -1] - lower
        every[:, segments + start : segments + start + many] = hats[:, 1:-1]
    return every


def _neighbourhood(triangles: np.ndarray, count: int) -> csr_array:
    """Return the matrix (n, n) that averages over each of a number of vertices and its neighbours."""
    from scipy.sparse import csr_array

    start, end = triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()  # each edge has two directions
    start, end = np.concatenate([start, np.arange(count)]), np.concatenate([end, np.arange(count)])
    share = 1.0 / np.bincount(start, minlength=count)
    return csr_array((share[start], (start, end)), shape=(count, count))


def _cloth(frame: Frame, points: np.ndarray) -> np.ndarray:
    """Return what covers points (n, 3) [m] in the frame of a segment: numbers in `CLOTH`."""
    names = list(CLOTH)
    bare = np.full(len(points), names.index("skin"))
    if frame.region in ("thorax", "abdomen"):
        return np.full(len(points), names.index("shirt"))
    if frame.region in ("pelvis", "thigh", "shank"):
        cloth = np.full(len(points), names.index("trousers"))
        if frame.region == "pelvis" and "abdomen" not in frame.ends:
            cloth[points[:, 2] > frame.middle[2] - 0.1 * frame.half[2]] = names.index("shirt")
        if frame.region == "shank" and "foot" not in frame.ends:
            cloth[points[:, 2] < frame.tip[2] + 1.5 * frame.width] = names.index("shoe")
        return cloth
    if frame.region == "foot":
        return np.full(len(points), names.index("shoe"))
    if frame.region == "upper_arm":
        along = (points - frame.joint) @ (frame.tip - frame.joint) / float(np.sum((frame.tip - frame.joint) ** 2))
        return np.where(along < 0.62, names.index("shirt"), bare)
    if frame.region == "head":
        x, _, z = ((points - frame.middle) / frame.half).T
        return np.where(
            (z > 0.62 + 0.25 * x) | ((x < -0.15) & (z > -0.35 - 0.6 * (x + 0.15))), names.index("hair"), bare
        )
    return bare
