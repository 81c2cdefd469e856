"""A browser tab without a browser: what its buttons do, what it says, what it shows."""

import html
import io
import json
import re
import shlex
import threading
import time
import zipfile
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("viser")

from vitruvian.errors import InputError
from vitruvian.scenario import Scenario, library
from vitruvian.studio import headless, tables
from vitruvian.studio.controls import controls, posture_choice
from vitruvian.studio.launch import Studio
from vitruvian.studio.server import free_port

pytestmark = pytest.mark.needs_jit


@pytest.fixture
def tab(tmp_path):
    with headless.session("fall-4m", tmp_path / "work") as (session, _):
        yield session


def done(session):
    assert session.worker.join(60.0)
    return session.inputs._message.content


def test_it_begins_with_a_run_and_compares_the_next_one_with_it(tab):
    first = tab.now.assessment["HIC15"].value
    assert tab.before is None and tab.player.end == pytest.approx(1.5)
    tab.set_text('human.height = "165 cm"')
    assert "165 cm&quot;; this is how it starts. Press Run." in done(tab)
    assert tab.now.assessment["HIC15"].value == first  # changed, not run
    tab.run()
    assert "answered in" in done(tab)
    assert tab.before.assessment["HIC15"].value == first
    assert tab.now.assessment["HIC15"].value != first
    table = tab.results._criteria.content
    assert f"{first:.0f}" in table and f"{tab.now.assessment['HIC15'].value:.0f}" in table


def test_it_gives_what_the_command_line_gives(tab):
    """The same bits, though the run is cut into pieces to look for a cancel."""
    alone = Scenario.load("fall-4m").run()
    assert (tab.now.result.recording.position == alone.recording.position).all()
    assert tab.now.assessment["HIC15"].value == alone.injury()["HIC15"].value


def test_a_wrong_value_is_answered_in_the_page_and_changes_nothing(tab):
    before = tab.scenario
    tab.attempt(lambda: tab.set_text('human.height = "9 m"'))
    said = tab.inputs._message.content
    assert "height is 9 m; accepted" in said and 'role="alert"' in said
    for text in ("human.hieght = 1.8", "nonsense", "human.height = __import__('os').getpid()"):
        tab.attempt(lambda text=text: tab.set_text(text))
        assert 'role="alert"' in tab.inputs._message.content
    assert tab.scenario is before and tab.changes == {}
    tab.inputs._text.value = "nonsense"
    tab.attempt(tab.inputs._set)  # the Enter key: answered beside the field too, and until something is accepted
    assert 'role="alert"' in tab.inputs._answer.content
    tab.inputs._text.value = "human.mass = 66"
    tab.attempt(tab.inputs._set)
    assert tab.inputs._answer.content == "" and tab.scenario.table.human[0].mass == 66.0


def test_the_heading_tells_what_was_changed(tab):
    tab.set_text("human.mass = 66")
    assert tab.scenario.title != tab.base.title and tab.scenario.title in tab.inputs._about.content
    tab.reset()
    assert tab.scenario.title == tab.base.title and tab.base.title in tab.inputs._about.content


def test_a_control_that_is_moved_shows_how_it_starts(tab):
    height = next(control for control in controls(tab.scenario) if control.key == "human.height")
    tab.change(height, 170.0)
    done(tab)
    assert tab.scenario.table.human[0].height == pytest.approx(1.70)
    assert tab.inputs._handles["human.height"].value == 180.0  # whoever holds the slider may be further by now
    assert tab._previewing and tab.player.time == 0.0  # the ghost of the run before starts beside it
    tab._show_moment(0.4)  # a step of the replay that comes late
    assert tab._previewing and tab.playback.time.value == 0.0
    with pytest.raises(InputError, match="accepted"):
        tab.change(height, 900.0)
    assert tab.scenario.table.human[0].height == pytest.approx(1.70)
    tab.play()
    assert not tab._previewing and tab.player.playing
    tab.pause()


def test_a_drag_ends_at_its_last_value_though_callbacks_wait_in_several_threads(tab):
    """A callback that waits for its turn reads the value when it is there, not before."""
    height = next(control for control in controls(tab.scenario) if control.key == "human.height")
    slider, hand = SimpleNamespace(value=170.0), SimpleNamespace(client=None, client_id=1)
    callback = tab.changing(lambda: tab.change(height, slider.value))
    waiting = threading.Thread(target=callback, args=(hand,))
    with tab._lock:
        waiting.start()
        time.sleep(0.05)
        slider.value = 165.0
    waiting.join(60.0)
    done(tab)
    assert tab.scenario.table.human[0].height == pytest.approx(1.65)


def test_live_runs_of_one_drag_are_compared_with_what_was_before_it(tab, monkeypatch):
    monkeypatch.setattr("vitruvian.studio.session.ONE_DRAG", 60.0)
    first = tab.now
    tab.inputs.live.value = True
    for centimetres in (179, 178, 177):
        tab.set_text(f'human.height = "{centimetres} cm"')
        done(tab)
    assert tab.now.scenario.table.human[0].height == pytest.approx(1.77)
    assert tab.before is first
    monkeypatch.setattr("vitruvian.studio.session.ONE_DRAG", 0.0)
    last = tab.now
    tab.set_text('human.height = "176 cm"')
    done(tab)
    assert tab.before is last


def test_a_long_run_shows_how_far_it_is_and_can_be_cancelled(tab):
    before = tab.now
    tab.set_text("solver.duration = 60")
    done(tab)
    shares = []
    working = tab.inputs.working
    tab.inputs.working = lambda words, share: (shares.append(share), working(words, share))
    tab.run()
    begun = time.monotonic()
    while len(shares) < 3 and time.monotonic() - begun < 60.0:
        time.sleep(0.02)
    assert not tab.inputs.cancel.disabled
    asked = time.monotonic()
    tab.cancel()
    assert "Cancelled at" in done(tab)
    assert time.monotonic() - asked < 5.0
    assert shares == sorted(shares) and 0.0 < shares[-1] < 1.0
    assert tab.now is before and tab.inputs.cancel.disabled


def test_another_scenario_brings_its_own_controls(tab):
    assert "human.height" in tab.inputs._handles
    tab.pick("double-pendulum")
    done(tab)
    assert "joint.hinge.start.coordinates" in tab.inputs._handles and "human.height" not in tab.inputs._handles
    assert "No criterion" in tab.results._criteria.content
    tab.attempt(lambda: tab.pick("../fall-4m"))
    assert 'role="alert"' in tab.inputs._message.content


def test_the_page_cannot_have_files_read(tab, tmp_path):
    """Whoever reaches the page reaches scenarios, not the disk of this machine."""
    secret = tmp_path / "secret.toml"
    secret.write_text('schema = 1\ntitle = "secret"\n')
    for act in (
        lambda: tab.pick(str(secret)),
        lambda: tab.set_text(f'human.posture = "{secret}"'),
        lambda: tab.set_text('human.posture = "../secret.TOML"'),
        lambda: tab.set_text(f'human = {{ height = 1.8, mass = 80, posture = "{secret}" }}'),
        lambda: tab.set_text(f'human.posture.base = "{secret}"'),
        lambda: tab.set_text(f'human.measured = "{secret}"'),
        lambda: tab.set_text(f'vehicle = {{ front = "{secret}", speed = 10 }}'),
        lambda: tab.set_text(f'surface.ground = {{ name = "ground", shape = "mesh", file = "{secret}" }}'),
        lambda: tab.change(posture_choice(tab.scenario), str(secret)),
    ):
        before = tab.scenario
        tab.attempt(act)
        said = tab.inputs._message.content
        assert "the page reads no files" in said or "no ready scenario" in said, said
        assert tab.scenario is before


def test_the_first_compile_is_shown_and_can_be_waited_for_or_cancelled(tmp_path):
    class Compiling:
        words = "Compiling the kernels, once per machine: about 45 s, 12 s have passed."
        there = False

        def wait(self, timeout):
            time.sleep(0.01)
            return self.there

    kernels = Compiling()
    with headless.session("fall-4m", tmp_path, kernels) as (session, _):
        time.sleep(0.2)
        assert "Compiling the kernels" in session.inputs._message.content
        assert session.inputs._bar.animated and session.now is None
        session.cancel()
        assert session.worker.join(5.0) and session.now is None
        session.run()
        kernels.there = True
        assert "answered in" in done(session) and session.now is not None


def test_a_run_of_a_scenario_that_was_left_is_not_shown(tab):
    tab.run()
    tab.pick("bouncing-ball")
    done(tab)
    assert tab.now.scenario.name == "bouncing-ball" and tab.before is None


def test_people_are_shown_in_their_skin_or_in_the_shapes_that_touch(tab):
    shapes = sum(len(part.vertices) for part in tab.viewport._shown[0].scene.parts if part.kind == "segment")
    tab.playback.skin.value = False
    tab.redraw()
    assert sum(len(part.vertices) for part in tab.viewport._shown[0].scene.parts if part.kind == "segment") != shapes


def test_undo_goes_back_to_the_scenario_that_was_picked(tab):
    tab.set_text("human.mass = 60")
    tab.reset()
    done(tab)
    assert tab.scenario == tab.base and tab.changes == {}
    assert tab.inputs._handles["human.mass"].value == pytest.approx(80.0)


def test_files_are_saved_in_the_working_folder_only_and_read_back(tab, tmp_path):
    tab.set_text("human.mass = 66")
    for name in ("../outside", "/outside", "a/b"):
        tab.save(name)
        assert "not a name for a file" in tab.results._answer.content
    tab.save("mine")
    assert [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.toml")] == ["work/mine.toml"]
    assert Scenario.load(tmp_path / "work" / "mine.toml").table.human[0].mass == 66.0


def test_downloads(tab, tmp_path):
    from vitruvian.sim.result import Result

    tab.set_text("solver.duration = 0.2")
    tab.run()
    done(tab)
    for kind in tab.downloads:
        tab.download(kind)
    sent = tab._client.sent
    assert Scenario.from_toml(sent["fall-4m.toml"].decode()) == tab.scenario
    assert b"HIC15" in sent["fall-4m-criteria.csv"]
    (tmp_path / "result.nc").write_bytes(sent["fall-4m.nc"])
    with zipfile.ZipFile(io.BytesIO(sent["fall-4m-channels.zip"])) as archive:
        assert any(name.endswith(".csv") for name in archive.namelist()) and archive.testzip() is None
    assert sent["fall-4m.html"].lstrip()[:15].lower() == b"<!doctype html>" and sent["fall-4m.glb"][:4] == b"glTF"
    assert Result.load(tmp_path / "result.nc").injury()["HIC15"].value == tab.now.assessment["HIC15"].value


def test_what_a_scenario_says_is_text(tab, tmp_path):
    """Titles, names and notes are escaped: nothing of a scenario becomes part of the page."""
    nasty = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    tab.base = Scenario({**tab.base.data, "title": nasty, "description": nasty})
    tab.reset()
    done(tab)
    tab.run()
    done(tab)
    shown = [tab.inputs._about, tab.inputs._message, tab.inputs._changes, tab.results._criteria, tab.results._motion]
    for piece in [handle.content for handle in shown] + [tables.refusal(nasty), tables.changes({nasty: nasty})]:
        assert "<script" not in piece and "<img" not in piece
    assert "&lt;script&gt;" in tab.inputs._about.content
    assert {type(handle.content) for handle in shown} == {str}  # a subclass would not be sent


def test_the_cursor_of_the_charts_is_where_the_replay_is(tab):
    import json

    tab.seek(0.9)
    shape = json.loads(tab.results._chart.figure.to_json())["layout"]["shapes"][0]
    assert shape["x0"] == shape["x1"] == pytest.approx(900.0)
    assert tab.playback.time.value == pytest.approx(900.0)
    layout = json.loads(tab.results._chart.figure.to_json())["layout"]
    titles = " ".join(note["text"] for note in layout["annotations"])
    for words in ("Head acceleration", "Thorax acceleration", "Contact forces", "Joint forces", "Energies"):
        assert words in titles


def test_a_studio_closes_and_gives_its_port_back(tmp_path):
    with Studio(folder=tmp_path, port=0) as studio:
        port = studio.port
        assert studio.address == f"http://127.0.0.1:{port}"
    assert free_port("127.0.0.1", port) == port


def test_a_studio_refuses_a_scenario_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="no scenario"):
        Studio("fall-5m-nowhere", folder=tmp_path, port=0)


def test_every_ready_scenario_has_its_widgets(tab):
    for name in library():
        tab.scenario = Scenario.load(name)
        tab.inputs.show(tab.scenario)
        tab.inputs.refresh(tab.scenario, {})
        assert tab.inputs._handles, name


def test_all_that_is_said_to_the_page_can_be_sent(tab):
    """viser encodes messages in its own thread, where a wrong type would end the connection of the tab."""
    import msgspec

    tab.attempt(lambda: tab.set_text('human.height = "9 m"'))
    tab.set_text("human.mass = 66")
    tab.run()
    done(tab)
    tab.seek(0.9)
    tab.save("mine")
    messages = list(tab._client.gui._websock_interface._broadcast_buffer.message_from_id.values())
    assert len(messages) > 100
    for message in messages:
        msgspec.msgpack.encode(message.as_serializable_dict([]))


# comparing


def test_results_are_dimmed_until_they_belong_to_the_values_of_the_panel(tab):
    assert tab.results._stale.content == ""
    tab.set_text("human.mass = 70")
    done(tab)
    assert "before the change" in tab.results._stale.content
    tab.run()
    done(tab)
    assert tab.results._stale.content == ""


def test_up_to_four_runs_are_compared_and_seen_in_one_viewer(tab):
    for number in (1, 2, 3):
        tab.comparison.keep()
        assert f"run {number}" in tab.results._compared.content
        tab.set_text(f"human.mass = {60 + 5 * number}")
        tab.run()
        done(tab)
    assert all(f"run {number}" in tab.results._compared.content for number in (1, 2, 3))
    with pytest.raises(InputError, match="3 runs are kept"):
        tab.comparison.keep()
    tab.view()
    tab.comparison.forget()
    assert tab.comparison.kept == [] and "run 1" not in tab.results._compared.content


def test_measured_curves_are_rated_and_drawn(tab):
    """The measurement is the run itself, so that the rating is known: 1."""
    head = tab.now.result["head.acceleration"]
    time = head[head.dims[0]].values
    rows = "\n".join(f"{t:.6f},{x:.6f},{y:.6f},{z:.6f}" for t, (x, y, z) in zip(time, head.values, strict=True))
    header = ",".join(["time [s]", *(f"head.acceleration.{axis} [m/s2]" for axis in "xyz")])
    tab.comparison.upload("test.csv", f"{header}\n{rows}\n".encode())
    assert "ISO/TS 18571" in tab.results._compared.content
    titles = [one["text"] for one in json.loads(tab.results._figure.to_json())["layout"]["annotations"]]
    assert "ISO 18571" in titles[0] and "head" in titles[0]
    with pytest.raises(InputError, match="not known"):
        tab.comparison.upload("test.xlsx", b"")
    with pytest.raises(InputError, match="not a zip"):
        tab.comparison.upload("test.zip", b"nothing")


def test_the_printed_command_runs_unchanged_and_nothing_is_overwritten(tab, tmp_path):
    tab.save("my fall")
    words = tab.results._answer.content
    (command,) = re.findall(r"vitruvian run ([^<]*)", words)
    (path,) = shlex.split(html.unescape(command))
    assert Scenario.load(path).to_toml() == tab.scenario.to_toml()
    tab.save("my fall")
    assert "is there already" in tab.results._answer.content


@pytest.mark.parametrize("height", [0.1, 1.0, 4.0, 20.0])
def test_the_person_is_in_the_picture_at_every_moment(tab, height):
    tab.set_text(f"human.start.clearance = {height}")
    tab.set_text("solver.duration = 2.2")
    tab.run()
    done(tab)
    tab.player.pause()
    scene, camera = tab.viewport._shown[0].scene, tab._client.camera
    for moment in np.linspace(0.0, tab.player.end, 8):
        tab.viewport.show(float(moment))
        towards = np.asarray(camera.look_at) - np.asarray(camera.position)
        way = scene.centre[scene.frame_at(float(moment))] - np.asarray(camera.position)
        angle = np.arccos(way @ towards / np.linalg.norm(way) / np.linalg.norm(towards))
        assert angle < 0.5 * camera.fov
        seen = scene.reach / np.linalg.norm(way) / np.tan(0.5 * camera.fov)
        assert 0.12 < seen < 1.3  # of half the picture's height
