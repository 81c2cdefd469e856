"""The panel on the left: which scenario, what of it is changed, run and cancel, and what is said about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from ..scenario import Scenario, library
from . import tables
from .controls import GROUPS, PERSON, RUN, Choice, Control, Slider, controls, joint_sliders, joints, posture_choice

if TYPE_CHECKING:
    from .session import Session

_BEGIN = "The first run."
_SET_HINT = 'any value of the scenario by its path, as in human.height = "165 cm"'


class InputPanel:
    """The widgets on the left of one tab.

    gui      of the client, not of the server: other tabs do not see it
    session  what is done when something is pressed
    """

    def __init__(self, gui: Any, session: Session, start: str) -> None:
        self._gui, self._session = gui, session
        self._handles: dict[str, Any] = {}
        self._lasting: set[str] = set()
        self._folders: list[Any] = []
        names = library()
        self.scenario = gui.add_dropdown(
            "scenario", names if start in names else [start, *names], initial_value=start, hint="ready scenarios"
        )
        self.scenario.on_update(session.answering(lambda: session.pick(self.scenario.value)))
        self._about = gui.add_html("")
        self.run = gui.add_button("Run", icon="player-play", color=(43, 108, 163))
        self.run.on_click(session.answering(session.run))
        # these keep their places, because a widget that moves when a run ends moves away from under the mouse
        self.cancel = gui.add_button("Cancel", icon="player-stop", color=(179, 38, 30), disabled=True)
        self.cancel.on_click(session.answering(session.cancel))
        self._bar = gui.add_progress_bar(0.0)
        self._message = gui.add_html(tables.remark(_BEGIN))
        self.live = gui.add_checkbox("run while dragging", initial_value=False, hint="the newest value wins")
        self._controls_place = gui.add_folder(None)
        with gui.add_folder("Any value", expand_by_default=False):
            with gui.add_form(None) as form:
                self._text = gui.add_text("set", "", hint=_SET_HINT)
                set_button = gui.add_button("Set")
            form.on_submit(session.changing(self._set))  # the Enter key
            set_button.on_click(session.changing(self._set))
            self._answer = gui.add_html("")
            self._changes = gui.add_html("")
            reset = gui.add_button("Undo all changes", icon="arrow-back-up")
            reset.on_click(session.changing(session.reset))

    # what is shown

    def show(self, scenario: Scenario) -> None:
        """Another scenario: its words and its controls."""
        self._head(scenario)
        for folder in self._folders:
            folder.remove()
        self._folders, self._handles = [], {}
        with self._controls_place:
            offered = controls(scenario)
            self._lasting = _lasting(control.key for control in offered)
            for group in GROUPS:
                mine = [control for control in offered if control.group == group]
                if mine:
                    self._folders.append(self._gui.add_folder(group, expand_by_default=group != RUN))
                    with self._folders[-1]:
                        for control in mine:
                            self._add(control)
                if group == PERSON and scenario.table.human:
                    self._add_posture(scenario)

    def refresh(self, scenario: Scenario, changes: Mapping[str, Any], moved: str | None = None) -> None:
        """Show the current values, because one control may change another.

        moved  the control that the user is dragging: its value may be newer
        """
        offered = controls(scenario)
        if _lasting(control.key for control in offered) != self._lasting:
            self.show(scenario)
        self._head(scenario)
        self._answer.content = ""
        for control in offered:
            if control.key in self._handles and control.key != moved:
                self._handles[control.key].value = _shown(control)
        self._changes.content = tables.changes(changes)

    def say(self, html: str) -> None:
        """Put a message below the button."""
        self._message.content = html

    def working(self, words: str, share: float | None) -> None:
        """Show what is running, and the share that is done, 0 to 1, or None if unknown."""
        self._message.content = tables.remark(words)
        self._bar.animated = share is None
        self._bar.value = 100.0 if share is None else min(max(100.0 * share, 0.0), 100.0)
        self.cancel.disabled = False

    def idle(self) -> None:
        """Nothing runs."""
        self.cancel.disabled = True
        self._bar.value, self._bar.animated = 0.0, False

    def _head(self, scenario: Scenario) -> None:
        self._about.content = tables.heading(scenario.title or scenario.name, scenario.description)

    # widgets

    def _set(self) -> None:
        """Apply the text of a change. An error is also shown next to it, because the message may be out of sight."""
        try:
            self._session.set_text(self._text.value)
        except InputError as error:
            self._answer.content = tables.refusal(str(error))
            raise

    def _add(self, control: Control, act: Callable[[Control, Any], None] | None = None) -> None:
        handle = _widget(self._gui, control)
        self._handles[control.key] = handle
        act = act or self._session.change
        handle.on_update(self._session.changing(lambda: act(control, handle.value)))

    def _add_posture(self, scenario: Scenario) -> None:
        """Ready postures, and the angles of one joint after the other."""
        choice = posture_choice(scenario)
        assert choice is not None
        folder = self._gui.add_folder("Posture", expand_by_default=False)
        self._folders.append(folder)
        with folder:
            self._add(choice)
            joint = self._gui.add_dropdown("joint", joints(), initial_value="right_hip")
            place = self._gui.add_folder(None)
            inner: list[Any] = []

            def fill() -> None:
                while inner:
                    inner.pop().remove()
                with place:
                    for slider in joint_sliders(self._session.scenario, joint.value):
                        handle = _widget(self._gui, slider)
                        inner.append(handle)
                        handle.on_update(self._session.changing(_bend(self._session, joint.value, slider, handle)))

            joint.on_update(self._session.answering(fill))
            self._handles[choice.key].on_update(self._session.answering(fill))
            fill()


def _lasting(keys: Iterable[str]) -> set[str]:
    """The controls that stay while values change; a speed is there no more once it is zero, but its slider is."""
    return {key for key in keys if not key.endswith("velocity")}


def _bend(session: Session, joint: str, slider: Slider, handle: Any) -> Callable[[], None]:
    """Writes one angle of a joint; the others are what they are by then."""

    def act() -> None:
        now = next(one for one in joint_sliders(session.scenario, joint) if one.key == slider.key)
        session.change(now, handle.value)

    return act


def _widget(gui: Any, control: Control) -> Any:
    hint = control.hint or None
    if isinstance(control, Choice):
        return gui.add_dropdown(control.label, control.options, initial_value=control.value, hint=hint)
    label = f"{control.label} [{control.unit}]" if control.unit else control.label
    value = _shown(control)
    bounds = (float(min(control.low, value)), float(max(control.high, value)), float(control.step))
    return gui.add_slider(label, *bounds, value, hint=hint)


def _shown(control: Control) -> Any:
    """The value as the widget has it: a number with four digits."""
    return control.value if isinstance(control, Choice) else float(f"{control.value:.4g}")
