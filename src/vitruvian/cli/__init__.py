"""The command line: one file a command. Everything heavy is imported when a command runs, so that help is quick.

Exit codes: 0 fine, 1 a run did not end well, a check failed or a file could not be written, 2 wrong input, 130 Ctrl-C.
No traceback unless --debug is given. With --json an error is a JSON object on the standard output as well.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence

from .app import app

#: imports make some 200,000 objects that stay: looking through them again and again is a tenth of a short command
_SELDOM = 50_000


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and exit with its exit code. `--debug` is accepted anywhere."""
    from . import screen

    gc.set_threshold(_SELDOM)
    _open_streams()
    words = list(sys.argv[1:] if arguments is None else arguments)
    screen.debug = "--debug" in words
    words = [word for word in words if word != "--debug"]
    try:
        code = app(args=words, prog_name="vitruvian", standalone_mode=False) or 0
    except Exception as error:
        if screen.debug:
            raise
        code = _refused(error, as_json="--json" in words)
    except KeyboardInterrupt:
        screen.complain("Interrupted.")
        code = 130
    reason = screen.flush()
    sys.exit(code if reason is None else code or 1)


def _refused(error: Exception, *, as_json: bool) -> int:
    """Print an error as a sentence, and as JSON where it is expected; return its exit code."""
    from ..errors import VitruvianError, shown
    from . import screen

    if isinstance(error, VitruvianError):
        message, code = str(error), error.exit_code
        screen.complain(message)
    elif hasattr(error, "format_message"):  # wrong usage, from the reader of the command line
        message, code = error.format_message(), getattr(error, "exit_code", 2)
        error.show()  # type: ignore[attr-defined]
    elif isinstance(error, OSError) and error.filename is not None:  # a path that the system does not take
        message, code = f"{shown(str(error.filename))} cannot be used ({error.strerror}). Choose another path.", 2
        screen.complain(message)
    else:
        message, code = f"An error inside Vitruvian: {type(error).__name__}: {error}", 1
        screen.complain(
            f"{message}\nThis is not your fault. Run the command again with --debug and report what it prints."
        )
    if as_json:
        screen.attempt([], "the JSON object", lambda: screen.print_json({"error": message, "exit_code": code}))
    return code


def _open_streams() -> None:
    """Make the streams take any text, and make a closed one fail when it is used instead of being absent."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDONLY), "w"))
        stream = getattr(sys, name)
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
