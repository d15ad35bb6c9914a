// SPDX-License-Identifier: GPL-3.0-or-later
// How the answers of a plan use their room, and how they are copied.
#include "app/pages/plan/planresults.h"

#include "app/wording.h"
#include "solver/answer/comparison.h"
#include "ui_planresults.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMenu>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {
constexpr int widestAnswer = 110; // letters: further apart nobody sees which value is of which label
} // namespace

void PlanResults::buildRange()
{
    m_rangeName = new QLabel(tr("Range"), this);
    m_rangeValue = new QLabel(this);
    m_rangeValue->setObjectName(u"step_time_range"_s);
    m_rangeValue->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_rangeValue->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_rangeValue->setAccessibleName(tr("Range of the step time"));
    const int place = int(shownFigures(ScoreLevel::Performance).size()); // after them
    m_ui->fastGrid->addWidget(m_rangeName, place / 2, (place % 2) * 3);
    m_ui->fastGrid->addWidget(m_rangeValue, place / 2, (place % 2) * 3 + 1);
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
    const int most = widestAnswer * fontMetrics().averageCharWidth();
    for (auto *grid : {m_ui->fastGrid, m_ui->worthGrid, m_runningGrid}) {
        auto margins = grid->contentsMargins();
        margins.setRight(std::max(0, width() - most));
        grid->setContentsMargins(margins);
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
