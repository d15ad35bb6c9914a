// SPDX-License-Identifier: GPL-3.0-or-later
// What the search over every layout writes to files.
#include "app/pages/search/layoutsearchview.h"

#include "app/pages/search/layoutsearchdetails.h"
#include "app/workspace/prompts.h"
#include "app/workspace/workspace.h"
#include "exchange/layoutsearchresults.h"
#include "exchange/savefile.h"
#include "reports/layoutsearchspreadsheet.h"
#include "text/utf8.h"
#include "ui_layoutsearchview.h"

#include <QDir>
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
    const auto text = [](std::string content) { return Expected<QByteArray>(QByteArray::fromStdString(content)); };
    add(u"saveLayouts"_s, tr("Layouts as CSV…"), tr("The layouts kept, best first, in base units and full precision"),
        [=, this] {
            save(tr("Save the layouts as CSV"), u"layouts.csv"_s, csv,
                [=](const Saved &saved) { return text(exchange::layoutSearchRowsToCsv(*saved.answer.result)); });
        });
    add(u"saveSplits"_s, tr("Splits as CSV…"), tr("Every legal split with its counts and its best layout"), [=, this] {
        save(tr("Save the splits as CSV"), u"splits.csv"_s, csv,
            [=](const Saved &saved) { return text(exchange::layoutSearchGroupsToCsv(*saved.answer.result)); });
    });
    add(u"saveJson"_s, tr("Everything as JSON…"),
        tr("What was searched, recommendation, counts, layouts, splits and Pareto front"), [=, this] {
            save(tr("Save the search as JSON"), u"search.json"_s, json, [=](const Saved &saved) {
                return text(exchange::layoutSearchAnswerToJson(
                    saved.document, *saved.answer.result, *saved.catalog, saved.answer.recommendation));
            });
        });
    add(u"saveWorkbook"_s, tr("Workbook…"), tr("Answer, splits, layouts and Pareto front as an XLSX spreadsheet"),
        [=, this] {
            save(tr("Save the search as a workbook"), u"search.xlsx"_s, tr("Excel workbook (*.xlsx)"),
                [](const Saved &saved) {
                    return reports::layoutSearchSpreadsheet(
                        saved.document, *saved.answer.result, *saved.catalog, saved.answer.recommendation);
                });
        });
    add(u"saveSearcher"_s, tr("In the searcher's format…"),
        tr("The shortest step of each DP, TP and PP in the published searcher's own format; of the selected layout's "
           "case"),
        [=, this] {
            const int caseIndex = m_details->chosen() ? m_details->chosen()->caseIndex : 0;
            save(tr("Save the search in the searcher's format"), u"searcher.json"_s, json,
                [=](const Saved &saved) -> Expected<QByteArray> {
                    const auto content = exchange::searchToSearcherFormat(*saved.answer.result, caseIndex);
                    if (!content)
                        return std::unexpected(content.error());
                    return QByteArray::fromStdString(*content);
                });
        });
    connect(&m_writer, &jobs::WriteJob::finished, this, [this](const Expected<void> &written) {
        updateState();
        if (!written)
            m_prompts.showError(this, tr("The search was not saved"), written.error());
        else
            emit statusMessage(tr("Search written to %1").arg(QDir::toNativeSeparators(m_written)));
    });
}

void LayoutSearchView::save(const QString &title, const QString &suffix, const QString &filter, const Content &content)
{
    if (!m_answer || m_writer.isRunning())
        return;
    const auto path = m_prompts.fileToSave(this,
        {.title = title, .name = u"%1 %2"_s.arg(utf8(m_searched.plan.name), suffix), .filter = filter, .failure = {}});
    if (path.isEmpty())
        return;
    m_written = path;
    emit statusMessage(tr("Writing %1…").arg(QDir::toNativeSeparators(path)));
    m_writer.start([content, path, saved = Saved{m_searched, *m_answer, m_workspace.catalog()}]() -> Expected<void> {
        const auto bytes = content(saved);
        if (!bytes)
            return std::unexpected(bytes.error());
        return exchange::saveFile(*bytes, path);
    });
    updateState();
}

} // namespace fleetwright::app
