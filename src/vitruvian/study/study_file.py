"""Study files in TOML, and the ready studies of the package.

scenario = "fall-4m"

[study]
method = "latin-hypercube"
cases  = 200

[study.vary]
human.start.clearance = ["1 m", "6 m"]
"""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from ..data import parse_toml, read_text, refuse_deep
from ..errors import InputError, nearest, shown
from ..scenario import Scenario
from .folder import DEFINITION, Folder
from .optimum import Goal, read_limits
from .study import Study

#: keys of a study file, and of its table [study]
FILE_KEYS = ("scenario", "title", "set", "study", "evidence", "hypotheses", "optimum")
STUDY_KEYS = ("method", "cases", "seed", "repeat", "steps", "keep", "criteria", "vary")


def studies() -> list[str]:
    """Return the names of the ready studies."""
    folder = files(__package__).joinpath("library")
    return sorted(item.name.removesuffix(".toml") for item in folder.iterdir() if item.name.endswith(".toml"))


def load_study(name_or_file: str | Path, **changes: Any) -> Study:
    """Return a ready study by its name, one from a TOML file, or that of a folder with its rows.

    changes  fields of Study that differ from the file: cases=20, seed=1
    """
    if Path(name_or_file, DEFINITION).is_file() and str(name_or_file) not in studies():
        return _of_folder(Path(name_or_file), changes)
    text, label, folder = source_of(name_or_file)
    data = parse_toml(text, label)
    refuse_deep(data, label)
    _refuse_keys(data, FILE_KEYS, label)
    table = data.get("study")
    if not isinstance(table, dict):
        raise InputError(f"{label}: there is no table [study]; a study needs it, with [study.vary].")
    _refuse_keys(table, STUDY_KEYS, f"{label}: study")
    source = data.get("scenario")
    if not isinstance(source, str):
        raise InputError(f"{label}: scenario is {shown(source)}; expected the name of a ready scenario, or a file.")
    given = {key: value for key, value in table.items() if key != "vary"} | changes
    vary = table.get("vary", {})
    if not isinstance(vary, dict):
        raise InputError(f"{label}: study.vary is {shown(vary)}; expected a table of dotted paths.")
    file = folder / source
    scenario = Scenario.load(file if source.endswith(".toml") else source, data.get("set"))
    return Study(scenario, vary, folder=folder, name=label, **given)


def _of_folder(path: Path, changes: dict[str, Any]) -> Study:
    """Return the study whose rows a folder holds, from its definition (`Study.definition`)."""
    text = Folder(path).definition()
    data = parse_toml(text, str(path / DEFINITION))
    scenario = "\n".join(line[2:] for line in text.splitlines() if line.startswith("#"))
    table = {**data["study"], **changes}
    vary = table.pop("vary")
    return Study(Scenario.from_toml(scenario, name=data["scenario"]), vary, name=str(path), **table)


def load_evidence(name_or_file: str | Path) -> dict[str, Any]:
    """Return the table [evidence] of a study file: outcome -> (value, standard deviation), a word, or None."""
    text, label, _ = source_of(name_or_file)
    table = parse_toml(text, label).get("evidence")
    if not isinstance(table, dict) or not table:
        raise InputError(f"{label}: there is no table [evidence]; give outcomes, as in throw = [12.5, 1.0].")
    return {name: None if value == "none" else value for name, value in table.items()}


def load_hypotheses(name_or_file: str | Path, **changes: Any) -> dict[str, Study]:
    """Return the hypotheses of a study file by name: each has changes of its own (`set`) and varies more (`vary`).

    A file without a table [hypotheses] is one hypothesis, named like the file.
    """
    text, label, _ = source_of(name_or_file)
    study, table = load_study(name_or_file, **changes), parse_toml(text, label).get("hypotheses")
    if table is None:
        return {Path(label).stem: study}
    if not isinstance(table, dict) or not table or not all(isinstance(one, dict) for one in table.values()):
        raise InputError(f"{label}: hypotheses is {shown(table)}; expected tables, as in [hypotheses.fell].")
    found = {}
    for name, one in table.items():
        _refuse_keys(one, ("set", "vary"), f"{label}: hypotheses.{name}")
        scenario = study.scenario_of(one["set"]) if one.get("set") else study.scenario
        own = replace(study, scenario=scenario, name=f"{label}: hypotheses.{name}")
        found[name] = own.vary(one.get("vary", {}))
    return found


OPTIMUM_KEYS = ("minimise", "measure", "search", "designs", "over", "limits")


def load_optimum(name_or_file: str | Path) -> dict[str, Any]:
    """Return the table [optimum] of a study file as options of `optimize`."""
    text, label, _ = source_of(name_or_file)
    table = parse_toml(text, label).get("optimum")
    if not isinstance(table, dict):
        raise InputError(f"{label}: there is no table [optimum]; give minimise, and ranges in [optimum.over].")
    _refuse_keys(table, OPTIMUM_KEYS, f"{label}: optimum")
    for key in ("minimise", "over"):
        kind, words = (str, "a column of numbers") if key == "minimise" else (dict, "a table of ranges")
        if not isinstance(table.get(key), kind):
            raise InputError(f"{label}: optimum.{key} is {shown(table.get(key))}; expected {words}.")
    designs = table.get("designs", 60)
    if isinstance(designs, bool) or not isinstance(designs, int) or designs < 4:
        raise InputError(f"{label}: optimum.designs is {shown(designs)}; expected a whole number, at least 4.")
    limits = tuple(read_limits(table.get("limits", {}), f"{label}: optimum.limits"))
    goal = Goal(table["minimise"], table.get("measure", "mean"), limits)
    search = {"search": table["search"]} if "search" in table else {}
    return {"over": table["over"], "goal": goal, "designs": designs, **search}


def title_of(name: str) -> str:
    """Return the title of a ready study."""
    return str(parse_toml(source_of(name)[0], name).get("title", ""))


def source_of(name_or_file: str | Path) -> tuple[str, str, Path]:
    """Return text, label and folder of a study."""
    name, known = str(name_or_file), studies()
    if name in known and not isinstance(name_or_file, Path):
        content = files(__package__).joinpath("library", f"{name}.toml").read_text(encoding="utf-8")
        return content, name, Path()
    file = Path(name_or_file)
    if file.suffix != ".toml" and not file.is_file():
        raise InputError(f'there is no study "{name}".{nearest(name, known)} Ready ones: {", ".join(known)}.')
    return read_text(file), file.name, file.parent


def _refuse_keys(table: dict[str, Any], accepted: tuple[str, ...], where: str) -> None:
    for key in table:
        if key not in accepted:
            raise InputError(
                f"{where}: there is no key {shown(key)}; accepted: {', '.join(accepted)}.{nearest(key, accepted)}"
            )
