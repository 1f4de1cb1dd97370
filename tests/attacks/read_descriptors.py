import os

for descriptor in [*range(4, 2000)]:
    try:
        os.fstat(descriptor)
    except OSError:
        continue
    raise RuntimeError(f"STOLEN descriptor {descriptor}")
