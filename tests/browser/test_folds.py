"""The folds of a skin in a page: the same vertices as in Python, in postures in which blending turns triangles over."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.unit.view.test_skin import dressed, inverted, posture

from vitruvian.model.pose import rotation_matrix

pytestmark = [pytest.mark.needs_jit, pytest.mark.slow]


def test_a_page_opens_folds_as_python_does(new_page, tmp_path):
    scene, skin = dressed("heavy woman")
    rounded = np.round(255.0 * skin.weight)  # as the page has them
    skin = replace(skin, weight=rounded / rounded.sum(axis=1, keepdims=True))
    page, heard = new_page(1000, 800)
    page.goto(scene.result.report(tmp_path / "report.html").as_uri())
    page.wait_for_selector('body[data-ready="charts"]', timeout=60_000)
    random, turned, spent = np.random.default_rng(1), 0, []
    for _ in range(12):
        position, orientation = posture(scene, skin, random)
        blended = skin.blended(position, orientation)[0]
        turned += inverted(skin, blended, position, orientation) > 0
        place, turn = skin.pose(position, orientation)
        bones = np.tile(np.eye(4), (len(place), 1, 1))
        bones[:, :3, :3] = rotation_matrix(turn)
        bones[:, :3, 3] = place - np.einsum("bij,bj->bi", bones[:, :3, :3], skin.bones.rest_place)
        shift, time = page.evaluate(
            """(bones) => { const folds = report.replay.actors[0].skins[0].folds, start = performance.now();
            folds.open(bones); return [Array.from(folds.shift), performance.now() - start]; }""",
            bones.transpose(0, 2, 1).reshape(-1, 16).tolist(),
        )
        spent.append(time)
        expected = skin.deformed(position, orientation)
        drawn = blended + np.reshape(shift, (-1, 3))
        assert drawn == pytest.approx(expected, abs=2e-4)
        assert inverted(skin, drawn, position, orientation) == 0
    assert turned > 2 and heard.errors == []
    print(f"milliseconds in the page: {np.percentile(spent, [50, 100])}")
