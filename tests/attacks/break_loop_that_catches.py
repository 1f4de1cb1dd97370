import time


class Value:
    def __init__(self, *_):
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass
