#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: install-dependencies.sh [test|package]    Installs what building and running Fleetwright needs, where it is
# missing; with "test" also what its tests need, with "package" what packing it needs. Debian 12 and Ubuntu 24.04 or later; does nothing when all is there. Needs root
# or sudo only when something has to be installed.
set -euo pipefail

packages=(
    g++ cmake ninja-build mold
    qt6-base-dev qt6-charts-dev libqt6opengl6-dev qt6-svg-dev qt6-translations-l10n
    libqt6sql6-sqlite libqt6svg6 qt6-qpa-plugins
    libsqlite3-dev libssl-dev nlohmann-json3-dev libyaml-cpp-dev libcli11-dev libtbb-dev libceres-dev libxlsxwriter-dev
    libqpdf-dev fonts-droid-fallback zlib1g-dev libbenchmark-dev fonts-dejavu-core
)
if [ "${1:-}" = test ]; then packages+=(poppler-utils qpdf mupdf-tools clang-format-14 strace desktop-file-utils appstream mandoc zsh fish qt6-l10n-tools python3 lintian dpkg-dev file); fi
if [ "${1:-}" = package ]; then packages+=(dpkg-dev file gzip); fi
# What a release may lack: mold links faster, the others are asked by tests that say so where they are missing.
optional=' mold clang-format-14 strace desktop-file-utils appstream mandoc zsh fish qt6-l10n-tools python3 lintian dpkg-dev file '

say() { printf '%s\n' "$*" >&2; }

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "This script knows apt only. Install the equivalents of: libboost-dev (1.81 or later) ${packages[*]}"
    # Go on: they may be there already, and CMake names what is not.
    exit 0
fi

installed() { [ "$(dpkg-query -W -f='${db:Status-Abbrev}' "$1" 2>/dev/null | cut -c1-2)" = ii ]; }

missing=()
for package in "${packages[@]}"; do
    installed "$package" || missing+=("$package")
done
# Debian 12 keeps Boost 1.81 in packages of its own name beside the default 1.74; later systems have a newer default.
boost_is_new_enough() { [ -e /usr/include/boost/version.hpp ] && [ "$(awk '$1=="#define" && $2=="BOOST_VERSION" {print $3}' /usr/include/boost/version.hpp)" -ge 108100 ]; }
boost_is_new_enough || missing+=(boost)
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { say "These packages are missing and there is neither root nor sudo to install them: ${missing[*]}"; exit 1; }
    sudo -v || { say "sudo did not grant root rights; ask an administrator to install: ${missing[*]}"; exit 1; }
    as_root=(sudo)
fi
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3)
log=$(mktemp)
trap 'rm -f "$log"' EXIT

say "Installing ${#missing[@]} missing packages: ${missing[*]}"
if ! "${apt[@]}" update >"$log" 2>&1; then
    tail -n 5 "$log" >&2
    say "The package lists could not be read; check the network and the apt sources."
    exit 1
fi
for i in "${!missing[@]}"; do
    if [[ $optional = *" ${missing[$i]} "* ]] && ! apt-cache show "${missing[$i]}" >/dev/null 2>&1; then
        say "This release has no ${missing[$i]}; going on without it."
        unset "missing[$i]"
    elif [ "${missing[$i]}" = boost ]; then
        if apt-cache show libboost1.81-dev >/dev/null 2>&1; then missing[i]=libboost1.81-dev; else missing[i]=libboost-dev; fi
    fi
done
[ ${#missing[@]} -gt 0 ] || exit 0
if ! "${apt[@]}" install --no-install-recommends "${missing[@]}" >"$log" 2>&1; then
    tail -n 15 "$log" >&2
    say "Installing the packages failed: ${missing[*]}"
    exit 1
fi
