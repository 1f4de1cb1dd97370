"""Every command is documented, and every documented one exists."""

from __future__ import annotations

import re

from support import ROOT, autograder

from autograder.cli import COMMANDS


def test_every_command_is_in_the_docs() -> None:
    text = (ROOT / "docs" / "commands.md").read_text()
    documented = set(re.findall(r"^\| `autograder (\w+)", text, re.MULTILINE))
    assert documented == set(COMMANDS)


def test_help_has_a_line_for_every_command() -> None:
    shown = autograder("--help").stdout
    for command in COMMANDS:
        assert re.search(rf"^  {command}  +\w", shown, re.MULTILINE), command


def test_pages_that_are_linked_exist() -> None:
    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name} links to {link}"
