"""`vitruvian sled`: a person on a seat, a pulse, a belt; the answer in one line, a small table and a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ..data import pulses
from .describe import described
from .simulation import Output, simulated_and_shown
from .spread import CASES, SEED, SPREAD

if TYPE_CHECKING:
    from ..scenario import Scenario

READY = "sled-frontal-50kmh"
BELTS = ("none", "lap", "three-point", "four-point")
MODELS = ("human17", "occupant12")
AFTER = 0.075  # time that a run follows the end of the pulse [s]


def command(
    context: typer.Context,
    pulse: str | None = typer.Option(
        None,
        "--pulse",
        metavar="NAME|FILE",
        help=f"A ready pulse: {', '.join(pulses('pulse'))}; or a CSV with time [ms] and acceleration [g] "
        "(frontal: negative), or an ISO-MME test. Unless given: un-r129.",
    ),
    channel: str = typer.Option("", "--channel", help="Code of the channel of an ISO-MME test."),
    belt: str = typer.Option("three-point", "--belt", help="none, lap, three-point or four-point."),
    model: str = typer.Option("human17", "--model", help="human17 or occupant12."),
    changes: list[str] = typer.Option([], "--set", metavar="PATH=VALUE", help="Any other change of the scenario."),
    out: Path | None = typer.Option(None, "--out", help="Folder for the files; out/sled unless given."),
    json: bool = typer.Option(False, "--json", help="Print one JSON object instead of the table."),
    files: bool = typer.Option(
        True, "--files/--no-files", help="Write motion.png, scenario.toml, result.nc and outcome.json."
    ),
    report: bool = typer.Option(False, "--report", help="Also write report.html (one more second)."),
    spread: bool = SPREAD,
    cases: int = CASES,
    seed: int = SEED,
) -> None:
    """Test an occupant on a sled, 50M unless a person is given: injury criteria, excursions, belt forces."""
    from ..scenario import read_changes
    from ..scenario.occupant import occupant_outcome

    who = described(context) or {"preset": "50M"}
    scenario = _scenario(pulse, channel, belt, model, who, read_changes(changes))
    output = Output(out or Path("out") / "sled", files, report, json, spread=(cases, seed) if spread else None)
    simulated_and_shown(context, scenario, output, outcome_of=occupant_outcome)


def _scenario(
    pulse: str | None, channel: str, belt: str, model: str, who: dict[str, Any], changes: dict[str, Any]
) -> Scenario:
    """Return the ready scenario with this pulse, belt and person."""
    from ..errors import InputError, nearest
    from ..scenario import Scenario
    from ..scenario.build import person_words
    from ..world import Pulse

    for option, word, accepted in (("belt", belt, BELTS), ("model", model, MODELS)):
        if word not in accepted:
            raise InputError(f'--{option} is "{word}"; accepted: {", ".join(accepted)}.{nearest(word, accepted)}')
    ready = Scenario.load(READY)
    human = {**who, "model": model, "start": {"settle": True}}
    data = {**ready.data, "name": "sled", "title": "", "description": "", "human": human}
    data.pop("belt", None)
    if belt != "none":
        data["belt"] = [{"name": "belt", "type": belt, "carrier": "sled"}]
    if pulse is not None:
        data["sled"] = {"pulse": _pulse(pulse, channel)}
    made = Scenario(data, name="sled").replace(changes)
    if pulse is not None and "solver.duration" not in changes:
        end = float(Pulse(**made.table.sled.pulse.given()).samples()[0][-1]) + AFTER
        made = made.replace({"solver.duration": max(0.05, end)})
    if made.title:
        return made
    words = person_words(made.table.human[0]).capitalize()
    strap = "no belt" if belt == "none" else f"a {belt} belt"
    way = READY if pulse is None else pulse if pulse in pulses() else Path(pulse).stem
    return made.replace({"title": f"{words} on a sled with {strap}, {way}"})


def _pulse(given: str, channel: str) -> dict[str, Any] | str:
    """Return a pulse as a scenario gives it: ready ones and CSV files by name, a channel of an ISO-MME test as rows."""
    from ..errors import InputError, nearest
    from ..export.isomme import read_channel

    path = Path(given)
    if path.suffix.lower() == ".mme" or path.is_dir():
        if not channel:
            raise InputError("--channel is missing: the code of the acceleration of the sled, as in 10SEATLERE00ACXA.")
        time, values = read_channel(path, channel, "acceleration")
        return {"times": time.tolist(), "values": values.tolist()}
    if channel:
        raise InputError(f"--channel goes with an ISO-MME test, not with {given}.")
    known = pulses("pulse")
    if given not in known and not path.suffix:
        raise InputError(
            f'--pulse is "{given}"; accepted: {", ".join(known)}, a CSV file or an ISO-MME test.{nearest(given, known)}'
        )
    return given
