// SPDX-License-Identifier: GPL-3.0-or-later
// What is told of a project or document that was not taken as it stood.
#include "app/projectfiles.h"

#include "app/workspace/prompts.h"
#include "app/workspace/workspace.h"
#include "itemmodels/catalogtablemodel.h"
#include "storage/damagedproject.h"
#include "storage/projecttext.h"
#include "text/localized.h"
#include "text/utf8.h"

#include <QFileInfo>
#include <QLocale>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

void ProjectFiles::tellSalvaged(const QString &path, const storage::SalvageReport &report)
{
    QStringList sentences;
    for (const auto &kind : report.kinds) {
        const auto catalog = parseCatalogKind(kind.what);
        auto what = catalog ? itemmodels::catalogTitle(*catalog) : localized(kind.what);
        what.front() = what.front().toUpper();
        sentences << (kind.lost == 0 ? tr("%1: %2 saved").arg(what).arg(kind.saved)
                                     : tr("%1: %2 saved, %3 lost").arg(what).arg(kind.saved).arg(kind.lost));
    }
    tellAll(
        tr("The new project is open; this is what was saved of \u201c%1\u201d").arg(QFileInfo(path).completeBaseName()),
        sentences, report.sentences);
}

void ProjectFiles::tellAltered()
{
    std::vector<std::string> altered;
    for (const auto &item : m_workspace.alteredItems())
        altered.push_back(item.message);
    if (!altered.empty())
        tellAll(
            tr("\u201c%1\u201d is open; look at what has changed in it").arg(m_workspace.projectName()), {}, altered);
}

void ProjectFiles::tellAll(const QString &title, QStringList sentences, const std::vector<std::string> &items)
{
    constexpr std::size_t most = 12;
    for (std::size_t i = 0; i < std::min(items.size(), most); ++i)
        sentences << u"\u2022 "_s + utf8(items[i]);
    if (items.size() > most)
        sentences << tr("and %1 more").arg(items.size() - most);
    m_prompts.showError(m_window, title, {ErrorCode::Damaged, {}, sentences.join(u'\n').toStdString()});
}

void ProjectFiles::tellFormerKeys(const QString &fileName, const std::vector<std::string> &notices)
{
    QStringList sentences;
    for (const auto &notice : notices)
        sentences << localized(notice);
    m_prompts.showError(m_window, tr("\u201c%1\u201d was imported; it has keys of an older version").arg(fileName),
        {ErrorCode::UnsupportedValue, {}, sentences.join(u'\n').toStdString()});
}

void ProjectFiles::tellRestored(const QString &fileName, const storage::RestoredProject &restored)
{
    QStringList sentences;
    if (const auto count = restored.notAsShipped.size(); count > 0) {
        constexpr std::size_t most = 10;
        sentences << tr(
            "The report says that these items came with Fleetwright, but this version ships them "
            "otherwise. The project keeps the report\u2019s values; \u201cUpdate from shipped catalog\u201d on the "
            "Catalogs page compares them and takes ours.");
        for (std::size_t i = 0; i < std::min(count, most); ++i)
            sentences << u"\u2022 "_s + utf8(restored.notAsShipped[i].name);
        if (count > most)
            sentences << tr("and %1 more").arg(count - most);
    }
    if (!restored.movedFiles.empty()) {
        sentences << tr(
            "Output sets of the report would have written outside the project\u2019s folder; they write into "
            "it now:");
        for (const auto &file : restored.movedFiles)
            sentences << u"\u2022 "_s + utf8(file);
    }
    if (!sentences.isEmpty())
        m_prompts.showError(m_window, tr("The project of \u201c%1\u201d is open; look at what differs").arg(fileName),
            {ErrorCode::UnsupportedValue, {}, sentences.join(u'\n').toStdString()});
}

} // namespace fleetwright::app
