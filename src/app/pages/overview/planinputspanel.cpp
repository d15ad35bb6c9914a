// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/overview/planinputspanel.h"

#include "app/dialogs/goalseekdialog.h"
#include "app/pages/overview/planinputdelegate.h"
#include "app/theme.h"
#include "app/widgets/fleetfields.h"
#include "app/widgets/tablecolumns.h"
#include "app/widgets/tableroom.h"
#include "app/workspace/workspace.h"
#include "itemmodels/planinputsmodel.h"
#include "text/localized.h"
#include "ui_planinputspanel.h"

#include <QAction>
#include <QComboBox>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QScopedValueRollback>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using itemmodels::PlanInputsFilter;
using itemmodels::PlanInputsModel;

namespace {

constexpr int leastLetters = 14, mostLetters = 40; ///< of a plan's column
constexpr int mostQuoted = 60; ///< letters of what was typed, in a sentence

} // namespace

PlanInputsPanel::PlanInputsPanel(QWidget *parent)
    : QWidget(parent), m_ui(std::make_unique<Ui::PlanInputsPanel>()), m_model(new PlanInputsModel(this)),
      m_filter(new PlanInputsFilter(*m_model, this)), m_plansMenu(new QMenu(this))
{
    m_ui->setupUi(this);
    auto &ui = *m_ui;
    ui.inputsRows->addItem(tr("Different"), int(PlanInputsFilter::Rows::Different));
    ui.inputsRows->addItem(tr("Equal"), int(PlanInputsFilter::Rows::Equal));
    ui.inputsRows->addItem(tr("All"), int(PlanInputsFilter::Rows::All));
    ui.inputsRows->setAccessibleName(tr("Inputs to show"));
    ui.inputsSearch->setAccessibleName(tr("Search inputs"));
    ui.inputsPlans->setAccessibleName(tr("Plans to compare"));
    ui.inputsPlans->setMenu(m_plansMenu);
    m_plansMenu->setObjectName(u"inputsPlansMenu"_s);
    m_soon.setSingleShot(true);
    m_soon.setInterval(0);
    setUpTable();
    setUpActions();
    connect(ui.inputsRows, &QComboBox::activated, this, [this] {
        m_isChosen = true;
        showRows();
    });
    connect(ui.inputsSearch, &QLineEdit::textChanged, this, [this](const QString &words) {
        m_filter->setWords(words);
        showHint();
    });
    connect(m_plansMenu, &QMenu::aboutToShow, this, &PlanInputsPanel::fillPlans);
    connect(&m_soon, &QTimer::timeout, this, &PlanInputsPanel::reload);
    connect(m_model, &PlanInputsModel::typed, this, &PlanInputsPanel::typed);
    connect(&m_job, &jobs::PlanInputsJob::finished, this, [this](const jobs::PlanInputsResult &edited) {
        take(edited);
        showHint();
    });
}

PlanInputsPanel::~PlanInputsPanel() = default;

void PlanInputsPanel::setUpTable()
{
    auto *table = m_ui->inputsTable;
    table->setModel(m_filter);
    table->setItemDelegate(new PlanInputDelegate(table));
    table->setAccessibleName(tr("Inputs of the plans"));
    table->setColumnHidden(0, true); // the row headers say it, and stay where the plans scroll
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + gridUnit);
    table->verticalHeader()->setHighlightSections(false);
    auto *header = table->horizontalHeader();
    header->setHighlightSections(false);
    header->setDefaultAlignment(Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter) | Qt::Alignment(int(Qt::TextWordWrap)));
    table->installEventFilter(this);
    auto &columns = TableColumns::of(*table);
    columns.setOfProject();
    columns.chosenBy(m_plansMenu);
    columns.fitElsewhere();
    useTabularFigures(table);
    connect(table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &PlanInputsPanel::showHint);
    connect(table->selectionModel(), &QItemSelectionModel::currentChanged, this,
        [this] { m_ui->inputsSentence->setSentence({}); });
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] { m_ui->inputsTable->setColumnHidden(0, true); });
}

void PlanInputsPanel::setUpActions()
{
    auto *table = m_ui->inputsTable;
    const auto add = [&](const QString &name, const QString &text, auto slot) {
        auto *action = new QAction(text, table);
        action->setObjectName(name);
        connect(action, &QAction::triggered, this, slot);
        table->addAction(action);
        return action;
    };
    add(u"editInputsAction"_s, tr("&Edit the selected cells (F2)"),
        [this] { m_ui->inputsTable->edit(m_ui->inputsTable->currentIndex()); });
    add(u"clearInputsAction"_s, tr("&Leave out (Del)"), &PlanInputsPanel::clearCells);
    add(u"copyInputAction"_s, tr("&Same in all shown plans"), &PlanInputsPanel::copyToAll);
    auto *seekAction = add(u"seekInputAction"_s, tr("See&k a value\u2026"), &PlanInputsPanel::seekValue);
    connect(table->selectionModel(), &QItemSelectionModel::currentChanged, seekAction,
        [this, seekAction](const QModelIndex &current) {
            const auto at = m_filter->mapToSource(current);
            seekAction->setEnabled(at.column() >= PlanInputsModel::firstPlan
                && seekableKey(m_model->plan(at.column()).inputs.document(), m_model->input(at.row()).key));
        });
    auto *plans = m_plansMenu->menuAction();
    plans->setText(tr("&Plans"));
    table->addAction(plans);
    table->setContextMenuPolicy(Qt::ActionsContextMenu);
}

void PlanInputsPanel::follow(Workspace &workspace)
{
    m_workspace = &workspace;
    const auto soon = [this] { m_soon.start(); };
    connect(m_workspace, &Workspace::projectChanged, this, [this] {
        m_hidden.clear();
        m_isChosen = false;
        m_job.cancel();
        m_model->setPlans({}); // with the editors: ids mean other plans now
        m_entered.clear();
        m_ui->inputsSearch->clear();
        m_ui->inputsSentence->setSentence({});
        m_soon.start();
    });
    for (const auto signal : {&Workspace::planInserted, &Workspace::planChanged, &Workspace::planRemoved})
        connect(m_workspace, signal, this, soon);
    connect(m_workspace, &Workspace::catalogChanged, this, soon);
    connect(m_workspace, &Workspace::settleRequested, this, &PlanInputsPanel::acceptTyped);
    m_soon.start();
}

void PlanInputsPanel::focusTable()
{
    auto *table = m_ui->inputsTable;
    if (!table->currentIndex().isValid() && m_filter->rowCount() > 0)
        table->setCurrentIndex(m_filter->index(0, PlanInputsModel::firstPlan));
    (m_filter->rowCount() > 0 ? static_cast<QWidget *>(table) : m_ui->inputsRows)->setFocus();
}

void PlanInputsPanel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    m_soon.stop();
    reload();
}

void PlanInputsPanel::reload()
{
    if (!isVisible() || !m_workspace)
        return;
    std::vector<itemmodels::PlanInputsColumn> plans;
    for (const auto &plan : m_workspace->plans())
        plans.push_back(
            {plan.id, QString::fromStdString(plan.document.name), PlanInputs(plan.document, m_workspace->catalog())});
    m_model->setEditable(!m_workspace->isReadOnly());
    m_model->setPlans(std::move(plans));
    m_entered.clear();
    showPlans();
}

void PlanInputsPanel::showPlans()
{
    std::vector<bool> shown;
    int count = 0;
    for (int column = PlanInputsModel::firstPlan; column < m_model->columnCount(); ++column) {
        shown.push_back(!m_hidden.contains(m_model->plan(column).id));
        count += shown.back();
        m_ui->inputsTable->setColumnHidden(column, !shown.back());
    }
    m_ui->inputsPlans->setText(count == int(shown.size()) ? tr("Plans: all %1").arg(count)
                                                          : tr("Plans: %1 of %2").arg(count).arg(shown.size()));
    m_model->setShown(std::move(shown));
    if (!m_isChosen) {
        const auto usual = count > 1 ? PlanInputsFilter::Rows::Different : PlanInputsFilter::Rows::All;
        m_ui->inputsRows->setCurrentIndex(m_ui->inputsRows->findData(int(usual)));
    }
    showRows();
    fitColumns();
}

void PlanInputsPanel::showRows()
{
    m_filter->setRows(PlanInputsFilter::Rows(m_ui->inputsRows->currentData().toInt()));
    showHint();
}

void PlanInputsPanel::showHint()
{
    auto &ui = *m_ui;
    const bool isEmpty = m_filter->rowCount() == 0;
    ui.inputsStack->setCurrentWidget(isEmpty ? static_cast<QWidget *>(ui.inputsNothing) : ui.inputsTable);
    if (isEmpty)
        ui.inputsNothing->setText(!ui.inputsSearch->text().isEmpty()
                ? tr("No input that is shown here has \u201c%1\u201d in its name, key or value.")
                      .arg(ui.inputsSearch->text())
                : ui.inputsRows->currentIndex() == 0 ? tr("The plans agree in every input. Show all to see them.")
                                                     : tr("There is no input in which the plans agree."));
    const auto current = ui.inputsTable->currentIndex();
    const auto cells = current.isValid() ? selectedPlans(m_filter->mapToSource(current).row()).size() : 0;
    QString hint = tr("Bold: the plans differ. Italic: the plan does not state it.");
    if (m_workspace && m_workspace->isReadOnly())
        hint += u' ' + m_workspace->readOnlyReason();
    else if (m_job.isRunning() && m_asked.searches)
        hint = tr("The best layout is being looked for.");
    else if (cells > 1)
        hint += u' ' + tr("%1 plans are selected: what is typed goes into all of them, as one step.").arg(cells);
    else
        hint += u' ' + tr("Type or press F2 to edit; select several cells of a row to edit them together.");
    ui.inputsHint->setText(hint);
}

void PlanInputsPanel::fillPlans()
{
    m_plansMenu->clear();
    const auto shown = m_model->columnCount() - PlanInputsModel::firstPlan - m_hidden.size();
    for (int column = PlanInputsModel::firstPlan; column < m_model->columnCount(); ++column) {
        const auto id = m_model->plan(column).id;
        auto *action = m_plansMenu->addAction(QString(m_model->plan(column).name).replace(u'&', u"&&"_s));
        action->setCheckable(true);
        action->setChecked(!m_hidden.contains(id));
        action->setEnabled(shown > 1 || m_hidden.contains(id));
        connect(action, &QAction::toggled, this, [this, id](bool on) {
            if (on)
                m_hidden.remove(id);
            else
                m_hidden.insert(id);
            showPlans();
        });
    }
    m_plansMenu->addSeparator();
    connect(m_plansMenu->addAction(tr("&All plans")), &QAction::triggered, this, [this] {
        m_hidden.clear();
        showPlans();
    });
}

/// Plans share the width, within what is readable; their names stand in as many lines as they need.
void PlanInputsPanel::fitColumns()
{
    auto *table = m_ui->inputsTable;
    auto *header = table->horizontalHeader();
    const int count = header->count() - header->hiddenSectionCount();
    if (count <= 0)
        return;
    const int letter = table->fontMetrics().averageCharWidth();
    const int width = std::clamp(roomForColumns(*table) / count, leastLetters * letter, mostLetters * letter);
    int height = 0;
    for (int column = PlanInputsModel::firstPlan; column < header->count(); ++column) {
        if (header->isSectionHidden(column))
            continue;
        const auto title = m_model->plan(column).name;
        int least = 0; // no word is cut
        for (const auto &word : title.split(u' '))
            least = std::max(least, header->fontMetrics().horizontalAdvance(word));
        const int own = std::max(
            {width, least + 2 * gridUnit, std::min(widthOfCells(*table, column), mostLetters * letter)});
        header->resizeSection(column, own);
        height = std::max(height,
            header->fontMetrics().boundingRect(QRect(0, 0, own - gridUnit, 1000), Qt::TextWordWrap, title).height());
    }
    header->setFixedHeight(height + gridUnit);
}

void PlanInputsPanel::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fitColumns();
}

bool PlanInputsPanel::eventFilter(QObject *watched, QEvent *event)
{
    // A list that is open leaves Del to the table around it.
    if (event->type() != QEvent::KeyPress || !openEditors().isEmpty())
        return QWidget::eventFilter(watched, event);
    finishCheck();
    if (m_soon.isActive()) { // keys may come faster than what the last one changed is shown
        m_soon.stop();
        reload();
    }
    if (!static_cast<const QKeyEvent *>(event)->matches(QKeySequence::Delete))
        return QWidget::eventFilter(watched, event);
    clearCells();
    return true;
}

QList<QWidget *> PlanInputsPanel::openEditors() const
{
    auto editors = m_ui->inputsTable->viewport()->findChildren<QWidget *>(Qt::FindDirectChildrenOnly);
    editors.removeIf([](const QWidget *widget) {
        return widget->isHidden()
            || !(qobject_cast<const QLineEdit *>(widget) || qobject_cast<const QComboBox *>(widget));
    });
    return editors;
}

void PlanInputsPanel::acceptTyped()
{
    if (m_isSetting)
        return;
    finishCheck();
    auto *table = m_ui->inputsTable;
    auto *delegate = table->itemDelegate();
    for (auto *editor : openEditors()) {
        delegate->setModelData(editor, m_filter, table->currentIndex());
        emit delegate->closeEditor(editor);
    }
    finishCheck();
}

QList<int> PlanInputsPanel::selectedPlans(int row) const
{
    QList<int> columns;
    const auto selected = m_ui->inputsTable->selectionModel()->selectedIndexes();
    for (const auto &index : selected) {
        const auto source = m_filter->mapToSource(index);
        if (source.row() == row && source.column() >= PlanInputsModel::firstPlan && m_model->isShown(source.column()))
            columns << source.column();
    }
    std::ranges::sort(columns);
    return columns;
}

void PlanInputsPanel::typed(int row, int column, const QString &text)
{
    auto columns = selectedPlans(row);
    if (!columns.contains(column))
        columns = {column};
    set(row, columns, text);
}

void PlanInputsPanel::clearCells()
{
    const auto current = m_filter->mapToSource(m_ui->inputsTable->currentIndex());
    if (current.isValid() && (m_model->flags(current) & Qt::ItemIsEditable))
        typed(current.row(), current.column(), {});
}

void PlanInputsPanel::copyToAll()
{
    const auto current = m_filter->mapToSource(m_ui->inputsTable->currentIndex());
    if (!current.isValid() || !(m_model->flags(current) & Qt::ItemIsEditable))
        return;
    QList<int> columns;
    for (int column = PlanInputsModel::firstPlan; column < m_model->columnCount(); ++column)
        if (m_model->isShown(column))
            columns << column;
    set(current.row(), columns, current.data(Qt::EditRole).toString());
}

void PlanInputsPanel::seekValue()
{
    const auto current = m_filter->mapToSource(m_ui->inputsTable->currentIndex());
    if (!current.isValid() || current.column() < PlanInputsModel::firstPlan)
        return;
    if (!m_seek) {
        m_seek = new GoalSeekDialog(*m_workspace, this);
        m_seek->setAttribute(Qt::WA_DeleteOnClose);
        connect(m_seek, &GoalSeekDialog::valueApplied, this, &PlanInputsPanel::statusMessage);
    }
    m_seek->setPlan(m_model->plan(current.column()).id, m_model->input(current.row()).key);
    m_seek->show();
    m_seek->raise();
    m_seek->activateWindow();
}

void PlanInputsPanel::set(int row, const QList<int> &columns, const QString &text)
{
    finishCheck();
    m_job.cancel();
    m_asked = {};
    m_asked.key = m_model->input(row).key;
    m_asked.text = typedNumber(text);
    for (const int column : columns) {
        const auto &plan = m_model->plan(column);
        if (m_model->flags(m_model->index(row, column)) & Qt::ItemIsEditable) {
            m_asked.inputs.push_back(inputsNow(plan));
            m_asked.plans.push_back({plan.id, m_asked.inputs.back().document()});
        } else {
            m_asked.without << tr("\u201c%1\u201d").arg(plan.name);
        }
    }
    const auto typed = m_asked.text.toStdString();
    m_asked.searches = std::ranges::any_of(
        m_asked.inputs, [&](const PlanInputs &plan) { return plan.searches(m_asked.key, typed); });
    m_ui->inputsSentence->setSentence({});
    m_job.start(m_asked.inputs, m_asked.key, typed, m_workspace->ownSite());
    showHint();
}

/// What others changed is not among it: who types has not seen it.
PlanInputs PlanInputsPanel::inputsNow(const itemmodels::PlanInputsColumn &plan) const
{
    const auto *kept = m_workspace->plan(plan.id);
    const auto entered = m_entered.constFind(plan.id);
    return kept && entered != m_entered.cend() && *entered == kept->document
        ? PlanInputs(kept->document, m_workspace->catalog())
        : plan.inputs;
}

/// A worker tries what was typed: each plan has to be solved for it. What comes next before it has answered does not
/// wait for it.
void PlanInputsPanel::finishCheck()
{
    if (!isChecking())
        return;
    m_job.cancel();
    jobs::PlanInputsResult edited;
    for (const auto &plan : m_asked.inputs) {
        edited.push_back(plan.edited(m_asked.key, m_asked.text.toStdString()));
        if (!edited.back())
            break;
    }
    take(edited);
    showHint();
}

/// All of the plans that have the input or none: a text that one of them cannot use changes nothing.
void PlanInputsPanel::take(const jobs::PlanInputsResult &edited)
{
    const QScopedValueRollback setting(m_isSetting, true);
    const auto text = m_asked.text.isEmpty() ? tr("nothing") : m_asked.text.left(mostQuoted);
    std::vector<storage::SavedPlan> next;
    for (std::size_t i = 0; i < edited.size(); ++i) {
        const auto &[id, document] = m_asked.plans[i];
        // Plans of another project may have the same ids.
        const auto *kept = m_workspace->plan(id);
        if (!kept || kept->document != document) {
            m_ui->inputsSentence->setSentence(
                tr("\u201c%1\u201d was not taken: the plans have changed meanwhile.").arg(text));
            m_soon.start();
            return;
        }
        if (!edited[i]) {
            m_ui->inputsSentence->setSentence(
                tr("\u201c%1\u201d was not taken for %2: %3", "text, plan and reason")
                    .arg(text, QString::fromStdString(document.name), localized(edited[i].error().message)));
            return;
        }
        next.push_back({id, *edited[i]});
    }
    m_ui->inputsSentence->setSentence(m_asked.without.isEmpty()
            ? QString()
            : tr("Without this input, and left as they are: %1.").arg(m_asked.without.join(u", "_s)));
    if (const auto done = m_workspace->editPlans(next); !done) {
        m_ui->inputsSentence->setSentence(localized(done.error().message));
        return;
    }
    for (const auto &plan : next)
        if (const auto *kept = m_workspace->plan(plan.id))
            m_entered.insert(plan.id, kept->document);
}

} // namespace fleetwright::app
