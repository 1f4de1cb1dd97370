def stop(self, other):
    raise KeyboardInterrupt


Value.__add__ = Value.__mul__ = stop
