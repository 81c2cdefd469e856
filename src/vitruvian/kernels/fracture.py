"""Bones that break under a contact. SI units.

A bone is whole until the contact force on its shape, or the force without damping that belongs to a deflection, reaches
a limit in an accepted step. From then on the resistance of every contact of the shape is multiplied by a share that
falls from 1 to the least one while the contact gets deeper: memory, constant during a step. The energy that the contacts
lose with it is dissipated. The law of the fall is that of joints (`softening`).
"""

from .._jit import inner
from . import common_load, contact_law, record, softening, vec3
from .layout import bone, candidate, clock, event_kind, history, out_row, pair, work_class


@inner
def crack(model, work, state, output):
    """Break the bones that reached their limits in the accepted step, and return whether a resistance fell [-]."""
    fell, last = False, -1
    for c in range(model.candidate.shape[0]):
        b, g = model.candidate[c, candidate.BONE], model.candidate[c, candidate.GROUP]
        if b < 0 or g == last or work.pair[c, pair.DEPTH] <= 0.0:
            continue
        last = g  # the first row in contact stands for its group
        force, elastic, depth = _group_load(model, work, state.memory, g)
        if state.bone[b, bone.BROKEN] == 0.0:
            if force < model.bone[b, bone.FORCE] and elastic < model.bone[b, bone.ELASTIC]:
                continue
            state.bone[b, bone.BROKEN], state.bone[b, bone.DEPTH] = g + 1.0, depth
            record.event(output, state.clock[clock.TIME], event_kind.FRACTURE, c, force)
        if state.bone[b, bone.BROKEN] != g + 1.0:
            continue
        over = depth - state.bone[b, bone.DEPTH]
        share = softening.left(over, model.bone[b, bone.WIDTH], model.bone[b, bone.LEAST])
        if share < state.bone[b, bone.SOUND]:
            _lose(model, work, state, b, state.bone[b, bone.SOUND] - share)
            state.bone[b, bone.SOUND], work.bone[b], fell = share, share, True
    return fell


@inner
def _group_load(model, work, memory, g):
    """Return the mean force [N] over the step, the force without damping [N] and the depth [m] of a group of pairs."""
    at = model.joint.shape[0] * (out_row.BODY + out_row.JOINT)
    total, elastic, depth, c = (0.0, 0.0, 0.0), 0.0, 0.0, g
    while c < model.candidate.shape[0] and model.candidate[c, candidate.GROUP] == g:
        if work.pair[c, pair.DEPTH] > 0.0:
            total = vec3.add(total, vec3.load_at(work.mean, at + out_row.PAIR * c))
            _, spring, _, _ = contact_law.normal_force(
                model.law_kind, model.law, model.candidate[c, candidate.LAW], model.table_start, model.table,
                work.pair[c, pair.DEPTH], 0.0, 0.0, 0.0, memory[c, history.PEAK_DEPTH],
            )  # fmt: skip
            elastic += work.pair[c, pair.LOAD_SHARE] * spring
            depth = max(depth, work.pair[c, pair.DEPTH])
        c += 1
    return vec3.norm(total), elastic, depth


@inner
def _lose(model, work, state, b, share):
    """Count a share [-] of the energy that the contacts of bone b store as dissipated, in the run and in each pair."""
    for c in range(model.candidate.shape[0]):
        if model.candidate[c, candidate.BONE] == b and work.pair[c, pair.DEPTH] > 0.0:
            part = share * work.pair[c, pair.LOAD_SHARE] * work.pair[model.candidate[c, candidate.GROUP], pair.COMMON]
            lost = part * common_load.pair_energy(model, work.pair, state.memory, c)
            state.now.work[work_class.CONTACT_ELASTIC] += lost
            state.now.work[work_class.CONTACT_DISSIPATED] -= lost
            state.memory[c, history.WORK] += lost
            state.memory[c, history.WORK + 1] -= lost
