"""What a user is asked to cite: the program, and the sources of the models, laws and data of a run."""

import re

import pytest
from typer.testing import CliRunner

from vitruvian import __version__, data
from vitruvian.cli.app import app
from vitruvian.scenario import Scenario


def cited(*words):
    done = CliRunner().invoke(app, ["cite", *words])
    assert done.exit_code == 0, done.output
    return done.output


def test_a_scenario_names_program_person_law_and_method():
    text = cited("fall-4m")
    assert f"version {__version__}" in text
    assert {"spicka2020", "zatsiorsky2002", "gonthier2004", "deuflhard1985"} <= set(
        re.findall(r"^\[(\w+)\]", text, re.M)
    )
    assert "used for: " in text and "contact law hunt-crossley" in text


def test_a_law_of_its_own_is_cited_with_its_source(tmp_path):
    """Every reference that the description of a law names counts, not only a first one before a comma."""
    text = Scenario.load("bouncing-ball", {"surface.0.contact": {"law": "flores", "stiffness": 1e5}}).to_toml()
    file = tmp_path / "ball.toml"
    file.write_text(text, encoding="utf-8")
    assert {"flores2011", "spicka2020"} <= set(re.findall(r"^\[(\w+)\]", cited(str(file)), re.M))


def test_the_bibtex_is_that_of_the_references():
    text = cited("pedestrian-2d-5f-30", "--bibtex")
    keys = re.findall(r"^@\w+\{(\w+),$", text, re.M)
    assert keys[0] == "vitruvian" and {"hyncik2011", "hybrid3"} & set(keys[1:])
    assert set(keys[1:]) <= set(data.references()) and len(keys) == len(set(keys))
    assert text.count("{") == text.count("}")


@pytest.mark.needs_jit
def test_a_result_adds_the_limits_of_its_criteria(tmp_path):
    Scenario.load("struck-by-front", {"solver.duration": 0.01}).run().save(tmp_path / "result.nc")
    text = cited(str(tmp_path))
    assert text == cited(str(tmp_path / "result.nc"))
    assert "limit of HIC15" in text


def test_what_is_neither_is_refused():
    assert CliRunner().invoke(app, ["cite", "no-such-fall"]).exit_code != 0
