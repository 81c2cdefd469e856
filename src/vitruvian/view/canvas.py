"""Text and charts with Pillow; importing matplotlib alone would take longer than drawing a motion.

Lengths are inches from the left and upper edge, sizes of letters and lines are points.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from math import ceil, floor, log10
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from .._files import MARK, one_line, writing

INK, QUIET = "#222222", "#777777"
_FINE = 4  # curves are drawn this many times larger and reduced, which smooths them
_POINT = 1.0 / 72.0  # [inch]


@cache
def font(pixels: int, *, bold: bool = False, mono: bool = False) -> Any:
    """Return the font of a height [pixel]: the one that matplotlib includes, so that it is the same everywhere."""
    from PIL import ImageFont

    found = find_spec("matplotlib")
    assert found is not None and found.origin is not None  # a dependency
    name = f"DejaVuSans{'Mono' if mono else ''}{'-Bold' if bold else ''}.ttf"
    return ImageFont.truetype(str(Path(found.origin).parent / "mpl-data" / "fonts" / "ttf" / name), max(pixels, 1))


def ticks(low: float, high: float, most: int) -> list[float]:
    """Return at most so many round numbers from low to high."""
    if not high > low:
        return [low]
    power = 10.0 ** floor(log10((high - low) / most))
    step = next(power * s for s in (1.0, 2.0, 2.5, 5.0, 10.0, 20.0) if (high - low) / (power * s) <= most)
    return [step * place for place in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


class Canvas:
    """A white Pillow image of a width and height [inch] with so many dots per inch."""

    def __init__(self, width: float, height: float, dots: int) -> None:
        from PIL import Image, ImageDraw

        self.height, self.dots = height, dots
        self.image = Image.new("RGB", (round(width * dots), round(height * dots)), "white")
        self.pen = ImageDraw.Draw(self.image)

    def text(
        self,
        at: tuple[float, float],
        words: str,
        size: float,
        *,
        colour: str = INK,
        anchor: str = "ls",
        bold: bool = False,
        width: float = float("inf"),
    ) -> None:
        """Write words at x, y [inch], with an anchor as in Pillow; smaller than `size` if wider than `width` [inch]."""
        words = one_line(words)
        pixels = size * _POINT * self.dots
        wide = font(round(pixels), bold=bold).getlength(words) / self.dots
        letters = font(int(pixels * width / wide) if wide > width else round(pixels), bold=bold)
        self.pen.text((at[0] * self.dots, at[1] * self.dots), words, fill=colour, font=letters, anchor=anchor)

    def savefig(self, path: str | Path, dpi: object = None) -> None:
        """Write a PNG file; named as in matplotlib, so that a caller can save either kind of figure."""
        from PIL.PngImagePlugin import PngInfo

        about = PngInfo()
        about.add_text("Software", MARK)
        with writing(path, new_folder=False) as temporary:
            self.image.save(temporary, "PNG", dpi=(self.dots, self.dots), compress_level=4, pnginfo=about)


class Frame(NamedTuple):
    """The place of a chart [inch]."""

    left: float
    top: float
    width: float
    height: float


class Chart:
    """Curves over time in a frame of a canvas; `finish` pastes them and draws the axes."""

    def __init__(self, canvas: Canvas, frame: Frame, x: tuple[float, float], y: tuple[float, float]) -> None:
        from PIL import Image, ImageDraw

        self.canvas, self.frame, self.x, self.y = canvas, frame, x, y
        self._scale = canvas.dots * _FINE
        self._sheet = Image.new("RGB", (round(frame.width * self._scale), round(frame.height * self._scale)), "white")
        self._pen = ImageDraw.Draw(self._sheet, "RGBA")

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return the place of a point of the chart on the canvas [inch]."""
        across, down = self._share(x, y)
        return self.frame.left + self.frame.width * across, self.frame.top + self.frame.height * down

    def _share(self, x: Any, y: Any = 0.0) -> tuple[Any, Any]:
        """Shares of the width and of the height from above [-]."""
        (left, right), (low, high) = self.x, self.y
        return (x - left) / (right - left), 1.0 - (y - low) / (high - low)

    def span(self, low: float, high: float, colour: str) -> None:
        """Shade a band of x."""
        left, right = (self._share(edge)[0] * self._sheet.width for edge in (low, high))
        self._pen.rectangle((left, 0, max(right, left + 1.0), self._sheet.height), fill=colour + "99")

    def curve(self, x: np.ndarray, y: np.ndarray, colour: str, *, filled: bool = False) -> None:
        """Draw a curve, with or without the area below it."""
        seen = (x >= self.x[0]) & (x <= self.x[1]) & np.isfinite(y)
        if np.count_nonzero(seen) < 2:
            return
        points = np.column_stack(self._share(x[seen], y[seen])) * self._sheet.size
        if filled:
            ends = [(points[place, 0], self._sheet.height) for place in (0, -1)]
            self._pen.polygon([*map(tuple, [ends[0], *points, ends[1]])], fill=colour + "1a")
        self._pen.line([*map(tuple, points)], fill=colour, width=round(1.2 * _POINT * self._scale))

    def mark(self, x: float, word: str) -> None:
        """Draw a dashed upright line with a word above it."""
        at, dash = self._share(x)[0] * self._sheet.width, 2.5 * _POINT * self._scale
        for start in np.arange(0.0, self._sheet.height, 2.0 * dash):
            self._pen.line((at, start, at, start + dash), fill=QUIET, width=round(0.7 * _POINT * self._scale))
        left, top = self.place(x, self.y[1])
        self.canvas.text((left, top - 3 * _POINT), word, 9, colour=QUIET, anchor="ms")

    def finish(self, label: str = "") -> None:
        """Paste the chart and draw axes, numbers and the label of y."""
        from PIL import Image, ImageDraw

        canvas, (left, top, width, height) = self.canvas, self.frame
        pen, dots, tick = canvas.pen, canvas.dots, 3.5 * _POINT * canvas.dots
        canvas.image.paste(self._sheet.reduce(_FINE), (round(left * dots), round(top * dots)))
        x, y = left * dots, (top + height) * dots
        pen.line((x, top * dots, x, y, (left + width) * dots, y), fill=INK)
        for value, words in _numbers(ticks(*self.x, max(int(width / 0.65), 2))):
            at = self.place(value, self.y[0])[0]
            pen.line((at * dots, y, at * dots, y + tick), fill=INK)
            canvas.text((at, top + height + 6 * _POINT), words, 9, anchor="ma")
        widest = 0.0
        for value, words in _numbers(ticks(*self.y, max(int(height / 0.32), 2))):
            at = self.place(self.x[0], value)[1]
            pen.line((x - tick, at * dots, x, at * dots), fill=INK)
            canvas.text((left - 6 * _POINT, at), words, 9, anchor="rm")
            widest = max(widest, font(round(9 * _POINT * dots)).getlength(words))
        canvas.text((left + 0.5 * width, top + height + 19 * _POINT), "time [s]", 10, anchor="ma")
        letters = font(round(10 * _POINT * dots))
        box = [round(edge) for edge in letters.getbbox(label)]
        upright = Image.new("RGB", (box[2] - box[0], box[3] - box[1]), "white")
        ImageDraw.Draw(upright).text((-box[0], -box[1]), label, fill=INK, font=letters)
        upright = upright.transpose(Image.Transpose.ROTATE_90)
        middle = x - widest - 17 * _POINT * dots, (top + 0.5 * height) * dots
        canvas.image.paste(upright, (round(middle[0] - upright.width / 2), round(middle[1] - upright.height / 2)))


def _numbers(values: list[float]) -> list[tuple[float, str]]:
    """Numbers with as many decimals as they need to differ."""
    step = abs(values[1] - values[0]) if len(values) > 1 else 1.0
    digits = next((n for n in range(9) if abs(round(step, n) - step) < 1e-9 * max(step, 1.0)), 9)
    return [(value, f"{value + 0.0:.{digits}f}") for value in values]
