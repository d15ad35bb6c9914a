#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds everything and runs every test.
# usage: test.sh [PRESET...]    release unless told otherwise; "ci" for warnings as errors, "asan" for AddressSanitizer and
# UndefinedBehaviorSanitizer, "tsan" for ThreadSanitizer (the solvers); several one after the other
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# -gt 0 ] || set -- release
"$here/install-dependencies.sh" test
cd "$here/.."
for preset in "$@"; do
    [ $# -eq 1 ] || printf '%s:\n' "$preset"
    "$here/build.sh" "$preset"
    # ThreadSanitizer of GCC 12 cannot live with the address spaces that newer kernels deal out.
    fixed=()
    [ "$preset" != tsan ] || fixed=(setarch "$(uname -m)" --addr-no-randomize)
    "${fixed[@]}" ctest --preset "$preset" --parallel "$(nproc)" --output-on-failure --progress
done
