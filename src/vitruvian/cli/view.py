"""`vitruvian view`: results in the browser, in pictures and films."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from ..sim.result import Result
    from ..view.matched_camera import Match


def command(
    results: list[Path] = typer.Argument(help="result.nc of a run, or its folder; several are shown together."),
    frames: str | None = typer.Option(
        None,
        "--frames",
        metavar="TIMES",
        help='A strip of pictures at these times, as in "0 ms,50 ms,100 ms", or a number of pictures, as in 6.',
    ),
    film: Path | None = typer.Option(None, "--movie", metavar="FILE", help="A film: FILE.mp4 or FILE.gif."),
    against: list[Path] = typer.Option([], "--against", metavar="RESULT", help="Another result to compare with."),
    out: Path | None = typer.Option(
        None,
        "--out",
        help="File of the strip (.png, .svg, .pdf) or of the page (.html); next to the result unless given.",
    ),
    photo: Path | None = typer.Option(
        None, "--photo", metavar="FILE", help="Draw the moments of --frames, or the film, over this photo of the scene."
    ),
    video: Path | None = typer.Option(
        None,
        "--video",
        metavar="FILE",
        help="Draw the film (--movie, or overlay.mp4 next to the result) over this video; its camera must not move.",
    ),
    offset: str | None = typer.Option(
        None, "--offset", metavar="TIME", help='Video: its time at which the run starts, as in "2.4 s".'
    ),
    points: Path | None = typer.Option(
        None,
        "--points",
        metavar="CSV",
        help="Photo, video: points of known place, with the headings u [px],v [px],x [m],y [m],z [m].",
    ),
    focal: float | None = typer.Option(
        None, "--focal", metavar="PX", help="Photo, video: focal length, if it is known."
    ),
    distortion: bool = typer.Option(
        False, "--distortion/--no-distortion", help="Photo, video: find the radial distortion of the lens as well."
    ),
    camera: str = typer.Option(
        "oblique", "--camera", help="oblique, side, left, front, back or top; follow is oblique and moves along."
    ),
    follow: bool | None = typer.Option(
        None,
        "--follow/--stay",
        help="Move the camera with the bodies, or keep it; unless given, it moves if the motion needs it.",
    ),
    rate: float | None = typer.Option(
        None, "--fps", help="Frames per second of the film; 25, or those of the video, unless given."
    ),
    slow: float | None = typer.Option(
        None,
        "--slow",
        help="Slow motion: 10 is ten times slower than real. Unless given, the film takes 4 to 8 s; over a video 1.",
    ),
    twice: bool = typer.Option(True, "--twice/--once", help="Film: first in real time, then slowly."),
    size: str | None = typer.Option(
        None, "--size", metavar="WIDTHxHEIGHT", help="Size of the film in pixels, as in 1280x720."
    ),
    skin: bool = typer.Option(
        True, "--skin/--shapes", help="Strip, film: draw people with their skin, or as the shapes used for contact."
    ),
    dots: int = typer.Option(200, "--dpi", help="Dots per inch of the strip."),
    browser: bool = typer.Option(True, "--browser/--no-browser", help="Open the page, or only write it."),
) -> None:
    """Show results: a replay in the browser, a strip of pictures (--frames) or a film (--movie).

    With several results the replay shows the first one solid and the others as ghosts. Pictures and films show them
    side by side at the same times. With --points they are drawn over a photo (--photo) or video (--video) of the scene.
    """
    from .._files import refuse_inputs
    from ..errors import InputError
    from ..view.film import movie
    from ..view.filmstrip import strip
    from . import screen

    paths = [*results, *against]
    camera_of = _matched(photo, video, points, focal, distortion, offset)
    if video is not None and (frames is not None or out is not None):
        raise InputError("over a video only a film is drawn; give --movie, without --frames and --out.")
    if photo is not None and film is not None and (frames is not None or out is not None):
        raise InputError("over a photo give --movie, or --frames with --out; not both.")
    for output in (film, out):
        if output is not None:
            files = [file for path in paths for file in screen.files_of(path)]
            refuse_inputs(output, [*files, *(given for given in (photo, video, points) if given is not None)])
    shown = [screen.loaded(path) for path in paths]
    labels = _labels([result.name for result in shown], paths)
    if camera == "follow":
        camera, follow = "oblique", True
    if not 20 <= dots <= 1200:
        raise InputError(f"--dpi is {dots}; accepted 20 to 1200.")
    if camera_of is not None:
        if len(shown) > 1:
            raise InputError(f"{len(shown)} results over one photo or video; accepted 1.")
        wide = _size(size)
        motion: dict[str, Any] = {"rate": rate, "slow": slow, "width": wide[0] if wide else None, "skin": skin}
        folder = screen.folder_of(paths[0])
        if video is not None:
            match, written = _over_video(shown[0], video, camera_of, offset, film, folder, motion)
        elif photo is not None:
            match, written = _over_photo(shown[0], photo, camera_of, film, frames, out, folder, motion)
        print(f"{match.words()}.")
        for doubt in match.doubts():
            screen.complain(f"Warning: {doubt}")
        print(f"Written: {written}")
        return
    rate = rate or 25.0
    look: dict[str, Any] = {"camera": camera, "follow": follow, "labels": labels, "skin": skin}
    if film is not None:
        with screen.counted("film") as progress:
            written = movie(shown, film, rate=rate, slow=slow, twice=twice, size=_size(size), progress=progress, **look)
        print(f"Written: {written}")
    if film is None and frames is None and (out is None or out.suffix.lower() in (".html", ".htm")):
        _replay(shown, labels, out or _own(screen.folder_of(paths[0]) / "replay.html"), browser)
    elif frames is not None or film is None:
        path = out or _own(screen.folder_of(paths[0]) / "frames.png")
        written = strip(shown, path, frames=frames or 6, dots=dots, **look)
        print(f"Written: {written}")


def _matched(
    photo: Path | None,
    video: Path | None,
    points: Path | None,
    focal: float | None,
    distortion: bool,
    offset: str | None,
) -> dict[str, Any] | None:
    """Return how the camera of a photo or video is matched, None without one; refuse options that do not fit."""
    from ..errors import InputError

    if photo is not None and video is not None:
        raise InputError("--photo and --video are both given; give one of them.")
    if offset is not None and video is None:
        raise InputError("--offset is a time of a video; give --video and --points.")
    if (photo is None and video is None) != (points is None):
        raise InputError("--photo or --video and --points go together: the points of known place give the camera.")
    if points is None:
        if focal is not None or distortion:
            raise InputError("--focal and --distortion describe the camera of a photo or video; give it with --points.")
        return None
    return {"points": points, "focal": focal, "distortion": distortion}


def _over_photo(
    result: Result,
    photo: Path,
    camera_of: dict[str, Any],
    film: Path | None,
    frames: str | None,
    out: Path | None,
    folder: Path,
    motion: dict[str, Any],
) -> tuple[Match, Path]:
    """Draw a result over a photo; return the match of the camera and the file."""
    from ..view.photo import ScenePhoto, film_over_photo, over_photo
    from . import screen

    over = ScenePhoto.load(photo, **camera_of)
    if film is None:
        path = out or _own(folder / "photo.png")
        return over.match, over_photo(result, over, path, frames=frames or 1, skin=motion["skin"])
    with screen.counted("film") as progress:
        motion["rate"] = motion["rate"] or 25.0
        return over.match, film_over_photo(result, over, film, progress=progress, **motion)


def _over_video(
    result: Result,
    video: Path,
    camera_of: dict[str, Any],
    offset: str | None,
    film: Path | None,
    folder: Path,
    motion: dict[str, Any],
) -> tuple[Match, Path]:
    """Draw a result over a video; return the match of the camera and the file."""
    from ..units import quantity
    from ..view.filmstrip import span
    from ..view.video import SceneVideo, film_over_video
    from . import screen

    start = 0.0 if offset is None else quantity(offset, "time", "--offset")
    over = SceneVideo.load(video, offset=start, **camera_of)
    (first, last), (start, end) = over.part(result), span([result])
    if last - first < end - start - 1.0 / over.rate:
        screen.complain(f"Note: the video shows {first:.3g} to {last:.3g} s of the run, which lasts to {end:.3g} s.")
    with screen.counted("film") as progress:
        motion["slow"] = motion["slow"] or 1.0
        path = film or _own(folder / "overlay.mp4")
        return over.photo.match, film_over_video(result, over, path, progress=progress, **motion)


def _own(path: Path) -> Path:
    """Return a path that the user did not name; refuse it if a file of the user is there."""
    from .._files import is_marked
    from ..errors import InputError

    if path.exists() and not (path.is_file() and is_marked(path)):
        raise InputError(f"{path} was not written by Vitruvian. Move it away, or choose another file with --out.")
    return path


def _replay(shown: list[Result], labels: list[str], path: Path, browser: bool) -> None:
    """Write the page of the replay and open it."""
    import webbrowser

    from ..view.report import write_replay

    written = write_replay(shown, path, labels=labels)
    print(f"Written: {written}", flush=True)
    if browser and not webbrowser.open(written.absolute().as_uri()):
        print("There is no browser to open it with; open the file yourself.")


def _labels(names: list[str], paths: list[Path]) -> list[str]:
    """Return the names of the folders if results share a name, otherwise nothing: they are labelled by their names."""
    if len(names) > len(set(names)):
        folders = [path.parent if path.name == "result.nc" else path for path in paths]
        return [folder.resolve().name for folder in folders]
    return []


def _size(text: str | None) -> tuple[int, int] | None:
    from ..errors import InputError

    if text is None:
        return None
    match = re.fullmatch(r"\s*(\d+)\s*[x×*]\s*(\d+)\s*", text)
    if match is None:
        raise InputError(f'--size is "{text}"; write width and height in pixels, as in 1280x720.')
    return int(match[1]), int(match[2])
