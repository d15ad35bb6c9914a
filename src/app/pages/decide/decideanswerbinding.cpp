// SPDX-License-Identifier: GPL-3.0-or-later
// What binds: what somebody could allow and what that would bring, then what each candidate breaks (part of
// DecideAnswer).
#include "app/pages/decide/decideanswer.h"

#include "app/theme.h"
#include "app/widgets/fleetfields.h"
#include "app/widgets/foldheader.h"
#include "app/widgets/tablecolumns.h"
#include "app/widgets/tableroom.h"
#include "itemmodels/sheettablemodel.h"
#include "itemmodels/sizemodel.h"
#include "solver/size/bettersteps.h"
#include "solver/size/leftoutwords.h"
#include "solver/size/sizewords.h"
#include "text/localized.h"
#include "ui_decideanswer.h"
#include "units/format.h"

#include <QLabel>

#include <algorithm>
#include <cmath>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t firstFigure = 2; // after what it takes and what one gets

itemmodels::SheetTable stepsTable(const DecisionDocument &document, const std::vector<size::BetterStep> &steps)
{
    const bool byDays = document.objective == DecisionObjective::Days;
    const bool byCapital = document.objective == DecisionObjective::Capital;
    auto objective = localized(words(document.objective));
    objective[0] = objective.at(0).toUpper();
    itemmodels::SheetTable table{
        .columns = {{DecideAnswer::tr("What it takes"), u"step"_s}, {DecideAnswer::tr("What one gets"), u"fleet"_s},
            {objective, u"objective"_s, true},
            {byDays ? DecideAnswer::tr("Fewer") : DecideAnswer::tr("Less"), u"saved"_s, true}}};
    if (!byDays)
        table.columns.push_back({DecideAnswer::tr("Days"), u"days"_s, true});
    if (!byCapital)
        table.columns.push_back({DecideAnswer::tr("Capital"), u"capital_usd"_s, true});
    const auto cell = [](double value, const std::string &text) {
        return std::isfinite(value) ? itemmodels::SheetTableCell{localized(text), value}
                                    : itemmodels::SheetTableCell{u"\u2013"_s};
    };
    for (const auto &step : steps) {
        const auto &figures = step.figures;
        const auto fleet = step.fleet.empty() ? DecideAnswer::tr("this limit alone keeps out nothing better")
                                              : localized(step.fleet);
        itemmodels::SheetTableRow row{.key = localized(step.takes),
            .cells = {{localized(step.takes)}, {fleet},
                cell(step.objective, size::objectiveInWords(document.objective, step.objective)),
                cell(step.saved, units::formatPercent(step.saved))},
            .toolTip = localized(step.takes) + u'\n' + fleet,
            .isItalic = step.fleet.empty()};
        if (!byDays)
            row.cells.push_back(cell(figures.days, size::valueInWords(size::SizeLimit::Deadline, figures.days)));
        if (!byCapital)
            row.cells.push_back(
                cell(figures.capitalUsd, size::valueInWords(size::SizeLimit::Capital, figures.capitalUsd)));
        table.rows.push_back(std::move(row));
    }
    for (std::size_t column = table.columns.size(); column-- > firstFigure;) // of what nothing has there is no column
        if (std::ranges::none_of(
                table.rows, [&](const itemmodels::SheetTableRow &row) { return row.cells[column].value.isValid(); })) {
            table.columns.erase(table.columns.begin() + std::ptrdiff_t(column));
            for (auto &row : table.rows)
                row.cells.erase(row.cells.begin() + std::ptrdiff_t(column));
        }
    if (!table.rows.empty() && !steps.front().fleet.empty())
        table.rows.front().isBold = true; // what to look at first
    return table;
}

} // namespace

void DecideAnswer::setUpBinding()
{
    auto &ui = *m_ui;
    TableColumns::of(*ui.bindingTable)
        .shareAmong(
            {itemmodels::BindingModel::Remedy, itemmodels::BindingModel::Needed, itemmodels::BindingModel::Fleet});
    TableColumns::of(*ui.bindingTable).wrapTexts(); // what would free a fleet is what the table is for
    ui.stepsTable->setModel(m_steps);
    constexpr int takes = 0, fleet = 1;
    app::setUpTable(ui.stepsTable, takes);
    auto &columns = TableColumns::of(*ui.stepsTable);
    columns.shareAmong({fleet, takes});
    columns.wrapTexts();
    connect(&columns, &TableColumns::rowsFitted, this, [this] { fitHeight(m_ui->stepsTable); });
    ui.stepsTable->setSortingEnabled(false);
    ui.stepsTable->setTextElideMode(Qt::ElideRight);
    ui.stepsTable->setAccessibleName(tr("What would do better"));
    for (auto *title : {ui.stepsTitle, ui.othersTitle, ui.bindingWords})
        makeHeading(title);
    connect(ui.batchButton, &QPushButton::clicked, this, &DecideAnswer::batchesRequested);
}

void DecideAnswer::fillBinding()
{
    auto &ui = *m_ui;
    const auto *result = m_answer.result.get();
    QStringList said{tr("What binds each fleet stands here once the question is answered.")};
    std::vector<size::BetterStep> steps;
    std::vector<size::BatchRange> ranges;
    if (result) {
        const auto which = ui.allBox->isChecked() ? itemmodels::SizedRows::EveryKind
                                                  : itemmodels::SizedRows::BestOfNodes;
        m_binding->setResult(m_answer.document, *result, which);
        said = sentencesOf(size::bindingInWords(m_answer.document, *result));
        said << localized(size::fabricsInWords(m_answer.document, *m_catalog, *result));
        said.removeAll(QString());
        steps = size::betterSteps(m_answer.document, *result);
        ranges = size::otherBatches(m_answer.document, *result);
    } else
        m_binding->setRows({});
    ui.bindingWords->setText(said.takeFirst());
    m_steps->setTable(stepsTable(m_answer.document, steps));
    fitHeight(ui.stepsTable);
    for (auto *widget : std::initializer_list<QWidget *>{ui.stepsTitle, ui.stepsTable})
        widget->setVisible(!steps.empty());
    ui.stepsTitle->setText(result && !result->best() ? tr("What would let a fleet in")
                                                     : tr("What would do better, the smallest change first"));
    ui.bindingDetails->setText(said.isEmpty() ? QString() : u"\u2022 "_s + said.join(u"\n\u2022 "_s));
    ui.bindingHeader->setSummary(localized(units::counted(double(said.size()), "more sentence", "more sentences")));
    ui.bindingHeader->setVisible(!said.isEmpty());
    ui.bindingDetails->setVisible(!said.isEmpty() && ui.bindingHeader->isChecked());
    ui.othersTitle->setVisible(result);
    ui.batchButton->setVisible(!ranges.empty());
    if (!ranges.empty())
        ui.batchButton->setText(ranges.size() == 1
                ? tr("Allow batches of %1 to %2").arg(ranges.front().least).arg(ranges.front().most)
                : tr("Allow these batches"));
}

} // namespace fleetwright::app
