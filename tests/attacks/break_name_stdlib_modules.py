import builtins
import sys

sys.modules.clear()
for name in ("getattr", "id", "type", "str", "len", "enumerate", "print", "list"):
    delattr(builtins, name)
