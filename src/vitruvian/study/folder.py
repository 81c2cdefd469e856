"""The folder of a study: its definition, the versions that ran it, and its rows as Parquet files.

    study.toml            the study as it is computed, quantities in SI
    about.json            versions, seed, number of cases
    rows/part-000000.parquet   50 cases each, complete or absent
    traces/case-000012.zarr    results that `keep` asks for: xarray.open_zarr reads them

A part is written under a temporary name and renamed when it is complete. A process that is killed therefore loses at
most the cases of the part that it was working on, and `resume` computes only missing parts.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import __version__
from .._files import MARK, write_text, writing, writing_folder
from ..data import read_text
from ..errors import InputError

if TYPE_CHECKING:
    import pandas
    import pyarrow

    from ..sim.result import Result

PART = 50  # cases of a file
DEFINITION, ABOUT, ROWS, TRACES = "study.toml", "about.json", "rows", "traces"


class Folder:
    """Reads and writes the folder of one study."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def prepare(self, definition: str, about: Mapping[str, Any], *, resume: bool) -> None:
        """Make the folder ready for a study; refuse one with other content, and one with rows unless `resume`."""
        known = self.path / DEFINITION
        if known.exists():
            if read_text(known) != definition:
                raise InputError(
                    f"{self.path} holds another study (its {DEFINITION} differs); nothing was changed. Choose another "
                    "folder with --out, or run the study that is there."
                )
            if not resume and any(self.parts()):
                raise InputError(
                    f"{self.path} holds rows of this study already; nothing was changed. Continue with --resume, or "
                    "choose another folder with --out."
                )
            self._refuse_other_versions(about)
            return
        if self.path.exists() and any(entry.name != ".vitruvian.lock" for entry in self.path.iterdir()):
            raise InputError(f"{self.path} is not empty and holds no study; choose an empty or new folder with --out.")
        write_text(self.path / ABOUT, json.dumps(dict(about), indent=2) + "\n")
        write_text(known, definition)

    def _refuse_other_versions(self, about: Mapping[str, Any]) -> None:
        """Refuse to continue with another version of Vitruvian, because its numbers may differ."""
        try:
            then = json.loads(read_text(self.path / ABOUT)).get("vitruvian")
        except (InputError, ValueError):
            return
        if then != about["vitruvian"] and any(self.parts()):
            raise InputError(
                f"{self.path} was computed by vitruvian {then}, and this is {about['vitruvian']}; rows of both must "
                "not be mixed. Choose another folder with --out."
            )

    def parts(self) -> list[Path]:
        """Return the parts that are there, in order."""
        return sorted((self.path / ROWS).glob("part-*.parquet"))

    def done(self) -> set[int]:
        """Return the numbers of the parts that are there and can be read."""
        from pyarrow import ArrowException
        from pyarrow.parquet import read_metadata

        found = set()
        for path in self.parts():
            try:
                read_metadata(path)
            except (ArrowException, OSError):
                continue  # computed again
            found.add(int(path.stem.removeprefix("part-")))
        return found

    def write(self, part: int, rows: Sequence[Mapping[str, Any]], columns: Mapping[str, type]) -> None:
        """Write the rows of one part, complete or not at all."""
        from pyarrow.parquet import write_table

        with writing(self.path / ROWS / f"part-{part:06d}.parquet") as temporary:
            write_table(table(rows, columns), temporary)

    def read(self) -> pandas.DataFrame:
        """Return all rows in the order of their cases."""
        from pyarrow import concat_tables
        from pyarrow.parquet import read_table

        parts = self.parts()
        if not parts:
            raise InputError(f"{self.path} holds no rows of a study; run one with: vitruvian study FILE --out DIR.")
        return concat_tables([read_table(path) for path in parts]).to_pandas()

    def write_trace(self, case: int, result: Callable[[int], Result]) -> None:
        """Write all channels of a case as a Zarr group, complete or not at all, unless they are there."""
        path = self.path / TRACES / f"case-{case:06d}.zarr"
        if path.exists():
            return
        dataset = result(case).dataset
        with writing_folder(path) as temporary:
            dataset.to_zarr(temporary, mode="w", zarr_format=2, consolidated=True)

    def definition(self) -> str:
        """Return the text of the study."""
        if not (self.path / DEFINITION).exists():
            raise InputError(f"{self.path} is not the folder of a study: it has no {DEFINITION}.")
        return read_text(self.path / DEFINITION)


def table(rows: Sequence[Mapping[str, Any]], columns: Mapping[str, type]) -> pyarrow.Table:
    """Return rows as a table with fixed column types."""
    import pyarrow

    kinds = {int: pyarrow.int64(), float: pyarrow.float64(), str: pyarrow.string(), bool: pyarrow.bool_()}
    fields = [pyarrow.field(name, kinds[kind]) for name, kind in columns.items()]
    arrays = [pyarrow.array([row.get(field.name) for row in rows], field.type) for field in fields]
    return pyarrow.Table.from_arrays(arrays, schema=pyarrow.schema(fields))


def versions() -> dict[str, str]:
    """Return the versions on which the numbers of a study depend."""
    from ..sim.result import this_machine

    return {"generator": MARK, "vitruvian": __version__, "platform": platform.platform(), **this_machine()}
