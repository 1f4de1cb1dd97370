import os

for number in (15, 9):
    try:
        os.kill(os.getppid(), number)
    except OSError:
        pass
