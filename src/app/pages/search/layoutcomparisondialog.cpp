// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/search/layoutcomparisondialog.h"

#include "app/pages/compare/comparisoncharts.h"
#include "app/pages/compare/comparisondelegate.h"
#include "app/theme.h"
#include "app/widgets/fleetfields.h"
#include "itemmodels/comparisonmodel.h"
#include "solver/answer/comparisontext.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "ui_layoutcomparisondialog.h"
#include "units/format.h"

#include <algorithm>
#include <cmath>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t partsNamed = 4;

/// As far as anybody could measure: what is left of sums in another order is no difference.
bool isSame(double a, double b) { return std::abs(a - b) <= 1e-6 * std::max(std::abs(a), std::abs(b)); }

/// "step time +2.4 % (7.41 s against 7.24 s)"; empty where a layout lacks the figure.
QString change(const Comparison &comparison, const ComparisonRow &row)
{
    const auto &cells = row.cells;
    if (!cells[0].value || !cells[1].value)
        return {};
    const auto difference = comparison.difference(row, 1, 0);
    const QString values = LayoutComparisonDialog::tr("%1 against %2")
                               .arg(localized(units::format(*cells[1].value, row.dimension)),
                                   localized(units::format(*cells[0].value, row.dimension)));
    return difference ? u"%1 %2 (%3)"_s.arg(localized(row.label), localized(differenceText(*difference)), values)
                      : u"%1 %2"_s.arg(localized(row.label), values);
}

} // namespace

QStringList differencesInWords(const Comparison &comparison)
{
    QStringList sentences;
    QStringList figures;
    for (const auto *key : {"step_time_s", "mfu", "memory.total_bytes"})
        if (const auto *row = comparison.row(key))
            if (const auto words = change(comparison, *row); !words.isEmpty())
                figures << words;
    if (!figures.isEmpty())
        sentences << LayoutComparisonDialog::tr("The second against the first: %1.").arg(figures.join(u", "_s));
    std::vector<const ComparisonRow *> parts;
    for (const auto &row : comparison.rows)
        if (row.part && row.cells[0].value && row.cells[1].value && !isSame(*row.cells[0].value, *row.cells[1].value))
            parts.push_back(&row);
    std::ranges::sort(parts, std::ranges::greater(),
        [](const ComparisonRow *row) { return std::abs(*row->cells[1].value - *row->cells[0].value); });
    QStringList words;
    for (const auto *row : parts) {
        if (std::size_t(words.size()) == partsNamed)
            break;
        const double seconds = *row->cells[1].value - *row->cells[0].value;
        words << (seconds > 0 ? LayoutComparisonDialog::tr("%1 takes %2 longer")
                              : LayoutComparisonDialog::tr("%1 takes %2 less"))
                     .arg(localized(row->label), localized(units::format(std::abs(seconds), row->dimension)));
    }
    if (!words.isEmpty())
        sentences << words.join(u"; "_s) + u'.';
    return sentences;
}

LayoutComparisonDialog::LayoutComparisonDialog(
    std::array<PlanDocument, 2> plans, std::shared_ptr<const Catalog> catalog, QWidget *parent)
    : QDialog(parent), m_ui(std::make_unique<Ui::LayoutComparisonDialog>()),
      m_model(new itemmodels::ComparisonModel(this))
{
    m_ui->setupUi(this);
    setUpTable();
    m_ui->wordsLabel->setText(tr("Solving both…"));
    connect(m_ui->buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(&m_job, &jobs::CompareJob::finished, this, &LayoutComparisonDialog::show);
    const auto model = plans[0].costModelId;
    m_job.start({.plans = {plans.begin(), plans.end()}, .modelIds = {model}}, std::move(catalog));
}

LayoutComparisonDialog::~LayoutComparisonDialog() = default;

void LayoutComparisonDialog::setUpTable()
{
    auto *table = m_ui->figuresTable;
    auto *header = new LinesHeader(Qt::Horizontal, table);
    table->setHorizontalHeader(header);
    table->setModel(m_model);
    table->setItemDelegate(new ComparisonDelegate(table));
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setTabKeyNavigation(false);
    table->setWordWrap(false);
    table->setShowGrid(false);
    table->setCornerButtonEnabled(false);
    table->setAlternatingRowColors(true);
    header->setHighlightSections(false);
    header->setSectionsClickable(false);
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + gridUnit);
    table->verticalHeader()->setHighlightSections(false);
    useTabularFigures(table);
}

void LayoutComparisonDialog::show(const jobs::ComparisonOutcome &outcome)
{
    if (!outcome) {
        m_ui->wordsLabel->setText(localized(outcome.error().message));
        return;
    }
    const auto &comparison = **outcome;
    m_model->setComparison(*outcome);
    m_ui->figuresTable->setColumnHidden(0, true); // the vertical header says the same and stays in view
    m_ui->figuresTable->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    QStringList lines;
    for (const auto &plan : comparison.plans)
        lines << u"%1. %2"_s.arg(lines.size() + 1).arg(localized(plan.name)); // a layout in words
    m_ui->wordsLabel->setText((lines + differencesInWords(comparison)).join(u'\n'));
    const auto theme = isDark(palette()) ? charts::Theme::dark() : charts::Theme::light();
    if (const auto chart = app::stepChart(comparison))
        m_ui->stepChart->show(*chart, theme);
    if (const auto chart = app::memoryChart(comparison))
        m_ui->memoryChart->show(*chart, theme);
}

} // namespace fleetwright::app
