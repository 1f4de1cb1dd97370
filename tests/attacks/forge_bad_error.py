import os


class Value:
    def __init__(self, *_):
        reply = b'{"id": 2, "error": {"type": 1, "frames": {}}}\n'
        while reply:
            reply = reply[os.write(3, reply) :]
        os._exit(0)
