import os

os.write(3, b'{"id": 1, "printed": "", "failed": null}\n')
