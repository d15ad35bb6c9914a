#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: check-layers.sh SOURCE_FOLDER    Fails when a layer includes one that it must not know, or speaks SQL outside storage.
set -u
cd "$1" || exit 2
faults=0
fault() { printf '%s\n' "$1"; faults=1; }

# layer: the layers that its files may include, itself among them
declare -A allowed=(
    [units]="units"
    [domain]="units domain"
    [solver]="units domain solver"
    [text]="units domain solver text"
    [exchange]="units domain solver text exchange"
    [storage]="units domain solver text exchange storage"
    [jobs]="units domain solver text exchange jobs"
    [itemmodels]="units domain solver text itemmodels"
    [charts]="units domain solver text exchange charts"
    [reports]="units domain solver text exchange charts reports"
    [outputs]="units domain solver text exchange charts reports outputs"
    [app]="units domain solver text exchange storage jobs itemmodels charts reports outputs app"
    [cli]="units domain solver text exchange storage charts reports outputs cli"
)
for layer in src/*/; do
    layer=$(basename "$layer")
    [ -n "${allowed[$layer]:-}" ] || { fault "src/$layer is not a known layer"; continue; }
    for other in "${!allowed[@]}"; do
        case " ${allowed[$layer]} " in *" $other "*) continue ;; esac
        found=$(grep -rnE "^#include \"$other/" "src/$layer" --include=*.h --include=*.cpp) && fault "$layer must not include $other:
$found"
    done
done
found=$(grep -rnE '^\s*#\s*include\s*[<"]Q' src/units src/domain src/solver) && fault "Qt in a plain layer:
$found"
found=$(grep -rnE 'QSqlQuery|QSqlDatabase|"(SELECT|INSERT INTO|UPDATE|DELETE FROM|PRAGMA) ' src --include=*.h --include=*.cpp | grep -v '^src/storage/') && fault "SQL outside storage:
$found"
found=$(grep -rnE 'QSaveFile|QTemporaryFile|ofstream|fopen\(|[fF]ile[A-Za-z]*\.open\(.*(WriteOnly|ReadWrite|Append)' src --include=*.h --include=*.cpp | grep -v '^src/exchange/savefile\.') && fault "Files are written by exchange::saveFile alone:
$found"
found=$(grep -rnE '^\s*#\s*include\s*<(nlohmann/|QJson)|\bQJson|nlohmann::' src/app src/itemmodels src/charts src/reports src/outputs) && fault "JSON behind the file border; ask src/exchange:
$found"
found=$(grep -rL 'SPDX-License-Identifier: GPL-3.0-or-later' src tests --include=*.h --include=*.cpp); [ -z "$found" ] || fault "No licence line:
$found"
exit $faults
