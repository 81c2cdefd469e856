"""glTF: a file that others read, whose nodes stand where the bodies stood."""

from __future__ import annotations

import json
import shutil
import struct
import subprocess
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from vitruvian.scenario import Scenario
from vitruvian.sim.result import Result
from vitruvian.view import gltf
from vitruvian.view.scene import Scene

pytestmark = pytest.mark.needs_jit  # whole runs

VALIDATE = """
require("gltf-validator").validateBytes(new Uint8Array(require("fs").readFileSync(process.argv[1])))
  .then(report => console.log(JSON.stringify(report.issues)))
"""


@pytest.fixture(scope="module")
def struck() -> Result:
    return Scenario.load("struck-by-front", {"solver.duration": 0.1}).run()


@pytest.fixture(scope="module")
def file(struck: Result, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return gltf.write(struck, tmp_path_factory.mktemp("gltf") / "struck.glb")


class Reader:
    """A small reader of its own: chunks, accessors, transforms."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        magic, version, length = struct.unpack_from("<4sII", data)
        assert (magic, version, length) == (b"glTF", 2, len(data))
        size, kind = struct.unpack_from("<I4s", data, 12)
        assert kind == b"JSON" and size % 4 == 0
        self.document = json.loads(data[20 : 20 + size])
        self.binary = data[28 + size :]

    def array(self, number: int) -> np.ndarray:
        accessor = self.document["accessors"][number]
        view = self.document["bufferViews"][accessor["bufferView"]]
        kind = {5126: "<f4", 5121: "<u1", 5123: "<u2", 5125: "<u4"}[accessor["componentType"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[accessor["type"]]
        flat = np.frombuffer(self.binary, kind, accessor["count"] * width, view["byteOffset"])
        return flat.reshape(-1, width) if width > 1 else flat

    def animated(self, name: str, path: str) -> tuple[np.ndarray, np.ndarray]:
        node = next(i for i, node in enumerate(self.document["nodes"]) if node["name"] == name)
        animation = self.document["animations"][0]
        target = {"node": node, "path": path}
        channel = next(row for row in animation["channels"] if row["target"] == target)
        sampler = animation["samplers"][channel["sampler"]]
        return self.array(sampler["input"]), self.array(sampler["output"])


def test_nodes_follow_the_poses(struck: Result, file: Path) -> None:
    """Below the root node, at every time; and through it with y up."""
    reader, recording = Reader(file), struck.recording
    assert reader.document["scenes"][0]["nodes"] == [0]
    upright = Rotation.from_quat(reader.document["nodes"][0]["rotation"])
    assert upright.apply([0.0, 0.0, 1.0]) == pytest.approx([0.0, 1.0, 0.0], abs=1e-7)  # z up becomes y up
    assert upright.apply([1.0, 0.0, 0.0]) == pytest.approx([1.0, 0.0, 0.0], abs=1e-7)
    for name in ("head", "left_foot", "vehicle"):
        at = recording.bodies.index(name)
        time, place = reader.animated(name, "translation")
        assert time == pytest.approx(recording.pose_time, abs=1e-7)
        assert place == pytest.approx(recording.position[:, at], abs=1e-6)
        _, turn = reader.animated(name, "rotation")
        recorded = Rotation.from_quat(np.roll(recording.orientation[:, at], -1, axis=1))
        assert (Rotation.from_quat(turn) * recorded.inv()).magnitude().max() < 1e-6
        assert (np.einsum("ij,ij->i", turn[1:], turn[:-1]) > 0.9).all()  # no jumps on the way


def test_meshes_are_those_of_the_shapes(struck: Result, tmp_path: Path) -> None:
    reader = Reader(gltf.write(struck, tmp_path / "shapes.glb", skin=False))
    meshes = {mesh["name"]: mesh["primitives"][0] for mesh in reader.document["meshes"]}
    parts = Scene(struck).parts
    assert set(meshes) == {part.name for part in parts}
    head = meshes["head"]
    vertices, normals = (reader.array(head["attributes"][word]) for word in ("POSITION", "NORMAL"))
    row = list(struck.geometry.shape_body).index(struck.recording.bodies.index("head"))
    local = (vertices - struck.geometry.shape_offset[row]) / struck.geometry.shape_semi_axes[row]
    assert np.linalg.norm(local, axis=1) == pytest.approx(1.0, abs=0.01)  # on the ellipsoid
    assert np.linalg.norm(normals, axis=1) == pytest.approx(1.0, abs=1e-6)
    corners = vertices[reader.array(head["indices"]).reshape(-1, 3)]
    volume = np.einsum("ni,ni->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6.0
    exact = 4.0 / 3.0 * np.pi * np.prod(struck.geometry.shape_semi_axes[row])
    assert volume == pytest.approx(exact, rel=0.03)  # closed, and facing outwards


def test_the_bones_of_the_file_deform_the_skin_as_pictures_show_it(struck: Result, file: Path) -> None:
    """The formula of glTF, evaluated here from the numbers of the file."""
    reader = Reader(file)
    document = reader.document
    (skin,) = document["skins"]
    (mesh,) = (mesh for mesh in document["meshes"] if mesh["name"] == "human skin")
    values = {word: reader.array(place) for word, place in mesh["primitives"][0]["attributes"].items()}
    bind = reader.array(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)  # columns first
    nodes = [document["nodes"][number] for number in skin["joints"]]
    joint = np.tile(np.eye(4), (len(nodes), 1, 1))
    joint[:, :3, :3] = Rotation.from_quat([node["rotation"] for node in nodes]).as_matrix()
    joint[:, :3, 3] = [node["translation"] for node in nodes]
    weight, bone = (np.hstack([values[f"{word}_{four}"] for four in range(2)]) for word in ("WEIGHTS", "JOINTS"))
    moved = np.einsum("nk,nkij->nij", weight, (joint @ bind)[bone])
    found = np.einsum("nij,nj->ni", moved[:, :3, :3], values["POSITION"]) + moved[:, :3, 3]
    scene = Scene(struck)
    assert found == pytest.approx(scene.skins[0].deformed(*scene.place(0)), abs=1e-5)


def test_the_file_says_what_it_is(struck: Result, file: Path) -> None:
    asset = Reader(file).document["asset"]
    assert asset["version"] == "2.0" and asset["generator"].startswith("vitruvian ")
    assert asset["extras"]["scenario"] == "struck-by-front" and "[m]" in asset["extras"]["axes"]


def test_other_programs_read_it(struck: Result, file: Path, tmp_path: Path) -> None:
    pygltflib = pytest.importorskip("pygltflib")
    read = pygltflib.GLTF2().load(str(file))
    bones = len(read.skins[0].joints)
    assert len(read.animations[0].channels) == 2 * (len(struck.recording.bodies) + bones)
    trimesh = pytest.importorskip("trimesh")
    scene = trimesh.load(str(gltf.write(struck, tmp_path / "shapes.glb", skin=False)))  # it does not know skins
    low, high = scene.bounds
    tall = max(p[2] for p in struck.recording.position[0])
    assert high[1] > tall and low[1] == pytest.approx(0.0, abs=0.02)  # y is up, the ground at zero


def test_the_validator_finds_nothing(file: Path) -> None:
    """The Khronos validator (npm install gltf-validator, found by node through NODE_PATH)."""
    node = shutil.which("node")
    if (
        node is None
        or subprocess.run([node, "-e", "require('gltf-validator')"], capture_output=True, check=False).returncode
    ):
        pytest.skip("node with gltf-validator is not there")
    done = subprocess.run([node, "-e", VALIDATE, str(file)], capture_output=True, text=True, check=True)
    issues = json.loads(done.stdout)
    assert (issues["numErrors"], issues["numWarnings"]) == (0, 0), issues["messages"]


@pytest.mark.parametrize("name", ["bouncing-ball", "pendulum"])
def test_a_mechanism_is_written_too(name: str, tmp_path: Path) -> None:
    result = Scenario.load(name, {"solver.duration": 0.05}).run()
    reader = Reader(gltf.write(result, tmp_path / "thing.glb"))
    assert reader.document["meshes"] and reader.document["animations"]
