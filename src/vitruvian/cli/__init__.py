"""The command line: one file a command. Everything heavy is imported when a command runs, so that help is quick.

Exit codes: 0 fine, 1 a run did not end well or a check failed, 2 wrong input. No traceback unless --debug is given.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence

from .app import app

#: imports make some 200,000 objects that stay: looking through them again and again is a tenth of a short command
_SELDOM = 50_000


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and leave with its exit code. `--debug` may stand anywhere."""
    from ..errors import VitruvianError

    gc.set_threshold(_SELDOM)
    words = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in words
    words = [word for word in words if word != "--debug"]
    try:
        app(args=words, prog_name="vitruvian")
    except VitruvianError as error:
        if debug:
            raise
        print(error, file=sys.stderr)
        sys.exit(error.exit_code)
    except Exception as error:
        if debug:
            raise
        print(
            f"An error inside Vitruvian: {type(error).__name__}: {error}\n"
            "This is not your fault. Run the command again with --debug and report what it prints.",
            file=sys.stderr,
        )
        sys.exit(1)
