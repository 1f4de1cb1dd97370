"""A grade as JSON, schema 1: every number finite, every text as it was."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ..gradcheck import written
from ..score import Score

SCHEMA = 1


def score_table(score: Score) -> dict[str, Any]:
    """The grade as plain JSON types."""
    return {
        "schema": SCHEMA,
        "assignment": score.assignment,
        "submission": score.submission,
        "seed": score.seed,
        "score": score.score,
        "max_score": score.max_score,
        "cells": [
            {"index": cell.index, "error": cell.error, "line": cell.line, "left_out": list(cell.left_out)}
            for cell in score.cells
            if cell.error or cell.left_out
        ],
        "parts": [{"part": part.part, "score": part.score, "max_score": part.max_score} for part in score.parts],
        "tests": [
            {
                "name": test.name,
                "title": test.title,
                "part": test.part,
                "score": test.score,
                "max_score": test.max_score,
                "status": test.status,
                "message": test.words,
                "misconception": asdict(test.finding) if test.finding else None,
                "smallest": written(test.smallest) if test.smallest else None,
            }
            for test in score.tests
        ],
        "sandbox": {"layers": list(score.sandbox.layers), "missing": sorted(score.sandbox.missing)},
        "seconds": score.seconds,
    }
