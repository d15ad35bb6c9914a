#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# From an empty start to a decided fleet and a board report as PDF, in the program itself: once with the mouse alone, once
# with the keyboard alone. The display is a virtual one with a small window manager, the home is empty, the events are
# real; each step is kept as a picture. Fails with the first step that does not happen.
# usage: journey.sh FOLDER [PRESET]    FLEETWRIGHT_WINDOW: a program that is built already
# Exit status 77: what it needs is not there (Xvfb, openbox, xdotool, ImageMagick, at-spi2-core, python3-dbus, pdftotext).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [ $# -lt 1 ] || [ "${1#-}" != "$1" ]; then
    sed -n 's/^# usage: //p' "${BASH_SOURCE[0]}" >&2
    exit 2
fi
for tool in Xvfb openbox xdotool import dbus-run-session pdftotext python3; do
    command -v "$tool" >/dev/null || { printf 'There is no %s; the journeys are left out.\n' "$tool" >&2; exit 77; }
done
# The system's own, which has the distribution's modules, whatever comes first in the path.
python=/usr/bin/python3
if ! "$python" -c 'import dbus' 2>/dev/null || ! [ -e /usr/share/dbus-1/services/org.a11y.Bus.service ]; then
    printf 'There is no python3-dbus or at-spi2-core; the journeys are left out.\n' >&2
    exit 77
fi
mkdir -p "$1"
folder=$(cd "$1" && pwd) preset=${2:-release}
program=${FLEETWRIGHT_WINDOW:-}
if [ -z "$program" ]; then
    cd "$here/.."
    "$here/install-dependencies.sh"
    "$here/build.sh" "$preset" fleetwright
    program=$PWD/build/$preset/bin/fleetwright
fi

home=$(mktemp -d)
started=()
finish() {
    for process in "${started[@]}"; do kill "$process" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$home"
}
trap finish EXIT

Xvfb -displayfd 3 -screen 0 1600x1000x24 -nolisten tcp 3>"$home/display" >/dev/null 2>&1 &
started+=($!)
for _ in $(seq 100); do [ -s "$home/display" ] && break; sleep 0.1; done
[ -s "$home/display" ] || { printf 'Xvfb did not start.\n' >&2; exit 1; }
DISPLAY=:$(cat "$home/display")
export DISPLAY LC_ALL=C.UTF-8 QT_QPA_PLATFORM=xcb QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1 HOME=$home XDG_RUNTIME_DIR=$home/run
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME XDG_STATE_HOME XDG_CURRENT_DESKTOP WAYLAND_DISPLAY
mkdir -m 700 "$home/run"
openbox >/dev/null 2>&1 &
started+=($!)
for kind in mouse keyboard; do
    export HOME=$home/$kind
    mkdir -p "$HOME/Documents"
    dbus-run-session -- "$python" "$here/journey.py" "$kind" "$program" "$folder"
done
