"""A result over a video: the picture behind a time of the run is that of the video at that time plus the offset."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.unit.view.test_photo import SIZE, SPACE, TRUE

from vitruvian.errors import InputError
from vitruvian.scenario import Scenario
from vitruvian.sim.result import Result
from vitruvian.view.video import SceneVideo, film_over_video

ffmpeg = pytest.importorskip("imageio_ffmpeg")
RATE, LENGTH = 25, 50  # pictures per second, pictures


def grey(frame: int) -> int:
    return 20 + 4 * frame


def pictures(path: Path) -> tuple[dict, list[np.ndarray]]:
    reader = ffmpeg.read_frames(path)
    about = next(reader)
    wide, high = about["size"]
    return about, [np.frombuffer(data, np.uint8).reshape(high, wide, 3) for data in reader]


@pytest.fixture(scope="module")
def scene(tmp_path_factory) -> tuple[Path, Path]:
    """A video of 2 s that becomes brighter from picture to picture, and the points."""
    folder = tmp_path_factory.mktemp("video")
    writer = ffmpeg.write_frames(str(folder / "scene.mp4"), SIZE, fps=RATE, macro_block_size=2)
    writer.send(None)
    for frame in range(LENGTH):
        writer.send(np.full((SIZE[1], SIZE[0], 3), grey(frame), np.uint8).tobytes())
    writer.close()
    rows = np.column_stack([TRUE.project(SPACE)[0], SPACE])
    text = "\n".join(",".join(f"{value:.9g}" for value in row) for row in rows)
    (folder / "points.csv").write_text("u [px],v [px],x [m],y [m],z [m]\n" + text + "\n")
    return folder / "scene.mp4", folder / "points.csv"


@pytest.fixture(scope="module")
def fall() -> Result:
    return Scenario.load("fall-1cm", {"solver.duration": 0.4}).run()


@pytest.mark.needs_jit
@pytest.mark.parametrize(
    ("offset", "slow", "count", "first"),
    [(0.4, 1.0, 11, 10), (0.4, 4.0, 41, 10), (1.8, 1.0, 6, 45), (-0.2, 1.0, 6, 0)],
    ids=["inside", "slow", "video ends first", "run starts first"],
)
def test_the_picture_behind_is_that_of_the_moment(fall, scene, tmp_path, offset, slow, count, first):
    video = SceneVideo.load(*scene, offset=offset)
    assert video.rate == RATE and video.duration == pytest.approx(LENGTH / RATE)
    assert video.photo.match.rms < 0.01
    about, seen = pictures(film_over_video(fall, video, tmp_path / "over.mp4", slow=slow))
    assert about["fps"] == RATE
    assert len(seen) == count + 15  # the last moment rests for 0.6 s
    corner = [float(picture[4:20, 4:20].mean()) for picture in seen[:count]]
    expected = [grey(min(first + place / slow, LENGTH - 1)) for place in range(count)]
    assert corner == pytest.approx(expected, abs=4.0 / slow + 4.0)  # colours of H.264; half a picture when slowed
    assert (abs(seen[0][: SIZE[1]].astype(int) - seen[0][4, 4]) > 20).any()  # the person


@pytest.mark.needs_jit
def test_a_gif_of_a_video_starts_at_its_start(fall, scene, tmp_path):
    """The colours of a GIF are chosen from pictures of the whole film, so the video is read twice."""
    from PIL import Image

    path = film_over_video(fall, SceneVideo.load(*scene, offset=0.4), tmp_path / "over.gif", width=320)
    with Image.open(path) as film:
        assert film.convert("RGB").getpixel((4, 4))[0] == pytest.approx(grey(10), abs=6)


@pytest.mark.needs_jit
def test_a_run_outside_the_video_is_refused(fall, scene):
    for offset in (2.5, -0.5):
        with pytest.raises(InputError, match=r"which lasts 2 s\. The offset is its time"):
            SceneVideo.load(*scene, offset=offset).part(fall)


def test_files_that_are_no_videos_are_refused(scene, tmp_path):
    (tmp_path / "text.mp4").write_text("no video")
    for name, words in (("text.mp4", "is no video that can be read"), ("none.mp4", "there is no file")):
        with pytest.raises(InputError, match=words):
            SceneVideo.load(tmp_path / name, scene[1])
    (tmp_path / "cut.mp4").write_bytes(scene[0].read_bytes()[:300])
    with pytest.raises(InputError, match="is no video that can be read"):
        SceneVideo.load(tmp_path / "cut.mp4", scene[1])
