import os


class Value:
    def __init__(self, *_):
        reply = b'{"id": 2, "reads": [{"S": [' + b','.join(b'{"i": "%x"}' % (n * (2**61 - 1)) for n in range(100_000)) + b']}]}\n'
        while reply:
            reply = reply[os.write(3, reply) :]
        os._exit(0)
