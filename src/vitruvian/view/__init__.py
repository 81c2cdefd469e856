"""Pictures, films, reports and replays of results. Nothing here computes mechanics."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .film import movie as movie
    from .filmstrip import strip as strip
    from .photo import ScenePhoto as ScenePhoto
    from .photo import film_over_photo as film_over_photo
    from .photo import over_photo as over_photo
    from .report import write_replay as write_replay
    from .report import write_report as write_report
    from .video import SceneVideo as SceneVideo
    from .video import film_over_video as film_over_video

# public name -> its module, loaded when the name is first used, because a run needs only one of them
_PUBLIC = {
    "ScenePhoto": "photo",
    "SceneVideo": "video",
    "film_over_photo": "photo",
    "film_over_video": "video",
    "movie": "film",
    "over_photo": "photo",
    "strip": "filmstrip",
    "write_replay": "report",
    "write_report": "report",
}


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"vitruvian.view has no {name}; public names: {', '.join(_PUBLIC)}.", name=name)
    return getattr(import_module(f".{_PUBLIC[name]}", __name__), name)
