import os
import time

try:
    for _ in range(40):
        if os.fork() == 0:
            os.setsid()
            for _ in range(3):
                os.fork()
            time.sleep(600)
except OSError:
    pass
