"""Reproductions and validations: the rows judge as they say, files are written, every entry has its page."""

import csv
from pathlib import Path

import pytest

from vitruvian.errors import InputError, VitruvianError
from vitruvian.lab import reproduce, validate
from vitruvian.lab.reproduce import stability
from vitruvian.lab.verdict import Cause, Entry, Report, Reproduced, Table, Validated, made, stored_verdicts

ROOT = Path(__file__).parents[2]
ENTRIES = {"reproduce": reproduce.REPRODUCTIONS, "validate": validate.VALIDATIONS}
NAMES = [(command, name) for command, entries in ENTRIES.items() for name in entries]
#: too long for here; a part of each is run below, in test_validation_score and in tests/unit/lab/test_flexible.py
ELSEWHERE = ("thesis-3.4", "pedestrian-pairs", "heel-raise", "occupant")


def test_a_row_differs_unless_a_cause_holds():
    """Item 12: a reason in words changes no verdict; a cited erratum or a run that gives the printed value does."""
    assert Reproduced.close("a", 1.0, 1.01, 0.02).verdict == "agrees"
    assert Reproduced.close("a", 1.0, 1.1, 0.02).verdict == "differs"
    assert Reproduced.close("a", 1.0, float("nan"), 0.02).verdict == "differs"
    assert Reproduced.close("a", 1.0, 1.1, 0.02, note="misprint").verdict == "differs"
    assert Reproduced.close("a", 1.0, 1.1, 0.02, cause=Cause.cited("misprint (E054)")).verdict == "explained"
    assert Reproduced.close("a", 1.0, 1.1, 0.02, cause=Cause.computed("with the misprint", False)).verdict == "differs"
    assert Reproduced.close("a", 1.0, 1.1, 0.02, cause=Cause.computed("with the misprint", True)).verdict == "explained"
    assert Reproduced.same("a", "feet", "head").verdict == "differs"
    assert Reproduced.factor("a", 1.0, 9.9, 10.0).verdict == "agrees"
    assert Reproduced.factor("a", 1.0, 0.09, 10.0).verdict == "differs"
    assert Reproduced.factor("a", 1.0, float("inf"), 10.0).verdict == "differs"
    assert Reproduced.at_most("a", 0.1, 0.2, "%").verdict == "differs"
    assert Reproduced.at_most("a", 0.1, 0.05, "%").cells() == ("a", "aim: 0.1 % at most", "0.05 %", "agrees")
    assert Reproduced("a", None, 3.0, "m").verdict == "shown"
    assert Reproduced("a", None, 3.0, "m").cells() == ("a", "not printed", "3 m", "")


def test_a_citation_names_an_erratum_or_quotes_the_source():
    """Item 12: a stock phrase is no cause."""
    with pytest.raises(ValueError, match="neither an erratum"):
        Cause.cited("the thesis does not say")
    assert Cause.cited('the thesis has the velocity "defined on the HBM"').holds


def test_a_number_that_no_source_prints_is_marked():
    """Item 12: what is not printed in the source is not shown as if it were."""
    row = Reproduced.close("speed", 2.4257, 2.4258, 1e-3, "m/s", origin="closed form")
    assert row.cells()[1] == "closed form: 2.4257 m/s"
    assert row.record()["origin"] == "closed form"


def test_a_changed_verdict_fails_whether_worse_or_better():
    """Item 12: each judged row has a stored verdict; other verdicts, new rows and lost rows are changes."""
    rows = (Reproduced.close("a", 1.0, 1.1, 0.2), Reproduced.close("b", 1.0, 1.1, 0.02), Reproduced("c", None, 1.0))
    right = {"a": "agrees", "b": "differs"}
    assert not Report("t", "s", rows, stored=right).failed
    for stored, change in (
        (right | {"b": "agrees"}, ("b", "agrees", "differs")),
        (right | {"a": "differs"}, ("a", "differs", "agrees")),
        ({"a": "agrees"}, ("b", None, "differs")),
        (right | {"d": "agrees"}, ("d", "agrees", None)),
    ):
        report = Report("t", "s", rows, stored=stored)
        assert report.changes == [change]
        assert report.failed and report.record()["failed"]
    validated = Validated("a", 1.0, 2.0, 2.1, note="no muscles")
    assert Report("t", "s", (validated,), stored={"a": "inside"}).failed
    assert not Report("t", "s", (validated,), stored={"a": "outside"}).failed


def test_rows_of_the_same_name_are_refused():
    with pytest.raises(ValueError, match="same quantity: a"):
        Report("t", "s", (Reproduced("a", None, 1.0), Reproduced("a", None, 2.0)))


def test_every_entry_has_stored_verdicts():
    words = {"reproduce": {"agrees", "explained", "differs"}, "validate": {"inside", "outside"}}
    stored = stored_verdicts()
    assert set(stored) == {name for _, name in NAMES}
    for command, name in NAMES:
        assert set(stored[name].values()) <= words[command], name


def test_storing_the_verdicts_of_one_report_keeps_the_others(tmp_path, monkeypatch):
    """Item 12: the documented way to accept new verdicts."""
    from importlib.util import module_from_spec, spec_from_file_location

    from vitruvian.lab import verdict as module

    spec = spec_from_file_location("make_report_docs", ROOT / "tools" / "make_report_docs.py")
    tool = module_from_spec(spec)
    spec.loader.exec_module(tool)
    before, path = stored_verdicts(), tmp_path / "verdicts.toml"
    path.write_text(module.VERDICTS.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(module, "VERDICTS", path)
    monkeypatch.setattr(tool, "VERDICTS", path)
    rows = (Reproduced.close('a "quoted" row', 1.0, 1.0, 0.1), Reproduced("shown", None, 1.0))
    tool.store("thesis-6.3", Report("t", "s", rows))
    assert stored_verdicts() == before | {"thesis-6.3": {'a "quoted" row': "agrees"}}
    assert list(stored_verdicts()) == list(before)


def test_a_range_is_open_where_no_end_is_published():
    inf = float("inf")
    assert Validated("a", 1.0, 2.0, 2.0).inside
    assert Validated("a", 1.0, 2.0, 2.1).verdict == "outside"
    assert Validated("a", 1.0, 2.0, 2.1, note="no muscles").verdict == "outside"
    assert Validated("a", 1.0, 2.0, float("nan")).verdict == "outside"
    assert Validated("a", 1.0, inf, 9.0, "m").published == "at least 1 m"
    assert Validated("a", -inf, 2.0, 9.0, "m").published == "at most 2 m"
    assert Validated("a", 1.0, 2.0, 9.0, "m", 1.4, "Who 2020").published == "1 to 2 m, mean 1.4 m (Who 2020)"


def _figure():
    from matplotlib.figure import Figure

    return Figure(figsize=(1.0, 1.0))


def test_files_of_a_report(tmp_path):
    cause = Cause.cited("unit misprinted (E001)")
    rows = (Reproduced.close("peak, first", 2.0, 2.5, 0.1, "m", cause=cause), Reproduced("word", "x", "y"))
    table = Table("list", "A list", ("a", "b"), (("1", "2"),))
    report = Report("title", "source", rows, (table,), {"one": _figure}, ("note",))
    names = [path.name for path in report.write(tmp_path / "new" / "folder")]
    assert names == ["rows.csv", "list.csv", "one.png"]
    with (tmp_path / "new" / "folder" / "rows.csv").open(encoding="utf-8") as file:
        read = list(csv.DictReader(file))
    assert read[0] == {
        "quantity": "peak, first",
        "reference": "2.0",
        "origin": "printed",
        "ours": "2.5",
        "unit": "m",
        "verdict": "explained",
        "cause": "unit misprinted (E001)",
        "note": "",
    }
    assert (tmp_path / "new" / "folder" / "one.png").read_bytes()[1:4] == b"PNG"
    assert report.record()["tables"] == {"list": [{"a": "1", "b": "2"}]}


def test_a_folder_that_cannot_be_written_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(VitruvianError, match="cannot be written"):
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

    module = ModuleType("vitruvian.lab.reproduce_nothing")

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
    assert callable(getattr(import_module(f"vitruvian.lab.{entry.module}"), entry.function))
    page = ROOT / "docs" / command / f"{name}.md"
    if (ROOT / "docs").exists():
        assert page.exists(), f"python tools/make_report_docs.py {name}"


@pytest.mark.needs_jit
@pytest.mark.slow
@pytest.mark.parametrize(("command", "name"), [pair for pair in NAMES if pair[1] not in ELSEWHERE])
def test_every_verdict_is_the_stored_one(command, name):
    report = (reproduce.reproduce if command == "reproduce" else validate.validate)(name)
    assert report.rows
    assert [change.sentence for change in report.changes] == []


@pytest.mark.needs_jit
@pytest.mark.slow
def test_verdicts_of_section_3_4_are_the_stored_ones(monkeypatch):
    """Items 11 and 12 without the stiffest rows and the 17-segment body; `vitruvian reproduce thesis-3.4` has all."""
    monkeypatch.setattr(stability, "STUDY", {})
    monkeypatch.setattr(stability, "MOVING", stability.MOVING[::3])
    report = stability.stability(stiffest=100.0)
    stored = stored_verdicts()["thesis-3.4"]
    assert {name: stored.get(name) for name in report.verdicts} == report.verdicts
    for number in ("3.5", "3.9"):
        assert report.verdicts[f"Table {number}: the correction acts in every row at 1e-05"] == "agrees"
