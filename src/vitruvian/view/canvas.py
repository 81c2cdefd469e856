"""A small drawing board: pictures, words and curves on paper, without matplotlib, whose import alone takes longer than
drawing a motion. Lengths are inches from the left and upper edge, sizes of letters and lines points.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from math import ceil, floor, log10
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from .._files import MARK, one_line, writing

INK, QUIET = "#222222", "#777777"
_FINE = 4  # curves are drawn so many times larger and brought down, which smooths them
_POINT = 1.0 / 72.0  # [inch]
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)  # distances of ticks, of a power of ten
_TICK = 3.5  # length of a tick [point]


@cache
def font(pixels: int, *, bold: bool = False, mono: bool = False) -> Any:
    """Letters of a height [pixel]: those that matplotlib brings along, so that they are the same everywhere."""
    from PIL import ImageFont

    found = find_spec("matplotlib")
    assert found is not None and found.origin is not None  # a dependency
    name = f"DejaVuSans{'Mono' if mono else ''}{'-Bold' if bold else ''}.ttf"
    return ImageFont.truetype(str(Path(found.origin).parent / "mpl-data" / "fonts" / "ttf" / name), max(pixels, 1))


def ticks(low: float, high: float, most: int) -> list[float]:
    """Round numbers from low to high, at most so many."""
    if not high > low:
        return [low]
    power = 10.0 ** floor(log10((high - low) / most))
    step = next(step for step in (power * s for s in (*_STEPS, 20.0)) if (high - low) / step <= most)
    return [step * place for place in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


class Board:
    """White paper of a width and height [inch] with so many dots per inch."""

    def __init__(self, width: float, height: float, dots: int) -> None:
        from PIL import Image, ImageDraw

        self.width, self.height, self.dots = width, height, dots
        self.paper = Image.new("RGB", (round(width * dots), round(height * dots)), "white")
        self.pen = ImageDraw.Draw(self.paper)

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: float,
        *,
        colour: str = INK,
        anchor: str = "ls",
        bold: bool = False,
        room: float = float("inf"),
    ) -> None:
        """Words at a place; anchor as in Pillow: l, m, r and a, m, s (the line of writing). Smaller than `size` if the
        room for them [inch] says so."""
        words = one_line(words)
        pixels = size * _POINT * self.dots
        wide = font(round(pixels), bold=bold).getlength(words) / self.dots
        letters = font(int(pixels * min(1.0, room / wide)) if wide > room else round(pixels), bold=bold)
        self.pen.text((x * self.dots, y * self.dots), words, fill=colour, font=letters, anchor=anchor)

    def upright(self, x: float, y: float, words: str, size: float) -> None:
        """Words from below upwards, their middle at a place."""
        from PIL import Image, ImageDraw

        letters = font(round(size * _POINT * self.dots))
        left, top, right, bottom = (round(edge) for edge in letters.getbbox(words))
        strip = Image.new("RGB", (right - left, bottom - top), "white")
        ImageDraw.Draw(strip).text((-left, -top), words, fill=INK, font=letters)
        turned = strip.transpose(Image.Transpose.ROTATE_90)
        corner = (round(x * self.dots - turned.width / 2), round(y * self.dots - turned.height / 2))
        self.paper.paste(turned, corner)

    def picture(self, x: float, y: float, pixels: np.ndarray) -> None:
        """Red, green, blue (height, width, 3), 0 to 1, with its upper left corner at a place."""
        from PIL import Image

        drawn = Image.fromarray(np.round(255.0 * np.clip(pixels, 0.0, 1.0)).astype(np.uint8))
        self.paper.paste(drawn, (round(x * self.dots), round(y * self.dots)))

    def bar(self, x: float, y: float, length: float) -> None:
        """A level bar."""
        thick = max(1.5 * _POINT * self.dots, 1.0)
        box = (x * self.dots, y * self.dots - 0.5 * thick, (x + length) * self.dots, y * self.dots + 0.5 * thick)
        self.pen.rectangle(box, fill=INK)

    def savefig(self, path: str | Path, dpi: object = None) -> None:
        """Into a PNG file; named and called as in matplotlib, so that either kind of figure can be handed over."""
        from PIL.PngImagePlugin import PngInfo

        about = PngInfo()
        about.add_text("Software", MARK)
        with writing(path, new_folder=False) as temporary:
            self.paper.save(temporary, "PNG", dpi=(self.dots, self.dots), compress_level=4, pnginfo=about)


class Frame(NamedTuple):
    """Where a chart stands [inch]: left, top, width, height."""

    left: float
    top: float
    width: float
    height: float


class Chart:
    """Curves over time in a frame on a board; `finish` puts them there and writes the numbers."""

    def __init__(self, board: Board, frame: Frame, x: tuple[float, float], y: tuple[float, float]) -> None:
        from PIL import Image, ImageDraw

        self.board, self.frame, self.x, self.y = board, frame, x, y
        self._scale = board.dots * _FINE
        self._sheet = Image.new("RGB", (round(frame.width * self._scale), round(frame.height * self._scale)), "white")
        self._pen = ImageDraw.Draw(self._sheet, "RGBA")

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the chart stands on the board [inch]."""
        frame = self.frame
        return frame.left + frame.width * self._across(x), frame.top + frame.height * (1.0 - self._up(y))

    def _across(self, x: float) -> float:
        return (x - self.x[0]) / (self.x[1] - self.x[0])

    def _up(self, y: float) -> float:
        return (y - self.y[0]) / (self.y[1] - self.y[0])

    def span(self, low: float, high: float, colour: str) -> None:
        """A band of x."""
        left, right = (self._across(edge) * self._sheet.width for edge in (low, high))
        self._pen.rectangle((left, 0, max(right, left + 1.0), self._sheet.height), fill=colour + "99")

    def curve(self, x: np.ndarray, y: np.ndarray, colour: str, *, filled: bool = False) -> None:
        """A curve, perhaps with the area below it."""
        seen = (x >= self.x[0]) & (x <= self.x[1]) & np.isfinite(y)
        if np.count_nonzero(seen) < 2:
            return
        across = (x[seen] - self.x[0]) / (self.x[1] - self.x[0]) * self._sheet.width
        down = (1.0 - (y[seen] - self.y[0]) / (self.y[1] - self.y[0])) * self._sheet.height
        points = list(zip(across.tolist(), down.tolist(), strict=True))
        if filled:
            floor_ = float(self._sheet.height)
            self._pen.polygon([(points[0][0], floor_), *points, (points[-1][0], floor_)], fill=colour + "1a")
        self._pen.line(points, fill=colour, width=round(1.2 * _POINT * self._scale))

    def mark(self, x: float, word: str) -> None:
        """A dashed upright line with a word above it."""
        at, dash = self._across(x) * self._sheet.width, 2.5 * _POINT * self._scale
        for start in np.arange(0.0, self._sheet.height, 2.0 * dash):
            self._pen.line((at, start, at, start + dash), fill=QUIET, width=round(0.7 * _POINT * self._scale))
        left, top = self.place(x, self.y[1])
        self.board.text(left, top - 3 * _POINT, word, 9, colour=QUIET, anchor="ms")

    def finish(self, label: str = "") -> None:
        """Onto the board, with axes, numbers and the label of y."""
        board, (left, top, width, height) = self.board, self.frame
        corner = (round(left * board.dots), round(top * board.dots))
        board.paper.paste(self._sheet.reduce(_FINE), corner)
        pen, dots = board.pen, board.dots
        x, y = left * dots, (top + height) * dots
        pen.line((x, top * dots, x, y), fill=INK)
        pen.line((x, y, (left + width) * dots, y), fill=INK)
        for value, words in _numbers(ticks(*self.x, max(int(width / 0.65), 2))):
            at = self.place(value, self.y[0])[0]
            pen.line((at * dots, y, at * dots, y + _TICK * _POINT * dots), fill=INK)
            board.text(at, top + height + 6 * _POINT, words, 9, anchor="ma")
        widest = 0.0
        for value, words in _numbers(ticks(*self.y, max(int(height / 0.32), 2))):
            at = self.place(self.x[0], value)[1]
            pen.line((x - _TICK * _POINT * dots, at * dots, x, at * dots), fill=INK)
            board.text(left - 6 * _POINT, at, words, 9, anchor="rm")
            widest = max(widest, font(round(9 * _POINT * dots)).getlength(words) / dots)
        board.text(left + 0.5 * width, top + height + 19 * _POINT, "time [s]", 10, anchor="ma")
        if label:
            board.upright(left - widest - 17 * _POINT, top + 0.5 * height, label, 10)


def _numbers(values: Sequence[float]) -> list[tuple[float, str]]:
    """Numbers with so many digits after the point that they differ as they should."""
    step = abs(values[1] - values[0]) if len(values) > 1 else 1.0
    digits = next((n for n in range(9) if abs(round(step, n) - step) < 1e-9 * max(step, 1.0)), 9)
    return [(value, f"{value + 0.0:.{digits}f}") for value in values]
