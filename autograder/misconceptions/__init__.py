"""Which known mistake explains what a submission answered. The catalogue stands in `catalogue`."""

from .naming import Diagnosis, diagnose, name_mistakes, says_all
from .shrink import smallest

__all__ = ["Diagnosis", "diagnose", "name_mistakes", "says_all", "smallest"]
