#!/usr/bin/env bash
# Runs as root, once, when Gradescope builds the image. The versions stand in this file, because some tools that
# imitate Gradescope run it before they unpack the rest of the zip.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# Ubuntu's python3 comes without these two; both are needed for an environment that the system does not manage.
if ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3 python3-venv
fi
python3 -c 'import sys; sys.exit(sys.version_info < (3, 10) and "Python 3.10 or newer is needed: choose Ubuntu 22.04 or 24.04")'

python3 -m venv --clear "$here/venv"
"$here/venv/bin/python" -m pip install --quiet --no-input --disable-pip-version-check --only-binary=:all: \
    --requirement /dev/stdin <<'REQUIREMENTS'
@REQUIREMENTS@
REQUIREMENTS
chmod 0700 "$here"
