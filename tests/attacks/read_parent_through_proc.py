import os

for process in {os.getppid(), 1, *range(2, 400)}:
    if process == os.getpid():
        continue
    for name in ("environ", "maps", "mem", "root/@ROOT@/autograder/hidden/03_mul/test_03_mul.py", "cwd/autograder/errors.py"):
        try:
            data = open(f"/proc/{process}/{name}", "rb").read(200)
        except OSError:
            continue
        if data and b"PYTHONHASHSEED=0" != data.rstrip(b"\0"):
            raise RuntimeError(f"STOLEN {process} {name} {data!r}")
