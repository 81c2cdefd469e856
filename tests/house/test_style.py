"""The sources stay small and readable: sizes, names, units in docstrings, plain English."""

from __future__ import annotations

import ast
import importlib
import re
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "vitruvian"
MODULES = sorted(PACKAGE.rglob("*.py"))
PAGES = sorted([*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"])

MODULE_LINES = 400
FUNCTION_LINES = 60
PARAMETERS = 8
#: public functions whose keyword options are the user's interface
WIDE = {"sim/result.py:__init__", "sim/simulate.py:simulate", "view/film.py:movie"}
#: base names that occur at several levels because they are one idea there
SHARED_NAMES = {"__init__", "__main__"}


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def functions(path: Path) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(parsed(path)) if isinstance(node, ast.FunctionDef)]


def is_kernel(path: Path) -> bool:
    return "kernels" in path.parts


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_modules_are_short():
    long = {
        name(path): n
        for path in MODULES
        if not is_kernel(path) and (n := len(path.read_text("utf-8").splitlines())) > MODULE_LINES
    }
    assert not long, f"more than {MODULE_LINES} lines; split by idea: {long}"


def test_functions_are_short():
    long = {
        f"{name(path)}:{f.name}": n
        for path in MODULES
        if not is_kernel(path) and "cli" not in path.parts
        for f in functions(path)
        if (n := (f.end_lineno or f.lineno) - f.lineno + 1) > FUNCTION_LINES
    }
    assert not long, f"more than {FUNCTION_LINES} lines: {long}"


def test_functions_take_few_parameters():
    many = {
        f"{name(path)}:{f.name}": n
        for path in MODULES
        if not is_kernel(path) and "cli" not in path.parts
        for f in functions(path)
        if (n := len(f.args.posonlyargs) + len(f.args.args) + len(f.args.kwonlyargs)) > PARAMETERS
        and f"{path.relative_to(PACKAGE).as_posix()}:{f.name}" not in WIDE
    }
    assert not many, f"more than {PARAMETERS} parameters; group them in a dataclass: {many}"


def test_kernel_docstrings_give_units():
    """A public kernel states the unit of what it returns or changes: [N], [m/s], [-]."""
    bare = [
        f"{name(path)}:{f.name}"
        for path in MODULES
        if is_kernel(path) and "layout" not in path.parts
        for f in functions(path)
        if not f.name.startswith("_") and not re.search(r"\[[^\]]+\]", ast.get_docstring(f) or "")
    ]
    assert not bare, f"no unit in the docstring: {bare}"


def test_base_names_are_one_idea():
    """Two modules share a name only if they are one idea at two levels, as model/joint and kernels/layout/joint."""
    found = defaultdict(list)
    for path in MODULES:
        if path.stem not in SHARED_NAMES:
            found[path.stem].append(path)
    levels = {"kernels", "layout", "model", "cli", "lab"}
    bad = {
        stem: [name(path) for path in paths]
        for stem, paths in found.items()
        if len([path for path in paths if not levels & set(path.parts)]) > 1
    }
    assert not bad, bad


@pytest.mark.parametrize("package", ["", "human", "injury", "model", "scenario", "signals", "sim", "study", "world"])
def test_public_names_have_docstrings(package):
    module = importlib.import_module(f"vitruvian.{package}".rstrip("."))
    bare = [
        word
        for word in getattr(module, "__all__", None) or [w for w in vars(module) if not w.startswith("_")]
        if callable(item := getattr(module, word)) and not (item.__doc__ or "").strip()
    ]
    assert not bare, bare


def words() -> list[tuple[re.Pattern[str], str]]:
    lines = (Path(__file__).with_name("words.txt")).read_text(encoding="utf-8").splitlines()
    rows = [re.split(r"\s{2,}", line, maxsplit=1) for line in lines if line and not line.startswith("#")]
    return [(re.compile(pattern, re.IGNORECASE), instead) for pattern, instead in rows]


def prose(path: Path) -> list[tuple[int, str]]:
    """Return lines of a page outside code blocks, or docstrings, comments and texts of a module."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        kept, code = [], False
        for number, line in enumerate(text.splitlines(), 1):
            code ^= line.lstrip().startswith("```")
            kept.append((number, "" if code else line))
        return kept
    found = [(number, line[line.index("#") :]) for number, line in enumerate(text.splitlines(), 1) if "#" in line]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found += [(node.lineno + k, line) for k, line in enumerate(node.value.splitlines())]
    return found


@pytest.mark.parametrize("path", [*MODULES, *PAGES], ids=name)
def test_plain_english(path):
    found = [
        f"{number}: {match.group()!r}; write: {instead}"
        for number, line in prose(path)
        for pattern, instead in words()
        if (match := pattern.search(line))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_docstrings_can_be_read_alone(path):
    """A docstring does not start by pointing at another one."""
    bad = [
        f"{getattr(node, 'name', 'module')}: {text.splitlines()[0]}"
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
        and re.match(r"(Itself|The same|Of |What )", text := ast.get_docstring(node) or "")
    ]
    assert not bad, "\n".join(bad)
