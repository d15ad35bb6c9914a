#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: check-text.sh SOURCE_FOLDER    Fails where a name from a project could be read as HTML, which opens files.
set -u
cd "$1" || exit 2
faults=0
fault() { printf '%s\n' "$1"; faults=1; }

# Qt Charts reads titles and labels as HTML.
found=$(grep -nE 'setTitleText\(|new QBarSet\(|->setName\(|chart.*->setTitle\(|(axis|plans|categories)->append\(' src/charts/*.cpp | grep -vE 'chartTexts?\(|inLines\(|QPointF') && fault "A chart's text without chartText():
$found"
found=$(grep -rnE 'QtCharts|<Q[A-Za-z]*Axis>|<QBarSet>' src/app src/itemmodels --include=*.h --include=*.cpp) && fault "Charts are built in src/charts:
$found"
# Labels and tool tips are plain (PlainTextStyle); who wants HTML says so here, and escapes every word from outside.
found=$(grep -rnE 'Qt::(RichText|AutoText|MarkdownText)|mightBeRichText|insertHtml' src/app src/itemmodels --include=*.h --include=*.cpp | grep -vE '^src/app/(theme|widgets/htmllabel)\.cpp') && fault "HTML in a label without showHtml():
$found"
found=$(grep -rlE 'showHtml\(|setHtml\(|[hH]tmlEscaped\(' src/app src/itemmodels --include=*.cpp | grep -vxF -f tests/layers/html-sources.txt) && fault "A new place that builds HTML; escape every word there, and list it in tests/layers/html-sources.txt:
$found"
for source in $(cat tests/layers/html-sources.txt); do
    case $source in src/app/pages/overview/overviewpage.cpp | src/app/widgets/htmllabel.cpp) continue ;; esac # no word from outside
    grep -qE '[hH]tmlEscaped\(|escaped\(|Html\(' "$source" || fault "$source builds HTML and escapes nothing"
done
found=$(grep -rnE 'QMessageBox::(information|warning|critical|question|about)\(|setWhatsThis\(' src/app --include=*.cpp) && fault "A message outside WindowPrompts:
$found"
exit $faults
