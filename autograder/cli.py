"""The `autograder` command: finds the subcommand, and turns the kinds of fault into one line and an exit code."""

from __future__ import annotations

import importlib

import click
from rich.console import Console
from rich.text import Text

from .errors import CourseError, GraderError, InputError
from .report.terminal import visible

INPUT_EXIT, GRADER_EXIT = 2, 3
COMMANDS = ("new", "check", "watch", "hint", "demo", "build", "grade", "batch", "report", "gradescope")


class Commands(click.Group):
    """Loads one command's module at a time, and ends every known fault with one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        found: click.Command = importlib.import_module(f".commands.{cmd_name}", __package__).command
        return found

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except InputError as error:
            say(str(error))
            ctx.exit(INPUT_EXIT)
        except CourseError as error:
            say(f"a file of the course is at fault: {error}")
            ctx.exit(GRADER_EXIT)
        except GraderError as error:
            say(f"the grader itself failed, so there is no score: {error}")
            ctx.exit(GRADER_EXIT)


def say(message: str) -> None:
    """One line on standard error."""
    Console(stderr=True, soft_wrap=True).print(Text(f"autograder: {visible(' '.join(message.split()))}"))


@click.group(cls=Commands)
@click.version_option(package_name="autograder", message="%(version)s")
def main() -> None:
    """Grade and check the micrograd course's assignments."""
