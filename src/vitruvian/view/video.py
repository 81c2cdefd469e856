"""A result over a video of its scene, taken by a camera that does not move. Needs the extra `film`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from ..errors import InputError, optional
from ..sim.result import Result
from .film import Progress, schedule
from .filmstrip import span
from .photo import Reel, ScenePhoto, film_over, film_size

_AHEAD = 64  # frames that are kept, because several threads draw
_RATES = (1.0, 120.0)  # of a film [1/s]


@dataclass(frozen=True)
class SceneVideo:
    """A video of a scene and its camera.

    path      of the file
    offset    time of the video at which the run starts [s]
    rate      pictures per second [1/s]
    duration  [s]
    photo     its picture at the offset, with the camera
    """

    path: Path
    offset: float
    rate: float
    duration: float
    photo: ScenePhoto

    @classmethod
    def load(
        cls,
        video: str | Path,
        points: str | Path,
        *,
        offset: float = 0.0,
        focal: float | None = None,
        distortion: bool = False,
    ) -> SceneVideo:
        """Read a video and match its camera to points of known place.

        video   file that ffmpeg reads (MP4, MOV, AVI, MKV, WebM)
        offset  time of the video at which the run starts [s]; negative if it starts before the video
        points, focal, distortion  as in `ScenePhoto.load`; u and v count the pixels of the video
        """
        video = Path(video)
        if not video.is_file():
            raise InputError(f"there is no file {video}.")
        rate, duration, _ = _opened(video, 0.0)
        picture = next(_opened(video, min(max(offset, 0.0), max(duration - 1.0 / rate, 0.0)))[2], None)
        if picture is None:
            raise InputError(f"{video} holds no picture that can be read.")
        matched = ScenePhoto.of(picture, points, focal=focal, distortion=distortion)
        return cls(video, float(offset), rate, duration, matched)

    def part(self, result: Result) -> tuple[float, float]:
        """Return the first and last time of a run that the video shows [s]."""
        start, end = span([result])
        first, last = max(start, -self.offset), min(end, self.duration - self.offset)
        if last - first < 0.5 / self.rate:
            raise InputError(
                f"the run from {start:g} to {end:g} s is from {start + self.offset:g} to {end + self.offset:g} s of "
                f"{self.path}, which lasts {self.duration:g} s. The offset is its time at which the run starts."
            )
        return first, last


def film_over_video(
    result: Result,
    video: SceneVideo,
    path: str | Path,
    *,
    rate: float | None = None,
    slow: float = 1.0,
    width: int | None = None,
    skin: bool = True,
    progress: Progress | None = None,
) -> Path:
    """Write a film of a result over a video, as long as both last.

    rate   pictures per second [1/s]; those of the video unless given
    slow   how many times slower than real time
    width  of the film [pixel]; unless given, at most 1280, a GIF 640
    """
    path, result = Path(path), result.sound
    rate = float(np.clip(video.rate, *_RATES)) if rate is None else rate
    size, part = film_size(video.photo, path, width), video.part(result)
    times, slow = schedule([result], rate, slow, part)
    ground = _Frames(video.path, part[0] + video.offset, slow * rate, size)
    return film_over(result, video.photo, path, ground, Reel(times, slow, rate, size), skin=skin, progress=progress)


class _Frames:
    """Pictures of a video at equal intervals, read one after the other; an earlier one is read again from the start."""

    def __init__(self, path: Path, start: float, rate: float, size: tuple[int, int]) -> None:
        self._source = path, start, f"fps={rate:.9g},scale={size[0]}:{size[1]}:flags=bicubic"
        self._lock = Lock()
        self._restart()

    def __call__(self, place: int) -> np.ndarray:
        """Return the picture (height, width, 3), 0 to 1, at a place; after the last one, the last one."""
        with self._lock:
            if place < self._next and place not in self._kept:
                self._restart()
            while self._next <= place:
                picture = next(self._reader, None)
                self._kept[self._next] = self._kept[self._next - 1] if picture is None else picture
                self._kept.pop(self._next - _AHEAD, None)
                self._next += 1
            return self._kept[place]

    def _restart(self) -> None:
        self._reader = _opened(*self._source)[2]
        first = next(self._reader, None)
        if first is None:
            raise InputError(f"{self._source[0]} holds no picture at {self._source[1]:g} s.")
        self._next, self._kept = 1, {0: first}


def _opened(path: Path, start: float, filters: str = "null") -> tuple[float, float, Iterator[np.ndarray]]:
    """Return rate [1/s] and duration [s] of a video, and its pictures (height, width, 3), 0 to 1, from a time on."""
    ffmpeg = optional("imageio_ffmpeg", "film", "reading a video", "imageio-ffmpeg")
    reader = ffmpeg.read_frames(path, input_params=["-ss", f"{start:.6f}"], output_params=["-vf", filters])
    try:
        about: dict[str, Any] = next(reader)
        rate, duration, (wide, high) = float(about["fps"]), float(about["duration"]), about["size"]
        if duration <= 0.0:  # films of a browser do not name it
            duration = ffmpeg.count_frames_and_secs(path)[1]
    except (OSError, RuntimeError, LookupError, ValueError, StopIteration):
        rate = duration = wide = high = 0
    if min(rate, duration, wide, high) <= 0:
        raise InputError(f"{path} is no video that can be read; give an MP4, MOV, AVI, MKV or WebM file.")

    def pictures() -> Iterator[np.ndarray]:
        try:
            for data in reader:
                yield np.frombuffer(data, np.uint8).reshape(high, wide, 3).astype(np.float32) / np.float32(255.0)
        except RuntimeError as error:
            raise InputError(f"{path} cannot be read to its end ({str(error).splitlines()[0]})") from None

    return rate, duration, pictures()
