#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Instructions per evaluation of the detailed model over the space of detailedspace.h: a measure that does not depend on the machine's load.
# usage: count-instructions.sh BUILD_FOLDER   (needs valgrind)
set -euo pipefail
walk=${1:?usage: count-instructions.sh BUILD_FOLDER}/bin/fleetwright-detailed-walk
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$walk" "$@" 2>&1 | sed -n 's/.*Collected *: *\([0-9]*\).*/\1/p'
}
layouts=$("$walk" --enumerate-only | sed 's/ .*//')
all=$(count)
enumeration=$(count --enumerate-only)
echo "$layouts layouts, $(((all - enumeration) / layouts)) instructions per evaluation"
