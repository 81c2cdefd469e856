"""`vitruvian plot`: channels of a result as curves in a picture."""

from __future__ import annotations

from pathlib import Path

import typer


def command(
    result: Path = typer.Argument(help="result.nc of a run, or its folder."),
    channels: list[str] = typer.Argument(
        help="Channels, as head.acceleration or right_ankle.joint_force_local.", metavar="CHANNELS"
    ),
    out: Path | None = typer.Option(
        None, "--out", help="Picture: .png, .svg or .pdf; next to the result unless given."
    ),
    start: float | None = typer.Option(None, "--start", metavar="SECONDS", help="First time that is drawn."),
    stop: float | None = typer.Option(None, "--stop", metavar="SECONDS", help="Last time that is drawn."),
) -> None:
    """Draw channels of a result over time, a panel for each."""
    from .._files import refuse_inputs
    from ..view.curves import plot
    from . import screen

    shown = screen.loaded(result)
    path = out or screen.folder_of(result) / "curves.png"
    refuse_inputs(path, screen.files_of(result))
    time = shown.recording.pose_time
    span = (float(time[0]) if start is None else start, float(time[-1]) if stop is None else stop)
    print(f"Written: {plot(shown, channels, path, span=span)}")
