// SPDX-License-Identifier: GPL-3.0-or-later
// How sure the step time of a plan is, how its answers use their room, what is said beneath them, and how they are
// copied.
#include "app/pages/plan/planresults.h"

#include "app/pages/plan/planfigures.h"
#include "app/widgets/veil.h"
#include "app/wording.h"
#include "solver/answer/comparison.h"
#include "solver/answer/likelyspeed.h"
#include "text/figuretext.h"
#include "text/localized.h"
#include "ui_planresults.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMenu>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {
constexpr int widestColumn = 60; // letters: further apart nobody sees which value is of which label
constexpr int mostColumns = 4;
} // namespace

void PlanResults::buildRange()
{
    m_rangeName = new QLabel(tr("Range"), this);
    m_rangeValue = new QLabel(this);
    m_rangeValue->setObjectName(u"step_time_range"_s);
    m_rangeValue->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_rangeValue->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_rangeValue->setAccessibleName(tr("Range of the step time"));
    m_fast.cells.insert(m_fast.cells.begin() + 1, {m_rangeName, m_rangeValue, 0}); // behind the step time
}

void PlanResults::FigureGrid::layOut(int newColumns)
{
    if (newColumns == columns)
        return;
    constexpr int name = 0, value = 1, gap = 2, places = 3; // of a column
    constexpr int betweenColumns = 16;
    for (int column = 0; column < std::max(columns, newColumns); ++column) {
        layout->setColumnStretch(places * column + value, column < newColumns ? 1 : 0);
        layout->setColumnMinimumWidth(places * column + gap, column + 1 < newColumns ? betweenColumns : 0);
    }
    columns = newColumns;
    std::vector<bool> taken;
    const auto isFree = [&](std::size_t from, int length) {
        taken.resize(std::max(taken.size(), from + std::size_t(length)));
        return std::none_of(taken.begin() + std::ptrdiff_t(from), taken.begin() + std::ptrdiff_t(from) + length,
            [](bool is) { return is; });
    };
    for (const auto &cell : cells) {
        std::size_t at = 0;
        const auto column = [&] { return int(at) % columns; };
        const auto length = [&] {
            return cell.columns == 0 ? std::min(2, columns - column()) : std::min(cell.columns, columns);
        };
        while (column() + length() > columns || !isFree(at, length()))
            ++at; // what is narrow fills the place that something wide has left
        std::fill_n(taken.begin() + std::ptrdiff_t(at), length(), true);
        const int row = int(at) / columns, first = places * column();
        layout->removeWidget(cell.name);
        layout->removeWidget(cell.value);
        layout->addWidget(cell.name, row, first + name);
        layout->addWidget(cell.value, row, first + value, 1, places * length() - 2);
        // One that is wider than its column begins at its name: at the other end it would read as the next column's.
        const bool isBesideName = cell.columns > 1 && length() > 1;
        cell.value->setAlignment((isBesideName ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
}

void PlanResults::showRefusedFields(const QStringList &sentences)
{
    m_ui->refusalLabel->setSentence(sentences.join(u' '));
    m_ui->refusalLabel->setToolTip(sentences.join(u'\n'));
    showNotes();
}

void PlanResults::showNotes()
{
    const bool refused = !m_ui->refusalLabel->text().isEmpty(), stated = !m_ui->stateLabel->text().isEmpty();
    m_ui->refusalLabel->setVisible(refused);
    m_ui->stateLabel->setVisible(stated && !refused);
    m_ui->provenanceLabel->setVisible(!stated && !refused);
    m_veil->raise();
    m_veil->setVisible(m_isOfOthers || (refused && m_hasFigures)); // the answers are not of what the fields show
}

void PlanResults::showState(const QString &sentence, bool dimmed)
{
    m_ui->stateLabel->setSentence(sentence);
    m_ui->stateLabel->setToolTip(sentence);
    m_isOfOthers = dimmed;
    showNotes();
}

void PlanResults::showRange(const exchange::StoredEstimate &estimate)
{
    const auto &range = estimate.range;
    m_ui->trustBadge->setVisible(range.has_value());
    for (auto *label : {m_rangeName, m_rangeValue})
        label->setVisible(range && range->runs > 0);
    if (!range || estimate.figure("step_time_s").value_or(0) <= 0)
        return;
    QStringList lines;
    for (const auto &line : validation::trustInWords(*range))
        lines << localized(line);
    const auto badge = localized(validation::badgeOf(*range));
    m_ui->trustBadge->setText(
        range->isValidated() ? tr("%1, from %2 published runs").arg(badge).arg(range->runs) : u"! "_s + badge);
    m_ui->trustBadge->setToolTip(lines.join(u'\n'));
    m_ui->trustBadge->setAccessibleDescription(lines.join(u' '));
    m_rangeValue->setText(localized(validation::inWords(*range)));
    for (auto *label : {m_rangeName, m_rangeValue})
        label->setToolTip(
            tr("Step times between which four of five comparable runs would lie.") + u'\n' + lines.join(u'\n'));
}

void PlanResults::showWhyLikely(const exchange::StoredEstimate &estimate)
{
    const auto alone = byFormulaAlone(estimate);
    m_ui->likelyLabel->setText(alone);
    m_ui->likelyLabel->setVisible(!alone.isEmpty());
    m_ui->likelyLabel->setToolTip( // why neither the formula's nor the measured one is shown
        estimate.range ? localized(validation::shrinkageInWords(*estimate.range)) : QString());
    for (const auto &[figure, labels] : m_figures) {
        const auto value = estimate.figure(figure->key);
        if (!likelyByRuns(figure->key, value, estimate.figure("step_time_s"), estimate.range))
            continue;
        const auto said = tr("By the formula alone: %1.").arg(localized(figureText(value, figure->dimension)));
        for (auto *label : {labels.first, labels.second})
            label->setToolTip(label->toolTip() + u'\n' + said);
    }
}

bool PlanResults::eventFilter(QObject *watched, QEvent *event)
{
    const auto type = event->type();
    if (type != QEvent::MouseButtonDblClick && type != QEvent::ContextMenu)
        return QWidget::eventFilter(watched, event);
    for (const auto &[figure, labels] : m_figures) {
        if (watched != labels.first && watched != labels.second)
            continue;
        if (type == QEvent::ContextMenu) {
            showMenu(*figure, *labels.second, static_cast<const QContextMenuEvent *>(event)->globalPos());
            return true; // in place of the text's own
        }
        explainCosts(*figure);
    }
    return QWidget::eventFilter(watched, event);
}

void PlanResults::showMenu(const Figure &figure, const QLabel &value, const QPoint &place)
{
    auto *menu = new QMenu(this);
    menu->setObjectName(u"figureMenu"_s);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    auto *explain = menu->addAction(tr("&How this came about\u2026"), this, [this, &figure] {
        if (m_answer->solution.costs && explainRow(figure, m_answer->solution))
            explainCosts(figure);
        else
            emit figureRequested(utf8(figure.key));
    });
    explain->setObjectName(u"explainFigureAction"_s);
    explain->setEnabled(m_answer.has_value());
    const auto text = value.hasSelectedText() ? value.selectedText() : value.text();
    auto *copied = menu->addAction(tr("&Copy"), this, [text] { QGuiApplication::clipboard()->setText(text); });
    copied->setObjectName(u"copyFigureAction"_s);
    copied->setEnabled(!text.isEmpty());
    menu->popup(place);
}

void PlanResults::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    const int letter = fontMetrics().averageCharWidth();
    for (auto *grid : {&m_fast, &m_worth, &m_running}) {
        grid->layOut(std::clamp(width() / (grid->letters * letter), 1, mostColumns));
        auto margins = grid->layout->contentsMargins();
        margins.setRight(std::max(0, width() - grid->columns * widestColumn * letter));
        grid->layout->setContentsMargins(margins);
    }
}

void PlanResults::copy(bool tabs)
{
    if (!m_answer)
        return;
    QGuiApplication::clipboard()->setText(
        resultsAsText(m_answer->planName, m_answer->solution, m_ui->provenanceLabel->text(), tabs));
}

void PlanResults::copyAsText() { copy(false); }

void PlanResults::copyAsTable() { copy(true); }

} // namespace fleetwright::app
