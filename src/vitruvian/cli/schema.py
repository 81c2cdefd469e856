"""`vitruvian schema`: the keys of a scenario as JSON Schema."""

from __future__ import annotations

from pathlib import Path

import typer


def command(
    out: Path | None = typer.Option(None, "--out", help="Write to this file instead of printing."),
) -> None:
    """Print all keys of a scenario as JSON Schema, with which editors check and complete TOML files.

    Even Better TOML and Taplo use it if the first line of a scenario is #:schema scenario.schema.json
    """
    from json import dumps

    from ..scenario import json_schema

    text = dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"
    if out is None:
        print(text, end="")
        return
    from .._files import write_text

    write_text(out, text)
    print(f"Written: {out}")
