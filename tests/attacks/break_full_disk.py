import itertools

for number in itertools.count():
    with open(f"fill-{number}", "wb") as stream:
        stream.write(b"x" * 1_000_000)
