#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and opens Fleetwright on the sample project. Without a display it solves the sample project and
# writes its PDF report instead, and says where. Run it from anywhere, as often as you like.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
"$here/install-dependencies.sh"
"$here/build.sh" release fleetwright fleetwright-cli
cd "$here/.."
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    exec build/release/bin/fleetwright --sample "$@"
fi
out=build/sample
mkdir -p "$out"
rm -f "$out/sample.fleetwright" # an earlier run's copy; nobody edits it here
build/release/bin/fleetwright-cli project new "$out/sample.fleetwright" --sample >/dev/null
build/release/bin/fleetwright-cli report "$out/sample.fleetwright" -o "$out/sample-report.pdf" >/dev/null
echo "No display: the sample project was solved. Report: $PWD/$out/sample-report.pdf  Project: $PWD/$out/sample.fleetwright"
