#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the Debian package and the archive (.tar.gz) and has them judged by desktop-file-validate, appstreamcli and
# lintian, where these are installed. Says where the files are.
# usage: deb.sh [PRESET]    release unless told otherwise
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
preset=${1:-release}
if [ "${preset#-}" != "$preset" ]; then
    sed -n 's/^# usage: //p' "${BASH_SOURCE[0]}" >&2
    exit 2
fi
cd "$here/.."
"$here/install-dependencies.sh" package
"$here/build.sh" "$preset" fleetwright fleetwright-cli manuals
build=$PWD/build/$preset
log=$build/packages.log
rm -rf "$build/packages"
for kind in DEB TGZ; do
    if ! (umask 022 && cd "$build" && cpack -G "$kind") >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        printf 'cpack made no %s (the whole output is in %s)\n' "$kind" "$log" >&2
        exit 1
    fi
done
rm -rf "$build/packages/_CPack_Packages"
faults=0
judge() {
    if ! command -v "$1" >/dev/null; then
        printf '%s is not installed; going on without its verdict.\n' "$1" >&2
    elif ! "$@"; then
        faults=1
    fi
}
judge desktop-file-validate "$here/org.fleetwright.Fleetwright.desktop"
judge appstreamcli validate --no-net --no-color "$here/org.fleetwright.Fleetwright.metainfo.xml"
as_user=()
if [ "$(id -u)" -eq 0 ]; then as_user=(--allow-root); fi
judge lintian --fail-on error "${as_user[@]}" "$build"/packages/*.deb
printf '%s\n' "$build"/packages/*.deb "$build"/packages/*.tar.gz
exit $faults
