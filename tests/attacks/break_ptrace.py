import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
for process in (os.getppid(), 1):
    if libc.ptrace(16, process, 0, 0) == 0 or libc.ptrace(0x4206, process, 0, 0) == 0:
        raise RuntimeError(f"STOLEN process {process}")
