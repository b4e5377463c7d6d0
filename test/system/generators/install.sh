#!/usr/bin/env bash
# Installs the generators, the packages of the programs, oasdiff, and Newman, outside the checkout. Installs nothing for a
# language that is missing.
set -euo pipefail
cd "$(dirname "$0")/packages"
folder=${GENERATORS_FOLDER:-${XDG_CACHE_HOME:-$HOME/.cache}/link-service/generators}
mkdir -p "$folder"

# install_part NAME FILE...: runs install_NAME if the files have changed since it last succeeded.
install_part() {
  local name=$1 hash
  shift
  hash=$(sha256sum ../install.sh "$@" | sha256sum)
  [ "$(cat "$folder/$name.installed" 2>/dev/null)" = "$hash" ] && return
  rm -rf "${folder:?}/$name" "$folder/$name.installed"
  if "install_$name"; then
    echo "$hash" >"$folder/$name.installed"
  else
    echo "Could not install the part $name. Its tests are skipped." >&2
  fi
}

install_java() {
  mvn --batch-mode --quiet dependency:copy-dependencies -DoutputDirectory="$folder/java" &&
    (cd "$folder/java" && sha256sum --check --quiet) <java.sha256
}

install_python() {
  python3 -m venv "$folder/python" &&
    "$folder/python/bin/pip" install --quiet --disable-pip-version-check --requirement requirements.txt
}

install_go() {
  GOBIN="$folder/go" go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 &&
    go mod download
}

install_oasdiff() {
  GOBIN="$folder/oasdiff" go install github.com/oasdiff/oasdiff@v1.37.0
}

install_typescript() {
  mkdir "$folder/typescript" &&
    cp package.json package-lock.json "$folder/typescript" &&
    npm ci --prefix "$folder/typescript" --ignore-scripts --no-audit --no-fund --loglevel=error
}

install_newman() {
  mkdir "$folder/newman" &&
    cp newman/package.json newman/package-lock.json "$folder/newman" &&
    npm ci --prefix "$folder/newman" --ignore-scripts --no-audit --no-fund --loglevel=error
}

install_part java pom.xml java.sha256 &
install_part python requirements.txt &
install_part go go.mod go.sum &
install_part oasdiff &
install_part typescript package.json package-lock.json &
install_part newman newman/package.json newman/package-lock.json &
wait
