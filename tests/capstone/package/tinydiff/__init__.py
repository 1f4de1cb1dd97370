from .core import Variable
from .layers import Dense, Net

__all__ = ["Dense", "Net", "Variable"]
