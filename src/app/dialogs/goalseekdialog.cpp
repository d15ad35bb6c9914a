// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/goalseekdialog.h"

#include "app/pages/sweeps/axistext.h"
#include "app/widgets/fleetfields.h"
#include "app/workspace/workspace.h"
#include "exchange/rangedsolution.h"
#include "solver/operations/operations.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "ui_goalseekdialog.h"
#include "units/format.h"
#include "units/parse.h"

#include <QCompleter>
#include <QHeaderView>
#include <QSignalBlocker>

#include <algorithm>
#include <cmath>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int pauseMilliseconds = 150, patienceMilliseconds = 500;
const std::string usualKey = "fleet.nodes", usualFigure = "run_time_s";

enum Column { What, Value, FigureValue, Feasible, ColumnCount };

/// What was typed for an end of the range, in the key's unit; nothing where the field is empty.
Expected<std::optional<double>> boundFrom(const QLineEdit &edit, const SweepKey &key, const Catalog &catalog)
{
    const auto text = edit.text().trimmed();
    if (text.isEmpty())
        return std::optional<double>();
    const auto value = parseValue(key, typedNumber(text).toStdString(), catalog, edit.objectName().toStdString());
    if (!value)
        return std::unexpected(value.error());
    return std::optional(std::get<double>(*value));
}

} // namespace

GoalSeekDialog::GoalSeekDialog(Workspace &workspace, QWidget *parent)
    : GoalSeekDialog(workspace, exchange::solveForVerdict, parent)
{
}

GoalSeekDialog::GoalSeekDialog(Workspace &workspace, jobs::SeekJob::Solver solver, QWidget *parent)
    : QDialog(parent), m_ui(std::make_unique<Ui::GoalSeekDialog>()), m_workspace(workspace), m_job(std::move(solver))
{
    m_ui->setupUi(this);
    setUpEntries();
    connect(&m_job, &jobs::SeekJob::finished, this, &GoalSeekDialog::answered);
    connect(&m_job, &jobs::SeekJob::progressed, this,
        [this](int tried) { m_ui->seekProgress->setText(tr("Looking: %1 values tried").arg(tried)); });
    m_pause.setSingleShot(true);
    m_pause.setInterval(pauseMilliseconds);
    connect(&m_pause, &QTimer::timeout, this, &GoalSeekDialog::ask);
    m_patience.setSingleShot(true);
    m_patience.setInterval(patienceMilliseconds);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        m_ui->seekProgress->show();
        m_ui->seekCancel->show();
    });
    connect(&m_workspace, &Workspace::projectChanged, this, &QDialog::reject);
    connect(&m_workspace, &Workspace::planRemoved, this, [this] {
        if (!m_workspace.plan(m_plan))
            reject();
    });
    connect(&m_workspace, &Workspace::planChanged, this, [this](int index) {
        if (m_workspace.plans()[std::size_t(index)].id == m_plan) {
            fillAround();
            soon();
        }
    });
    connect(&m_workspace, &Workspace::catalogChanged, this, &GoalSeekDialog::soon);
}

GoalSeekDialog::~GoalSeekDialog() = default;

void GoalSeekDialog::setUpEntries()
{
    auto &ui = *m_ui;
    ui.seekKey->setEditable(true);
    ui.seekKey->setInsertPolicy(QComboBox::NoInsert);
    ui.seekKey->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon); // some names are sentences
    ui.seekKey->completer()->setFilterMode(Qt::MatchContains);
    ui.seekKey->completer()->setCompletionMode(QCompleter::PopupCompletion);
    ui.seekKey->setAccessibleName(tr("Input to change"));
    ui.seekKey->setToolTip(tr("A number of the plan, of its cost model or of its catalog items. Type part of a name to "
                              "search."));
    ui.seekFigure->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    ui.seekFigure->setAccessibleName(tr("Figure to reach"));
    for (const auto &figure : allFigures()) {
        ui.seekFigure->addItem(localized(figure.label), utf8(figure.key));
        ui.seekFigure->setItemData(ui.seekFigure->count() - 1, localized(figure.help), Qt::ToolTipRole);
    }
    ui.seekTarget->setAccessibleName(tr("Target"));
    for (auto *edit : {ui.seekTarget, ui.seekFrom, ui.seekTo}) {
        edit->setAlignment(Qt::AlignRight);
        connect(edit, &QLineEdit::textChanged, this, &GoalSeekDialog::soon);
        connect(edit, &QLineEdit::returnPressed, this, &GoalSeekDialog::ask);
    }
    for (auto *edit : {ui.seekFrom, ui.seekTo}) {
        edit->setToolTip(tr("Where to look. Empty: up to %1 times more and less than the plan has")
                             .arg(localized(units::format(usualSpan, units::Dimension::Number))));
        edit->setPlaceholderText(tr("as usual"));
    }
    ui.seekFrom->setAccessibleName(tr("Least value"));
    ui.seekTo->setAccessibleName(tr("Greatest value"));
    connect(ui.seekKey, &QComboBox::activated, this, &GoalSeekDialog::keyChosen);
    connect(ui.seekKey->lineEdit(), &QLineEdit::editingFinished, this, [this] {
        auto *keys = m_ui->seekKey;
        if (const int found = keys->findText(keys->currentText(), Qt::MatchFixedString); found >= 0) {
            if (found != keys->currentIndex()) {
                keys->setCurrentIndex(found);
                keyChosen();
            }
        } else {
            keys->setEditText(keys->itemText(keys->currentIndex()));
        }
    });
    connect(ui.seekFigure, &QComboBox::activated, this, [this] {
        takeUnit({});
        takeOwn();
        soon();
    });
    connect(ui.seekTarget, &QLineEdit::editingFinished, this, [this] {
        bool isNumber = false;
        const auto text = m_ui->seekTarget->text().trimmed();
        typedNumber(text).toDouble(&isNumber);
        if (!isNumber || m_unit.empty())
            return;
        const QSignalBlocker quiet(m_ui->seekTarget); // it says what was asked already
        m_ui->seekTarget->setText(text + u' ' + utf8(m_unit));
    });
    setUpTable(ui.seekTable, Feasible);
    ui.seekTable->setAccessibleName(tr("The plan before and after"));
    ui.seekTable->setColumnCount(ColumnCount);
    ui.seekTable->horizontalHeader()->hide(); // until there is something to head
    for (auto *widget : {static_cast<QWidget *>(ui.seekProgress), static_cast<QWidget *>(ui.seekCancel)})
        widget->hide();
    connect(ui.seekCancel, &QPushButton::clicked, this, &GoalSeekDialog::stop);
    connect(ui.seekApply, &QPushButton::clicked, this, &GoalSeekDialog::apply);
    connect(ui.seekClose, &QPushButton::clicked, this, &QDialog::reject);
}

void GoalSeekDialog::keyChosen()
{
    m_ui->seekFrom->clear(); // of another input
    m_ui->seekTo->clear();
    soon();
}

void GoalSeekDialog::fillKeys()
{
    const auto *plan = m_workspace.plan(m_plan);
    const auto chosen = m_ui->seekKey->currentData();
    const QSignalBlocker quiet(m_ui->seekKey);
    m_ui->seekKey->clear();
    const auto add = [this](const SweepKey &key) {
        if (!isNumber(key))
            return;
        const auto label = localized(key.label);
        const bool isOne = std::ranges::count(sweepKeys(), key.label, &SweepKey::label) == 1;
        m_ui->seekKey->addItem(isOne ? label : u"%1: %2"_s.arg(label, localized(key.description)), utf8(key.key));
        m_ui->seekKey->setItemData(m_ui->seekKey->count() - 1, axisHelp(key), Qt::ToolTipRole);
    };
    for (const auto &key : sweepKeys())
        add(key);
    if (const auto model = findCostModel(plan->document.costModelId))
        for (const auto descriptors : {(*model)->assumptions(), operationsAssumptions()})
            for (const auto &descriptor : descriptors)
                add(sweepKeyOf(descriptor));
    m_ui->seekKey->setCurrentIndex(m_ui->seekKey->findData(chosen));
}

void GoalSeekDialog::setPlan(qint64 plan, const std::string &key)
{
    const auto *saved = m_workspace.plan(plan);
    if (!saved)
        return;
    m_plan = plan;
    fillKeys();
    auto &ui = *m_ui;
    const bool isLimit = key.starts_with("constraints.");
    const int found = isLimit ? -1 : ui.seekKey->findData(utf8(key));
    ui.seekKey->setCurrentIndex(found >= 0 ? found : ui.seekKey->findData(utf8(usualKey)));
    ui.seekKey->lineEdit()->setCursorPosition(0);
    const auto goal = goalOf(saved->document, key);
    selectData(ui.seekFigure, utf8(goal ? goal->figure : std::string_view(usualFigure)));
    for (auto *edit : {ui.seekTarget, ui.seekFrom, ui.seekTo})
        edit->clear();
    if (goal)
        ui.seekTarget->setText(localizedNumber(utf8(targetText(*goal))));
    takeUnit(goal ? std::optional(goal->target) : std::nullopt);
    if (!goal)
        takeOwn();
    fillAround();
    ask();
    ui.seekTarget->setFocus();
    ui.seekTarget->selectAll();
}

/// A number without a unit is in that of the plan's limit, or in which the plan's own figure is shown.
void GoalSeekDialog::takeUnit(std::optional<double> goal)
{
    const auto figure = chooseFigure(m_ui->seekFigure->currentData().toString().toStdString());
    const auto result = m_workspace.result(m_plan);
    const auto size = goal || !figure || !result ? goal : result->estimate().figure(figure->key);
    m_unit = figure && size && std::isfinite(*size) ? std::string(units::unitFor(*size, figure->dimension).symbol)
                                                    : std::string();
    m_ui->seekTarget->setPlaceholderText(utf8(m_unit));
    m_ui->seekTarget->setToolTip(m_unit.empty() ? QString() : tr("A number without a unit is in %1").arg(utf8(m_unit)));
}

/// What the plan has now, for people to change; nothing where it was not solved.
void GoalSeekDialog::takeOwn()
{
    const QSignalBlocker quiet(m_ui->seekTarget); // whoever calls asks
    const auto own = ownFigure();
    m_ui->seekTarget->setText(own ? localizedNumber(*own) : QString());
}

std::optional<QString> GoalSeekDialog::ownFigure() const
{
    const auto figure = chooseFigure(m_ui->seekFigure->currentData().toString().toStdString());
    const auto result = m_workspace.result(m_plan);
    const auto own = figure && result ? result->estimate().figure(figure->key) : std::nullopt;
    if (!own || !std::isfinite(*own))
        return std::nullopt;
    const auto unit = units::unitFor(*own, figure->dimension);
    const auto digits = units::threeDigits(*own / unit.factor);
    return utf8(unit.symbol.empty() ? digits : digits + ' ' + std::string(unit.symbol));
}

void GoalSeekDialog::fillAround()
{
    const auto *plan = m_workspace.plan(m_plan);
    if (!plan)
        return;
    m_ui->planLabel->setText(QString::fromStdString(plan->document.name));
    m_ui->seekApply->setToolTip(
        m_workspace.isReadOnly() ? m_workspace.readOnlyReason() : tr("Sets the value in the plan; undo takes it back"));
}

std::string GoalSeekDialog::currentKey() const { return m_ui->seekKey->currentData().toString().toStdString(); }

Expected<SeekQuestion> GoalSeekDialog::question() const
{
    const auto *plan = m_workspace.plan(m_plan);
    const auto figure = chooseFigure(m_ui->seekFigure->currentData().toString().toStdString());
    if (!plan || !figure)
        return refuse(ErrorCode::MissingField, {}, tr("Choose a figure.").toStdString());
    SeekQuestion asked{
        .plan = plan->document, .key = currentKey(), .figure = figure->key, .target = 0, .from = {}, .to = {}};
    const auto key = seekableKey(asked.plan, asked.key);
    if (!key)
        return std::unexpected(key.error());
    const auto text = m_ui->seekTarget->text().trimmed();
    const auto target = units::parseIn(typedNumber(text).toStdString(), figure->dimension, m_unit, "target");
    if (!target)
        return std::unexpected(target.error());
    asked.target = *target;
    const auto from = boundFrom(*m_ui->seekFrom, *key, *m_workspace.catalog());
    const auto to = boundFrom(*m_ui->seekTo, *key, *m_workspace.catalog());
    if (!from || !to)
        return std::unexpected(from ? to.error() : from.error());
    asked.from = *from;
    asked.to = *to;
    return asked;
}

void GoalSeekDialog::soon()
{
    m_ui->seekApply->setEnabled(false); // it belongs to what was asked before
    m_pause.start();
}

void GoalSeekDialog::ask()
{
    m_pause.stop();
    m_answer.reset();
    m_asked.reset();
    m_ui->seekApply->setEnabled(false);
    if (!m_workspace.plan(m_plan))
        return;
    if (m_ui->seekTarget->text().trimmed().isEmpty()) { // nothing is wrong yet
        m_job.cancel();
        m_patience.stop();
        showRefusal({});
        const auto own = ownFigure();
        m_ui->seekAnswer->setText(own ? tr("Type what %1 shall be; in this plan it is %2.")
                                            .arg(m_ui->seekFigure->currentText(), localizedNumber(*own))
                                      : tr("Type what %1 shall be.").arg(m_ui->seekFigure->currentText()));
        return;
    }
    auto asked = question();
    if (!asked) {
        m_job.cancel();
        m_patience.stop();
        showRefusal(localized(asked.error().message));
        return;
    }
    m_ui->seekSentence->setSentence({});
    m_asked = *asked;
    m_job.start(std::move(*asked), m_workspace.catalog(), m_workspace.ownSite());
    m_patience.start();
}

void GoalSeekDialog::stop()
{
    m_job.cancel();
    m_asked.reset();
    showRefusal(tr("Stopped. Press Enter in the target to look again."));
}

void GoalSeekDialog::reject()
{
    m_job.cancel();
    m_pause.stop();
    m_patience.stop();
    QDialog::reject();
}

void GoalSeekDialog::showRefusal(const QString &sentence)
{
    m_ui->seekSentence->setSentence(sentence);
    m_ui->seekTable->setRowCount(0);
    m_ui->seekTable->horizontalHeader()->hide();
    m_ui->seekAnswer->clear();
    m_ui->seekProgress->hide();
    m_ui->seekCancel->hide();
}

void GoalSeekDialog::answered(const jobs::SeekResult &result)
{
    if (m_pause.isActive()) // something else is asked by now
        return;
    m_patience.stop();
    m_ui->seekProgress->hide();
    m_ui->seekCancel->hide();
    if (!result) {
        showRefusal(localized(result.error().message));
        return;
    }
    m_answer = *result;
    showAnswer();
}

void GoalSeekDialog::showAnswer()
{
    const auto &answer = *m_answer;
    auto *table = m_ui->seekTable;
    table->horizontalHeader()->show();
    table->setHorizontalHeaderLabels(
        {QString(), localized(answer.key.label), localized(answer.figure.shortLabel), tr("Feasible")});
    std::vector<std::pair<QString, const SeekPoint *>> rows;
    if (answer.now)
        rows.emplace_back(tr("The plan now"), &*answer.now);
    const bool hasNoEffect = answer.outcome == SeekOutcome::NoEffect;
    const bool isReached = reachesTarget(answer, answer.found);
    rows.emplace_back(answer.outcome == SeekOutcome::Reached ? tr("Reaches the target")
            : hasNoEffect && isReached                       ? tr("Reaches it anyway")
                                                             : tr("Comes closest"),
        &answer.found);
    if (answer.neighbour && answer.key.type == SweepValueType::Integer)
        rows.emplace_back(tr("Does not"), &*answer.neighbour);
    if (answer.feasible)
        rows.emplace_back(tr("And keeps every limit"), &*answer.feasible);
    if (answer.unwarned)
        rows.emplace_back(tr("Runs in a framework"), &*answer.unwarned);
    table->setRowCount(int(rows.size()));
    for (int row = 0; row < int(rows.size()); ++row) {
        const auto &[what, point] = rows[std::size_t(row)];
        QString feasible = localized(fleetwright::inWords(point->feasible, point->onlyLikely));
        QStringList missed;
        for (const auto &one : point->missed)
            missed << localized(one);
        if (point->refused)
            feasible = localized(point->refused->message);
        else if (!missed.isEmpty())
            feasible += u": "_s + missed.join(u"; "_s);
        if (!point->warning.empty()) {
            feasible = tr("%1, but no framework runs it").arg(feasible);
            missed << localized(point->warning);
        }
        const std::array texts{what, localized(valueInWords(answer, point->value)),
            localized(figureText(point->figure, answer.figure.dimension)), feasible};
        for (int column = 0; column < ColumnCount; ++column) {
            auto *item = new QTableWidgetItem(texts[std::size_t(column)]);
            item->setToolTip(missed.join(u'\n'));
            if (column == Value || column == FigureValue)
                item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            table->setItem(row, column, item);
        }
    }
    table->setMinimumHeight(table->horizontalHeader()->sizeHint().height() + table->verticalHeader()->length()
        + 2 * table->frameWidth()); // every row is seen
    QStringList sentences;
    for (const auto &sentence : fleetwright::inWords(answer))
        sentences << localized(sentence);
    auto *said = m_ui->seekAnswer;
    said->setText(sentences.join(u'\n'));
    said->setMinimumHeight(said->heightForWidth(said->width())); // every line is seen
    constexpr std::string_view accelerator = "fleet.node.accelerator.";
    const bool isOfAccelerator = answer.key.key.starts_with(accelerator);
    if (isOfAccelerator)
        m_ui->seekApply->setToolTip(
            tr("An accelerator belongs to the catalog, not to a plan: duplicate it there and change the copy."));
    else
        fillAround();
    const auto value = localized(valueInWords(answer, applied().value));
    m_ui->seekApply->setText(!applied().warning.empty() ? tr("&Apply %1 all the same").arg(value)
            : isReached                                 ? tr("&Apply %1").arg(value)
                                                        : tr("&Apply the closest, %1").arg(value));
    m_ui->seekApply->setEnabled(!m_workspace.isReadOnly() && !isOfAccelerator && !hasNoEffect && m_asked.has_value());
}

const SeekPoint &GoalSeekDialog::applied() const { return m_answer->feasible ? *m_answer->feasible : m_answer->found; }

void GoalSeekDialog::apply()
{
    if (!m_answer || !m_asked)
        return;
    const auto &point = applied();
    const SweepSetting setting{m_answer->key.key, point.value};
    const auto asked = *m_asked;
    const auto label = localized(m_answer->key.label), value = localized(valueInWords(*m_answer, point.value));
    m_workspace.settle();
    const auto *plan = m_workspace.plan(m_plan);
    if (!plan || plan->document != asked.plan)
        return; // it has just changed, and is asked about anew
    const auto changed = applySettings({&setting, 1}, plan->document, *m_workspace.catalog());
    if (!changed) {
        showRefusal(localized(changed.error().message));
        return;
    }
    const auto name = QString::fromStdString(plan->document.name);
    if (const auto done = m_workspace.editPlan(m_plan, changed->document); !done) {
        showRefusal(localized(done.error().message));
        return;
    }
    emit valueApplied(tr("%1 of \u201c%2\u201d is %3 now; undo takes it back").arg(label, name, value));
    reject();
}

} // namespace fleetwright::app
