"""The words of the command line, kept so that results record how they were made."""

from __future__ import annotations

import shlex
from typing import Any

import typer
from typer.core import TyperGroup

from ..errors import InputError

_WORDS = "vitruvian.words"


class Commands(TyperGroup):
    """The group of commands; its context keeps the typed words."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Keep the words, then read them; an empty word, as of a variable that is not set, is refused.

        An empty path would otherwise be the current folder.
        """
        ctx.meta[_WORDS] = tuple(args)
        for before, word in zip(["", *args], args, strict=False):
            if not word or (word.startswith("--") and word.endswith("=") and word.count("=") == 1):
                where = f"after {before}" if not word and before else f"in {word}" if word else "first"
                raise InputError(
                    f"the command line has an empty word ({where}); give a value, or leave the option out."
                )
        return super().parse_args(ctx, args)


def command_line(context: typer.Context) -> str:
    """Return the command line as typed, quoted for a shell."""
    return shlex.join(["vitruvian", *context.meta[_WORDS]])
