"""The words of the command line, kept for results that say how they were made."""

from __future__ import annotations

import shlex
from typing import Any

import typer
from typer.core import TyperGroup

_WORDS = "vitruvian.words"


class Commands(TyperGroup):
    """The commands; their context keeps what was typed."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Keep the words, then read them."""
        ctx.meta[_WORDS] = tuple(args)
        return super().parse_args(ctx, args)


def command_line(context: typer.Context) -> str:
    """What was typed, so that it can be typed again."""
    return shlex.join(["vitruvian", *context.meta[_WORDS]])
