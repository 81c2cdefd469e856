"""A result over a photo of its scene: the camera is matched to measured points, then people and vehicles are drawn.

The photo hides nothing: a person behind an object of the photo is drawn in front of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._files import MARK, one_line, writing
from ..errors import InputError
from ..sim.result import Result
from .canvas import font
from .colour import full_force
from .film import Progress, checked, pace, schedule, write_film
from .filmstrip import moments_of, time_text
from .matched_camera import Match, match, read_points
from .overlay import MODEL
from .perspective import draw
from .scene import Scene

if TYPE_CHECKING:
    from PIL.Image import Image

ENDINGS = (".png", ".jpg", ".jpeg")
_GHOST = 0.45  # how much the earlier moments hide of the photo
_MOST = 60e6  # pixels
_WIDEST = {".mp4": 1280, ".gif": 640}  # of a film, unless a size is given [pixel]
_CAPTION = 0.035  # height of a line of the caption, of the longer side of the photo
_MARK_IN, _MARK_OUT = "#ffffff", "#d1235b"


@dataclass(frozen=True)
class ScenePhoto:
    """A photo of a scene and its camera.

    picture  red, green, blue (height, width, 3), 0 to 1
    match    of the camera to the points
    given    the points in the photo (n, 2) [px]
    seen     where the camera sees them (n, 2) [px]
    """

    picture: np.ndarray
    match: Match
    given: np.ndarray
    seen: np.ndarray

    @classmethod
    def load(
        cls, photo: str | Path, points: str | Path, *, focal: float | None = None, distortion: bool = False
    ) -> ScenePhoto:
        """Read a photo and match its camera to points of known place.

        photo       JPEG or PNG file
        points      CSV file with the headings u [px], v [px], x [m], y [m], z [m]
        focal       focal length of the camera if it is known [px]
        distortion  find the radial distortion of the lens as well
        """
        return cls.of(read_photo(photo), points, focal=focal, distortion=distortion)

    @classmethod
    def of(
        cls, picture: np.ndarray, points: str | Path, *, focal: float | None = None, distortion: bool = False
    ) -> ScenePhoto:
        """Match the camera of a picture (height, width, 3), 0 to 1, to points as in `load`."""
        pixels, world = read_points(points)
        found = match(pixels, world, (picture.shape[1], picture.shape[0]), focal=focal, distortion=distortion)
        return cls(picture, found, pixels, found.camera.project(world)[0])

    @property
    def words(self) -> str:
        """The quality of the match for a caption."""
        return f"Camera matched to {len(self.given)} points, {self.match.quality}."


def over_photo(
    result: Result,
    photo: ScenePhoto,
    path: str | Path,
    *,
    frames: int | str | Sequence[float | str] = 1,
    skin: bool = True,
) -> Path:
    """Draw moments of a result over a photo into a PNG or JPEG file.

    frames  times as in `filmstrip.picture`: the last one solid, the others as ghosts; 1 is the first contact
    skin    draw people with their skin; otherwise their contact shapes
    """
    from PIL.PngImagePlugin import PngInfo

    path = Path(path)
    if path.suffix.lower() not in ENDINGS:
        raise InputError(f"{path}: {path.suffix or 'no ending'} is not known; accepted: {', '.join(ENDINGS)}.")
    result = result.sound
    scene, force = Scene(result, skin=skin), full_force([result])
    samples = sorted({scene.frame_at(time) for time in _times(result, frames)})
    picture = photo.picture
    for sample in samples:
        drawn = draw(picture, scene.snapshot(sample, full_force=force, fixed=False), photo.match.camera)
        picture = drawn if sample == samples[-1] else picture + np.float32(_GHOST) * (drawn - picture)
    image = _image(picture)
    _mark(image, photo.given, photo.seen)
    times = ", ".join(time_text(float(scene.time[sample])) for sample in samples)
    lines = [f"{one_line(result.title or result.name)}: {times}", photo.words, MODEL]
    about: dict[str, Any] = {"quality": 92, "comment": MARK}
    if path.suffix.lower() == ".png":
        info = PngInfo()
        info.add_text("Software", MARK)
        about = {"pnginfo": info}
    with writing(path) as temporary:
        _captioned(image, lines).save(temporary, **about)
    return path


def film_over_photo(
    result: Result,
    photo: ScenePhoto,
    path: str | Path,
    *,
    rate: float = 25.0,
    slow: float | None = None,
    width: int | None = None,
    skin: bool = True,
    progress: Progress | None = None,
) -> Path:
    """Write a film of a result over a photo; the options are those of `film.movie`.

    width  of the film [pixel]; the height follows from the photo. Unless given, at most 1280, a GIF 640
    """
    path = Path(path)
    size = film_size(photo, path, width)
    ground = resized(photo.picture, size)
    times, slow = schedule([result], rate, slow)
    reel = Reel(times, slow, rate, size)
    return film_over(result, photo, path, lambda at: ground, reel, skin=skin, progress=progress)


def film_size(photo: ScenePhoto, path: Path, width: int | None) -> tuple[int, int]:
    """Return width and height of the pictures of a film over a photo [pixel], without the caption."""
    high, wide = photo.picture.shape[:2]
    width = min(width or _WIDEST.get(path.suffix.lower(), wide), wide)
    return width, max(round(width * high / wide), 1)


def resized(picture: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """Return a picture (height, width, 3), 0 to 1, of another size [pixel]."""
    from PIL import Image

    return np.asarray(_image(picture).resize(size, Image.Resampling.LANCZOS), dtype=np.float32) / np.float32(255.0)


class Reel(NamedTuple):
    """The pictures of a film over a photo or video.

    times  of the run that they show [s]
    slow   how many times slower than real
    rate   per second [1/s]
    size   without the caption [pixel]
    """

    times: np.ndarray
    slow: float
    rate: float
    size: tuple[int, int]


def film_over(
    result: Result,
    photo: ScenePhoto,
    path: Path,
    ground: Callable[[int], np.ndarray],
    reel: Reel,
    *,
    skin: bool,
    progress: Progress | None,
) -> Path:
    """Write a film over pictures of the camera of a photo; `ground` gives the one behind each place of the reel."""
    times, slow, rate, size = reel
    camera = photo.match.camera.scaled(size)
    lines = (one_line(result.title or result.name), photo.words, MODEL)
    whole = checked(path, rate, slow, _captioned(_image(ground(0)), lines).size, 1)
    result = result.sound
    scene, force = Scene(result, skin=skin), full_force([result])

    def drawn(at: int) -> Image:
        shown = scene.snapshot(scene.frame_at(float(times[at])), full_force=force, fixed=False)
        first = f"{shown.time:.3f} s, {pace(slow)}: {lines[0]}"
        return _captioned(_image(draw(ground(at), shown, camera)), (first, *lines[1:])).crop((0, 0, *whole))

    return write_film(path, drawn, times, whole, rate, [result], progress)


def read_photo(path: str | Path) -> np.ndarray:
    """Return a photo as red, green, blue (height, width, 3), 0 to 1, upright as its camera marked it."""
    from PIL import Image, ImageOps, UnidentifiedImageError

    path = Path(path)
    try:
        with Image.open(path) as opened:
            if opened.width * opened.height > _MOST:
                raise InputError(
                    f"{path} has {opened.width} x {opened.height} pixels; accepted up to {_MOST / 1e6:g} million. "
                    "Reduce it, then read the points in the smaller photo."
                )
            picture = ImageOps.exif_transpose(opened).convert("RGB")
    except FileNotFoundError:
        raise InputError(f"there is no file {path}.") from None
    except UnidentifiedImageError:
        raise InputError(f"{path} is no picture that can be read; give a JPEG or PNG file.") from None
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise InputError(f"{path} cannot be read ({getattr(error, 'strerror', None) or error}).") from None
    return np.asarray(picture, dtype=np.float32) / np.float32(255.0)


def _times(result: Result, frames: int | str | Sequence[float | str]) -> list[float]:
    """Return the times of the moments [s]; a single one is the first contact, or the start without contact."""
    if frames in (1, "1"):
        touched = [event.time for event in result.recording.events if event.kind == "touch"]
        return [min(touched, default=float(result.recording.pose_time[0]))]
    return moments_of([result], frames)


def _image(picture: np.ndarray) -> Image:
    from PIL import Image

    return Image.fromarray(np.round(255.0 * np.clip(picture, 0.0, 1.0)).astype(np.uint8))


def _mark(image: Image, given: np.ndarray, seen: np.ndarray) -> None:
    """Draw a ring where each point was read and a cross where the camera sees it."""
    from PIL import ImageDraw

    pen, size = ImageDraw.Draw(image), max(0.006 * max(image.size), 4.0)
    for colour, width in ((_MARK_IN, max(round(size / 2), 3)), (_MARK_OUT, max(round(size / 5), 1))):
        for (u, v), (x, y) in zip(given.tolist(), seen.tolist(), strict=True):
            pen.ellipse((u - size, v - size, u + size, v + size), outline=colour, width=width)
            pen.line((x - size, y, x + size, y), fill=colour, width=width)
            pen.line((x, y - size, x, y + size), fill=colour, width=width)


def _captioned(image: Image, lines: Sequence[str]) -> Image:
    """Return a picture with lines of text below it, each as large as fits."""
    from PIL import Image, ImageDraw

    line = max(round(_CAPTION * max(image.size)), 12)
    whole = Image.new("RGB", (image.width, image.height + len(lines) * line + line // 2), "white")
    whole.paste(image, (0, 0))
    pen = ImageDraw.Draw(whole)
    for place, words in enumerate(lines):
        letters = round(0.62 * line)
        wide = font(letters).getlength(words)
        letters = min(letters, int(letters * (image.width - line) / max(wide, 1.0)))
        middle = image.height + (place + 0.75) * line
        pen.text((line // 2, middle), words, fill="#222222", font=font(letters), anchor="lm")
    return whole
