"""A study on a Dask cluster: one task for each part of 50 cases, the same rows as on threads.

    from dask.distributed import Client

    Study(...).run("out/folder", client=Client("tcp://10.0.0.1:8786"))

Tasks carry the values of their cases; the scenario is sent to every worker once, and a worker makes its template once.
Only a few tasks for each thread of a worker wait at a time, so that a million cases need no larger graph than a
hundred. A task of a lost worker is computed again elsewhere, by Dask.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..errors import InputError, optional
from ..scenario import Scenario
from .case import Cases, Row

if TYPE_CHECKING:
    from .study import Study

WAIT = 10.0  # for an answer of the scheduler [s]
AHEAD = 3  # tasks for each thread of a worker that wait for their turn


@dataclass(frozen=True)
class Plan:
    """The part of a study that a worker needs: scenario as JSON text, criteria, and cases that check the template."""

    scenario: str
    name: str
    folder: str
    criteria: tuple[str, ...]
    probes: tuple[tuple[tuple[str, Any], ...], ...]

    @classmethod
    def of(cls, study: Study) -> Plan:
        """Return the plan of a study."""
        from json import dumps

        base, probes = study.base, tuple(tuple(study.inputs(case).items()) for case in study.probes)
        return cls(dumps(base.data), base.name, str(base.folder.resolve()), study.criteria, probes)


@lru_cache(maxsize=4)
def _cases(plan: Plan) -> Cases:
    """Return the simulator of a plan, made once in each process."""
    from json import loads

    base = Scenario(loads(plan.scenario), name=plan.name, folder=Path(plan.folder))
    return Cases(base, plan.criteria, [dict(probe) for probe in plan.probes])


def outcomes_of(plan: Plan, inputs: Sequence[Mapping[str, Any]]) -> list[Row]:
    """Simulate some cases on a worker and return their outcomes."""
    cases = _cases(plan)
    return [cases.row(values) for values in inputs]


def version() -> str:
    """Return the version of the package on a worker."""
    return __version__


@contextmanager
def connected(scheduler: str | None = None, workers: int | None = None) -> Iterator[Any]:
    """Connect to a scheduler, or start a cluster of processes on this machine; give the client.

    scheduler  address, as in tcp://10.0.0.1:8786; None for a cluster on this machine
    workers    processes of that cluster; one for each processor unless given
    """
    distributed = optional("distributed", "dask", "a cluster", "dask")
    if scheduler is not None:
        try:
            client = distributed.Client(scheduler, timeout=WAIT)
        except (OSError, TimeoutError, ValueError) as error:
            words = " ".join(str(error).split()) or type(error).__name__
            raise InputError(
                f"the scheduler {scheduler} does not answer within {WAIT:g} s ({words}); check its address, as in "
                "tcp://10.0.0.1:8786, and start it with: dask scheduler."
            ) from None
        except Exception as error:  # another server answers, and Dask reads its words as lengths of messages
            raise InputError(
                f"what answers at {scheduler} is not a scheduler of Dask ({type(error).__name__}); check address and "
                "port, as in tcp://10.0.0.1:8786, and start it with: dask scheduler."
            ) from None
        with client:
            _refuse_others(client, scheduler)
            yield client
        return
    import os

    options = {"n_workers": workers or os.cpu_count(), "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        yield client


def _refuse_others(client: Any, scheduler: str) -> None:
    """Refuse a cluster without workers, or with workers of another version."""
    found = set(client.run(version).values())
    if not found:
        raise InputError(f"the scheduler {scheduler} has no workers; start some with: dask worker {scheduler}.")
    if found != {__version__}:
        others = ", ".join(sorted(found - {__version__}))
        raise InputError(
            f"workers of {scheduler} have vitruvian {others}, and this is {__version__}; rows of both must not be "
            "mixed. Install the same version everywhere."
        )


def parts(study: Study, groups: Sequence[range], client: Any) -> Iterator[tuple[range, list[Row]]]:
    """Yield groups of cases with their rows as they are finished, in any order."""
    distributed = optional("distributed", "dask", "a cluster", "dask")
    plan = client.scatter(Plan.of(study), broadcast=True)
    room = AHEAD * max(1, sum(client.nthreads().values()))
    todo, waiting = iter(groups), distributed.as_completed()
    asked: dict[str, tuple[range, list[dict[str, Any]]]] = {}

    def submit(group: range) -> None:
        inputs = [study.inputs(case) for case in group]
        future = client.submit(outcomes_of, plan, inputs, pure=False)
        asked[future.key] = group, inputs
        waiting.add(future)

    for group in (group for _, group in zip(range(room), todo, strict=False)):
        submit(group)
    for future in waiting:
        group, inputs = asked.pop(future.key)
        made = future.result()
        yield group, [study.labelled(*one) for one in zip(group, inputs, made, strict=True)]
        following = next(todo, None)
        if following is not None:
            submit(following)
