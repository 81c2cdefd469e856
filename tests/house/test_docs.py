"""What the README and the documentation say can be done: links lead somewhere, commands are understood, code runs."""

import importlib.util
import re
import shlex
import tomllib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
GUIDES = [ROOT / "README.md", DOCS / "get-started.md", *sorted((DOCS / "how-to").glob("*.md"))]

pytestmark = pytest.mark.skipif(not (DOCS / "index.md").exists(), reason="not a checkout of the repository")

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
#: commands that are quick enough to be run here; all others are parsed
_QUICK = re.compile(r"(list|show \S+|check fall-4m|cache|verify restitution --json|.* --no-files.*)$")


def named(path):
    return path.relative_to(ROOT).as_posix()


def blocks(path, language):
    return [text for found, text in _FENCE.findall(path.read_text(encoding="utf-8")) if found == language]


def commands(path):
    """Every command of the package in the shell blocks, without comments, `>` and the program's name."""
    for block in blocks(path, "sh"):
        for line in block.splitlines():
            words = shlex.split(line.partition(" >")[0], comments=True)
            if words[:3] == ["python", "-m", "vitruvian"]:
                yield words[3:]
            elif words[:1] == ["vitruvian"]:
                yield words[1:]


def slug(heading):
    """The anchor that mkdocs gives to a heading."""
    text = re.sub(r"[^\w\s-]", "", heading.replace("`", "").lower()).strip()
    return re.sub(r"[-\s]+", "-", text)


@cache
def anchors(path):
    """What a link can point at in a page: headings, and ids given in the text."""
    text = path.read_text(encoding="utf-8")
    given = re.findall(r"""id=["']([^"']+)|\{ ?#([\w-]+)""", text)
    return {slug(heading) for heading in re.findall(r"^#+ (.+?)\s*$", text, re.MULTILINE)} | {a or b for a, b in given}


@pytest.mark.parametrize("path", PAGES, ids=named)
def test_links_lead_to_pages_and_headings(path):
    text = _FENCE.sub("", path.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"\w+:", target):
            continue
        file, _, anchor = target.partition("#")
        there = (path.parent / file).resolve() if file else path
        assert there.exists(), f"{named(path)}: {target} is not there"
        if anchor:
            assert anchor in anchors(there), f"{named(path)}: {target} has no such heading"


def test_every_page_is_in_the_navigation():
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    missing = [path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")]
    assert [page for page in missing if f": {page}\n" not in nav] == []


@pytest.mark.parametrize("path", GUIDES, ids=named)
def test_commands_are_understood(path):
    """Names and options of every command exist, and what --set changes can be built."""
    import click
    import typer

    from vitruvian.cli.app import app
    from vitruvian.scenario import Scenario, library, read_changes

    group = typer.main.get_command(app)
    for words in commands(path):
        name, *rest = words
        command = group.get_command(click.Context(group), name)
        assert command is not None, f"{named(path)}: there is no command {name}"
        given = command.make_context(name, list(rest)).params
        if name == "run" and given["name"] in library():
            Scenario.load(given["name"], read_changes(given["changes"])).build()


@pytest.mark.needs_jit
@pytest.mark.parametrize("path", GUIDES, ids=named)
def test_quick_commands_run(path, tmp_path, monkeypatch):
    from typer.testing import CliRunner

    from vitruvian.cli.app import app

    monkeypatch.chdir(tmp_path)
    for words in commands(path):
        if _QUICK.fullmatch(" ".join(words)):
            done = CliRunner().invoke(app, words)
            assert done.exit_code == 0, f"{named(path)}: vitruvian {' '.join(words)}\n{done.output}"


@pytest.mark.needs_jit
@pytest.mark.parametrize("path", [path for path in GUIDES if blocks(path, "python")], ids=named)
def test_python_blocks_run(path, tmp_path, monkeypatch):
    """One after the other, as a reader would type them."""
    monkeypatch.chdir(tmp_path)
    names = {}
    for number, block in enumerate(blocks(path, "python"), start=1):
        exec(compile(block, f"{named(path)}, python block {number}", "exec"), names)


@pytest.mark.parametrize("path", [path for path in GUIDES if blocks(path, "toml")], ids=named)
def test_toml_blocks_are_scenarios(path, tmp_path):
    """Whole scenarios, studies and exercise goals as they are; parts of a scenario in the smallest that holds them."""
    from vitruvian import Scenario
    from vitruvian.study import load_study
    from vitruvian.study.exercise_optimum import read_plan

    for number, block in enumerate(blocks(path, "toml"), start=1):
        data = tomllib.loads(block)
        if "study" in data:
            (tmp_path / "study.toml").write_text(block, encoding="utf-8")
            load_study(tmp_path / "study.toml").case(0).build()
            continue
        if "goal" in data:
            (tmp_path / "goal.toml").write_text(block, encoding="utf-8")
            read_plan(tmp_path / "goal.toml")
            continue
        if "schema" not in data:
            person = data.pop("human", {})
            if not {"percentile", "preset", "measured"} & set(person):
                person = {"height": 1.8, "mass": 80} | person
            data |= {"schema": 1, "human": person, "solver": {"duration": 1.0}}
        Scenario(data, label=f"{named(path)}, toml block {number}").build()


def test_pages_made_from_the_schema_are_up_to_date():
    spec = importlib.util.spec_from_file_location("make_scenario_docs", ROOT / "tools" / "make_scenario_docs.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, page in module.PAGES.items():
        written = (module.REFERENCE / name).read_text(encoding="utf-8")
        assert written == page(), f"{name}: run python tools/make_scenario_docs.py"


def test_pages_of_the_api_list_every_public_name():
    spec = importlib.util.spec_from_file_location("make_api_docs", ROOT / "tools" / "make_api_docs.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name in module.PAGES:
        written = (module.FOLDER / f"{name}.md").read_text(encoding="utf-8")
        assert written == module.page(name), f"{name}.md: run python tools/make_api_docs.py"


def test_the_documentation_loads_nothing_from_the_network():
    """Scripts, styles and fonts are in docs/assets; equations are rendered when the pages are built."""
    assert "http" not in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert [path.name for path in (DOCS / "assets").glob("*.css") if "http" in path.read_text(encoding="utf-8")] == []


def test_numbers_of_the_theory_are_those_of_the_code():
    from vitruvian.kernels import loop
    from vitruvian.kernels.layout import speed_reference
    from vitruvian.lab import verify
    from vitruvian.model import compile as model
    from vitruvian.sim.solver import METHODS, Solver

    def said(page, *words):
        text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
        assert [word for word in words if word not in text] == [], page

    said("docs/theory/sweep.md", f"{model.FAST_DAMPING:g} 1/s", f"{model.FAST_STIFFNESS:g} rad/s")
    said("docs/theory/contact.md", f"{speed_reference.LEAST:g}\\ \\text{{m/s}}")
    said("docs/theory/step.md", f"{1e3 * loop.ONSET_DEPTH:g} mm", f"at most {1e3 * loop.ONSET_STEP:g} ms")
    said("docs/theory/step.md", f"`max_step` in flight ({1e3 * Solver.max_step:g} ms)")
    said("docs/theory/step.md", f"`contact_step` while anything touches ({1e3 * Solver.contact_step:g} ms)")
    tolerance = f"{METHODS['implicit'][2]:.0e}".replace("e-0", "e-")
    said("docs/how-to/solver.md", f"`implicit` with the tolerance {tolerance}")
    said("docs/design.md", f"**{tolerance}**")
    said("docs/evidence.md", *(f"## {name}" for name in verify.CHECKS))


def test_every_cited_erratum_is_on_the_page_of_errata():
    """Item 12: E001, and every number of a range as in E034 to E038 or E107-E110."""
    listed = set(
        re.findall(r"^\| (E\d{3}) \|", (DOCS / "theory" / "errata.md").read_text(encoding="utf-8"), re.MULTILINE)
    )
    kinds = (".py", ".md", ".toml", ".csv")
    places = [ROOT / name for name in ("README.md", "CHANGELOG.md", "src", "docs", "tools", "examples")]
    files = [path for place in places for path in (place.rglob("*") if place.is_dir() else [place])]
    missing = {}
    for path in (path for path in files if path.suffix in kinds and path.is_file()):
        text = path.read_text(encoding="utf-8")
        cited = set(re.findall(r"\bE[01]\d{2}\b", text))
        for first, last in re.findall(r"\bE([01]\d{2})(?: to |-)E([01]\d{2})\b", text):
            cited |= {f"E{number:03d}" for number in range(int(first), int(last) + 1)}
        if cited - listed:
            missing[named(path)] = sorted(cited - listed)
    assert missing == {}
