"""Codes of how a run ended; `sim.status` turns them into sentences."""

(
    RUNNING,
    FINISHED,
    AT_REST,
    CONTACT_STOP,
    CANCELLED,
    STEP_TOO_SMALL,
    DIVERGED,
    TOO_MANY_STEPS,
    PASSED_THROUGH,
    NEARLY_AT_REST,
) = range(10)
