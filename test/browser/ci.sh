#!/usr/bin/env bash
# The tests of the dashboard where nobody has prepared the machine: installs Chromium, where that is possible, and runs them.
# Where it is not, one line says what is missing.
set -euo pipefail
cd "$(dirname "$0")/../.."
has_chromium() { node -e "process.exit(require('./test/browser/find-chromium.js').findChromium() ? 0 : 1)"; }

if ! has_chromium; then
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo 'test:browser was left out: there is no Chromium here, and it cannot be installed without root and apt-get'
    exit 0
  fi
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core
fi
npm run test:browser
