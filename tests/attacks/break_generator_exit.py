class Bad(BaseException):
    def __str__(self):
        raise SystemExit

    __repr__ = __str__



def stop(self, other):
    raise Bad()


Value.__add__ = Value.__mul__ = stop
