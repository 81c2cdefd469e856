"""Every command has examples in its help, and the command line accepts each of them."""

import shlex

import pytest
from typer.main import get_command

from vitruvian.cli.app import COMMANDS, app
from vitruvian.cli.example import EXAMPLES

LINES = [(name, line) for name, lines in EXAMPLES.items() for line in lines]


def test_every_command_has_examples() -> None:
    """None is missing, none is of a command that is not there."""
    assert set(EXAMPLES) == set(COMMANDS)


@pytest.mark.parametrize(("name", "line"), LINES)
def test_an_example_is_read(name: str, line: str) -> None:
    """The words of an example fit the command: its options exist and its arguments are complete."""
    group = get_command(app)
    program, *words = shlex.split(line)
    assert program == "vitruvian" and words[0] == name
    with group.make_context("vitruvian", list(words)) as context:
        command = group.get_command(context, name)
        command.make_context(name, words[1:], parent=context)
