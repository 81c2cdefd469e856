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
    "study": "vitruvian.study",
    "view": "vitruvian.view",
    "world": "vitruvian.world",
    "simulate": "vitruvian.sim:simulate",
    "load": "vitruvian.sim:load",
    "library": "vitruvian.scenario:library",
    "Result": "vitruvian.sim:Result",
    "Scenario": "vitruvian.scenario:Scenario",
    "Study": "vitruvian.study:Study",
    "System": "vitruvian.model:System",
    "errors": "vitruvian.errors",
    "units": "vitruvian.units",
}

#: what the methods of a result do, in packages above `sim`: name -> "module:function". `sim` imports nothing above it,
#: so it looks them up here when they are called.
_RESULT = {
    "filter": "vitruvian.signals:cfc",
    "injury": "vitruvian.injury.assessment:of_result",
    "answer": "vitruvian.injury.answer:of_run",
    "report": "vitruvian.view.report:write_report",
    "notebook": "vitruvian.view.notebook:shown",
}

__all__ = ["__version__", *_PUBLIC]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    target = _PUBLIC.get(name)
    if target is None:
        from .errors import nearest

        raise AttributeError(f"vitruvian has no {name}.{nearest(name, _PUBLIC)}", name=name)
    globals()[name] = found = _loaded(target)
    return found


def _loaded(target: str) -> Any:
    """Return what "module:attribute" or "module" names."""
    module, _, attribute = target.partition(":")
    found = import_module(module)
    return getattr(found, attribute) if attribute else found


def _result_method(name: str) -> Any:
    """Return the function behind a method of a result."""
    return _loaded(_RESULT[name])


def __dir__() -> list[str]:
    return sorted({*globals(), *_PUBLIC})
