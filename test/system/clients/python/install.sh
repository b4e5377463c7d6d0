#!/usr/bin/env bash
# Installs the packages that build, run and check the Python client, outside the checkout.
set -euo pipefail
cd "$(dirname "$0")"
folder=${PYTHON_CLIENT_FOLDER:-${XDG_CACHE_HOME:-$HOME/.cache}/link-service/python-client}
hash=$(sha256sum requirements.txt install.sh | sha256sum)
[ "$(cat "$folder/installed" 2>/dev/null)" = "$hash" ] && exit

rm -rf "$folder"
mkdir -p "$folder"
if python3 -m venv "$folder/venv" &&
  "$folder/venv/bin/pip" install --quiet --disable-pip-version-check --requirement requirements.txt; then
  echo "$hash" >"$folder/installed"
else
  echo "Could not install the packages of the Python client. Its tests are skipped." >&2
fi
