#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs the Debian package on a bare Debian 12 made in a folder beside this system, runs the command line and the window
# there, removes the package and looks whether anything of it is left. Needs root, debootstrap and a mirror of Debian;
# about 2 GB in the temporary folder, which is kept for the next time.
# usage: bare-install.sh FILE.deb
set -euo pipefail
if [ $# -ne 1 ] || [ ! -f "$1" ]; then
    sed -n 's/^# usage: //p' "${BASH_SOURCE[0]}" >&2
    exit 2
fi
say() { printf '%s\n' "$*"; }
fail() {
    printf 'FAILED: %s\n' "$*" >&2
    exit 1
}
[ "$(id -u)" -eq 0 ] || fail "only root can install into a folder; run it with sudo."
command -v debootstrap >/dev/null || fail "debootstrap is missing; install it (apt install debootstrap)."
package=$(readlink -f "$1")
base=/var/cache/fleetwright-bare root=$base/root # where nobody else can put anything in the way
sources=/etc/apt/sources.list.d/debian.sources mirror=() # this system's, else debootstrap's own
if [ -e "$sources" ]; then mapfile -t mirror < <(awk '/^URIs:/ { print $2; exit }' "$sources"); fi
mkdir -p -m 0700 "$base"
if [ -L "$base" ] || [ "$(stat -c %u "$base")" != 0 ]; then fail "$base is not a folder of root; remove it."; fi
unmount() {
    for folder in dev proc; do
        if mountpoint -q "$root/$folder"; then umount "$root/$folder"; fi
    done
}
unmount
if [ ! -e "$base/base.tar" ]; then
    say "Making a bare Debian 12 ..."
    rm -rf --one-file-system "$root"
    if ! debootstrap --variant=minbase --include=ca-certificates bookworm "$root" "${mirror[@]}" >"$base/debootstrap.log" 2>&1; then
        tail -n 5 "$base/debootstrap.log" >&2
        fail "debootstrap (the whole output is in $base/debootstrap.log)"
    fi
    tar -C "$root" -cf "$base/base.tar.part" .
    mv "$base/base.tar.part" "$base/base.tar"
fi
rm -rf --one-file-system "$root"
mkdir -p "$root"
tar -C "$root" -xf "$base/base.tar"
# The network as this system has it: names, proxies, sources.
cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
cp -r /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/" 2>/dev/null || true
if [ -e "$sources" ]; then
    cp "$sources" "$root/etc/apt/sources.list.d/"
    : >"$root/etc/apt/sources.list"
fi
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
trap unmount EXIT
cp "$package" "$root/tmp/fleetwright.deb"
mapfile -t network < <(env | grep -iE '^(https?_proxy|no_proxy)=' || true)
log=$base/bare-install.log
: >"$log"
inside() {
    env -i HOME=/tmp/home PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "${network[@]}" \
        chroot "$root" bash -c "mkdir -p /tmp/home && cd /tmp/home && $1"
}
quietly() {
    if ! inside "$1" >>"$log" 2>&1; then
        tail -n 15 "$log" >&2
        fail "$1 (the whole output is in $log)"
    fi
}
listing() { (cd "$root" && find . -xdev \( -path ./proc -o -path ./dev -o -path ./tmp \) -prune -o -print | LC_ALL=C sort); }

quietly 'apt-get -q update'
listing >"$base/before"
quietly 'apt-get -q -y --no-install-recommends install /tmp/fleetwright.deb'
say "Installed: $(inside 'dpkg-query -W -f="\${Package} \${Version} \${Architecture}, \${Installed-Size} KiB" fleetwright')"
inside 'dpkg -L fleetwright' | LC_ALL=C sort >"$base/files"

say "$(inside 'fleetwright-cli --version')"
quietly 'fleetwright-cli project new sample.fleetwright --sample'
quietly 'fleetwright-cli project export sample.fleetwright -o documents'
inside 'fleetwright-cli solve documents/plan-*.yaml' >"$base/solved" 2>>"$log" || fail "solve of the sample's plans (see $log)"
say "Solved the sample's plans: $(grep -c . "$base/solved") lines"
quietly 'fleetwright-cli report sample.fleetwright -o report.pdf'
quietly 'test -s report.pdf'
status=0
inside 'QT_QPA_PLATFORM=offscreen timeout 20 fleetwright sample.fleetwright' >>"$log" 2>&1 || status=$?
[ $status -eq 124 ] || fail "the window ended by itself with $status (see $log)"
say "The window stood for 20 seconds, offscreen."

quietly 'apt-get -q -y purge fleetwright'
quietly 'apt-get -q -y autoremove --purge'
quietly 'apt-get -q clean'
if inside 'dpkg-query -W fleetwright' >/dev/null 2>&1; then fail "dpkg still knows the package."; fi
while read -r file; do
    if [ ! -d "$root$file" ] && [ -e "$root$file" ]; then fail "$file is left of the package."; fi
done <"$base/files"
listing >"$base/after"
# What other packages keep of having been there (caches, logs, alternatives) is theirs; nothing may carry our name.
if grep -i fleetwright "$base/after"; then fail "files of that name are left."; fi
say "Removed: nothing of it is left ($(LC_ALL=C comm -13 "$base/before" "$base/after" | grep -vc '^\./var/' || true) files of its dependencies outside /var)."
