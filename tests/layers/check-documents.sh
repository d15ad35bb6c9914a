#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# check-documents.sh ROOT: every relative link of the documents leads to a file and, behind a #, to a heading of it; every
# file or folder of this repository that they, the sources or the packaging name exists. Prints what does not.
set -u
root=$1
cd "$root" || exit 2
faults=0
fault() {
    echo "$1"
    faults=$((faults + 1))
}

# The anchor that a heading gets: lower case, no punctuation, hyphens for blanks.
anchors() {
    grep -E '^#+ ' "$1" | sed -E 's/^#+ +//; s/`//g' | tr '[:upper:]' '[:lower:]' | sed -E 's/[^a-z0-9 _-]//g; s/ /-/g'
}

documents=(README.md CHANGELOG.md database/README.md database/migrations/README.md)
while IFS= read -r page; do documents+=("$page"); done < <(find resources/handbook -name '*.md' -not -path '*/de/*' | sort) # those have the English anchors: tst_handbook

for document in "${documents[@]}"; do
    folder=$(dirname "$document")
    while IFS= read -r link; do
        case $link in http://* | https://* | mailto:*) continue ;; esac
        file=${link%%#*}
        target=$document
        [ -n "$file" ] && target=$folder/$file
        if [ ! -e "$target" ]; then
            fault "$document: the link to $link leads nowhere"
        elif [[ $link == *#* ]] && ! anchors "$target" | grep -qxF -- "${link#*#}"; then
            fault "$document: $target has no heading for $link"
        fi
    done < <(grep -oE '\]\([^)" ]+\)' "$document" | sed -E 's/^\]\(//; s/\)$//')
done

# A path that begins with one of our folders. Patterns (NNNN_what.sql, *.json) and what a build makes are not names.
while IFS=: read -r document path; do
    path=${path%%[.,;:]}
    [[ $path == *'*'* || $path == *NNNN* ]] && continue
    [ -e "$path" ] || fault "$document: there is no $path"
done < <({
    grep -oHE '(^|[ `(|])(src|tests|resources|packaging|database|ui)/[A-Za-z0-9_./*-]+' "${documents[@]}"
    grep -rohHE 'resources/handbook/[A-Za-z0-9_./-]+' src packaging tests ui CMakeLists.txt --exclude=check-documents.sh
} | sed -E 's/:[ `(|]/:/' | sort -u)

if [ "$faults" -gt 0 ]; then
    echo "$faults faults in the documents"
    exit 1
fi
