"""Vitruvian: fast, scalable multibody models of the human body in impact. SI units throughout.

`import vitruvian` stays light: the names below are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# public name -> "module:attribute", or "module" for a whole sub-package. A name that is also a sub-package (human)
# has to be that sub-package, because Python binds it here as soon as anything imports it.
_PUBLIC = {
    "export": "vitruvian.export",
    "human": "vitruvian.human",
    "injury": "vitruvian.injury",
    "lab": "vitruvian.lab",
    "model": "vitruvian.model",
    "scenario": "vitruvian.scenario",
    "signals": "vitruvian.signals",
    "sim": "vitruvian.sim",
    "view": "vitruvian.view",
    "world": "vitruvian.world",
    "simulate": "vitruvian.sim:simulate",
    "load": "vitruvian.sim:load",
    "library": "vitruvian.scenario:library",
    "Result": "vitruvian.sim:Result",
    "Scenario": "vitruvian.scenario:Scenario",
    "System": "vitruvian.model:System",
    "errors": "vitruvian.errors",
    "units": "vitruvian.units",
}

__all__ = ["__version__", *_PUBLIC]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    target = _PUBLIC.get(name)
    if target is None:
        from .errors import nearest

        raise AttributeError(f"vitruvian has no {name}.{nearest(name, _PUBLIC)}", name=name)
    module, _, attribute = target.partition(":")
    found = import_module(module)
    if attribute:
        found = getattr(found, attribute)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_PUBLIC})
