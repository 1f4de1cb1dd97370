"""An auto-graded course in which students write micrograd themselves."""

__version__ = "0.1.0"
