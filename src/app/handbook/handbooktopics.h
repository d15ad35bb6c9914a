// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <vector>

class QWidget;

namespace fleetwright::app {

/// What F1 opens: the one place that says so. Targets are pages of the handbook, with "#" and a heading where only that
/// is meant. A test compares them with the pages, tabs and dialogs that there are.
struct PageTopic {
    QString page; ///< id in the navigation; "welcome" for the overview of no project
    QString target;
};
struct TabTopics {
    QString page, bar; ///< as in pageTabs(); of a dialog the name of its class
    QStringList targets; ///< one for each tab
};
/// A dialog, or a part of a page, by the name of its class; where that is Qt's, by the name of the object.
struct PartTopic {
    QString name;
    QString target;
};
[[nodiscard]] const std::vector<PageTopic> &pageTopics();
[[nodiscard]] const std::vector<TabTopics> &tabTopics();
[[nodiscard]] const std::vector<TabTopics> &dialogTabTopics();
[[nodiscard]] const std::vector<PartTopic> &dialogTopics(); ///< of those with tabs, where no tab says more
[[nodiscard]] const std::vector<PartTopic> &partTopics();

/// What is known of the innermost thing around the focus: a dialog, a part, a tab, else the tab or page in sight.
/// `page`: the page's id, shown as `shown`.
[[nodiscard]] QString topicOf(const QWidget *focus, const QString &page, const QWidget *shown);

} // namespace fleetwright::app
