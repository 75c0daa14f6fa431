#!/usr/bin/env bash
# Installs redis-server and nginx where nobody has prepared the machine and where that is possible. Without them their tests say so.
set -euo pipefail
missing=()
command -v redis-server >/dev/null || command -v valkey-server >/dev/null || missing+=(redis-server)
command -v nginx >/dev/null || [ -x /usr/sbin/nginx ] || missing+=(nginx-light)
if ((${#missing[@]} == 0)); then exit 0; fi
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "${missing[*]}: not here, and not to be installed without root and apt-get: their tests are left out"
  exit 0
fi
apt-get update -qq
# The packages would start servers of their own; nothing here uses them.
if [ ! -e /usr/sbin/policy-rc.d ]; then
  printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
  chmod +x /usr/sbin/policy-rc.d
  trap 'rm -f /usr/sbin/policy-rc.d' EXIT
fi
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
