// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/validation/validationexport.h"

#include "app/widgets/copying.h"
#include "app/workspace/prompts.h"
#include "exchange/measuredruns.h"
#include "itemmodels/tabletext.h"

#include <QAction>
#include <QMenu>
#include <QTableView>
#include <QToolButton>

#include <initializer_list>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using namespace itemmodels;

ValidationExport::ValidationExport(Prompts &prompts, QToolButton *button, const ValidationTables &tables, QWidget *page)
    : QObject(page), m_prompts(prompts), m_tables(tables), m_page(page)
{
    auto *menu = new QMenu(page);
    button->setMenu(menu);
    button->setPopupMode(QToolButton::InstantPopup);
    const auto add = [&](const QString &text, const QString &name, auto act) {
        auto *action = menu->addAction(text);
        action->setObjectName(name);
        connect(action, &QAction::triggered, this, act);
    };
    add(tr("Save &runs as CSV…"), u"saveRunsAction"_s, [this] { saveCsv(*m_tables.runs, tr("runs")); });
    add(tr("Save &summary as CSV…"), u"saveSummaryAction"_s, [this] { saveCsv(*m_tables.summary, tr("summary")); });
    add(tr("Save &groups as CSV…"), u"saveGroupsAction"_s, [this] { saveCsv(*m_tables.groups, tr("groups")); });
    add(tr("Save s&kipped as CSV…"), u"saveSkippedAction"_s, [this] { saveCsv(*m_tables.skipped, tr("skipped")); });
    add(tr("Save published c&hoices as CSV…"), u"saveChoicesAction"_s,
        [this] { saveCsv(*m_tables.choices, tr("published choices")); });
    add(tr("Save ra&nges by source as CSV…"), u"saveCoverageAction"_s,
        [this] { saveCsv(*m_tables.coverage, tr("ranges")); });
    add(tr("Save &levels of error as CSV…"), u"saveLevelsAction"_s,
        [this] { saveCsv(*m_tables.levels, tr("levels")); });
    add(tr("Save &own runs as CSV…"), u"saveFewShotAction"_s, [this] { saveCsv(*m_tables.fewShot, tr("own runs")); });
    add(tr("Save largest &jobs as CSV…"), u"saveProductionAction"_s,
        [this] { saveCsv(*m_tables.production, tr("largest jobs")); });
    menu->addSeparator();
    add(tr("Save costs &by kind as CSV…"), u"saveCostSummaryAction"_s,
        [this] { saveCsv(*m_tables.costSummary, tr("costs by kind")); });
    add(tr("Save &published costs as CSV…"), u"saveCostsAction"_s, [this] { saveCsv(*m_tables.costs, tr("costs")); });
    add(tr("Save costs not scored as CS&V…"), u"saveUnscoredCostsAction"_s,
        [this] { saveCsv(*m_tables.unscoredCosts, tr("costs not scored")); });
    menu->addSeparator();
    add(tr("Save an &example of own runs as CSV…"), u"saveExampleRunsAction"_s, [this] { saveExample(); });
    menu->addSeparator();
    add(tr("&Copy summary"), u"copySummaryAction"_s, [this] { copySummary(); });
    add(tr("Copy r&uns"), u"copyRunsAction"_s,
        [this] { emit saved(copyTable(*m_tables.runs, CopyAs::TabSeparated, CopyWhat::Table)); });
}

bool ValidationExport::copyFocused() const
{
    const auto *table = qobject_cast<const QTableView *>(m_page->window()->focusWidget());
    if (!table || !m_page->isAncestorOf(table))
        return false;
    (void)copyTable(*table, CopyAs::TabSeparated, CopyWhat::Selection);
    return true;
}

void ValidationExport::copySummary() const
{
    (void)copyTable(*m_tables.summary, CopyAs::TabSeparated, CopyWhat::Table);
}

void ValidationExport::saveExample()
{
    const auto told = m_prompts.saveFile(m_page,
        {.title = tr("Save an example of own runs"),
            .name = tr("own runs") + u".csv"_s,
            .filter = tr("Comma-separated values (*.csv)"),
            .failure = tr("The example was not saved")},
        [](const QString &) { return QByteArray::fromStdString(std::string(exchange::exampleRunTable())); });
    if (!told.isEmpty())
        emit saved(told);
}

void ValidationExport::saveCsv(const QTableView &table, const QString &name)
{
    const auto told = m_prompts.saveFile(m_page,
        {.title = tr("Save table"),
            .name = tr("validation %1").arg(name) + u".csv"_s,
            .filter = tr("Comma-separated values (*.csv)"),
            .failure = tr("The table was not saved")},
        [&](const QString &) { return toCsv(*table.model()).toUtf8(); });
    if (!told.isEmpty())
        emit saved(told);
}

} // namespace fleetwright::app
