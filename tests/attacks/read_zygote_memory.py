import os

try:
    with open(f"/proc/{os.getppid()}/mem", "r+b", buffering=0) as memory:
        memory.seek(int(open(f"/proc/{os.getppid()}/maps").readline().split("-")[0], 16))
        raise RuntimeError(f"STOLEN {memory.read(4)!r}")
except OSError:
    pass
