"""Bones that break under a contact. SI units.

A bone is whole until the normal force on its shape, or the force without damping that belongs to a deflection, reaches
a limit in an accepted step. From then on the resistance of every contact of the shape is multiplied by a share that
falls from 1 to the least one while the contact gets deeper: memory, constant during a step. The energy that the
contacts lose with it is dissipated. The law of the fall is that of joints (`softening`).
"""

from .._jit import inner
from . import common_load, contact_law, record, softening
from .layout import bone, candidate, clock, event_kind, history, pair, work_class


@inner
def crack(model, work, state, output):
    """Break the bones that reached their limits in the accepted step, and return the most that a share fell [-]."""
    fell, last = 0.0, -1
    for c in range(model.candidate.shape[0]):
        b, g = model.candidate[c, candidate.BONE], model.candidate[c, candidate.GROUP]
        if b < 0 or g == last:
            continue
        if work.pair[c, pair.DEPTH] > 0.0:
            last = g  # the first row in contact stands for its group
            fell = max(fell, _load(model, work, state, output, c, b, g))
    return fell


@inner
def _load(model, work, state, output, c, b, g):
    """Load bone b by the group g of pair c: break it at its limit, lower its share, and return by how much [-]."""
    force, elastic, before, depth = _group_load(model, work, state.memory, g)
    load = max(force / model.bone[b, bone.FORCE], elastic / model.bone[b, bone.ELASTIC])
    if state.bone[b, bone.BROKEN] == 0.0:
        last = state.bone[b, bone.LOAD]
        state.bone[b, bone.LOAD] = max(last, load)  # vault and face load one skull
        if load < 1.0:
            return 0.0
        # where the limit was passed between the two steps
        share = max(0.0, 1.0 - last) / (load - last) if load > last else 1.0
        state.bone[b, bone.BROKEN], state.bone[b, bone.DEPTH] = g + 1.0, before + share * (depth - before)
        time = state.clock[clock.TIME] - (1.0 - share) * state.clock[clock.LAST_STEP]
        record.event(output, time, event_kind.FRACTURE, c, force / load)
    if state.bone[b, bone.BROKEN] != g + 1.0:
        return 0.0
    share = softening.left(depth - state.bone[b, bone.DEPTH], model.bone[b, bone.WIDTH], model.bone[b, bone.LEAST])
    fell = state.bone[b, bone.SOUND] - share
    if fell <= 0.0:
        return 0.0
    _lose(model, work, state, b, fell)
    state.bone[b, bone.SOUND], work.bone[b] = share, share
    return fell


@inner
def _group_load(model, work, memory, g):
    """Return normal force [N], force without damping [N], depth before the step [m] and depth [m] of a group."""
    force, elastic, before, depth, c = 0.0, 0.0, 0.0, 0.0, g
    while c < model.candidate.shape[0] and model.candidate[c, candidate.GROUP] == g:
        if work.pair[c, pair.DEPTH] > 0.0:
            slope = work.pair[c, pair.SLOPE]
            whole, spring, _, _ = contact_law.normal_force(
                model.law_kind, model.law, model.candidate[c, candidate.LAW], model.table_start, model.table,
                work.pair[c, pair.DEPTH], slope * work.pair[c, pair.RATE], memory[g, history.ONSET_SPEED],
                memory[g, history.IMPACT_SPEED], memory[c, history.PEAK_DEPTH],
            )  # fmt: skip
            force += slope * work.pair[c, pair.LOAD_SHARE] * whole
            elastic += slope * work.pair[c, pair.LOAD_SHARE] * spring
            before = max(before, work.pair[c, pair.DEPTH_BEFORE])
            depth = max(depth, work.pair[c, pair.DEPTH])
        c += 1
    left = max(0.0, work.pair[g, pair.COMMON])
    return left * force, left * elastic, before, depth


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
