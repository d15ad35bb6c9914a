#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: check-package.sh BUILD_FOLDER    Makes the Debian package of what is built there and fails when lintian finds an error
# in it, or when something is missing that people expect of a package.
set -u
for tool in cpack lintian dpkg-shlibdeps dpkg-deb file; do
    command -v $tool >/dev/null || { printf '%s is missing: the package is not checked.\n' $tool; exit 77; }
done
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
faults=0
fault() { printf '%s\n' "$1"; faults=1; }
if ! (umask 022 && cd "$1" && cpack -G DEB -B "$place") >"$place/log" 2>&1; then
    tail -n 20 "$place/log"
    exit 1
fi
package=$(echo "$place"/*.deb)
as_user=()
[ "$(id -u)" -ne 0 ] || as_user=(--allow-root)
said=$(lintian --fail-on error "${as_user[@]}" "$package" 2>&1) || fault "$said"
files=$(dpkg-deb -c "$package" | awk '{ print $6 }')
for file in bin/fleetwright bin/fleetwright-cli share/applications/org.fleetwright.Fleetwright.desktop \
    share/metainfo/org.fleetwright.Fleetwright.metainfo.xml share/mime/packages/org.fleetwright.Fleetwright.xml \
    share/icons/hicolor/scalable/apps/org.fleetwright.Fleetwright.svg share/man/man1/fleetwright.1.gz \
    share/man/man1/fleetwright-cli.1.gz share/man/man1/fleetwright-cli-solve.1.gz share/doc/fleetwright/copyright \
    share/doc/fleetwright/changelog.gz share/bash-completion/completions/fleetwright-cli \
    share/zsh/vendor-completions/_fleetwright-cli share/fish/vendor_completions.d/fleetwright-cli.fish; do
    grep -qxF "./usr/$file" <<<"$files" || fault "/usr/$file is not in the package."
done
strays=$(grep -vE '^\./(usr/(bin|share)?(/.*)?)?$' <<<"$files")
[ -z "$strays" ] || fault "This does not belong into the package: $strays"
[ "$(dpkg-deb -f "$package" Section)" = science ] || fault "The package has no section."
dpkg-deb -f "$package" Depends | grep -q 'libqt6widgets6.*' || fault "The package does not name the libraries it needs."
exit $faults
