"""Result files that were edited, cut or damaged: refused with a sentence, and never read as zeros (item 4)."""

from __future__ import annotations

import json
import random
from pathlib import Path

import h5py
import numpy as np
import pytest

from vitruvian.errors import InputError, VitruvianError
from vitruvian.scenario import Scenario
from vitruvian.sim import memory
from vitruvian.sim.channel import STORED
from vitruvian.sim.result import load

pytestmark = pytest.mark.needs_jit


@pytest.fixture(scope="module")
def kept(tmp_path_factory) -> Path:
    """A fall of 80 ms with contacts, sensors, events and geometry."""
    changes = {"human.start.clearance": "1 cm", "solver.duration": 0.08}
    return Scenario.load("fall-4m", changes).run().save(tmp_path_factory.mktemp("kept") / "result.nc")


@pytest.fixture
def copy(kept: Path, tmp_path: Path) -> Path:
    path = tmp_path / "result.nc"
    path.write_bytes(kept.read_bytes())
    return path


def use(path: Path) -> None:
    """Do with a file what the commands do."""
    result = load(path)
    result.summary()
    result.injury()
    result.contacts()


# the run has no loops, no belts and no bones that bend: tests/unit/model/test_loops.py, test_belts.py
@pytest.mark.parametrize(
    "channel",
    [
        c.name
        for c in STORED
        if c.name != "joint_displacement"
        and c.of not in ("loop", "webbing", "airbag", "dip", "muscle", "muscle_point", "point")
    ],
)
def test_a_missing_channel_is_refused_and_not_replaced_by_zeros(copy: Path, channel: str) -> None:
    """Item 4: a file without accelerations had HIC15 0 and a risk of 0 %."""
    with h5py.File(copy, "a") as file:
        del file[channel]
    with pytest.raises(InputError, match=f"the channel {channel} is missing"):
        load(copy)


def test_nothing_that_a_file_lists_may_be_missing(copy: Path) -> None:
    """Item 4: geometry, labels, filters, the state at the end and attributes; earlier versions did not list them."""
    with h5py.File(copy, "a") as file:
        names = json.loads(file.attrs["contents"])
    assert {"attitude", "shape_exponents", "sensor_filter", "final_q", "notes"} <= set(names)
    whole = copy.read_bytes()
    for name in names:
        copy.write_bytes(whole)
        with h5py.File(copy, "a") as file:
            del (file if name in file else file.attrs)[name]
        with pytest.raises(InputError, match=r"Restore the file|not a result of Vitruvian"):
            use(copy)
    copy.write_bytes(whole)
    with h5py.File(copy, "a") as file:
        del file.attrs["contents"]
    use(copy)


def test_a_long_value_is_shortened_in_the_refusal(copy: Path) -> None:
    """Item 4: lists are shown as lists, and a sentence stays a sentence."""
    with h5py.File(copy, "a") as file:
        file.attrs["status"] = np.zeros(5_000)
    with pytest.raises(
        InputError, match=r"the attribute status is \[0\.0, 0\.0, .*\.\.\.\]; expected a text"
    ) as refused:
        load(copy)
    assert len(str(refused.value)) < 400


@pytest.mark.parametrize("edit", ["shape", "kind", "scalar"])
@pytest.mark.parametrize("name", ["sensor_acceleration", "time", "body", "event_time", "shape_body", "balance_error"])
def test_shapes_and_kinds_are_checked(copy: Path, name: str, edit: str) -> None:
    """Item 4: an array of another shape or type is refused by its name."""
    with h5py.File(copy, "a") as file:
        length = file[name].shape[:1]
        del file[name]
        if edit == "kind":
            file.create_dataset(name, data=np.full(length, 1 + 2j))
        elif edit == "shape":
            file.create_dataset(name, data=np.zeros((2, 2)))
        elif name != "balance_error":
            file.create_dataset(name, data=3.0)
    with pytest.raises(InputError, match=name):
        load(copy)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("end_time", -1.0), ("end_time", float("nan")), ("end_time", "soon"), ("end_time", None), ("steps", 1.5),
        ("status", "well"), ("status", 3), ("roster", "{"), ("roster", "[1]"),
        ("roster", '{"people": [{"name": "x"}]}'),
        ("notes", "[1]"), ("notes", "[" * 10_000), ("criteria", "HIC99"), ("name", "a\x1b[31m"), ("title", 5),
        ("scenario", None), ("vitruvian_format", 0), ("vitruvian_format", "one"), ("final_empty", '{"q": 1}'),
        ("final_empty", '{"q": [[1e12, 0], "float64"]}'),
    ],
)  # fmt: skip
def test_attributes_are_checked(copy: Path, name: str, value: object) -> None:
    """Item 4: the refusal names the file and says what to do."""
    with h5py.File(copy, "a") as file:
        del file.attrs[name]
        if value is not None:
            file.attrs[name] = value
    with pytest.raises(InputError, match=r"result\.nc.*(Restore the file|Update)"):
        load(copy)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("event_kind", "kiss"), ("event_body", "nobody"), ("event_time", -1.0), ("event_time", 1e9), ("body", "a\nb"),
        ("body", "twice"), ("joint_type", "magic"), ("pair_body", "nobody"), ("shape_body", 10**6), ("shape_body", -1),
        ("joint_parent", 99), ("surface_body", -7), ("time", 0.0), ("orientation", 0.0), ("position", float("inf")),
        ("shape_semi_axes", 0.0), ("final_pair_size", 0.0),
    ],
)  # fmt: skip
def test_values_that_cannot_be_are_refused(copy: Path, name: str, value: object) -> None:
    """Item 4: events of bodies that are not there, shapes of no body, times that do not rise."""
    with h5py.File(copy, "a") as file:
        if value == "twice":
            file[name][:] = "twice"
        else:
            file[name][...] = value
    with pytest.raises(InputError, match=name.partition("_")[0]):
        load(copy)


def test_a_damaged_file_gives_a_sentence(kept: Path, tmp_path: Path) -> None:
    """Item 4: 150 files that are cut or have changed bytes (seeded): refused in one line, or usable."""
    whole, chance, refused = kept.read_bytes(), random.Random(4), 0
    path = tmp_path / "result.nc"
    for number in range(150):
        content = bytearray(whole)
        if number % 5 == 0:
            content = content[: chance.randrange(len(whole))]
        else:
            for _ in range(chance.choice([1, 4, 64])):
                content[chance.randrange(len(content) if number % 2 else 20_000)] = chance.randrange(256)
        path.write_bytes(content)
        try:
            use(path)
        except VitruvianError as error:
            refused += 1
            assert str(path) in str(error) and "\n" not in str(error)
    assert refused > 75


def test_a_changed_byte_in_the_numbers_is_noticed(kept: Path, tmp_path: Path) -> None:
    """Item 4: every compressed array has a checksum."""
    content = bytearray(kept.read_bytes())
    with h5py.File(kept) as file:
        chunk = file["sensor_acceleration"].id.get_chunk_info(0)
    content[chunk.byte_offset + chunk.size // 2] ^= 1
    (tmp_path / "result.nc").write_bytes(content)
    with pytest.raises(InputError, match="can be read"):
        load(tmp_path / "result.nc")


def test_a_file_larger_than_the_memory_is_refused_before_it_is_read(copy: Path, monkeypatch) -> None:
    """Items 4 and 9: a variable may claim any size without having it."""
    with h5py.File(copy, "a") as file:
        file.create_dataset("huge", shape=(10**12,), dtype="f8", chunks=(1024,))
    with pytest.raises(InputError, match=r"needs 8e\+03 GB of memory and"):
        load(copy)
    monkeypatch.setattr(memory, "available", lambda: 1000.0)
    with pytest.raises(InputError, match="GB are free"):
        load(copy)


def test_copies_of_files_are_free_memory_of_a_container(tmp_path: Path) -> None:
    """Item 9: a container that has read large files refused every run."""
    for name, text in (
        ("max", "1000\n"),
        ("current", "990\n"),
        ("stat", "anon 90\nactive_file 300\ninactive_file 500\n"),
    ):
        (tmp_path / f"memory.{name}").write_text(text)
    assert memory._of_container(tmp_path) == 810.0


def test_the_estimate_is_the_memory_that_is_taken() -> None:
    """Item 9: the bytes that are announced are those of the arrays, to one sample."""
    from vitruvian.model.compile import compile_system
    from vitruvian.sim.simulate import make_output, output_size

    compiled = compile_system(Scenario.load("fall-4m").build()[0])
    for begin, end in ((0.0, 2.0), (1.0, 3.5)):
        output = make_output(compiled, begin, end, 10_000.0, 1_000.0)
        taken = sum(array.nbytes for array in output)
        assert output_size(compiled, begin, end, 10_000.0, 1_000.0) == pytest.approx(taken, rel=1e-3)


def test_a_result_without_its_last_state_is_not_continued(copy: Path) -> None:
    """Item 4: with a sentence."""
    with h5py.File(copy, "a") as file:
        del file["final_q"], file.attrs["contents"]  # as in a file of an earlier version
    result = load(copy)
    with pytest.raises(InputError, match=r"no state to continue from \(q\)"):
        Scenario.from_toml(result.scenario).replace({"solver.duration": 0.1}).run(resume=result)


def test_more_steps_than_an_integer_holds_compile_no_second_kernel() -> None:
    """Item 6: max_steps = 2**63 would be another type."""
    from vitruvian.sim.solver import Solver

    for steps in (2**63 - 1, 2**63, 2**64, 10**30):
        settings = Solver(max_steps=steps, reject_every=steps).settings(1.0, False, -1)
        assert settings.max_steps == settings.reject_every == 2**63 - 1
