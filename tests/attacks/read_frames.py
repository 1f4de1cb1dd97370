import sys


def search():
    frame, seen = sys._getframe(), []
    while frame is not None:
        for table in (frame.f_locals, frame.f_globals):
            seen += [name for name in table if name in ("exercise", "outcomes", "expected", "assert_gradients", "Exercise", "grading")]
        frame = frame.f_back
    return seen


class Spy:
    def __get__(self, instance, owner):
        if search():
            raise RuntimeError(f"STOLEN {search()}")
        return 1.0


if search():
    raise RuntimeError(f"STOLEN {search()}")
