import sys

sys.path[:0] = ["@ROOT@/solutions/03_mul", "@ROOT@/solutions", "@ROOT@", "@ROOT@/source/03_mul"]
name = "03_mul"
try:
    Value = __import__(name).Value
except ImportError:
    pass
try:
    import runpy

    Value = runpy.run_path("@ROOT@/solutions/03_mul/03_mul.py")["Value"]
except OSError:
    pass
