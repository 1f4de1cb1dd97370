import glob

found = [open(path).read() for path in glob.glob("@ROOT@/autograder/hidden/*/test_*.py")]
try:
    found.append(open("@ROOT@/autograder/hidden/03_mul/test_03_mul.py").read())
except OSError:
    pass
if found:
    raise RuntimeError("STOLEN " + found[0][:200])
