// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/calibration/calibrationdialog.h"

#include "app/dialogs/calibration/constantsinuse.h"
#include "app/dialogs/calibration/measuredrundialog.h"
#include "app/theme.h"
#include "app/widgets/copying.h"
#include "app/widgets/fleetfields.h"
#include "app/widgets/tablecolumns.h"
#include "app/widgets/validationlabel.h"
#include "app/wording.h"
#include "app/workspace/prompts.h"
#include "app/workspace/rowdocuments.h"
#include "app/workspace/unreadrows.h"
#include "app/workspace/workspace.h"
#include "itemmodels/calibrationmodels.h"
#include "jobs/learntsite.h"
#include "solver/models/detailed/constantrecords.h"
#include "solver/models/detailed/detailedmodel.h"
#include "solver/validation/ownsite.h"
#include "text/localized.h"
#include "ui_calibrationdialog.h"
#include "units/format.h"

#include <QDate>
#include <QEvent>
#include <QFileInfo>
#include <QHeaderView>
#include <QShortcut>
#include <QSortFilterProxyModel>

#include <algorithm>
#include <span>
#include <unordered_set>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using itemmodels::FittedConstantModel;
using itemmodels::MeasuredRunModel;
using validation::MeasuredRun;

namespace {
constexpr std::size_t mostShiftsSaid = 2; ///< of plans, after a fit
constexpr std::int64_t mostAcceleratorsOfARun = 64; // of a run that is suggested: what a buyer may have at hand

/// A row is read as the fit reads it, which would keep a window with a hundred thousand from answering for seconds.
std::size_t shownRuns(const Workspace &workspace)
{
    constexpr std::size_t most = 10'000;
    return std::min(most, workspace.measuredRuns().size());
}
} // namespace

CalibrationDialog::CalibrationDialog(Workspace &workspace, Prompts &prompts, QWidget *parent)
    : QDialog(parent), m_ui(std::make_unique<Ui::CalibrationDialog>()), m_workspace(workspace), m_prompts(prompts),
      m_runs(new MeasuredRunModel(this)), m_proxy(new QSortFilterProxyModel(this)),
      m_constants(new FittedConstantModel(this))
{
    m_ui->setupUi(this);
    for (auto *heading : {m_ui->runsLabel, m_ui->verdictLabel})
        makeHeading(heading);
    setUpTables();
    updateIcons();
    for (const auto &[button, act] : std::initializer_list<std::pair<QPushButton *, void (CalibrationDialog::*)()>>{
             {m_ui->addButton, &CalibrationDialog::add}, {m_ui->emptyAddButton, &CalibrationDialog::add},
             {m_ui->importButton, &CalibrationDialog::importFile},
             {m_ui->emptyImportButton, &CalibrationDialog::importFile}, {m_ui->editButton, &CalibrationDialog::edit},
             {m_ui->duplicateButton, &CalibrationDialog::duplicate}, {m_ui->deleteButton, &CalibrationDialog::remove},
             {m_ui->copyButton, &CalibrationDialog::copy}, {m_ui->fitButton, &CalibrationDialog::fit},
             {m_ui->cancelButton, &CalibrationDialog::cancel}, {m_ui->applyButton, &CalibrationDialog::apply},
             {m_ui->resetButton, &CalibrationDialog::reset}})
        connect(button, &QPushButton::clicked, this, act);
    connect(m_ui->closeButton, &QPushButton::clicked, this, &QDialog::close);
    connect(&m_job, &jobs::CalibrationJob::finished, this, &CalibrationDialog::showFit);
    connect(&m_job, &jobs::CalibrationJob::progressed, this,
        [this](int iterations) { m_ui->statusLabel->setText(tr("Fitting, step %1").arg(iterations)); });
    connect(&m_reading, &jobs::ReadRunsJob::progressed, this,
        [this](int percent) { m_ui->statusLabel->setText(tr("Reading, %1 %").arg(percent)); });
    connect(&m_reading, &jobs::ReadRunsJob::finished, this,
        [this](const jobs::ReadRunsOutcome &runs) { prepare(QFileInfo(m_readFile).fileName(), runs); });
    connectWorkspace();
    reload();
}

CalibrationDialog::~CalibrationDialog() = default;

void CalibrationDialog::setUpTables()
{
    m_proxy->setSourceModel(m_runs);
    m_proxy->setSortRole(itemmodels::sortRole);
    auto *runs = m_ui->runsTable;
    runs->setModel(m_proxy);
    copyMeasuredRuns(runs, m_workspace);
    setUpTable(runs, MeasuredRunModel::Note);
    runs->setSelectionMode(QAbstractItemView::ExtendedSelection);
    runs->setSortingEnabled(true);
    runs->sortByColumn(MeasuredRunModel::Name, Qt::AscendingOrder);
    connect(runs->selectionModel(), &QItemSelectionModel::selectionChanged, this, &CalibrationDialog::updateState);
    connect(runs, &QTableView::doubleClicked, this, &CalibrationDialog::edit);
    for (const auto &[keys, slot] : {std::pair(QKeySequence(Qt::Key_Delete), &CalibrationDialog::remove),
             std::pair(QKeySequence(Qt::Key_F2), &CalibrationDialog::edit)})
        connect(new QShortcut(keys, runs, nullptr, nullptr, Qt::WidgetShortcut), &QShortcut::activated, this, slot);
    m_ui->constantsTable->setModel(m_constants);
    setUpTable(m_ui->constantsTable, FittedConstantModel::Note);
    m_ui->constantsTable->setSelectionMode(QAbstractItemView::ExtendedSelection);
}

void CalibrationDialog::connectWorkspace()
{
    connect(&m_workspace, &Workspace::projectChanged, this, [this] {
        m_reading.cancel(); // it was for the other project
        m_preparing.cancel();
        reload();
    });
    connect(&m_workspace, &Workspace::measuredRunsReplaced, this, &CalibrationDialog::reload);
    connect(&m_workspace, &Workspace::catalogChanged, this, &CalibrationDialog::updateState);
    connect(&m_workspace, &Workspace::measuredRunChanged, this, [this](int index) {
        const auto &saved = m_workspace.measuredRuns().at(std::size_t(index));
        if (index < m_runs->rowCount())
            m_runs->change(index, itemmodels::measuredRunRow(saved.id, saved.document));
        forgetFit();
    });
}

void CalibrationDialog::reload()
{
    const auto chosen = selected();
    std::vector<itemmodels::MeasuredRunRow> rows;
    for (const auto &saved : std::span(m_workspace.measuredRuns()).first(shownRuns(m_workspace)))
        rows.push_back(itemmodels::measuredRunRow(saved.id, saved.document));
    m_fit.reset(); // the new rows know nothing of it
    m_runs->setRows(std::move(rows));
    forgetFit();
    select(chosen);
}

void CalibrationDialog::forgetFit()
{
    m_job.cancel();
    m_weighing.cancel();
    m_ui->sentence->setSentence({});
    showVerdict({});
    if (m_fit) {
        m_fit.reset();
        for (int i = 0; i < m_runs->rowCount(); ++i) {
            const auto &saved = m_workspace.measuredRuns().at(std::size_t(i));
            m_runs->change(i, itemmodels::measuredRunRow(saved.id, saved.document));
        }
    }
    m_constants->setRows({});
    m_ui->statusLabel->clear();
    updateState();
}

void CalibrationDialog::updateState()
{
    const bool writable = m_workspace.isOpen() && !m_workspace.isReadOnly();
    const int all = m_runs->rowCount();
    const auto chosen = selected().size();
    m_ui->runsStack->setCurrentWidget(all == 0 ? m_ui->emptyPage : m_ui->runsPage);
    const auto kept = int(m_workspace.measuredRuns().size());
    m_ui->countLabel->setText(all == 0 ? QString()
            : all == 1                 ? tr("1 run")
            : all < kept               ? tr("the first %1 of %2 runs").arg(all).arg(kept)
                                       : tr("%1 runs").arg(all));
    showConstantsInUse(writable);
    const bool reading = m_reading.isRunning() || m_preparing.isRunning();
    for (auto *button : {m_ui->addButton, m_ui->importButton, m_ui->emptyAddButton, m_ui->emptyImportButton})
        button->setEnabled(writable && !reading);
    for (auto *button : {m_ui->editButton, m_ui->duplicateButton})
        button->setEnabled(writable && chosen == 1);
    m_ui->deleteButton->setEnabled(writable && chosen > 0);
    m_ui->copyButton->setEnabled(all > 0);
    const bool running = m_job.isRunning() || reading;
    m_ui->fitButton->setEnabled(all > 0 && !running);
    m_ui->cancelButton->setVisible(running);
    m_ui->progressBar->setVisible(running);
    m_ui->constantsTable->setVisible(m_fit != nullptr);
    m_ui->applyButton->setEnabled(writable && m_fit != nullptr);
    m_ui->fitButton->setDefault(m_fit == nullptr);
    m_ui->applyButton->setDefault(m_fit != nullptr);
    for (const int column : {MeasuredRunModel::Before, MeasuredRunModel::ErrorBefore, MeasuredRunModel::After,
             MeasuredRunModel::ErrorAfter})
        m_ui->runsTable->setColumnHidden(column, m_fit == nullptr);
}

void CalibrationDialog::showConstantsInUse(bool writable)
{
    const bool isOpen = m_workspace.isOpen();
    const auto catalog = m_workspace.catalog();
    const auto fits = isOpen ? detailed::calibrationsOf(*catalog) : std::vector<detailed::AppliedCalibration>();
    const auto byHand = isOpen ? detailed::constantsSetByHand(*catalog) : 0;
    auto said = constantsInUse(fits, byHand);
    if (!m_workspace.measuredRuns().empty())
        said += u' ' + tr("The runs below move what is likely and its range, fitted or not.");
    m_ui->stateLabel->setText(said);
    m_ui->resetButton->setText(
        byHand == 0 ? tr("Use the program\u2019s constants") : tr("Remove the fitted constants"));
    m_ui->resetButton->setVisible(!fits.empty());
    m_ui->resetButton->setEnabled(writable);
}

const storage::SavedMeasuredRun *CalibrationDialog::current() const
{
    const auto ids = selected();
    const auto &runs = m_workspace.measuredRuns();
    const auto found = ids.size() == 1 ? std::ranges::find(runs, ids.front(), &storage::SavedMeasuredRun::id)
                                       : runs.end();
    return found == runs.end() ? nullptr : &*found;
}

std::vector<storage::RowId> CalibrationDialog::selected() const
{
    std::vector<storage::RowId> ids;
    const auto rows = m_ui->runsTable->selectionModel()->selectedRows();
    for (const auto &row : rows)
        ids.push_back(row.data(itemmodels::idRole).toLongLong());
    return ids;
}

void CalibrationDialog::select(const std::vector<storage::RowId> &ids)
{
    const std::unordered_set<storage::RowId> wanted(ids.begin(), ids.end());
    QItemSelection rows;
    for (int i = 0; i < m_runs->rowCount(); ++i)
        if (wanted.contains(m_runs->row(i).id)) {
            const auto row = m_proxy->mapFromSource(m_runs->index(i, 0));
            rows.select(row, row);
        }
    auto *selection = m_ui->runsTable->selectionModel();
    selection->select(rows, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    if (rows.isEmpty() && m_proxy->rowCount() > 0)
        chooseRow(*m_ui->runsTable, 0);
}

void CalibrationDialog::openRun(const MeasuredRun &run, std::function<Expected<void>(const MeasuredRun &)> keep)
{
    std::vector<PlanDocument> plans; // that a new run can start as
    if (run.id.empty())
        for (const auto &saved : m_workspace.plans())
            plans.push_back(saved.document);
    QStringList taken; // names of runs
    for (const auto &saved : m_workspace.measuredRuns())
        taken << utf8(saved.document.id);
    auto *dialog = new MeasuredRunDialog(
        run, m_workspace.catalog(), {std::move(plans), std::move(taken), m_workspace.ownSite()}, std::move(keep), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void CalibrationDialog::add()
{
    MeasuredRun run;
    run.tp = run.pp = 1;
    openRun(run, [this](const MeasuredRun &typed) { return m_workspace.addMeasuredRuns({typed}); });
}

void CalibrationDialog::edit()
{
    const auto *saved = current();
    if (!saved || m_workspace.isReadOnly())
        return;
    openRun(saved->document,
        [this, id = saved->id](const MeasuredRun &typed) { return m_workspace.editMeasuredRun(id, typed); });
}

void CalibrationDialog::duplicate()
{
    const auto *saved = current();
    if (!saved || m_workspace.isReadOnly())
        return;
    auto copy = saved->document;
    copy.id = tr("%1 (copy)").arg(QString::fromStdString(copy.id)).toStdString();
    openRun(copy, [this](const MeasuredRun &typed) { return m_workspace.addMeasuredRuns({typed}); });
}

void CalibrationDialog::remove()
{
    const auto ids = selected();
    if (ids.empty() || m_workspace.isReadOnly())
        return;
    const auto *only = current();
    const auto told = only
        ? tr("Deleted \u201c%1\u201d; undo brings it back").arg(QString::fromStdString(only->document.id))
        : tr("Deleted %1 runs; undo brings them back").arg(ids.size());
    if (const auto removed = m_workspace.removeMeasuredRuns(ids); !removed)
        m_prompts.showError(this, tr("The runs were not deleted"), removed.error());
    else
        m_ui->statusLabel->setText(told);
}

void CalibrationDialog::importFile()
{
    const auto path = m_prompts.fileToOpen(
        this, tr("Import measured runs"), tr("Measured runs (*.json *.csv);;All files (*)"));
    if (path.isEmpty())
        return;
    m_job.cancel();
    m_readFile = path;
    m_ui->statusLabel->setText(tr("Reading"));
    m_reading.start(path);
    updateState();
}

/// The texts of many runs take seconds; saving them then takes a fraction of that.
void CalibrationDialog::prepare(const QString &fileName, const jobs::ReadRunsOutcome &runs)
{
    constexpr std::size_t many = 1000;
    if (!runs || (*runs)->runs.size() < many)
        return addRead(fileName, runs);
    using Prepared = Expected<std::shared_ptr<const storage::PreparedRuns>>;
    m_preparing.start(
        [this, file = *runs](const jobs::LatestRun::Run &run) {
            return jobs::shared(storage::prepareRuns(file->runs,
                {.stop = run.stop(), .progress = [&](std::size_t done, std::size_t total) {
                     const int percent = int(done * 100 / total);
                     run.report([this, percent] { m_ui->statusLabel->setText(tr("Preparing, %1 %").arg(percent)); });
                 }}));
        },
        [](const std::string &what) -> Prepared {
            return refuse(ErrorCode::IoError, {},
                "The measured runs could not be prepared (" + what + "); split the file or free memory.");
        },
        [this, fileName, runs](const Prepared &prepared) {
            if (prepared)
                addRead(fileName, runs, prepared->get());
            else
                addRead(fileName, std::unexpected(prepared.error()));
        });
    updateState();
}

void CalibrationDialog::addRead(
    const QString &fileName, const jobs::ReadRunsOutcome &runs, const storage::PreparedRuns *prepared)
{
    m_ui->statusLabel->clear();
    auto added = runs ? validation::requireRun(**runs) : Expected<void>(std::unexpected(runs.error()));
    if (added)
        added = m_workspace.addMeasuredRuns((*runs)->runs, prepared);
    updateState();
    if (!added)
        m_prompts.showError(this, tr("\u201c%1\u201d was not imported").arg(fileName), added.error());
    else
        tellUnreadRows(m_prompts, this, fileName, **runs);
}

void CalibrationDialog::copy() { (void)copyTable(*m_ui->runsTable, CopyAs::TabSeparated, CopyWhat::Selection); }

void CalibrationDialog::fit()
{
    forgetFit();
    const auto start = detailed::constantsOf(*m_workspace.catalog());
    const auto centre = detailed::uncalibratedConstantsOf(*m_workspace.catalog());
    if (!start || !centre) {
        m_ui->sentence->setSentence(localized((start ? centre : start).error().message));
        return;
    }
    jobs::CalibrationRequest request{.runs = {}, .start = {*start, *centre}, .constants = {}};
    for (const auto &saved : m_workspace.measuredRuns())
        request.runs.push_back(saved.document);
    m_job.start(std::move(request));
    updateState();
}

void CalibrationDialog::cancel()
{
    const bool reading = m_reading.isRunning() || m_preparing.isRunning();
    m_reading.cancel();
    m_preparing.cancel();
    m_job.cancel();
    m_ui->statusLabel->setText(reading ? tr("The import was cancelled; nothing was added.")
                                       : tr("The fit was cancelled; nothing has changed."));
    updateState();
}

void CalibrationDialog::showFit(const jobs::CalibrationOutcome &outcome)
{
    m_ui->statusLabel->clear();
    if (!outcome) {
        m_ui->sentence->setSentence(localized(outcome.error().message));
        updateState();
        return;
    }
    m_fit = *outcome;
    const auto &calibration = m_fit->calibration;
    // The fit took the runs in the project's order and left some out, so both lists are walked together.
    std::size_t nextRun = 0;
    for (int i = 0; i < m_runs->rowCount(); ++i)
        if (const auto &row = m_runs->row(i); row.note.isEmpty() && nextRun < calibration.runs.size())
            m_runs->change(i, itemmodels::withPrediction(row, calibration.runs[nextRun++]));
    std::vector<itemmodels::FittedConstantRow> rows;
    for (const auto &fitted : calibration.fitted)
        rows.push_back(itemmodels::fittedConstantRow(fitted));
    m_constants->setRows(std::move(rows));
    if (calibration.runs.size() > 1) // one has no others that predict it
        m_ui->statusLabel->setText(
            tr("Median error of a run that the others predict: %1, mean %2. Before: %3. Of the fitted constants alone, "
               "on the "
               "runs that they were fitted to: %4. %5 of %6 runs.")
                .arg(percent(m_fit->medianErrorLeftOut), percent(m_fit->meanErrorLeftOut),
                    percent(calibration.medianErrorBefore), percent(calibration.medianErrorAfter))
                .arg(calibration.runs.size())
                .arg(m_workspace.measuredRuns().size()));
    QStringList verdict;
    for (const auto &sentence : validation::inWords(*m_fit))
        verdict << localized(sentence);
    showVerdict(verdict);
    weighFit();
    updateState();
}

/// The first sentence is what the fit comes to; the rest is its reasons.
void CalibrationDialog::showVerdict(const QStringList &sentences)
{
    m_ui->verdictLabel->setText(sentences.value(0));
    m_ui->verdictDetails->setText(sentences.mid(1).join(u' ').trimmed());
    for (auto *label : {m_ui->verdictLabel, m_ui->verdictDetails})
        label->setVisible(!label->text().isEmpty());
}

void CalibrationDialog::weighFit()
{
    struct Weighed {
        std::string next; // which run to measure
        std::vector<std::string> shifts; // of the steps of plans
    };
    std::vector<PlanDocument> plans;
    for (const auto &saved : m_workspace.plans())
        plans.push_back(saved.document);
    m_weighing.start(
        [site = m_workspace.ownSite(), plans = std::move(plans), catalog = m_workspace.catalog(),
            fitted = m_fit->calibration.fitted](const jobs::LatestRun::Run &run) {
            const auto learnt = jobs::learnt(site, run.stop());
            const auto narrowed = jobs::plansToNarrow(plans, *catalog, learnt.get(), run.stop());
            Weighed weighed{.next = {},
                .shifts = validation::shiftsInWords(
                    narrowed, fitted, learnt ? learnt->runs() : std::span<const detailed::CalibrationRun>())};
            if (learnt)
                if (const auto next = validation::suggestRun(*learnt, narrowed, mostAcceleratorsOfARun))
                    weighed.next = validation::inWords(*next);
            return weighed;
        },
        [](const std::string &) { return Weighed(); }, // the fit stands without it
        [this](const Weighed &weighed) {
            if (!weighed.next.empty())
                m_ui->statusLabel->setText((m_ui->statusLabel->text() + u' ' + localized(weighed.next)).trimmed());
            QStringList verdict{m_ui->verdictLabel->text(), m_ui->verdictDetails->text()};
            for (const auto &shift : std::span(weighed.shifts).first(std::min(mostShiftsSaid, weighed.shifts.size())))
                verdict << localized(shift);
            showVerdict(verdict);
        });
}

void CalibrationDialog::reset()
{
    if (const auto done = m_workspace.removeCalibration(); !done) {
        m_prompts.showError(this, tr("The constants were not removed"), done.error());
        return;
    }
    forgetFit(); // it counted from them
    m_ui->statusLabel->setText(fitsRemoved(detailed::constantsSetByHand(*m_workspace.catalog())));
}

void CalibrationDialog::apply()
{
    if (!m_fit)
        return;
    m_weighing.cancel(); // what is said next is about the constants
    std::vector<CatalogRecord> records;
    const auto today = QDate::currentDate().toString(Qt::ISODate).toStdString();
    for (const auto &fitted : m_fit->calibration.fitted)
        records.push_back(detailed::calibratedRecord(fitted, int(m_fit->calibration.runs.size()), today));
    if (const auto done = m_workspace.applyCalibration(records); !done) {
        m_prompts.showError(this, tr("The constants were not saved"), done.error());
        return;
    }
    m_ui->statusLabel->setText(records.size() == 1
            ? tr("1 constant is now your own, in the catalog of calibration constants. Undo takes it back.")
            : tr("%1 constants are now your own, in the catalog of calibration constants. Undo takes them back.")
                  .arg(records.size()));
    m_ui->applyButton->setEnabled(false);
}

void CalibrationDialog::updateIcons()
{
    for (const auto &[button, name] : {std::pair(m_ui->addButton, u"add"_s), {m_ui->duplicateButton, u"duplicate"_s},
             {m_ui->editButton, u"edit"_s}, {m_ui->deleteButton, u"delete"_s}, {m_ui->fitButton, u"calibration"_s}})
        button->setIcon(icon(name, palette()));
}

void CalibrationDialog::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        updateIcons();
    QDialog::changeEvent(event);
}

} // namespace fleetwright::app
