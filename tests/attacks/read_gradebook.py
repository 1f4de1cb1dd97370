import os

for path in ("@CLASS@/gradebook.db", "@ROOT@/gradebook.db", "../gradebook.db"):
    for flags in (os.O_RDWR, os.O_RDONLY, os.O_WRONLY | os.O_APPEND):
        try:
            descriptor = os.open(path, flags)
        except OSError:
            continue
        if flags != os.O_RDONLY:
            os.write(descriptor, b"UPDATE grade SET manual_score = 100")
        raise RuntimeError("STOLEN " + path)
