"""A browser for tests of pages: Chromium of the system, driven by playwright.

It is found by VITRUVIAN_CHROMIUM or on the PATH and is never installed here; without it the tests are skipped and say
why. Pictures of the pages go into the folder VITRUVIAN_ARTEFACTS if it is set, otherwise into the test's own.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
]


def chromium() -> str | None:
    """The path of Chromium, or None."""
    given = os.environ.get("VITRUVIAN_CHROMIUM")
    if given:
        return given if Path(given).is_file() else None
    return next((found for name in NAMES if (found := shutil.which(name))), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A headless Chromium."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = chromium()
    if path is None:
        pytest.skip("there is no Chromium: none on the PATH, and VITRUVIAN_CHROMIUM does not name one")
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield started
        started.close()


@dataclass
class Heard:
    """What a page said and asked for: errors, console messages of type error or warning, addresses of requests."""

    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


@pytest.fixture
def new_page(browser: Any) -> Iterator[Any]:
    """Makes pages: `page, heard = new_page(width, height)`; each has a context of its own, like a window of its own."""
    contexts = []

    def make(width: int = 1280, height: int = 900, **options: Any) -> tuple[Any, Heard]:
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page, heard = context.new_page(), Heard()
        page.on("pageerror", lambda error: heard.errors.append(str(error)))
        page.on("console", lambda said: heard.errors.append(said.text) if said.type == "error" else None)
        page.on("request", lambda request: heard.requests.append(request.url))
        return page, heard

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def artefact(tmp_path: Path) -> Any:
    """`artefact(name)`: the path for a picture that people may want to look at."""
    folder = Path(os.environ.get("VITRUVIAN_ARTEFACTS") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    return lambda name: str(folder / name)
