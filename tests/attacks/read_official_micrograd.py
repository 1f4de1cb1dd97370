import sys

sys.path.insert(0, "@CLASS@/site")
try:
    from micrograd.engine import Value
except ImportError:
    pass
