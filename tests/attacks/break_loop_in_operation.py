def forever(self, other):
    while True:
        pass


Value.__mul__ = forever
