// SPDX-License-Identifier: GPL-3.0-or-later
// What the search over every layout writes to files.
#include "app/pages/search/layoutsearchview.h"

#include "app/pages/search/searchdetails.h"
#include "app/workspace/prompts.h"
#include "app/workspace/workspace.h"
#include "charts/savefile.h"
#include "reports/searchspreadsheet.h"
#include "storage/exchange/searchresults.h"
#include "ui_layoutsearchview.h"

#include <QDir>
#include <QFileInfo>
#include <QMenu>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

void LayoutSearchView::setUpSaving()
{
    auto *menu = new QMenu(m_ui->saveButton);
    menu->setToolTipsVisible(true);
    m_ui->saveButton->setMenu(menu);
    const auto add = [&](const QString &name, const QString &text, const QString &help, auto act) {
        auto *action = menu->addAction(text);
        action->setObjectName(name);
        action->setToolTip(help);
        connect(action, &QAction::triggered, this, act);
    };
    const QString csv = tr("Comma-separated values (*.csv)"), json = tr("JSON (*.json)");
    add(u"saveLayouts"_s, tr("Layouts as CSV…"), tr("The layouts kept, best first, in base units and full precision"),
        [=, this] { save(tr("Save the layouts as CSV"), u"layouts.csv"_s, csv, [this] { return Expected<QByteArray>(QByteArray::fromStdString(exchange::searchRowsToCsv(*m_answer->result))); }); });
    add(u"saveSplits"_s, tr("Splits as CSV…"), tr("Every legal split with its counts and its best layout"),
        [=, this] { save(tr("Save the splits as CSV"), u"splits.csv"_s, csv, [this] { return Expected<QByteArray>(QByteArray::fromStdString(exchange::searchGroupsToCsv(*m_answer->result))); }); });
    add(u"saveJson"_s, tr("Everything as JSON…"), tr("What was searched, recommendation, counts, layouts, splits and Pareto front"), [=, this] {
        save(tr("Save the search as JSON"), u"search.json"_s, json, [this] {
            return Expected<QByteArray>(QByteArray::fromStdString(exchange::searchAnswerToJson(m_searched, *m_answer->result, *m_workspace.catalog(), m_answer->recommendation)));
        });
    });
    add(u"saveWorkbook"_s, tr("Workbook…"), tr("Answer, splits, layouts and Pareto front as an XLSX spreadsheet"), [=, this] {
        save(tr("Save the search as a workbook"), u"search.xlsx"_s, tr("Excel workbook (*.xlsx)"),
            [this] { return reports::searchSpreadsheet(m_searched, *m_answer->result, *m_workspace.catalog(), m_answer->recommendation); });
    });
    add(u"saveSearcher"_s, tr("In the searcher's format…"), tr("The shortest step of each DP, TP and PP in the published searcher's own format; of the selected layout's case"), [=, this] {
        save(tr("Save the search in the searcher's format"), u"searcher.json"_s, json, [this]() -> Expected<QByteArray> {
            auto text = exchange::searchToSearcherFormat(*m_answer->result, m_details->chosen() ? m_details->chosen()->caseIndex : 0);
            if (!text)
                return std::unexpected(text.error());
            return QByteArray::fromStdString(*text);
        });
    });
}

void LayoutSearchView::save(const QString &title, const QString &suffix, const QString &filter, const std::function<Expected<QByteArray>()> &content)
{
    if (!m_answer)
        return;
    const QString failed = tr("The search was not saved");
    const auto bytes = content();
    if (!bytes) {
        m_prompts.showError(this, failed, bytes.error());
        return;
    }
    const QString name = u"%1 %2"_s.arg(QString::fromStdString(m_searched.plan.name).replace(u'/', u'-'), suffix);
    QString path = m_prompts.saveFileName(this, title, QDir(QFileInfo(m_workspace.path()).absolutePath()).filePath(name), filter);
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty()) {
        path += u'.' + QFileInfo(name).suffix(); // the dialog asked about the name without it
        if (QFileInfo::exists(path) && !m_prompts.confirm(this, title, tr("“%1” exists already. Replace it?").arg(QDir::toNativeSeparators(path)), tr("Replace")))
            return;
    }
    if (const auto written = charts::saveFile(*bytes, path); !written)
        m_prompts.showError(this, failed, written.error());
    else
        emit statusMessage(tr("Search written to %1").arg(QDir::toNativeSeparators(path)));
}

} // namespace fleetwright::app
