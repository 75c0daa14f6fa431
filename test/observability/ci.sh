#!/usr/bin/env bash
# Installs Prometheus where nobody has prepared the machine and where that is possible. Without it the tests that need it say so.
set -euo pipefail
if command -v prometheus >/dev/null && command -v promtool >/dev/null; then exit 0; fi
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo 'there is no Prometheus here, and it cannot be installed without root and apt-get: its tests are left out'
  exit 0
fi
apt-get update -qq
# The package would start a server of its own; nothing here uses it.
mkdir -p /usr/sbin
if [ ! -e /usr/sbin/policy-rc.d ]; then
  printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
  chmod +x /usr/sbin/policy-rc.d
  trap 'rm -f /usr/sbin/policy-rc.d' EXIT
fi
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends prometheus
