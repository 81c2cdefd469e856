"""A film of one result, or of several side by side: MP4 or GIF, drawn without a screen.

Above the picture of each result stand its title and the time, below it the acceleration of the head with a cursor.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import __version__
from .._files import one_line, writing
from ..errors import InputError, optional
from ..sim.result import Result
from .canvas import font
from .colour import full_force
from .filmstrip import force_bar, span
from .overlay import MODEL
from .renderer import Camera
from .scene import Scene
from .viewpoint import Window, camera_named, image, track

if TYPE_CHECKING:
    from PIL.Image import Image

ENDINGS = (".mp4", ".gif")
#: slow motion to choose from: a second of the run lasts so long [s]
_FACTORS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
_LENGTH = 8.0  # a film is at most so long, unless asked otherwise [s]
_REST = 0.6  # the end of each pass is shown so much longer [s]
_MOST = 20000  # pictures
_SIZE = {".gif": (640, 360)}  # other films are 1280 x 720 [pixel]
_COLOURS = 12  # pictures that decide on the colours of a GIF
_INK, _QUIET, _LINE = "#222222", "#777777", "#22577a"
_CURVE = 0.20  # of the height, for the curve below

Progress = Callable[[str, int, int], None]


def movie(
    results: Result | Sequence[Result],
    path: str | Path,
    *,
    rate: float = 25.0,
    slow: float | None = None,
    twice: bool = False,
    size: tuple[int, int] | None = None,
    camera: str = "oblique",
    follow: bool | None = None,
    labels: Sequence[str] = (),
    skin: bool = True,
    progress: Progress | None = None,
) -> Path:
    """Write a film; the last pictures show the last moment of the longest result.

    path      ends in .mp4 (H.264, needs the extra `film`) or .gif
    rate      frames per second [1/s]
    slow      slow motion: how long a second of the run lasts [s]; unless given, chosen so that the film takes 4 to 8 s
    twice     first in real time, then slowly
    size      width and height [pixel]; 1280 x 720, a GIF 640 x 360
    camera    side, left, front, back, top or oblique
    follow    whether the camera moves along; unless given, if the motion needs much more space than the bodies
    labels    above the pictures; titles of the results unless given
    skin      draw people with their skin; otherwise their contact shapes
    progress  called with the name of the file, the pictures done and their number
    """
    results = [result.sound for result in ([results] if isinstance(results, Result) else results)]
    path = Path(path)
    size = checked(path, rate, slow, size or _SIZE.get(path.suffix.lower(), (1280, 720)), len(results))
    times, slow = schedule(results, rate, slow)
    slowed = np.full(len(times), slow)
    if twice and slow > 1.0:
        real = schedule(results, rate, 1.0)[0]
        times, slowed = np.concatenate([real, times]), np.concatenate([np.ones(len(real)), slowed])
    labels = labels or [result.title or result.name for result in results]
    panels = _panels(results, labels, times, size, slowed, camera_named(camera), follow, skin=skin)
    return write_film(path, lambda at: _whole(panels, size, at), times, size, rate, results, progress)


def checked(path: Path, rate: float, slow: float | None, size: tuple[int, int], count: int) -> tuple[int, int]:
    """Refuse what no film can be made of; return the size that the format accepts [pixel]."""
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise InputError(f"{path}: {ending or 'no ending'} is not known; accepted: {', '.join(ENDINGS)}.")
    if not 1.0 <= rate <= 120.0:
        raise InputError(f"the film has {rate:g} pictures a second; accepted 1 to 120.")
    if slow is not None and not 0.01 <= slow <= 1e5:
        raise InputError(f"the slow motion is {slow:g}; accepted 0.01 to 100000, 1 is as fast as real.")
    if not (160 <= size[0] <= 7680 and 120 <= size[1] <= 4320):
        raise InputError(f"the size is {size[0]} x {size[1]}; accepted 160 x 120 to 7680 x 4320 pixels.")
    if not 1 <= count <= 4:
        raise InputError(f"{count} results side by side; accepted 1 to 4.")
    if ending == ".mp4":
        _encoder()
        return size[0] // 2 * 2, size[1] // 2 * 2  # the colours of H.264 go by two pixels
    return size


def write_film(
    path: Path,
    drawn: Callable[[int], Image],
    times: np.ndarray,
    size: tuple[int, int],
    rate: float,
    results: Sequence[Result],
    progress: Progress | None = None,
) -> Path:
    """Write the pictures of a schedule as .mp4 or .gif.

    drawn  gives the picture at a place of the schedule; it is called from several threads
    times  of the run that the pictures show [s]
    size   of the pictures [pixel]
    rate   frames per second [1/s]
    """
    pictures = _pictures(drawn, times, path.name, progress)
    with writing(path) as temporary:
        if path.suffix.lower() == ".mp4":
            _write_mp4(temporary, pictures, size, rate, results)
        else:
            some = [drawn(at) for at in np.linspace(0, len(times) - 1, _COLOURS).astype(int).tolist()]
            _write_gif(temporary, pictures, _mosaic(some), rate, results)
    return path


def schedule(
    results: Sequence[Result], rate: float, slow: float | None = None, part: tuple[float, float] | None = None
) -> tuple[np.ndarray, float]:
    """The times of the run or of a part of it that the pictures show [s], first to last, and the slow motion [-]."""
    start, end = part or span(results)
    if slow is None:
        slow = float(max((factor for factor in _FACTORS if factor * (end - start) <= _LENGTH), default=1))
    count = max(int(np.ceil((end - start) * slow * rate - 1e-9)), 1)
    if count > _MOST:
        raise InputError(f"the film would have {count} pictures; accepted up to {_MOST}. Choose a smaller --slow.")
    times = np.minimum(start + np.arange(count + 1) / (slow * rate), end)
    return np.concatenate([times, np.full(round(_REST * rate), end)]), slow


# what is seen


@dataclass(frozen=True)
class _Panel:
    """One result in the film: its picture at each time, and the static cover around it.

    force    at which a body has the last colour of the scale [N]
    samples  frame of the scene for each picture
    windows  of each picture
    frame    left, top, width, height of the picture of the bodies [pixel]
    cover    texts, scale and curve, laid over everything (height, width, 4)
    clock    position of the time, right end and top [pixel], and the height of its letters
    cursor   left, right, top, bottom of the curve [pixel], and its first and last time [s]; None without one
    slowed   how many times slower than real time each picture is shown [-]
    """

    scene: Scene
    force: float
    samples: list[int]
    windows: list[Window]
    camera: Camera
    frame: tuple[int, int, int, int]
    cover: Image
    clock: tuple[int, int, int]
    cursor: tuple[float, float, float, float, float, float] | None
    slowed: np.ndarray

    def draw(self, at: int) -> Image:
        """The picture at a place of the schedule."""
        from PIL import Image, ImageDraw

        left, top, wide, high = self.frame
        shown = self.scene.snapshot(self.samples[at], full_force=self.force)
        seen = image(shown, self.camera, self.windows[at], (wide, high))
        whole = Image.new("RGB", self.cover.size, "white")
        whole.paste(Image.fromarray((255.0 * seen + 0.5).astype(np.uint8)), (left, top))
        whole.paste(self.cover, (0, 0), self.cover)
        pen = ImageDraw.Draw(whole)
        right, above, letters = self.clock
        pen.text((right, above), f"{shown.time:.3f} s", fill=_INK, font=font(letters, mono=True), anchor="ra")
        slow, small = float(self.slowed[at]), font(round(0.75 * letters))
        pen.text((whole.width - right, above + 1.55 * letters), pace(slow), fill=_QUIET, font=small)
        if self.cursor is not None:
            low, high_x, upper, lower, first, last = self.cursor
            x = low + (high_x - low) * (shown.time - first) / max(last - first, 1e-9)
            pen.line([(x, upper), (x, lower)], fill="#e07a5f", width=max(1, self.cover.height // 360))
        return whole


def _panels(
    results: Sequence[Result],
    labels: Sequence[str],
    times: np.ndarray,
    size: tuple[int, int],
    slowed: np.ndarray,
    camera: Camera,
    follow: bool | None,
    *,
    skin: bool = True,
) -> list[_Panel]:
    """Side by side, of one scale."""
    force = full_force(results)
    scenes = [Scene(result, skin=skin) for result in results]
    samples = [[scene.frame_at(float(time)) for time in times] for scene in scenes]
    edges = np.linspace(0, size[0], len(results) + 1).astype(int)
    head = max(round(0.075 * size[1]), 18)
    curves = any(result.summary()["peaks"] for result in results)
    wide, high = int(edges[1]), size[1] - head - (round(_CURVE * size[1]) if curves else 0)
    looks = []
    for scene, some in zip(scenes, samples, strict=True):
        distinct = sorted(set(some))
        found = track([scene.snapshot(frame) for frame in distinct], camera, wide / high, follow=follow)
        looks.append(dict(zip(distinct, found, strict=True)))
    tall = max(look[3] - look[2] for row in looks for look in row.values())
    made = []
    for index, (result, scene) in enumerate(zip(results, scenes, strict=True)):
        width = int(edges[index + 1] - edges[index])
        windows = [_grown(looks[index][sample], tall) for sample in samples[index]]
        bar = force if index == len(results) - 1 else 0.0
        cover, cursor = _cover(result, labels[index], (width, size[1]), head, high, bar, curves)
        clock = (width - head // 3, round(0.16 * head), round(0.55 * head))
        frame = (0, head, width, high)
        made.append(_Panel(scene, force, samples[index], windows, camera, frame, cover, clock, cursor, slowed))
    return made


def _grown(window: Window, tall: float) -> Window:
    """A window of the given height round the same middle, on the same floor."""
    left, right, bottom, top = window
    half = 0.5 * tall * (right - left) / (top - bottom)
    middle = 0.5 * (left + right)
    return middle - half, middle + half, bottom, bottom + tall


def _cover(
    result: Result, text: str, size: tuple[int, int], head: int, high: int, force: float, curves: bool
) -> tuple[Any, tuple[float, float, float, float, float, float] | None]:
    """Draw the static cover: title, scale of the forces, curve, limits of the model; return it with the cursor."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from PIL import Image

    wide, tall = size
    dots = 100.0
    letters = 0.36 * head * 72.0 / dots  # [point]
    figure = Figure(figsize=(wide / dots, tall / dots), dpi=dots)
    figure.patch.set_alpha(0.0)
    canvas = FigureCanvasAgg(figure)
    most = max(int((wide - 4.2 * head) / (0.23 * head)), 8)  # letters before the clock
    text = one_line(text)
    text = text if len(text) <= most else text[: most - 1] + "…"
    figure.text(
        head / 3 / wide, 1.0 - 0.5 * head / tall, text,
        fontsize=letters, weight="bold", color=_INK, va="center", parse_math=False,
    )  # fmt: skip
    small = min(0.5 * letters, 1.5 * (wide - head) / len(MODEL) * 72.0 / dots)
    foot = 1.0 - (head + high - 0.1 * head) / tall
    figure.text(0.5, foot, MODEL, fontsize=small, color=_QUIET, ha="center", va="bottom")
    if force > 0.0:
        low = tall - head - 0.75 * high
        place = (1.0 - 2.1 * head / wide, low / tall, 0.16 * head / wide, 0.5 * high / tall)
        force_bar(figure, force, place, letters=0.7 * letters)
    cursor = _curve(figure, result, size, (head, high), letters) if curves else None
    canvas.draw()
    return Image.fromarray(np.asarray(canvas.buffer_rgba()).copy(), "RGBA"), cursor


def pace(slow: float) -> str:
    """Return how fast a picture is shown, in words."""
    return "real time" if slow == 1.0 else f"slowed {slow:g} times" if slow > 1.0 else f"{1.0 / slow:g} times faster"


def _curve(
    figure: Any, result: Result, size: tuple[int, int], rows: tuple[int, int], letters: float
) -> tuple[float, float, float, float, float, float] | None:
    """The acceleration of the head, or of what is measured first, below the picture."""
    name = next(iter(result.summary()["peaks"]), None)
    if name is None:
        return None
    wide, tall = size
    below = tall - rows[0] - rows[1]
    place = (1.5 * rows[0] / wide, 0.42 * below / tall, 1.0 - 2.2 * rows[0] / wide, 0.52 * below / tall)
    axes = figure.add_axes(place, facecolor="white")
    time, acceleration = result.resultant_g(name)
    axes.plot(time, acceleration, color=_LINE, linewidth=0.09 * letters)
    axes.fill_between(time, acceleration, color=_LINE, alpha=0.12, linewidth=0)
    first, last = float(result.recording.pose_time[0]), float(result.recording.pose_time[-1])
    axes.set(xlim=(first, max(last, first + 1e-9)), ylim=(0.0, None))
    axes.tick_params(labelsize=0.65 * letters, length=2, colors=_QUIET)
    axes.locator_params(axis="y", nbins=3)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.set_xlabel("time [s]", fontsize=0.65 * letters, color=_QUIET, labelpad=1)
    axes.text(
        0.01, 1.0, f"{name} acceleration [g]",
        fontsize=0.7 * letters, color=_LINE, va="top", transform=axes.transAxes, parse_math=False,
    )  # fmt: skip
    left, right = place[0] * wide, (place[0] + place[2]) * wide
    upper, lower = (1.0 - place[1] - place[3]) * tall, (1.0 - place[1]) * tall
    return left, right, upper, lower, first, last


def _whole(panels: list[_Panel], size: tuple[int, int], at: int) -> Image:
    """The picture of all panels at a place of the schedule."""
    from PIL import Image

    picture, left = Image.new("RGB", size, "white"), 0
    for panel in panels:
        part = panel.draw(at)
        picture.paste(part, (left, 0))
        left += part.width
    return picture


def _pictures(
    drawn: Callable[[int], Image], times: np.ndarray, name: str, progress: Progress | None
) -> Iterator[Image]:
    """All pictures in order, drawn by as many threads as there are processors."""
    workers = os.cpu_count() or 1
    moving = np.flatnonzero(np.concatenate([[True], np.diff(times) != 0.0])).tolist()
    still = np.diff([*moving, len(times)]).tolist()  # a moment that rests is drawn once
    with ThreadPoolExecutor(workers) as pool:
        ahead = [pool.submit(drawn, at) for at in moving[: 2 * workers]]
        for place in range(len(moving)):
            picture = ahead.pop(0).result()
            if place + 2 * workers < len(moving):
                ahead.append(pool.submit(drawn, moving[place + 2 * workers]))
            if progress is not None:
                progress(name, place + 1, len(moving))
            for _ in range(still[place]):
                yield picture


# files


def _encoder() -> Any:
    return optional("imageio_ffmpeg", "film", "a film as .mp4 (a .gif needs nothing)", "imageio-ffmpeg")


def _write_mp4(
    path: Path, pictures: Iterator[Image], size: tuple[int, int], rate: float, results: Sequence[Result]
) -> None:
    about = [
        *("-metadata", f"title={_title(results)}"),
        *("-metadata", f"comment=vitruvian {__version__}; world axes: x forward, y left, z up"),
        *("-movflags", "+faststart"),
    ]
    writer = _encoder().write_frames(
        str(path), size, fps=rate, codec="libx264", pix_fmt_out="yuv420p", quality=None, macro_block_size=2,
        output_params=["-crf", "18", "-preset", "veryfast", *about],
    )  # fmt: skip
    writer.send(None)
    try:
        for picture in pictures:
            writer.send(picture.tobytes())
    finally:
        writer.close()


def _write_gif(path: Path, pictures: Iterator[Image], colours: Image, rate: float, results: Sequence[Result]) -> None:
    """A GIF that goes round; its clock counts hundredths of a second, and what is rounded off is made up for later."""
    from PIL import Image

    palette = colours.quantize(256, method=Image.Quantize.MEDIANCUT)
    known = np.array(palette.getpalette()).reshape(-1, 3)
    known[known.sum(axis=1).argmax()] = 255  # the white of the paper is white
    palette.putpalette(known.ravel().tolist())
    drawn = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]
    ticks = np.round(np.arange(len(drawn) + 1) * 100.0 / rate)
    drawn[0].save(
        path,
        save_all=True,
        append_images=drawn[1:],
        duration=(10.0 * np.diff(ticks)).astype(int).tolist(),
        loop=0,
        optimize=False,
        comment=f"{_title(results)}; vitruvian {__version__}".encode(),
    )


def _mosaic(pictures: list[Image]) -> Image:
    """All below each other: what colours there are."""
    from PIL import Image

    width, height = pictures[0].size
    joined = Image.new("RGB", (width, height * len(pictures)))
    for place, picture in enumerate(pictures):
        joined.paste(picture, (0, height * place))
    return joined


def _title(results: Sequence[Result]) -> str:
    return " | ".join(one_line(result.title or result.name) for result in results)
