import socket

for family, kind, address in (
    (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", @PORT@)),
    (socket.AF_UNIX, socket.SOCK_STREAM, "@CLASS@/door"),
):
    try:
        with socket.socket(family, kind) as line:
            line.settimeout(2)
            line.connect(address)
            raise RuntimeError("STOLEN connected")
    except OSError:
        pass
