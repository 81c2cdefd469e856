"""Write docs/reference/api/: a page for every public package, listing the names that its __init__ exports.

The text of a page is filled in from the docstrings by mkdocstrings when the documentation is built.

python tools/make_api_docs.py
"""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "vitruvian"
FOLDER = ROOT / "docs" / "reference" / "api"

#: page -> the modules and packages it shows
PAGES = {
    "scenario": ("scenario",),
    "sim": ("sim",),
    "model": ("model",),
    "human": ("human",),
    "world": ("world",),
    "flex": ("flex",),
    "injury": ("injury",),
    "signals": ("signals",),
    "study": ("study",),
    "view": ("view",),
    "export": tuple(f"export.{name}" for name in ("tidy", "isomme", "csv_record", "opensim", "c3d", "mjcf_file", "fe")),
    "units": ("units", "errors"),
    "data": ("data",),
    "lab": (
        "lab.formulations",
        "lab.flexible",
        "lab.impact",
        "lab.single_impact",
        "lab.verify",
        "lab.reproduce",
        "lab.validate",
    ),
}
#: names that can also be imported from `vitruvian` itself
TOP = ("Scenario", "Study", "library", "Result", "load", "simulate", "System")


def page(name: str) -> str:
    """Return a page in Markdown."""
    parts = ["<!-- made by tools/make_api_docs.py; do not edit -->\n"]
    for module in PAGES[name]:
        parts.append(f"# `vitruvian.{module}`\n" if len(PAGES[name]) == 1 else f"## `vitruvian.{module}`\n")
        parts.append(_directive(f"vitruvian.{module}", level=2, members="[]", show_root_heading="false"))
        for public, path in exported(module):
            note = (
                f"\nAlso `vitruvian.{public}`.\n"
                if public in TOP and name in ("scenario", "sim", "model", "study")
                else ""
            )
            level = 2 if len(PAGES[name]) == 1 else 3
            parts.append(_directive(path, level=level, heading=public, toc_label=public) + note)
    if len(PAGES[name]) > 1:
        parts.insert(
            1, f"# `vitruvian.{name}`\n" if name in ("export", "lab") else "# `vitruvian.units`, `vitruvian.errors`\n"
        )
    return "\n".join(parts)


def exported(module: str) -> list[tuple[str, str]]:
    """Return the public names of a module and the full paths at which they are defined."""
    file = SOURCE.joinpath(*module.split("."))
    tree = ast.parse((file / "__init__.py" if file.is_dir() else file.with_suffix(".py")).read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level == 1]
    found = [
        (alias.name, f"vitruvian.{module}.{node.module}.{alias.name}")
        for node in imports
        for alias in node.names
        if alias.asname == alias.name
    ]
    defined = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    return found + [(n.name, f"vitruvian.{module}.{n.name}") for n in defined if not n.name.startswith("_")]


def _directive(path: str, level: int, **options: str) -> str:
    lines = [f"::: {path}", "    options:", f"      heading_level: {level}"]
    return "\n".join([*lines, *(f"      {name}: {value}" for name, value in options.items())]) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for one in PAGES:
        (FOLDER / f"{one}.md").write_text(page(one), encoding="utf-8", newline="\n")
