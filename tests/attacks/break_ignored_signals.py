import signal
import time

for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
signal.signal = signal.setitimer = lambda *args: None
while True:
    time.sleep(3600)
