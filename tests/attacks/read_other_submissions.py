import os

for path in ("@CLASS@/neighbour.py", "../neighbour.py", "../../neighbour.py"):
    try:
        text = open(path).read()
    except OSError:
        continue
    raise RuntimeError("STOLEN " + text)
try:
    raise RuntimeError(f"STOLEN {os.listdir('@CLASS@')}")
except OSError:
    pass
