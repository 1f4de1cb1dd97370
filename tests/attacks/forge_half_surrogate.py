import os


class Value:
    def __init__(self, *_):
        reply = b'{"id": 2, "error": {"type": "\\ud800", "text": "\\udfff", "missing": false, "late": false, "frames": []}}\n'
        while reply:
            reply = reply[os.write(3, reply) :]
        os._exit(0)
