// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/plan/workingpanel.h"

#include "app/pages/fleet/cellexplanation.h"
#include "app/widgets/tablecolumns.h"
#include "itemmodels/tabletext.h"
#include "text/localized.h"
#include "text/utf8.h"

#include <QDesktopServices>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QShortcut>
#include <QSplitter>
#include <QTextBrowser>
#include <QTreeView>
#include <QVBoxLayout>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using itemmodels::WorkingModel;

namespace {

QString rowOf(const QStringList &cells)
{
    return u"<tr><td>"_s + cells.join(u"&nbsp;&nbsp;</td><td>"_s) + u"</td></tr>"_s;
}

} // namespace

WorkingPanel::WorkingPanel(QWidget *parent)
    : QWidget(parent), m_model(new WorkingModel(this)), m_find(new QLineEdit(this)), m_tree(new QTreeView(this)),
      m_text(new QTextBrowser(this))
{
    m_find->setObjectName(u"workingFind"_s);
    m_find->setPlaceholderText(tr("Find a figure, an entry or a constant (Ctrl+F)"));
    m_find->setAccessibleName(tr("Find a figure, an entry or a constant"));
    m_find->setClearButtonEnabled(true);
    m_tree->setObjectName(u"workingTree"_s);
    m_tree->setAccessibleName(tr("How the answers came about"));
    m_tree->setModel(m_model);
    m_tree->setUniformRowHeights(true);
    m_tree->setAlternatingRowColors(true);
    m_tree->header()->setStretchLastSection(false);
    auto &columns = TableColumns::of(*m_tree);
    columns.shareAmong({WorkingModel::Source, WorkingModel::Formula});
    constexpr int letters = 62; // of a figure's name, with its place in the tree
    columns.giveWidth(WorkingModel::Figure, letters * fontMetrics().averageCharWidth());
    m_text->setObjectName(u"workingText"_s);
    m_text->setAccessibleName(tr("The chosen row in full"));
    auto *splitter = new QSplitter(Qt::Vertical, this);
    splitter->addWidget(m_tree);
    splitter->addWidget(m_text);
    splitter->setStretchFactor(0, 1);
    splitter->setChildrenCollapsible(false);
    constexpr int lines = 9; // a formula of a few inputs
    m_text->setMinimumHeight(lines / 2 * fontMetrics().lineSpacing());
    splitter->setSizes({QWIDGETSIZE_MAX, lines * fontMetrics().lineSpacing()});
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(m_find);
    layout->addWidget(splitter, 1);
    auto *find = new QShortcut(QKeySequence::Find, this);
    find->setContext(Qt::WindowShortcut); // wherever the focus is when the window has just been opened
    connect(find, &QShortcut::activated, m_find, [this] {
        m_find->setFocus(Qt::ShortcutFocusReason);
        m_find->selectAll();
    });
    connect(m_find, &QLineEdit::textChanged, this, &WorkingPanel::fill);
    m_find->installEventFilter(this);
    connect(m_find, &QLineEdit::returnPressed, m_tree, qOverload<>(&QWidget::setFocus));
    m_text->setOpenLinks(false);
    connect(m_text, &QTextBrowser::anchorClicked, this, [this](const QUrl &link) {
        if (isOfTheWeb(link.toString()))
            QDesktopServices::openUrl(link);
        else
            openSource(m_tree->currentIndex());
    });
    connect(m_tree, &QTreeView::doubleClicked, this, &WorkingPanel::openSource);
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this, &WorkingPanel::showChosen);
    setFocusProxy(m_tree);
}

/// Esc clears what is sought; without any it closes the window, as elsewhere in it.
bool WorkingPanel::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_find && event->type() == QEvent::KeyPress
        && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape && !m_find->text().isEmpty()) {
        m_find->clear();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void WorkingPanel::setWorking(std::shared_ptr<const PlanWorking> working)
{
    m_working = std::move(working);
    fill();
}

void WorkingPanel::showFigure(const QString &figure)
{
    if (!m_working)
        return;
    const auto key = utf8(m_working->keyOf(figure.toStdString()));
    const auto choose = [&] {
        for (int row = 0; row < m_model->rowCount(); ++row)
            if (const auto index = m_model->index(row, 0); index.data(WorkingModel::keyRole).toString() == key) {
                m_tree->setCurrentIndex(index);
                m_tree->expand(index);
                m_tree->scrollTo(index, QAbstractItemView::PositionAtTop);
                return true;
            }
        return false;
    };
    m_find->clear();
    if (choose())
        return;
    m_find->setText(localized(m_working->line(key.toStdString()).label));
    choose();
}

QString WorkingPanel::pathOf(const QModelIndex &index) const
{
    QString path;
    for (auto at = index.siblingAtColumn(0); at.isValid(); at = at.parent())
        path.prepend(at.data(WorkingModel::keyRole).toString() + u'\n');
    return path;
}

QModelIndexList WorkingPanel::rowsInSight() const
{
    QModelIndexList rows;
    for (auto at = m_model->index(0, 0); at.isValid(); at = m_tree->indexBelow(at))
        rows << at;
    return rows;
}

void WorkingPanel::fill()
{
    const auto sought = m_find->text().trimmed();
    const bool same = sought == m_sought && m_model->rowCount() > 0;
    std::set<QString> open;
    for (const auto &row : rowsInSight())
        if (m_tree->isExpanded(row))
            open.insert(pathOf(row));
    const auto current = pathOf(m_tree->currentIndex());
    m_sought = sought;
    const auto working = m_working;
    m_model->setLines([working](const std::string &key) { return working->line(key); },
        !working               ? std::vector<std::string>()
            : sought.isEmpty() ? working->questions()
                               : working->matching(sought.toStdString()));
    if (same) {
        reopen({}, open, current);
    } else if (sought.isEmpty()) {
        for (int row = 0; row < m_model->rowCount(); ++row)
            m_tree->expand(m_model->index(row, 0));
    }
    if (!m_tree->currentIndex().isValid())
        m_tree->setCurrentIndex(m_model->index(0, 0));
    showChosen();
    emit shownChanged();
}

void WorkingPanel::reopen(const QModelIndex &parent, const std::set<QString> &open, const QString &current)
{
    for (int row = 0; row < m_model->rowCount(parent); ++row) {
        const auto index = m_model->index(row, 0, parent);
        const auto path = pathOf(index);
        if (path == current)
            m_tree->setCurrentIndex(index);
        if (!open.contains(path))
            continue;
        m_model->fetchMore(index); // the tree does so later, when it is laid out
        m_tree->expand(index);
        reopen(index, open, current);
    }
}

void WorkingPanel::showChosen()
{
    const auto index = m_tree->currentIndex().siblingAtColumn(0);
    const auto *line = m_model->line(index);
    if (!line) {
        m_text->setPlainText(m_working ? tr("Nothing has these words.") : QString());
        return;
    }
    QString html = u"<p><b>%1 = %2</b>"_s.arg(localizedHtmlEscaped(line->label), localizedHtmlEscaped(line->value));
    for (const auto &formula : {line->formula, line->withValues})
        if (!formula.empty())
            html += u"<br>= "_s + localizedHtmlEscaped(formula);
    html += u"<br>"_s + tr("Source: %1").arg(localizedHtmlEscaped(line->source));
    if (!line->whyThere.empty())
        html += u"<br>"_s + localizedHtmlEscaped(line->whyThere);
    if (!line->sources.empty())
        html += u"<br>"_s + sourceLinesHtml(line->sources);
    const auto link = [&html](const QString &text) { html += u"<br><a href=\"source:\">%1</a>"_s.arg(text); };
    if (!line->priceIds.empty())
        link(line->priceIds.size() == 1 ? tr("Show the price (double click)")
                                        : tr("Show these %1 prices (double click)").arg(line->priceIds.size()));
    else if (line->kind && !line->recordId.empty())
        link(tr("Show it in the catalog (double click)"));
    html += u"</p>"_s;
    QString parts;
    int defined = 0;
    for (const auto &part : line->parts) {
        const auto of = m_working->line(part.key);
        const bool isDefined = WorkingModel::isItsFormula(of);
        defined += int(isDefined);
        parts += rowOf({u"<b>%1</b>"_s.arg(localizedHtmlEscaped(part.symbol)), localizedHtmlEscaped(of.label),
            localizedHtmlEscaped(of.value), isDefined ? QString() : localizedHtmlEscaped(of.source)});
    }
    if (!parts.isEmpty())
        html += u"<table cellspacing=\"0\" cellpadding=\"1\">"_s + parts + u"</table>"_s;
    if (defined > 0)
        html += u"<p>"_s + tr("%1 of these by definition: opened, each says how it comes about.").arg(defined)
            + u"</p>"_s;
    m_text->setHtml(html);
}

void WorkingPanel::openSource(const QModelIndex &index)
{
    const auto *line = m_model->line(index.siblingAtColumn(0));
    if (!line)
        return;
    if (!line->priceIds.empty()) {
        QStringList ids;
        for (const auto &id : line->priceIds)
            ids << utf8(id);
        emit pricesRequested(ids);
    } else if (line->kind && !line->recordId.empty()) {
        emit recordRequested(*line->kind, utf8(line->recordId));
    }
}

QString WorkingPanel::shownAsText(int *rows) const
{
    auto part = itemmodels::wholeTable(*m_model);
    part.rows = rowsInSight();
    *rows = int(part.rows.size());
    return itemmodels::toTabSeparated(*m_model, part);
}

} // namespace fleetwright::app
