#!/usr/bin/env bash
# Installs helm and kubeconform from their Go modules, outside the checkout, in a few minutes. Does nothing without Go.
# .ci/run does not need them, because it tests the kept manifests.
set -euo pipefail
cd "$(dirname "$0")"
folder=${XDG_CACHE_HOME:-$HOME/.cache}/link-service/helm
hash=$(sha256sum install.sh)
[ "$(cat "$folder/installed" 2>/dev/null)" = "$hash" ] && exit
command -v go >/dev/null || {
  echo "Could not install helm, because Go is missing. The tests in rendering.spec.ts are skipped." >&2
  exit
}
rm -rf "$folder"
mkdir -p "$folder"
GOBIN=$folder go install github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0
GOBIN=$folder go install helm.sh/helm/v3/cmd/helm@v3.20.2
echo "$hash" >"$folder/installed"
