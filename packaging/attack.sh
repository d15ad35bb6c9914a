#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Tries to lose what people keep in projects: every fault, kill and hostile file of tests/faults, then each fuzzer, and
# prints what was tried and what was lost as the table of README.md. Takes hours; packaging/test.sh runs a part of it.
# usage: attack.sh [--minutes N] [--times N] [--jobs N] [--continue] [--fuzz | --no-fuzz] [PRESET]
# N minutes for each fuzzer, 10 unless told otherwise; N times the faults that packaging/test.sh tries instead of every
# one; N programs at once, as many as there are cores unless told otherwise.
# --continue takes up an attack that was interrupted: what was tried to its end without a loss is counted, not repeated.
# Without a compiler that fuzzes the fuzzers are left out, which is an error with --fuzz only.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
minutes=10 times=all jobs=$(nproc) again=yes fuzz=perhaps preset=release
while [ $# -gt 0 ]; do
    case $1 in
    --minutes)
        minutes=${2:?--minutes needs a number}
        shift
        ;;
    --times)
        times=${2:?--times needs a number}
        shift
        ;;
    --jobs)
        jobs=${2:?--jobs needs a number}
        shift
        ;;
    --continue) again=no ;;
    --fuzz) fuzz=yes ;;
    --no-fuzz) fuzz=no ;;
    -*)
        sed -n 's/^# usage: //p' "${BASH_SOURCE[0]}" >&2
        exit 2
        ;;
    *) preset=$1 ;;
    esac
    shift
done
for number in "$minutes" "$jobs" "${times/#all/1}"; do
    case $number in *[!0-9]* | '' | 0) printf '%s: “%s” is not a whole number above 0.\n' "$0" "$number" >&2; exit 2 ;; esac
done
cd "$here/.."
# The preset names the compiler; only Clang has libFuzzer.
compiler=$(sed -n '/"name": "fuzz"/,/}/s/.*"CMAKE_CXX_COMPILER": "\([^"]*\)".*/\1/p' CMakePresets.json | head -n 1)
if [ "$fuzz" != no ] && ! command -v "${compiler:=clang++}" >/dev/null; then
    printf 'There is no %s, with which the fuzzers are built: install the packages %s and libclang-rt-%s-dev.\n' \
        "$compiler" "${compiler/++/}" "${compiler##*-}" >&2
    [ "$fuzz" = perhaps ] || exit 1
    fuzz=no
fi
"$here/install-dependencies.sh" test
"$here/build.sh" "$preset"

log=build/attack
[ "$again" = no ] || rm -rf "$log" # what an earlier attack tried is not counted again
mkdir -p "$log"
find "$log" -name '*.failed' -delete
failed=0
export FLEETWRIGHT_FAULTS=$times QT_QPA_PLATFORM=offscreen LC_ALL=C.UTF-8
if [ "$fuzz" != no ]; then
    for step in "--preset fuzz" "--build --preset fuzz"; do
        # shellcheck disable=SC2086 # the words of a step
        if ! cmake $step >"$log/fuzz-build.log" 2>&1; then
            tail -n 15 "$log/fuzz-build.log" >&2
            printf 'The fuzzers could not be built (%s); nothing was fuzzed.\n' "$log/fuzz-build.log" >&2
            failed=1
            fuzz=no
            break
        fi
    done
fi

# One function of a test with one row of its data, so that many run at once and an interrupted attack goes on there.
fault_one() {
    local layer=$1 test=$2 part=$3 name
    name=$test-${part//[!a-zA-Z0-9]/-}
    [ ! -e "$log/$name.done" ] || return 0
    printf '%s, %s ...\n' "$test" "$part" >&2
    # QTest stops a function after five minutes unless it is told otherwise.
    if QTEST_FUNCTION_TIMEOUT=86400000 "build/$preset/tests/tests-$layer" "$test" "$part" -maxwarnings 0 \
        >"$log/$name.log" 2>&1; then
        touch "$log/$name.done"
    else
        touch "$log/$name.failed"
        printf '%s, %s lost something, see %s:\n' "$test" "$part" "$log/$name.log" >&2
        grep -A2 '^FAIL' "$log/$name.log" >&2 || tail -n 5 "$log/$name.log" >&2
    fi
}

fuzz_one() {
    local program=$1 target tried slow seeds=()
    target=$(basename "$program")
    target=${target#fuzz-}
    [ ! -e "$log/fuzz-$target.done" ] || return 0
    printf 'fuzzing %s for %s minutes ...\n' "$target" "$minutes" >&2
    mkdir -p "$log/corpus/$target" "$log/findings/$target"
    find "$log/findings/$target" -type f -delete # of an attempt that is made again
    [ ! -d "tests/fuzz/corpus/$target" ] || seeds=("tests/fuzz/corpus/$target")
    # Sanitizers slow an input down about five times: one that takes more than five seconds is measured in the program
    # as built, which allows it four of the processor. Only what does not end at all ends a fuzzer: by the clock, which
    # goes on while other programs have the processor.
    if ! "$program" -max_total_time=$((60 * minutes)) -timeout=300 -report_slow_units=5 -rss_limit_mb=4096 \
        -print_final_stats=1 -artifact_prefix="$log/findings/$target/" "$log/corpus/$target" \
        ${seeds[@]+"${seeds[@]}"} >"$log/fuzz-$target.log" 2>&1; then
        touch "$log/findings/$target.failed"
        printf 'fuzz-%s found something: %s\n' "$target" "$log/findings/$target" >&2
    fi
    for slow in "$log/findings/$target"/slow-unit-*; do
        [ -e "$slow" ] || continue
        if "build/$preset/tests/tests-fuzz" "$target" "$slow" >>"$log/slow-$target.txt" 2>&1; then
            rm "$slow"
        else
            touch "$log/findings/$target.failed"
            printf 'fuzz-%s takes too long: %s\n' "$target" "$slow" >&2
        fi
    done
    tried=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log/fuzz-$target.log")
    printf 'faults: fuzzing, %s: %s tried, %s lost\n' "$target" "${tried:-0}" \
        "$(find "$log/findings/$target" -type f | wc -l)" >>"$log/fuzz-$target.log"
    [ -e "$log/findings/$target.failed" ] || touch "$log/fuzz-$target.done"
}

wait_for_room() {
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n || true; done
}

for source in tests/faults/tst_*.cpp tests/storage/tst_durability.cpp; do
    layer=$(basename "$(dirname "$source")") test=$(basename "$source" .cpp)
    test=${test#tst_}
    # "Class function row", the row only where there is data
    while read -r _ function row; do
        wait_for_room
        fault_one "$layer" "$test" "$function${row:+:$row}" </dev/null &
    done < <("build/$preset/tests/tests-$layer" "$test" -datatags)
done
fuzzed=0
if [ "$fuzz" != no ]; then
    for program in build/fuzz/bin/fuzz-*; do
        [ -x "$program" ] || continue
        fuzzed=$((fuzzed + 1))
        wait_for_room
        fuzz_one "$program" &
    done
    if [ "$fuzzed" = 0 ]; then
        printf 'No fuzzer was built, so nothing was fuzzed.\n' >&2
        failed=1
    fi
fi
wait
findings=$(find "$log" -path "$log/findings/*.failed" | wc -l)
[ -z "$(find "$log" -name '*.failed')" ] || failed=1

# "faults: DANGER, WHAT: N tried, M lost", added up by danger in the order in which they come.
cat "$log"/*.log | awk '
    sub(/^.*faults: /, "") {
        split($0, parts, ", ")
        danger = parts[1]
        if (!(danger in tried)) order[++dangers] = danger
        match($0, /[0-9]+ tried/)
        tried[danger] += substr($0, RSTART) + 0
        match($0, /[0-9]+ lost/)
        lost[danger] += substr($0, RSTART) + 0
    }
    END {
        print "| Danger | Tried | Lost |"
        print "|---|---|---|"
        for (i = 1; i <= dangers; ++i) {
            printf "| %s | %d | %d |\n", order[i], tried[order[i]], lost[order[i]]
        }
    }' | tee "$log/table.md"
if ! grep -q '| [1-9][0-9]* | [0-9]* |$' "$log/table.md"; then
    printf 'Nothing was tried; see the logs in %s.\n' "$log" >&2
    failed=1
fi
[ "$fuzzed" = 0 ] || printf '%d fuzzers, %d minutes each, %d with findings.\n' "$fuzzed" "$minutes" "$findings" >&2
exit $failed
