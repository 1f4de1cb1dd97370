import os
import sys

for command in (["/bin/sh", "-c", "echo STOLEN > @CLASS@/shell"], [sys.executable, "-c", "open('@CLASS@/shell', 'w').write('STOLEN')"]):
    try:
        os.posix_spawn(command[0], command, {})
    except OSError:
        pass
