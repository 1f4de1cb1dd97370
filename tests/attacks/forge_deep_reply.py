import os


class Value:
    def __init__(self, *_):
        reply = b'{"id": 2, "reads": ' + b'[' * 1_000_000 + b']' * 1_000_000 + b'}\n'
        while reply:
            reply = reply[os.write(3, reply) :]
        os._exit(0)
