"""The list of commands."""

from __future__ import annotations

from collections.abc import Callable

import typer

from . import (
    assess,
    bench,
    cache,
    check,
    cite,
    compare,
    contacts,
    convert,
    exercise,
    formulations,
    listing,
    modes,
    optimize,
    pedestrian,
    plot,
    reconstruct,
    reproduce,
    run,
    schema,
    show,
    sled,
    studio,
    study,
    validate,
    verify,
    view,
    warmup,
)
from .describe import PersonCommand
from .example import epilog
from .typed import Commands

app = typer.Typer(
    name="vitruvian",
    cls=Commands,
    help="Fast, scalable multibody models of the human body in impact.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
#: command -> its function, and its line in `vitruvian --help`
COMMANDS: dict[str, tuple[Callable[..., None], str]] = {
    "list": (listing.command, "List the ready scenarios."),
    "show": (show.command, "Print a scenario as TOML, or a person with its sources."),
    "schema": (schema.command, "Print the keys of a scenario as JSON Schema, for editors."),
    "check": (check.command, "Check a scenario without running it."),
    "run": (run.command, "Simulate a scenario, print a summary, write the files."),
    "pedestrian": (pedestrian.command, "Strike a pedestrian: head impact, injury criteria, throw."),
    "sled": (sled.command, "Test an occupant on a sled: injury, excursions, belts."),
    "exercise": (exercise.command, "Rank exercises by the load on the shank."),
    "modes": (modes.command, "Draw the modes of a bone, and print what each does."),
    "study": (study.command, "Run many cases of a scenario, on all threads."),
    "optimize": (optimize.command, "Find the design with the smallest criterion or risk."),
    "reconstruct": (reconstruct.command, "Estimate the start of an accident from its evidence."),
    "view": (view.command, "Replay results in the browser, or write pictures and films."),
    "contacts": (contacts.command, "Print every contact of a run with its peak force."),
    "plot": (plot.command, "Draw channels of a result over time."),
    "compare": (compare.command, "Compare runs and measured curves, channel by channel."),
    "convert": (convert.command, "Write a result in the formats of other programs."),
    "studio": (studio.command, "Change and run scenarios with sliders in the browser."),
    "assess": (assess.command, "Compute the injury criteria of a run or of measured data."),
    "cite": (cite.command, "Print what to cite for a result or a scenario."),
    "verify": (verify.command, "Check the solution of the equations against known answers."),
    "reproduce": (reproduce.command, "Compare printed numbers of the sources with ours."),
    "validate": (validate.command, "Compare published measurements with our runs."),
    "formulations": (formulations.command, "Compare one model in every formulation with the engine."),
    "bench": (bench.command, "Measure the speed on this machine."),
    "warmup": (warmup.command, "Compile the kernels, once per machine."),
    "cache": (cache.command, "Show where the compiled kernels are, or remove them."),
}
#: commands with the options that describe a person
PERSONAL = ("show", "pedestrian", "sled")
for name, (function, line) in COMMANDS.items():
    cls = PersonCommand if name in PERSONAL else None
    app.command(name, short_help=line, epilog=epilog(name), cls=cls)(function)


def _version(wanted: bool) -> None:
    if wanted:
        from .. import __version__

        print(f"vitruvian {__version__}")
        raise typer.Exit()


@app.callback()
def options(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and exit."
    ),
    debug: bool = typer.Option(False, "--debug", help="Show tracebacks."),
) -> None:
    """Fast, scalable multibody models of the human body in impact."""
