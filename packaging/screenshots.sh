#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Pictures of every page of every sample, light and dark, at 1280x800, 1920x1080 and 1280x800 at 200 %, and for each a sheet
# of all pages ("... all.png"), made without a display. Says what is cut off, unnamed or hard to read on them.
# With --metainfo only the few that software centres show, which stand in packaging/screenshots and are named in
# org.fleetwright.Fleetwright.metainfo.xml.
# usage: screenshots.sh FOLDER|--metainfo [PRESET]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
metainfo=no
if [ "${1:-}" = --metainfo ]; then
    metainfo=yes
    shift
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    set -- "$folder" "$@"
fi
if [ $# -lt 1 ] || [ "${1#-}" != "$1" ]; then
    sed -n 's/^# usage: //p' "${BASH_SOURCE[0]}" >&2
    exit 2
fi
mkdir -p "$1"
folder=$(cd "$1" && pwd) preset=${2:-release} faults=0
cd "$here/.."
"$here/install-dependencies.sh" test
"$here/build.sh" "$preset" tests-app
export FLEETWRIGHT_SCREENSHOTS=$folder QT_QPA_PLATFORM=offscreen LC_ALL=C.UTF-8 # in the language that FLEETWRIGHT_LANGUAGE names
if [ $metainfo = yes ]; then
    QTEST_FUNCTION_TIMEOUT=86400000 "build/$preset/tests/tests-app" everypage "pages:decision, light" -maxwarnings 0 \
        >"$folder/log" 2>&1 </dev/null || { tail -n 20 "$folder/log" >&2; exit 1; }
    for page in decide plans compare validation; do
        cp "$folder/decision 1280x800 at 100 %, light, $page.png" "packaging/screenshots/$page.png"
    done
    exit 0
fi
while read -r size scale; do
    printf '%s at %s times ...\n' "$size" "$scale" >&2
    log="$folder/faults, $size at $scale times.txt"
    # QTest stops a function after five minutes unless it is told otherwise.
    if ! FLEETWRIGHT_SCREEN=$size QT_SCALE_FACTOR=$scale QTEST_FUNCTION_TIMEOUT=86400000 \
        "build/$preset/tests/tests-app" everypage -maxwarnings 0 >"$log" 2>&1 </dev/null; then
        faults=1
        sed -n '/propagateSizeHints/d; s/^QWARN *: TestEveryPage::pages//p' "$log"
    fi
done <<'SIZES'
1280x800 1
1920x1080 1
1280x800 2
SIZES
printf '%s pictures in %s\n' "$(find "$folder" -name '*.png' | wc -l)" "$folder"
exit $faults
