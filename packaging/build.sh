#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: build.sh PRESET [TARGET...]    Configures and builds a preset incrementally; prints only what failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=$1
shift
mkdir -p build
log=build/$preset.log
run() {
    if ! "$@" >"$log" 2>&1; then
        grep -E -A6 'error|Error|FAILED' "$log" | head -n 60 >&2 || true
        printf 'Failed: %s (the whole output is in %s)\n' "$*" "$PWD/$log" >&2
        exit 1
    fi
}
fresh=()
# A checkout that was moved or copied takes its build folder along, whose cache names the old place.
if [ -e "build/$preset/CMakeCache.txt" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "build/$preset/CMakeCache.txt"; then fresh=(--fresh); fi
run cmake "${fresh[@]}" --preset "$preset"
# A build of every target can meet half-gigabyte compilers; two per core would not fit small machines.
run cmake --build --preset "$preset" --parallel "$(nproc)" ${1:+--target "$@"}
