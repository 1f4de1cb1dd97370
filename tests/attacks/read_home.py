import os

for path in ("@CLASS@/home/.netrc", "/root/.bash_history", "/root/.ssh/id_rsa", "/root/.bashrc", "/etc/passwd", "/etc/shadow"):
    try:
        text = open(os.path.expanduser(path)).read()
    except OSError:
        continue
    raise RuntimeError("STOLEN " + text[:100])
for folder in ("/root", "/home", "@CLASS@/home"):
    try:
        names = os.listdir(folder)
    except OSError:
        continue
    if names:
        raise RuntimeError(f"STOLEN {names}")
