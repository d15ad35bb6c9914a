#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: check-sources.sh SOURCE_FOLDER    Fails when a source is not formatted or grows beyond what can be read.
set -u
cd "$1" || exit 2
faults=0
fault() { printf '%s\n' "$1"; faults=1; }
mapfile -t sources < <(find src tests -name '*.cpp' -o -name '*.h' | sort)

# Text in raw strings stands as it is written elsewhere.
long=$(perl -CSD -ne '$raw = 1 if /R"/; print "$ARGV:$.\n" if !$raw && length > 121; $raw = 0 if /\)[A-Za-z]*"/; close ARGV if eof' "${sources[@]}")
[ -z "$long" ] || fault "Longer than 120 columns:
$long"
big=$(wc -l "${sources[@]}" | awk '$2 ~ /\.cpp$/ && $1 >= 500 { print $2 " has " $1 " lines" }')
[ -z "$big" ] || fault "500 lines or more; a part with a meaning of its own deserves a file:
$big"
window=src/app/mainwindow.cpp
[ "$(wc -l <$window)" -lt 450 ] || fault "$window has 450 lines or more"
[ "$(grep -c 'connect(' $window)" -le 30 ] || fault "$window has more than 30 connects"
lines() { find "$1" -name '*.cpp' -o -name '*.h' | xargs cat | wc -l; }
[ $((100 * $(lines tests/domain))) -ge $((35 * $(lines src/domain))) ] || fault "tests/domain has less than 0.35 of the lines of src/domain"

# Other versions break lines elsewhere.
format=$(command -v clang-format-14) || { printf 'clang-format-14 is missing: the format is not checked.\n'; exit $((faults ? faults : 77)); }
unformatted=$("$format" --dry-run "${sources[@]}" 2>&1 | grep -oE '^[^:]+:[0-9]+' | sort -u)
[ -z "$unformatted" ] || fault "Not as clang-format-14 writes it (clang-format-14 -i FILE):
$unformatted"
exit $faults
