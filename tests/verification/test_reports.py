"""Reproductions and validations: the rows judge as they say, files are written, every entry has its page."""

import csv
from pathlib import Path

import pytest

from vitruvian.errors import InputError
from vitruvian.evidence import reproduce, validate
from vitruvian.evidence.report import Entry, Report, Reproduced, Table, Validated, made

ROOT = Path(__file__).parents[2]
ENTRIES = {"reproduce": reproduce.REPRODUCTIONS, "validate": validate.VALIDATIONS}
NAMES = [(command, name) for command, entries in ENTRIES.items() for name in entries]


def test_a_difference_without_a_reason_fails_and_one_with_a_reason_does_not():
    assert Reproduced.close("a", 1.0, 1.01, 0.02).verdict == "agrees"
    assert Reproduced.close("a", 1.0, 1.1, 0.02).failed
    assert Reproduced.close("a", 1.0, float("nan"), 0.02).failed
    told = Reproduced.close("a", 1.0, 1.1, 0.02, why="misprint")
    assert (told.failed, told.agrees, told.verdict) == (False, False, "misprint")
    assert Reproduced.same("a", "feet", "head").verdict == "DIFFERS"
    assert Reproduced.at_most("a", 0.1, 0.2, "%").failed
    assert Reproduced.at_most("a", 0.1, 0.05, "%").cells() == ("a", "aim: 0.1 % at most", "0.05 %", "agrees")
    assert not Reproduced("a", None, 3.0, "m").failed
    assert Reproduced("a", None, 3.0, "m").cells() == ("a", "not printed", "3 m", "")


def test_a_range_is_open_where_no_end_is_published():
    inf = float("inf")
    assert Validated("a", 1.0, 2.0, 2.0).inside
    assert Validated("a", 1.0, 2.0, 2.1).failed
    assert not Validated("a", 1.0, 2.0, 2.1, note="no muscles").failed
    assert Validated("a", 1.0, 2.0, float("nan")).failed
    assert Validated("a", 1.0, inf, 9.0, "m").published == "at least 1 m"
    assert Validated("a", -inf, 2.0, 9.0, "m").published == "at most 2 m"
    assert Validated("a", 1.0, 2.0, 9.0, "m", 1.4, "Who 2020").published == "1 to 2 m, mean 1.4 m (Who 2020)"


def _figure():
    from matplotlib.figure import Figure

    return Figure(figsize=(1.0, 1.0))


def test_files_of_a_report(tmp_path):
    rows = (Reproduced.close("peak, first", 2.0, 2.5, 0.1, "m", "unit misprinted"), Reproduced("word", "x", "y"))
    table = Table("list", "A list", ("a", "b"), (("1", "2"),))
    report = Report("title", "source", rows, (table,), {"one": _figure}, ("note",))
    names = [path.name for path in report.write(tmp_path / "new" / "folder")]
    assert names == ["rows.csv", "list.csv", "one.png"]
    with (tmp_path / "new" / "folder" / "rows.csv").open(encoding="utf-8") as file:
        read = list(csv.DictReader(file))
    assert read[0] == {
        "quantity": "peak, first",
        "printed": "2.0",
        "ours": "2.5",
        "unit": "m",
        "agrees": "False",
        "why": "unit misprinted",
    }
    assert (tmp_path / "new" / "folder" / "one.png").read_bytes()[1:4] == b"PNG"
    assert report.record()["tables"] == {"list": [{"a": "1", "b": "2"}]}


def test_a_folder_that_cannot_be_written_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="--out"):
        Report("t", "s", (Reproduced("a", 1.0, 1.0),)).write(tmp_path / "file")


def test_a_table_has_as_many_cells_as_headings():
    with pytest.raises(ValueError, match="2 cells for 1 headings"):
        Table("list", "A list", ("a",), (("1", "2"),))


def test_unknown_names_are_refused_with_the_nearest():
    with pytest.raises(InputError, match=r'no reproduction "thesis-65".*Did you mean "thesis-6\.5"'):
        reproduce.reproduce("thesis-65")
    with pytest.raises(InputError, match=r'no validation "standing".*standing-falls'):
        validate.validate("standing")


def test_progress_reaches_the_entry(monkeypatch):
    import sys
    from types import ModuleType

    module = ModuleType("vitruvian.evidence.reproduce_nothing")

    def nothing(progress):
        progress("half", 1, 2)
        return Report("t", "s", ())

    module.nothing = nothing
    monkeypatch.setitem(sys.modules, module.__name__, module)
    told = []
    made({"x": Entry("reproduce_nothing", "nothing", "")}, "x", "x", lambda *args: told.append(args))
    assert told == [("half", 1, 2)]
    assert made({"x": Entry("reproduce_nothing", "nothing", "")}, "x", "x").rows == ()


@pytest.mark.parametrize(("command", "name"), NAMES)
def test_every_entry_has_a_function_and_a_page(command, name):
    from importlib import import_module

    entry = ENTRIES[command][name]
    assert entry.title
    assert callable(getattr(import_module(f"vitruvian.evidence.{entry.module}"), entry.function))
    page = ROOT / "docs" / command / f"{name}.md"
    if (ROOT / "docs").exists():
        assert page.exists(), f"python tools/make_report_docs.py {name}"


@pytest.mark.needs_jit
@pytest.mark.slow
@pytest.mark.parametrize(("command", "name"), NAMES)
def test_every_difference_is_explained(command, name):
    report = (reproduce.reproduce if command == "reproduce" else validate.validate)(name)
    assert report.rows
    assert [row.quantity for row in report.rows if row.failed] == []
