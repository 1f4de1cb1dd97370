import os

try:
    os.kill(-1, 9)
except OSError:
    pass
