"""Writes the pictures of pages, people and the studio in docs/assets, from runs of now.

python tools/make_pictures.py                 all of them
python tools/make_pictures.py report people   some: report, studio, people, fall-4m, pedestrian

Report and studio are photographed in Chromium of the system (playwright); look at every picture before you commit it.
Run it again after every change of the physics or of the pages. The pictures of the gallery and of `reproduce` and
`validate` have tools of their own.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from vitruvian import Scenario
from vitruvian.view.frames import motion
from vitruvian.view.scene import Scene
from vitruvian.view.viewpoint import camera_named, image, windows

ASSETS = Path(__file__).parents[1] / "docs" / "assets"
#: from the right, as the page of people names them
PEOPLE: tuple[dict[str, Any], ...] = (
    {"sex": "male", "age": 3},
    {"preset": "6YO"},
    {"sex": "female", "age": 12},
    {"preset": "5F"},
    {"sex": "female", "age": 80},
    {"preset": "50M"},
    {"preset": "95M"},
)
APART = 0.75  # [m]
DRAWN = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]


def fall() -> Path:
    """The picture that `vitruvian run fall-4m` writes."""
    return motion(Scenario.load("fall-4m").run(), ASSETS / "fall-4m.png")


def pedestrian() -> Path:
    """The picture of a small woman struck from the side."""
    title = "Woman (1.50 m, 49 kg) struck from her left by a sedan at 40 km/h"
    struck = Scenario.load("pedestrian-side-left", {"human.preset": "5F", "title": title}).run()
    return motion(struck, ASSETS / "pedestrian" / "side.png")


def people() -> Path:
    """People of several sizes in a row, seen from the front."""
    from PIL import Image

    row = [
        {"name": f"person{place}", "start": {"clearance": 0.0, "position": [0.0, APART * place]}, **who}
        for place, who in enumerate(PEOPLE)
    ]
    tree = {
        "schema": 1,
        "title": "People",
        "human": row,
        "surface": [{"name": "ground"}],
        "solver": {"duration": 0.001},
    }
    scene = Scene(Scenario(tree).run(), skin=True)
    camera, shown = camera_named("front"), scene.snapshot(0)
    left, right, bottom, top = windows([shown], camera)[0]
    wide = 1400
    seen = image(shown, camera, (left, right, bottom, top), (wide, round(wide * (top - bottom) / (right - left))))
    path = ASSETS / "people.png"
    Image.fromarray((255.0 * np.clip(seen, 0.0, 1.0) + 0.5).astype(np.uint8)).save(path, optimize=True)
    return path


def report() -> Path:
    """The upper part of the report of a struck man, at the impact of the head."""
    result = Scenario.load("pedestrian-side-left").run()
    with tempfile.TemporaryDirectory() as folder, browser(1360, 1720) as page:
        page.goto(result.report(Path(folder) / "report.html").as_uri())
        page.wait_for_selector('body[data-ready="charts"]', timeout=120_000)
        strike = min(impact.time for impact in Scene(result).impacts)
        page.evaluate(f"report.seek({strike})")
        page.wait_for_timeout(1000)
        page.screenshot(path=ASSETS / "report.png")
    return ASSETS / "report.png"


def studio() -> Path:
    """The studio with a woman struck by a sedan, and the run before as a ghost."""
    from vitruvian.studio.launch import Studio

    with (
        tempfile.TemporaryDirectory() as folder,
        Studio("pedestrian-side-left", folder=Path(folder), port=0) as running,
        browser(1440, 900) as page,
    ):
        page.goto(running.address)
        answered = page.get_by_text("answered in").first
        answered.wait_for(timeout=240_000)
        (session,) = running.sessions.values()
        session.worker.join(60.0)
        for change in ('human.sex = "female"', "human.age = 35", "human.height = 1.65", "human.mass = 60"):
            session.set_text(change)
        session.run()
        session.worker.join(120.0)
        page.wait_for_timeout(4000)
        session.pause()
        session.seek(0.08)
        if (told := page.locator("button.mantine-Notification-closeButton").first).is_visible():
            told.click()  # a word on drawing without a graphics card
        page.wait_for_timeout(8000)
        page.screenshot(path=ASSETS / "studio.png")
    return ASSETS / "studio.png"


@contextmanager
def browser(wide: int, high: int) -> Iterator[Any]:
    """Yield a page of a width and height [px] in Chromium of the system."""
    from playwright.sync_api import sync_playwright

    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        sys.exit("There is no Chromium on the PATH.")
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=found, args=DRAWN)
        yield started.new_page(viewport={"width": wide, "height": high})
        started.close()


MAKERS: dict[str, Callable[[], Path]] = {
    "fall-4m": fall,
    "pedestrian": pedestrian,
    "people": people,
    "report": report,
    "studio": studio,
}

if __name__ == "__main__":
    unknown = set(sys.argv[1:]) - set(MAKERS)
    if unknown:
        sys.exit(f"{', '.join(sorted(unknown))}: not known; accepted: {', '.join(MAKERS)}.")
    for name in sys.argv[1:] or MAKERS:
        print(f"{name}: {MAKERS[name]()}")
