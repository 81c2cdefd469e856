"""The person is in the picture of a report from falls of 0.1 to 20 m to pedestrians and sleds, at every width.

The picture is drawn with the skin in two colours: the pixels that differ are those of the person.
"""

from __future__ import annotations

import base64
import io

import numpy as np
import pytest
from PIL import Image

from vitruvian.scenario import Scenario

pytestmark = [pytest.mark.needs_jit, pytest.mark.slow]

SIZES = [(1400, 900), (1000, 800), (390, 844)]
RUNS = {
    "fall-0.1m": ("fall-4m", {"human.start.clearance": 0.1, "solver.duration": 0.6}),
    "fall-1m": ("fall-4m", {"human.start.clearance": 1.0, "solver.duration": 1.0}),
    "fall-4m": ("fall-4m", {}),
    "fall-20m": ("fall-4m", {"human.start.clearance": 20.0, "solver.duration": 2.6}),
    "pedestrian": ("pedestrian-side-left", {"solver.duration": 1.2}),
    "pedestrian-child": ("pedestrian-child", {}),
    "sled": ("sled-frontal-50kmh", {}),
    "sled-rear": ("sled-rear-16kmh", {}),
}
LEAST, MARGIN = 0.15, 2  # size of the person, of the smaller side of the picture; free pixels at the edge


@pytest.mark.parametrize("name", RUNS)
def test_the_person_is_in_the_picture(name, new_page, tmp_path, artefact):
    scenario, changes = RUNS[name]
    result = Scenario.load(scenario, changes).run()
    page, heard = new_page(*SIZES[0])
    page.goto(result.report(tmp_path / "report.html").as_uri())
    page.wait_for_selector('body[data-ready="charts"]', timeout=60_000)
    page.evaluate("report.replay.actors[0].glow.fill(0)")  # colours of forces would cover those of the test
    end = result.recording.end_time
    for wide, high in SIZES:
        page.set_viewport_size({"width": wide, "height": high})
        page.locator(".replay").scroll_into_view_if_needed()
        for share in (0.0, 0.4, 0.7, 1.0):
            page.evaluate(f"report.seek({share * end})")
            person, picture = person_of(page)
            path = artefact(f"framing-{name}-{wide}-{round(100 * share)}.png")
            picture.save(path)
            where = f"{name} at {wide} px, {share * end:.2f} s"
            rows, columns = np.nonzero(person)
            assert len(rows) > 200, f"{where}: there is no person"
            height, width = person.shape
            assert rows.min() >= MARGIN and rows.max() < height - MARGIN, f"{where}: cut off above or below"
            assert columns.min() >= MARGIN and columns.max() < width - MARGIN, f"{where}: cut off at a side"
            size = max(np.ptp(rows), np.ptp(columns)) / min(height, width)
            assert size > LEAST, f"{where}: the person is {size:.2f} of the picture"
    assert heard.errors == []


def person_of(page) -> tuple[np.ndarray, Image.Image]:
    """Where the person is seen (height, width), without shadow and arrows, and the picture."""
    page.evaluate(
        "report.kept = report.replay.actors[0].skins.flatMap((skin) => skin.cloth.map((part) => part.colour))"
    )
    first, second, picture = (_drawn(page, colours) for colours in ("[1, 0, 1]", "[0, 1, 0]", "report.kept[place]"))
    return abs(np.asarray(first, dtype=int) - np.asarray(second, dtype=int)).max(axis=2) > 60, picture


def _drawn(page, colours: str) -> Image.Image:
    """The picture with the parts of the skin in these colours."""
    text = page.evaluate(
        f"""() => {{ report.replay.actors[0].skins.flatMap((skin) => skin.cloth).forEach((part, place) => {{
        part.colour = {colours}; }});
        report.replay.paint(); return report.replay.canvas.toDataURL('image/png').split(',')[1]; }}"""
    )
    return Image.open(io.BytesIO(base64.b64decode(text))).convert("RGB")
