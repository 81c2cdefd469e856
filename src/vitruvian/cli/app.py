"""The list of commands."""

from __future__ import annotations

import typer

from . import (
    assess,
    bench,
    cache,
    check,
    compare,
    contacts,
    convert,
    listing,
    pedestrian,
    reproduce,
    run,
    show,
    studio,
    validate,
    verify,
    view,
    warmup,
)
from .typed import Commands

app = typer.Typer(
    name="vitruvian",
    cls=Commands,
    help="Fast, scalable multibody models of the human body in impact.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("list")(listing.command)
app.command("show")(show.command)
app.command("check")(check.command)
app.command("run")(run.command)
app.command("pedestrian")(pedestrian.command)
app.command("view")(view.command)
app.command("contacts")(contacts.command)
app.command("convert")(convert.command)
app.command("studio")(studio.command)
app.command("assess")(assess.command)
app.command("verify")(verify.command)
app.command("reproduce")(reproduce.command)
app.command("validate")(validate.command)
app.command("compare")(compare.command)
app.command("bench")(bench.command)
app.command("warmup")(warmup.command)
app.command("cache")(cache.command)


def _version(wanted: bool) -> None:
    if wanted:
        from .. import __version__

        print(f"vitruvian {__version__}")
        raise typer.Exit()


@app.callback()
def options(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and leave."
    ),
    debug: bool = typer.Option(False, "--debug", help="Show tracebacks."),
) -> None:
    """Fast, scalable multibody models of the human body in impact."""
