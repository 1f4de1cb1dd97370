import math

if math.sqrt(4.0) != 2.0:
    raise RuntimeError("STOLEN math is the student's")
