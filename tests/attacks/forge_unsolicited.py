import os
import threading
import time


def write():
    while True:
        time.sleep(0.001)
        os.write(3, b'{"id": 2, "reads": []}\n')


threading.Thread(target=write, daemon=True).start()
time.sleep(0.05)
