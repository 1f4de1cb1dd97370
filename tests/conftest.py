"""The option that writes the golden files anew."""

from __future__ import annotations

import pytest
from hypothesis import settings

# A shared machine is slow now and then; no test here is about time.
settings.register_profile("course", deadline=None)
settings.load_profile("course")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-golden", action="store_true", help="write tests/golden anew instead of comparing with it")
