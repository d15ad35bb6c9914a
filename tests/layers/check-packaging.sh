#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: check-packaging.sh SOURCE_FOLDER    Fails when a desktop could not read what is said to it, or opens files that the
# program does not take.
set -u
cd "$1/packaging" || exit 2
faults=0 missing=0
fault() { printf '%s\n' "$1"; faults=1; }
has() { command -v "$1" >/dev/null || { printf '%s is missing: a part is not checked.\n' "$1"; missing=1; return 1; }; }

id=org.fleetwright.Fleetwright
if has desktop-file-validate; then
    said=$(desktop-file-validate "$id.desktop" 2>&1)
    [ -z "$said" ] || fault "$said"
fi
grep -qx 'Exec=fleetwright %F' "$id.desktop" || fault "The program takes any number of files."
own=$(grep -oE 'mime-type type="[^"]+' "$id.mime.xml" | cut -d'"' -f2)
types=$(sed -n 's/^MimeType=//p' "$id.desktop")
for type in $own application/pdf application/x-yaml application/json text/csv; do
    case ";$types" in *";$type;"*) ;; *) fault "$type is not opened by a click." ;; esac
done
if has update-mime-database; then
    place=$(mktemp -d)
    mkdir "$place/packages"
    cp "$id.mime.xml" "$place/packages/"
    # It says, too, that nobody looks for types in such a folder.
    XDG_DATA_HOME=$place update-mime-database "$place" >"$place/said" 2>&1 || fault "$(cat "$place/said")"
    grep -qx "$own:\*.fleetwright" "$place/globs" || fault "Projects are not known by their name."
    rm -rf "$place"
fi
if has appstreamcli; then
    said=$(appstreamcli validate --no-net --no-color "$id.metainfo.xml" 2>&1) || fault "$said"
fi
# What software centres show stands in the source, in the size that is said, and nothing else does.
shown=$(grep -oE '/screenshots/[a-z]+\.png' "$id.metainfo.xml" | sed 's,.*/,,' | sort)
[ "$shown" = "$(cd screenshots && ls)" ] || fault "screenshots/ does not hold what $id.metainfo.xml names."
for picture in screenshots/*.png; do
    size=$(od -An -tu1 -j16 -N8 "$picture" | awk '{ print $3 * 256 + $4 "x" $7 * 256 + $8 }')
    [ "$size" = 1280x800 ] || fault "$picture is $size."
done
for script in *.sh; do bash -n "$script" || fault "$script cannot be read."; done
[ $faults -eq 0 ] && [ $missing -eq 1 ] && exit 77
exit $faults
