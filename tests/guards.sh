#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Breaks each guard of storage, exchange and limits in turn, in a copy of the tree, and watches whether a test notices.
# usage: guards.sh [WORD...]    only guards whose name holds one of the words; else all, which takes hours
#        guards.sh --list       their names
#        guards.sh --check      whether the text of each still stands in its file once; nothing is built
#   BUILD_PRESET=dev     preset of the copy's build
#   GUARDS_FOLDER=...    where the copy and its build are kept, so that the next time only what changed is built
# Exit status 1 when a guard is gone from the source or no test noticed that it was broken.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
place=${GUARDS_FOLDER:-$here/build/guards}
preset=${BUILD_PRESET:-dev}

# name | file | text | text that breaks it | test programs and tests that must notice, any of them
guards=(
'synchronous off|src/storage/database.cpp|PRAGMA synchronous = EXTRA|PRAGMA synchronous = OFF|tests-faults databasefaults'
'synchronous without the folder|src/storage/database.cpp|PRAGMA synchronous = EXTRA|PRAGMA synchronous = FULL|tests-faults databasefaults'
'foreign keys off|src/storage/database.cpp|PRAGMA foreign_keys = ON"_s, u"PRAGMA trusted|PRAGMA foreign_keys = OFF"_s, u"PRAGMA trusted|tests-storage connection'
'schema trusted|src/storage/database.cpp|PRAGMA trusted_schema = OFF|PRAGMA trusted_schema = ON|tests-storage connection'
'cells unchecked|src/storage/database.cpp|PRAGMA cell_size_check = ON|PRAGMA cell_size_check = OFF|tests-storage connection'
'temporary files|src/storage/database.cpp|PRAGMA temp_store = MEMORY|PRAGMA temp_store = FILE|tests-storage connection'
'not defensive|src/storage/database.cpp|SQLITE_DBCONFIG_DEFENSIVE, 1|SQLITE_DBCONFIG_DEFENSIVE, 0|tests-storage connection'
'values of any length|src/storage/database.cpp|SQLITE_LIMIT_LENGTH, longestValue|SQLITE_LIMIT_LENGTH, 1000000000|tests-storage opening'
'deferred transactions|src/storage/database.cpp|BEGIN IMMEDIATE|BEGIN|tests-storage connection'
'transactions not rolled back|src/storage/database.cpp|u"ROLLBACK"_s|u"COMMIT"_s|tests-storage project'
'journal kept|src/storage/projectopening.cpp|PRAGMA journal_mode = DELETE|PRAGMA journal_mode = MEMORY|tests-faults databasefaults'
'other program|src/storage/projectopening.cpp|!= projectApplicationId)|!= projectApplicationId \&\& false)|tests-storage opening'
'newer version|src/storage/projectopening.cpp|if (version > newest)|if (version > newest + 100)|tests-storage opening'
'no version|src/storage/projectopening.cpp|if (version < 1)|if (version < -1)|tests-storage opening'
'damage before a migration|src/storage/projectopening.cpp|if (*damage != QStringList{u"ok"_s})|if (false)|tests-storage damagedformer'
'backup before a migration|src/storage/projectopening.cpp|auto kept = keepVersion(*project.database, u"before format %1"_s.arg(steps.size() + 1))|auto kept = Expected<QString>()|tests-storage migration'
'orphans|src/storage/projectopening.cpp|SELECT DISTINCT \"table\" FROM pragma_foreign_key_check|SELECT 1 WHERE 0|tests-storage exactschema'
'triggers, views and tables|src/storage/schema.cpp|if (type != "table"_L1 \|\| !fresh->contains(name))|if (false)|tests-storage opening tests-storage exactschema'
'differences of the schema|src/storage/projectopening.cpp|add(difference);|static_cast<void>(difference);|tests-storage exactschema'
'digests on opening|src/storage/project.cpp|auto altered = findAltered(*priv->database);|auto altered = Expected<std::vector<Error>>();|tests-storage digests'
'digests of a check|src/storage/projectcheck.cpp|auto altered = findAltered(*d->database);|auto altered = Expected<std::vector<Error>>();|tests-storage digests'
'lock of the kernel|src/storage/projectlock.cpp|done = ::fcntl(descriptor, F_OFD_SETLK, \&lock);|done = descriptor < 0 ? 1 : 0;|tests-storage projectlock'
'file that has gone|src/storage/projectopening.cpp|if (!isCopy \&\& !file->isAt(database->path()))|if (false)|tests-storage recovery'
'journal of other files|src/storage/projectopening.cpp|namesFurtherFile(journal.readAll()))|namesFurtherFile(journal.readAll()) \&\& false)|tests-storage recovery'
'orphans of a migration|src/storage/schema.cpp|if (!orphans->isEmpty())|if (false)|tests-storage migration'
'migration by a reader|src/storage/projectopening.cpp|if (!project.readOnlyReason.isEmpty())|if (false)|tests-storage readingformer'
'versions pruned before the change|src/storage/projectprivate.h|if (result \&\& keepsVersions)|if (keepsVersions)|tests-storage versions'
'versions that can be written|src/storage/versions.cpp|.permissions() \& reading)|.permissions())|tests-storage versions'
'versions open for writing|src/storage/projectopening.cpp|if (isVersion(path)) {|if (false) {|tests-storage versions'
'version that somebody has open|src/storage/versions.cpp|if (!file \|\| isInUse(**file))|if (!file)|tests-storage versions'
'version of another project restored|src/storage/projectversions.cpp|if (isOfAnother(*d->database, path))|if (false)|tests-storage versions'
'version of another project removed|src/storage/versions.cpp|return identityIn(folder.filePath(name)) != mine;|return name.isEmpty();|tests-storage versions'
'new project under somebody|src/storage/projectopening.cpp|if (state == ProjectLock::State::HeldElsewhere|if (false|tests-storage opening'
'indexes of a check|src/storage/projectcheck.cpp|PageCheck::WithIndexes|PageCheck::Quick|tests-storage exactschema'
'hidden characters that are typed|src/storage/projectprivate.h|if (auto typed = checkSaved(saved); !typed)|if (auto typed = Expected<void>(); !typed)|tests-storage documents'
'read back before saving|src/storage/documenttables.cpp|if (!(*back == document))|if (false)|tests-storage decisions'
'read before saving|src/storage/documenttables.cpp|if (!back)|if (false)|tests-storage documents'
'names of any length|src/storage/documenttables.cpp|if ((document.*Kept<Document>::name).size() > longestName)|if (false)|tests-storage documents'
'saving runs not cancelled|src/storage/runswriter.cpp|if (watching.stop.stop_requested())|if (false)|tests-storage manymeasuredruns'
'any number of runs|src/storage/runswriter.cpp|if (*present + added <= mostProjectRuns)|if (true)|tests-storage manymeasuredruns'
'stored runs of any kind|src/exchange/storedruns.cpp|m_right = m_right \&\& (value.kind == kind|m_right = m_right \&\& (value.kind != kind|tests-exchange manyruns'
'heads that share unevenly|src/exchange/huggingfaceshape.cpp|if (m_shape.heads % m_shape.kvHeads != 0) {|if (false) {|tests-exchange huggingfacerefusals'
'two names of one size|src/exchange/huggingfaceconfig.cpp|if (stated \&\& result \&\& *stated != *result)|if (false)|tests-exchange huggingfacerefusals'
'experts that nobody counts|src/exchange/huggingfaceshape.cpp|value->get<double>() > 0 \&\& !belongs)|value->get<double>() < 0)|tests-exchange huggingfacerefusals'
'layer types of another number|src/exchange/huggingfaceshape.cpp|if (types.size() != m_shape.layers.size()) {|if (types.size() > m_shape.layers.size()) {|tests-exchange huggingfacerefusals'
'sizes of any width|src/domain/transformershape.cpp|rules::mostOfAnything : 1e6;|rules::mostOfAnything : 1e9;|tests-domain transformershape'
'result of no plan|src/storage/documenttables.cpp|u"SELECT count(*) FROM plan WHERE id = ?"_s, {plan}|u"SELECT 1 + count(*) FROM plan WHERE id = ?"_s, {plan}|tests-storage project'
'copy over a project|src/storage/project.cpp|if (auto free = exchange::checkNoProject(path); !free)|if (auto free = exchange::checkNoProject(path); false)|tests-storage project'
'copy beside a journal|src/storage/project.cpp|if (auto free = checkNoJournal(path); !free)|if (auto free = checkNoJournal(path); false)|tests-storage damagedformer'
'new project beside a journal|src/storage/files.cpp|if (QFileInfo::exists(journalOf(path)))|if (false)|tests-storage opening'
'new project over a file|src/storage/files.cpp|if (info.exists() \|\| info.isSymLink())|if (false)|tests-storage project'
'file not synced|src/exchange/savefile.cpp|::fsync(descriptor) == 0|descriptor >= 0|tests-faults databasefaults tests-faults filefaults'
'file over a project|src/exchange/savefile.cpp|if (auto free = checkNoProject(path); !free)|if (auto free = checkNoProject(path); false)|tests-exchange savefile'
'named like a project|src/exchange/savefile.cpp|if (isNamedLikeProject(path) \|\| isNamedLikeProject(*target))|if (false)|tests-exchange savefile'
'write-protected file|src/exchange/savefile.cpp|existing.exists() \&\& !existing.isWritable()|existing.exists() \&\& false|tests-exchange savefile'
'links in a circle|src/exchange/savefile.cpp|if (links == mostLinks)|if (links == mostLinks) return target.absoluteFilePath(); if (links > mostLinks)|tests-exchange savefile'
'depth of a document|src/exchange/treebuilder.cpp|m_open.size() >= m_limits.depth|m_open.size() >= 100 * m_limits.depth|tests-exchange textreader tests-exchange textlimits'
'keys of an object|src/exchange/treebuilder.cpp|>= m_limits.keys)|>= 100 * m_limits.keys)|tests-exchange textreader tests-exchange textlimits'
'values of a document|src/exchange/treebuilder.cpp|++m_values <= m_limits.values|++m_values <= 100 * m_limits.values|tests-exchange textreader tests-exchange textlimits'
'bytes of a document|src/exchange/textreader.cpp|if (text.size() > limits.bytes)|if (text.size() > 100 * limits.bytes)|tests-exchange textreader tests-exchange textlimits'
'length of a key|src/exchange/treebuilder.cpp|if (name.size() > longestKey)|if (name.size() > 100 * longestKey)|tests-exchange textreader tests-exchange textlimits'
'keys that stand twice|src/exchange/treebuilder.cpp|if (!addKey(level, name))|if (!addKey(level, name) \&\& false)|tests-exchange documentkinds'
'control characters|src/exchange/textreader.cpp|< 0x20 \&\& !isBlank(text[i]))|< 0x02 \&\& !isBlank(text[i]))|tests-exchange textreader tests-exchange textlimits'
'encoding|src/exchange/textreader.cpp|if (!QUtf8StringView(text.data(), qsizetype(text.size())).isValidUtf8())|if (false)|tests-exchange textreader'
'hidden characters in a text|src/exchange/treebuilder.cpp|const auto hidden = findHidden(text);|const auto hidden = findHidden({});|tests-exchange visibletext'
'hidden characters in a key|src/exchange/treebuilder.cpp|findHidden(name, TextShape::OneLine)|findHidden({}, TextShape::OneLine)|tests-exchange visibletext'
'hidden characters in a table of runs|src/exchange/measuredrunscsv.cpp|findHidden(text, TextShape::OneLine)|findHidden({}, TextShape::OneLine)|tests-exchange visibletext'
'cells of a table|src/exchange/csvreader.cpp|if (count == mostCsvCells)|if (count == 1000 * mostCsvCells)|tests-exchange textlimits'
'formulas in cells|src/text/formulaguard.h|return readsAsFormula(text.substr(|return false \&\& readsAsFormula(text.substr(|tests-exchange visibletext'
'bytes of a file|src/exchange/readfile.cpp|if (text.size() > longest)|if (false)|tests-exchange textlimits'
'limit met exactly|src/solver/answer/limits.h|value >= bound : value <= bound|value > bound : value < bound|tests-solver limitsmet'
'least limit ignored|src/solver/answer/limits.h|value >= bound : value <= bound|true : value <= bound|tests-solver solve tests-solver limitsmet'
)

wanted() {
    local name=$1 word
    shift
    [ $# -eq 0 ] && return 0
    for word in "$@"; do [[ $name == *"$word"* ]] && return 0; done
    return 1
}

if [ "${1:-}" = --list ]; then
    printf '%s\n' "${guards[@]}" | cut -d'|' -f1
    exit 0
fi

# Takes a guard apart into name, file, text, broken and tests; "\|" and "\&" stand for themselves.
taken() {
    IFS=$'\001' read -r name file text broken tests <<<"$(printf '%s' "$1" | sed 's/\\|/\x02/g; s/|/\x01/g; s/\x02/|/g; s/\\&/\&/g')"
}

if [ "${1:-}" = --check ]; then
    command -v perl >/dev/null || { printf 'There is no perl, so the guards were not looked for.\n'; exit 77; }
    wrong=0
    for guard in "${guards[@]}"; do
        taken "$guard"
        times=$(TEXT=$text perl -0ne 'print scalar(() = /\Q$ENV{TEXT}\E/g)' "$here/$file")
        if [ "${times:-0}" != 1 ]; then
            printf '%s: “%s” stands %s times in %s, not once; write what stands there today into tests/guards.sh.\n' \
                "$name" "$text" "${times:-0}" "$file"
            wrong=1
        fi
        read -ra words <<<"$tests"
        for ((i = 0; i + 1 < ${#words[@]}; i += 2)); do
            test=tests/${words[i]#tests-}/tst_${words[i + 1]}.cpp
            [ -e "$here/$test" ] || { printf '%s: there is no test %s.\n' "$name" "$test"; wrong=1; }
        done
    done
    exit $wrong
fi

for program in perl rsync cmake ninja; do
    command -v "$program" >/dev/null || { printf 'There is no %s, with which the copy is made and built.\n' "$program" >&2; exit 2; }
done
tree=$place/tree
mkdir -p "$tree"
copy() { rsync -a --delete --exclude /build --exclude .git "$here/" "$tree/"; }
copy
(cd "$tree" && cmake --preset "$preset" >"$place/configure.log" 2>&1) || { cat "$place/configure.log"; exit 2; }
build=$tree/build/$preset

missing=0 unnoticed=0 noticed=0
for guard in "${guards[@]}"; do
    taken "$guard"
    wanted "$name" "$@" || continue
    TEXT=$text BROKEN=$broken perl -0pi -e '
        my ($text, $broken) = @ENV{qw(TEXT BROKEN)};
        my $at = index($_, $text);
        substr($_, $at, length $text) = $broken if $at >= 0;' "$tree/$file"
    if cmp -s "$here/$file" "$tree/$file"; then
        printf 'GONE       %s: “%s” no longer stands in %s\n' "$name" "$text" "$file"
        missing=$((missing + 1))
        continue
    fi
    read -ra words <<<"$tests"
    result=UNNOTICED
    for ((i = 0; i + 1 < ${#words[@]}; i += 2)); do
        program=${words[i]} test=${words[i + 1]}
        if ! ninja -C "$build" "$program" >"$place/build.log" 2>&1; then
            result="NO BUILD"
            continue
        fi
        if ! (cd "$build" && QT_QPA_PLATFORM=offscreen LC_ALL=C.UTF-8 timeout 900 "tests/$program" "$test") \
            >"$place/test.log" 2>&1; then
            result="noticed"
            break
        fi
    done
    printf '%-10s %s (%s)\n' "$result" "$name" "$tests"
    [ "$result" = noticed ] && noticed=$((noticed + 1)) || unnoticed=$((unnoticed + 1))
    cp -p "$here/$file" "$tree/$file"
    touch "$tree/$file"
done
printf '%d noticed, %d not noticed, %d gone\n' "$noticed" "$unnoticed" "$missing"
[ $((unnoticed + missing)) -eq 0 ]
