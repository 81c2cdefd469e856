"""Tables of a scenario, read by the fields of the dataclasses that describe them.

`define` says which dataclasses a table has its keys from, and what is checked beyond single values; a dataclass that is
not defined is read by its fields alone. Errors carry the dotted path, and all values of a table are read before it is
refused, so that a user sees all errors at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, is_dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from ..errors import InputError, nearest, shown, spelled
from ..model.field import Key, keys_of
from ..model.value import Choice, Kind, ListOf, Of, Schema

Changes = Mapping[str, Any] | None


class Refusals(InputError):
    """Several sentences on what is wrong."""

    def __init__(self, sentences: list[str]) -> None:
        super().__init__("\n".join(sentences))
        self.sentences = sentences


def at(where: str, key: object) -> str:
    """Return the dotted path of a key of a table."""
    return f"{where}.{spelled(key)}" if where else spelled(key)


def of_file(load: Callable[[Path], Any], name: str, where: str, folder: Path) -> Any:
    """Return what a function reads from a file that the scenario mentions; errors name the place and the file."""
    try:
        return load(folder / name)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


class Row:
    """A table, checked and in SI: the values by name, None where nothing is given and nothing follows."""

    __slots__ = ("__dict__", "_table")
    _table: Table

    def __init__(self, table: Table, values: Mapping[str, Any]) -> None:
        object.__setattr__(self, "_table", table)
        self.__dict__.update(values)

    def __getattr__(self, name: str) -> Any:  # only what is not there comes here; tells mypy of the rest
        raise AttributeError(f"a {self._table.name} has no {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{self._table.name}.{name} cannot be changed; use replace.")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Row) and self._table is other._table and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{self._table.name}({', '.join(f'{k}={v!r}' for k, v in self.given().items())})"

    def replace(self, **changes: Any) -> Row:
        """Return a copy with other values, which are not checked."""
        return Row(self._table, {**vars(self), **changes})

    def entry(self, name: str) -> Entry:
        """Return what defines a value: its kind, unit, meaning and slider."""
        return self._table.entry(name)

    def given(self, *without: str) -> dict[str, Any]:
        """Return the values that are not None, by the names of the fields."""
        return {name: value for name, value in vars(self).items() if value is not None and name not in without}

    def written(self) -> dict[str, Any]:
        """Return the table as it is written in a file, without what is None."""
        pairs = ((entry.key, vars(self)[entry.name]) for entry in self._table.entries)
        return {key: _written(value) for key, value in pairs if value is not None}


def _written(value: Any) -> Any:
    if isinstance(value, Row):
        return value.written()
    if isinstance(value, tuple | list):
        return tuple(map(_written, value))
    if isinstance(value, dict):
        return {key: _written(item) for key, item in value.items() if item is not None}
    return value


@dataclass(frozen=True)
class Entry:
    """A key of a table.

    name      of the field
    key       as it is written in a file
    default   of the row: MISSING if it must be given
    falls_to  the default of the dataclass, for the reference page
    fits      of a table with variants: those that take it; all if empty
    """

    name: str
    key: str
    kind: Kind
    doc: str
    default: Any
    falls_to: Any
    drag: tuple[str, float, float, float] | None = None
    fits: tuple[str, ...] = ()

    @property
    def required(self) -> bool:
        """Whether a file must give it."""
        return self.default is MISSING

    def schema(self) -> Schema:
        """Return what is accepted, with its meaning, as JSON Schema."""
        shape = self.kind.schema()
        about = f"{', '.join(self.fits)}: {self.doc}" if self.fits else self.doc
        unit = shape.get("x-unit", "-")
        text = f"{about} [{unit}]" if unit != "-" and about else about
        return shape | ({"description": text} if text else {})


def _entry(name: str, key: Key, default: Any) -> Entry:
    kind = _resolved(key.kind)
    own = MISSING if key.needed else None if key.implied else default
    if isinstance(kind, Nested) and is_dataclass(default):
        own = kind.table.read({}, name)
    return Entry(name, key.key or name, kind, key.doc, own, MISSING if key.needed else default, key.drag)


def _resolved(kind: Kind) -> Kind:
    """Return the kind with tables for the dataclasses it names."""
    if isinstance(kind, Of):
        return Nested(table_of(kind.of), kind.several, None if kind.word is None else _resolved(kind.word))
    return replace(kind, kind=_resolved(kind.kind)) if isinstance(kind, ListOf | TableOf) else kind


class Table(Kind):
    """A kind of table.

    described  dataclasses whose fields are its keys; of two fields of one name the later one counts
    name, doc  of the table; those of the first dataclass unless given
    before     what becomes of the given keys before they are read, from the keys, their path and the folder of the file
    after      checks of the whole row; each returns changes of it, or None
    """

    def __init__(
        self,
        *described: type,
        name: str = "",
        doc: str = "",
        before: Callable[[dict[str, Any], str, Path], dict[str, Any]] | None = None,
        after: tuple[Callable[[Row, str], Changes], ...] = (),
    ) -> None:
        self.described, self.before, self.after = described, before, after
        self.name = name or described[0].__name__
        self.doc = doc or (described[0].__doc__ or "").partition("\n")[0]

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """The keys in the order in which they are written."""
        found: dict[str, tuple[Key, Any]] = {}
        for described in self.described:
            found |= keys_of(described)
        return tuple(_entry(name, *pair) for name, pair in found.items())

    def entry(self, name: str) -> Entry:
        """Return a key by the name of its field."""
        return next(entry for entry in self.entries if entry.name == name)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The keys as they are written in a file."""
        return tuple(entry.key for entry in self.entries)

    @cached_property
    def _by_key(self) -> dict[str, Entry]:
        return {entry.key: entry for entry in self.entries}

    @cached_property
    def _defaults(self) -> dict[str, Any]:
        return {entry.name: entry.default for entry in self.entries if not entry.required}

    @cached_property
    def _required(self) -> tuple[str, ...]:
        return tuple(entry.key for entry in self.entries if entry.required)

    def _misnamed(self, item: Any, where: str) -> str:
        """Return a hint if a table was asked for by a name that it does not have; otherwise ""."""
        table, _, name = where.rpartition(".")
        if table and isinstance(item, dict) and item and set(item) <= set(self.keys):
            return f" The only {table} is named {name}: {where}.{next(iter(item))}."
        return ""

    def read(self, value: Any, where: str, folder: Path = Path()) -> Row:
        """Return the row of a table in a file."""
        if not isinstance(value, dict):
            raise InputError(f"{where} is {shown(value)}; expected a table with the keys {', '.join(self.keys)}.")
        given = value if self.before is None else self.before(value, where, folder)
        for key in given:
            if key not in self._by_key:
                inner = [one.key for one in self.entries if isinstance(one.kind, Nested) and key in one.kind.table.keys]
                hint = "".join(f" It is a key of {name}: {at(where, name)}.{key}." for name in inner)
                hint = (
                    self._misnamed(given[key], where)
                    or nearest(str(key), self.keys)
                    or hint
                    or f" Accepted: {', '.join(self.keys)}."
                )
                raise InputError(f"{at(where, key)} is not known.{hint}")
        values, refused = dict(self._defaults), []
        prefix = f"{where}." if where else ""
        for key, item in given.items():
            entry = self._by_key[key]
            if item is None and entry.default is None:
                continue
            try:
                values[entry.name] = entry.kind.read(item, prefix + key, folder)
            except Refusals as error:
                refused += error.sentences
            except InputError as error:
                refused.append(str(error))
        refused += [f"{prefix}{key} is missing." for key in self._required if key not in given]
        if refused:
            raise Refusals(refused)
        row = Row(self, values)
        for check in self.after:
            changes = check(row, where)
            row = row.replace(**changes) if changes else row
        return row

    def schema(self) -> Schema:
        """Return a reference to its definition."""
        return {"$ref": f"#/$defs/{self.name}"}

    def definition(self) -> Schema:
        """Return its keys as JSON Schema."""
        return {
            "type": "object",
            "description": self.doc,
            "properties": {entry.key: entry.schema() for entry in self.entries},
            "required": [entry.key for entry in self.entries if entry.required],
            "additionalProperties": False,
        }

    def inner(self) -> Iterator[Table]:
        """Return the tables that may be written in it."""
        for entry in self.entries:
            yield from _inner(entry.kind)


class Variants(Table):
    """A table with a key that chooses which dataclasses it has its keys from.

    switch    name of that key; `about` is its meaning, and the first choice its default
    noun      what is chosen, in errors
    variants  choice -> dataclasses of its keys
    common    dataclasses of the keys that all of them take
    """

    def __init__(
        self, switch: str, about: str, noun: str, variants: Mapping[str, tuple[type, ...]], *common: type, **more: Any
    ) -> None:
        super().__init__(*common, **more)
        self.switch, self.about, self.noun, self.variants = switch, about, noun, variants

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """The keys of all choices in the order in which they are written."""
        first, own = next(iter(self.variants)), {choice: self._keys(choice) for choice in self.variants}
        found = {self.switch: Entry(self.switch, self.switch, Choice(tuple(own)), self.about, first, first)}
        for name in dict.fromkeys(name for keys in own.values() for name in keys):
            takers = tuple(choice for choice, keys in own.items() if name in keys)
            entry = _entry(name, *own[takers[0]][name])
            found[name] = entry if len(takers) == len(own) else replace(entry, default=None, fits=takers)
        return (*found.values(), *super().entries)

    def _keys(self, choice: str) -> dict[str, tuple[Key, Any]]:
        """Return the keys that a choice takes."""
        return {name: key for described in self.variants[choice] for name, key in keys_of(described).items()}

    def read(self, value: Any, where: str, folder: Path = Path()) -> Row:
        """Return the row of a table in a file, with the keys that its choice takes and no others."""
        row = super().read(value, where, folder)
        choice = getattr(row, self.switch)
        own = self._keys(choice)
        changes: dict[str, Any] = {}
        for entry in self.entries:
            if not entry.fits:
                continue
            given = getattr(row, entry.name) is not None
            if given and choice not in entry.fits:
                takes = ", ".join(other.key for other in self.entries if choice in other.fits)
                raise InputError(f"{at(where, entry.key)} does not fit the {self.noun} {choice}; it takes {takes}.")
            if not given and choice in entry.fits:
                key, default = own[entry.name]
                if key.needed or (default is MISSING and not key.implied):
                    raise InputError(f"{at(where, entry.key)} is missing; the {self.noun} {choice} needs it.")
                changes[entry.name] = None if key.implied else default
        return row.replace(**changes)

    def parameters(self, row: Row) -> dict[str, Any]:
        """Return what is given of the fields that its choice takes."""
        own = self._keys(getattr(row, self.switch))
        return {name: value for name, value in row.given().items() if name in own}


@dataclass(frozen=True)
class Nested(Kind):
    """A table in a table, several of them in a list, or a word that stands for one."""

    table: Table
    several: bool = False
    word: Kind | None = None

    def read(self, value: Any, where: str, folder: Path = Path()) -> Any:
        if not self.several:
            return self._one(value, where, folder)
        if isinstance(value, dict):
            return (self._one(value, where, folder),)
        if not isinstance(value, list | tuple):
            raise InputError(f"{where} is {shown(value)}; expected a table or a list of tables.")
        rows, refused = [], []
        for i, item in enumerate(value):
            name = item.get("name") if isinstance(item, dict) else None
            place = at(where, name) if isinstance(name, str) and name else f"{where}[{i}]"
            try:
                rows.append(self._one(item, place, folder))
            except Refusals as error:
                refused += error.sentences
            except InputError as error:
                refused.append(str(error))
        if refused:
            raise Refusals(refused)
        return tuple(rows)

    def _one(self, value: Any, where: str, folder: Path) -> Any:
        if self.word is not None and not isinstance(value, dict):
            return self.word.read(value, where, folder)
        return self.table.read(value, where, folder)

    def schema(self) -> Schema:
        one = self.table.schema()
        if self.word is not None:
            one = {"anyOf": [self.word.schema(), one]}
        return {"anyOf": [one, {"type": "array", "items": one}], "x-several": True} if self.several else one


@dataclass(frozen=True)
class TableOf(Kind):
    """A table of names that a user chooses, with values of one kind."""

    kind: Kind

    def read(self, value: Any, where: str, folder: Path = Path()) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise InputError(f"{where} is {shown(value)}; expected a table.")
        return {key: self.kind.read(item, at(where, key), folder) for key, item in value.items()}

    def schema(self) -> Schema:
        return {"type": "object", "additionalProperties": self.kind.schema()}


def _inner(kind: Kind) -> Iterator[Table]:
    if isinstance(kind, Nested):
        yield kind.table
        yield from kind.table.inner()
    elif isinstance(kind, ListOf | TableOf):
        yield from _inner(kind.kind)


_TABLES: dict[Any, Table] = {}


def define(*described: type, **more: Any) -> Table:
    """Return the table of some dataclasses, which is also that of every field that names the first of them."""
    return defined(described[0], Table(*described, **more))


def defined(of: Any, table: Table) -> Table:
    """Return the table, as that of every field that names `of`."""
    _TABLES[of] = table
    return table


def table_of(described: Any) -> Table:
    """Return the table of a dataclass."""
    return _TABLES[described] if described in _TABLES else define(described)
