#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds everything and runs every test.
# usage: test.sh [PRESET]    release unless told otherwise; "asan" for the sanitizers, "ci" for warnings as errors
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
preset=${1:-release}
"$here/install-dependencies.sh" test
"$here/build.sh" "$preset"
cd "$here/.."
ctest --preset "$preset" --parallel "$(nproc)" --output-on-failure --progress
