#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: check-translations.sh SOURCE_FOLDER    Fails where translations/fleetwright_de.ts lacks a text of the sources or holds one
# that is used no longer (translations/update.py brings it up to date).
set -u
cd "$1" || exit 2
missing() { printf '%s is missing: the texts are not compared.\n' "$1"; exit 77; }
command -v python3 >/dev/null || missing python3
[ -x /usr/lib/qt6/bin/lupdate ] || command -v lupdate6 >/dev/null || command -v lupdate-qt6 >/dev/null || missing lupdate
PYTHONDONTWRITEBYTECODE=1 exec python3 translations/update.py --check
