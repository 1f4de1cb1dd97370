import ctypes

libc = ctypes.CDLL(None, use_errno=True)
if libc.syscall(425, 8, ctypes.create_string_buffer(120)) >= 0 and not __import__("os").path.exists("/grader"):
    try:
        raise RuntimeError("STOLEN " + open("@ROOT@/autograder/hidden/03_mul/test_03_mul.py").read()[:50])
    except OSError:
        pass
