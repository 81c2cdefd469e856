"""The options that describe a person, on the command line: names, meanings and units are those of `human.Who`.

They are read from there when a command runs, so that other commands do not load the package.
"""

from __future__ import annotations

import inspect
from typing import Any

import typer
import typer.main
from typer.core import TyperCommand

_PERSON = "vitruvian.person"


def _names() -> tuple[str, ...]:
    from ..human import WHO

    return tuple(name for name in WHO if name != "added")


class PersonCommand(TyperCommand):
    """A command with an option for each key that describes a person."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters of the command, and those of a person before its --help."""
        from ..human import Who
        from ..model.field import help_of

        *own, last = super().get_params(ctx)
        options = {name: typer.Option(None, f"--{name}", help=help_of(Who, name)) for name in _names()}
        return [*own, *_params(options), last]

    def invoke(self, ctx: Any) -> Any:
        """Keep the description of the person in the context, and run the command."""
        given = {name: ctx.params.pop(name) for name in _names()}
        ctx.meta[_PERSON] = {name: number(value) for name, value in given.items() if value is not None}
        return super().invoke(ctx)


def _params(options: dict[str, Any]) -> list[Any]:
    """Return the parameters of a command that has these options, each a text."""

    def command() -> None: ...

    kind = inspect.Parameter.KEYWORD_ONLY
    described = [inspect.Parameter(name, kind, default=option) for name, option in options.items()]
    command.__signature__ = inspect.Signature(described)  # type: ignore[attr-defined]
    command.__annotations__ = dict.fromkeys(options, str | None)
    app = typer.Typer(add_completion=False)
    app.command()(command)
    return [param for param in typer.main.get_command(app).params if param.name in options]


def described(context: typer.Context) -> dict[str, Any]:
    """Return the keys of a person that were given on the command line."""
    person: dict[str, Any] = context.meta[_PERSON]
    return person


def number(text: str) -> float | str:
    """Return a text that is a bare number as a float, any other text unchanged."""
    try:
        return float(text)
    except ValueError:
        return text
