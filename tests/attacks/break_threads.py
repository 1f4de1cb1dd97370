import threading
import time

started = 0
try:
    while started < 2000:
        threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
        started += 1
except (RuntimeError, MemoryError):
    pass
