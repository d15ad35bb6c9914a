// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QLabel;
class QString;

namespace fleetwright::app {

/// Labels show plain text (see applyTheme()); this one shows `html`, in which every word from a project or a file is
/// escaped.
void showHtml(QLabel *label, const QString &html);
/// Plain again, for a label that shows HTML at other times.
void showPlain(QLabel *label, const QString &text);

} // namespace fleetwright::app
