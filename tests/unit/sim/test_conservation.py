"""Conservation checks of every run: joints that create energy and balances that do not close have a status."""

import numpy as np
import pytest

from vitruvian import Scenario
from vitruvian.errors import SimulationError
from vitruvian.sim import conservation
from vitruvian.sim.join import join
from vitruvian.sim.status import ASTRAY, STATUS, fine

pytestmark = pytest.mark.needs_jit

#: a wheel whose spring is a rotation vector, spun past half a turn
FLYWHEEL = {
    "schema": 1,
    "gravity": 0,
    "body": {"name": "wheel", "mass": 1, "inertia": [1, 1, 1]},
    "joint": {
        "name": "axle",
        "type": "spherical",
        "child": "wheel",
        "resistance": {"stiffness": [0, 0, 4], "rest": [0, 0, "-60 deg"]},
        "start": {"angular_velocity": [0, 0, 12]},
    },
    "solver": {"duration": 0.5, "max_step": 2e-4},
}


def test_a_joint_whose_energy_jumps_ends_the_run_with_its_own_status_and_cause():
    """Item 10: the run was finished, and the advice was to reduce the tolerance."""
    with pytest.raises(SimulationError, match="joint 'axle' turned past 180 degrees") as caught:
        Scenario(FLYWHEEL).replace({"solver.max_step": 2e-5}).run()
    result = caught.value.result
    assert result.status == "joint_energy_jumped" and not result.fine
    assert "A smaller tolerance does not help" in result.message
    # V(-pi) - V(pi) = k ((pi - 60 deg)^2 - (pi + 60 deg)^2) / 2
    jump = 2.0 * ((np.pi - np.pi / 3.0) ** 2 - (np.pi + np.pi / 3.0) ** 2)
    error = conservation.joint_error(result.recording)
    assert error[-1] == pytest.approx(jump, rel=1e-3)


def test_a_continuous_law_in_the_same_run_passes():
    scenario = Scenario(FLYWHEEL).replace({"joint.axle.resistance.law": "cardan_yxz"})
    result = scenario.run()
    assert result.fine
    stored = np.ptp(result.recording.joint_energy)
    assert abs(conservation.joint_error(result.recording)).max() < 1e-3 * stored


def test_the_printed_joints_in_a_fall_name_the_joint_that_flips():
    """Item 10: 1.1 MJ were created in a fall of 4 kJ."""
    result = Scenario.load("fall-4m").replace({"human.body": "previous", "human.joints": "thesis"}).run(check=False)
    assert result.status == "joint_energy_jumped"
    assert "joint 'left_shoulder' turned past 180 degrees, where its law rotation_vector changes sign" in result.message


@pytest.mark.parametrize("joints", ["recommended", "thesis-corrected", "silva", "silva-dummy"])
def test_joints_store_what_they_were_given_in_a_fall(joints):
    """Item 10: stored energy now minus at the start, plus the work of the joints, is zero but for the integration."""
    run = Scenario.load("fall-4m").replace({"human.joints": joints}).run().recording
    assert abs(conservation.joint_error(run)).max() < 1e-3 * run.joint_loss[-1].sum()


def test_a_balance_that_does_not_close_has_a_status():
    result = Scenario(FLYWHEEL).replace({"joint.axle.resistance.law": "cardan_yxz"}).run()
    system, _ = Scenario(FLYWHEEL).build()
    wrong = result.recording.replace(balance_error=0.05, balance=np.linspace(0.0, 3.0, len(result.recording.balance)))
    checked = conservation.checked(wrong, system)
    assert checked.status == "energy_unbalanced"
    assert "off by 5 % of the energy put in" in checked.message
    assert conservation.checked(result.recording, system) is result.recording


def test_a_run_that_went_astray_stays_so_when_it_goes_on():
    first = Scenario(FLYWHEEL).run(check=False)
    second = Scenario(FLYWHEEL).replace({"solver.duration": 0.55}).run(resume=first, check=False)
    assert second.status == "joint_energy_jumped" and second.recording.end_time == pytest.approx(0.55)
    assert join(first.recording, second.recording).message == first.message


def test_every_status_is_fine_or_not():
    assert [status.name for status in STATUS.values() if status.fine] == [
        "running",
        "finished",
        "at_rest",
        "contact_stop",
        "nearly_at_rest",
    ]
    assert not any(fine(name) for name in ASTRAY)
