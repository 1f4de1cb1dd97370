import ctypes
import os

found = [f"{name}={value}" for name, value in os.environ.items()]
environ = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")
at = 0
while environ and environ[at]:
    found.append(environ[at].decode())
    at += 1
try:
    found += open("/proc/self/environ").read().split("\0")
except OSError:
    pass
secret = [word for word in found if word and not word.startswith("PYTHONHASHSEED") and word != "LC_CTYPE=C.UTF-8"]
if secret:
    raise RuntimeError(f"STOLEN {secret}")
