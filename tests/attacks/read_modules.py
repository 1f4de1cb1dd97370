import sys

found = [name for name in sys.modules if name.split(".")[0] in ("pytest", "_pytest", "autograder", "nbgrader", "pluggy")]
if found:
    raise RuntimeError(f"STOLEN {found}")
