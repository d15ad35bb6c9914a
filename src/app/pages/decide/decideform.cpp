// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/decide/decideform.h"

#include "app/widgets/fleetfields.h"
#include "app/widgets/typedentries.h"
#include "app/wording.h"
#include "domain/calendarday.h"
#include "domain/decisionshares.h"
#include "solver/models/costmodel.h"
#include "solver/uncertainty/sampling.h"
#include "text/localized.h"
#include "ui_decideform.h"

#include <QSignalBlocker>

#include <algorithm>
#include <utility>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using units::Dimension;

namespace {

constexpr int mostBatch = 1'000'000'000;
constexpr int startingBaseNodes = 128;
constexpr int offersShown = 3; // lines

const std::array payingBoxes{DecisionPaying{}, DecisionPaying{Paying::Rent, RentTerm::OnDemand},
    DecisionPaying{Paying::Rent, RentTerm::Reserved1y}, DecisionPaying{Paying::Rent, RentTerm::Reserved3y}};

std::array<QCheckBox *, payingBoxes.size()> boxesOf(const Ui::DecideForm &ui)
{
    return {ui.ownBox, ui.onDemandBox, ui.reserved1Box, ui.reserved3Box};
}

QString nameOfJob(const DecisionJob &job, const Catalog *catalog)
{
    if (!job.name.empty())
        return utf8(job.name);
    return catalog ? utf8(nameOf(job.workload, CatalogKind::Workload, *catalog)) : QString();
}

const std::string &nameOfOffer(const OfferReference &reference)
{
    const auto *name = std::get_if<std::string>(&reference);
    return name ? *name : std::get<OfferDocument>(reference).name;
}

void nameWidget(QWidget *widget, const QString &label, const QString &tip)
{
    widget->setAccessibleName(label);
    widget->setToolTip(tip);
}

} // namespace

DecideForm::DecideForm(QWidget *parent) : QWidget(parent), m_ui(std::make_unique<Ui::DecideForm>())
{
    m_ui->setupUi(this);
    m_limits = setUpDecideLimits(*m_ui);
    for (const auto &limit : m_limits)
        connect(limit.edit, &QuantityEdit::valueEdited, this, [this, limit](std::optional<double> value) {
            change(utf8(limit.field), [&](DecisionDocument &d) { limit.assign(d.limits, value); });
        });
    setUpJobs();
    setUpCandidates();
    setUpObjective();
    setUpSentences();
    setFocusProxy(m_ui->workloadPicker);
}

DecideForm::~DecideForm() = default;

ValidationLabel *DecideForm::sentence() const { return m_ui->formSentence; }

void DecideForm::setUpJobs()
{
    auto &ui = *m_ui;
    nameWidget(ui.jobCombo, tr("Job"), tr("What the fleet has to train, one job after the other."));
    connect(ui.jobCombo, &QComboBox::activated, this, [this](int index) {
        m_job = std::size_t(std::max(index, 0));
        showJob();
    });
    connect(ui.addJobButton, &QToolButton::clicked, this, &DecideForm::addJob);
    connect(ui.removeJobButton, &QToolButton::clicked, this, &DecideForm::removeJob);
    ui.workloadPicker->setKind(
        CatalogKind::Workload, tr("Workload"), [](const CatalogRecord &r) { return workloadFrom(r).has_value(); });
    connect(ui.workloadPicker, &ItemPicker::picked, this, [this](const QString &id) {
        changeJob(u"workload"_s, [&](DecisionJob &job) { job.workload = id.toStdString(); });
    });
    ui.tokensEdit->setLabel(tr("Tokens"));
    ui.tokensEdit->setExplanation(tr("Tokens to train on. Empty: as the workload was published."));
    ui.tokensEdit->setQuantity(Dimension::Number, u"T"_s);
    ui.tokensEdit->setRange(1, 1e18);
    ui.tokensEdit->setOptional(tr("as published"));
    ui.shareEdit->setLabel(tr("Share of a year"));
    ui.shareEdit->setExplanation(
        tr("Instead of tokens: what the base case trains in this share of a year. All jobs have one, or none."));
    ui.shareEdit->setQuantity(Dimension::Fraction, u"%"_s);
    ui.shareEdit->setRange(0.001, 1);
    ui.shareEdit->setOptional(tr("tokens count"));
    connect(ui.tokensEdit, &QuantityEdit::valueEdited, this, [this](std::optional<double> tokens) {
        changeJob(u"tokens"_s, [&](DecisionJob &job) { job.tokens = tokens; });
    });
    connect(ui.shareEdit, &QuantityEdit::valueEdited, this, [this](std::optional<double> share) {
        change(u"jobs.share"_s, [&](DecisionDocument &d) { setShare(d, m_job, share); });
    });
    const auto countOf = [&](CountEdit *edit, const QString &label, const QString &tip, int Training::*member,
                             const QString &field) {
        edit->setLabel(label);
        edit->setExplanation(tip);
        edit->setRange(1, mostBatch);
        connect(edit, &CountEdit::valueEdited, this, [this, member, field](std::optional<int> value) {
            changeJob(field, [&](DecisionJob &job) {
                job.training.*member = value.value_or(1);
                if (job.leastBatch && job.mostBatch) { // the job's own batch stays inside its range
                    job.leastBatch = std::min(*job.leastBatch, job.training.globalBatch);
                    job.mostBatch = std::max(*job.mostBatch, job.training.globalBatch);
                }
            });
        });
    };
    countOf(ui.batchEdit, tr("Batch"), tr("Sequences in an optimizer step."), &Training::globalBatch, u"batch"_s);
    const auto rangeOf = [&](CountEdit *edit, const QString &label, std::optional<int> DecisionJob::*end) {
        edit->setLabel(label);
        edit->setExplanation(tr("The batch may move within this range so that numbers of nodes fit that do not divide "
                                "the job\u2019s own. Both empty: the batch is fixed."));
        edit->setRange(1, mostBatch);
        edit->setOptional(tr("fixed"));
        connect(edit, &CountEdit::valueEdited, this, [this, end](std::optional<int> value) {
            changeJob(u"batch_range"_s, [&](DecisionJob &job) {
                const int own = job.training.globalBatch;
                job.leastBatch = value ? std::optional(job.leastBatch.value_or(own)) : std::nullopt;
                job.mostBatch = value ? std::optional(job.mostBatch.value_or(own)) : std::nullopt;
                if (value)
                    job.*end = value;
            });
        });
    };
    rangeOf(ui.leastBatchEdit, tr("Least batch"), &DecisionJob::leastBatch);
    rangeOf(ui.mostBatchEdit, tr("Largest batch"), &DecisionJob::mostBatch);
    countOf(ui.sequenceEdit, tr("Sequence"), tr("Tokens in a sequence."), &Training::sequenceLength, u"sequence"_s);
    for (const auto precision : allPrecisions)
        ui.precisionCombo->addItem(localized(toString(precision)), int(precision));
    nameWidget(ui.precisionCombo, tr("Precision"), tr("Number format of weights, activations and matrix products."));
    connect(ui.precisionCombo, &QComboBox::activated, this, [this] {
        const auto chosen = Precision(m_ui->precisionCombo->currentData().toInt());
        changeJob({}, [&](DecisionJob &job) { job.training.precision = chosen; });
    });
}

void DecideForm::setUpCandidates()
{
    auto &ui = *m_ui;
    ui.nodesPicker->setToolTip(tr("Nodes to choose from. None ticked: every one of a data centre."));
    ui.fabricsPicker->setToolTip(tr(
        "Fabrics to choose from. None ticked: of each node its usual one, and InfiniBand and Ethernet with the ports "
        "of its NICs. What binds says which were left out."));
    ui.nodesPicker->setNoneIsAll();
    ui.fabricsPicker->setNoneIsAll(tr("none ticked: those that fit; narrow"));
    connect(ui.nodesPicker, &ItemListPicker::tickedChanged, this,
        [this] { change({}, [&](DecisionDocument &d) { d.candidates.nodes = m_ui->nodesPicker->ticked(); }); });
    connect(ui.fabricsPicker, &ItemListPicker::tickedChanged, this,
        [this] { change({}, [&](DecisionDocument &d) { d.candidates.fabrics = m_ui->fabricsPicker->ticked(); }); });
    const auto countOf = [&](CountEdit *edit, const QString &label, int DecisionCandidates::*member) {
        edit->setLabel(label);
        edit->setExplanation(tr("Numbers of nodes to choose from; those that no layout of the jobs divides are left "
                                "out."));
        edit->setRange(1, 1'000'000);
        connect(edit, &CountEdit::valueEdited, this, [this, member](std::optional<int> count) {
            change(u"candidates.counts"_s, [&](DecisionDocument &d) { d.candidates.*member = count.value_or(1); });
        });
    };
    countOf(ui.leastNodesEdit, tr("Fewest nodes"), &DecisionCandidates::leastNodes);
    countOf(ui.mostNodesEdit, tr("Most nodes"), &DecisionCandidates::mostNodes);
    for (auto *box : boxesOf(ui))
        connect(box, &QCheckBox::clicked, this, &DecideForm::changePaying);
    ui.payingRow->setToolTip(tr("How a fleet may be had. None ticked: owned."));
    nameWidget(ui.sparesBox, tr("Spare nodes are ordered"),
        tr("As many as suffice 99 % of the time, by the failures of the nodes and the days of a repair, are bought "
           "with "
           "every fleet, so that all candidates are compared with theirs. Not ticked: none, unless an offer has "
           "some."));
    connect(ui.sparesBox, &QCheckBox::clicked, this, [this](bool ordered) {
        change({}, [ordered](DecisionDocument &d) { setOrdersSpares(d.candidates, ordered); });
    });
    nameWidget(ui.offersList, tr("Offers"), tr("Offers of the project that take part, at their own prices."));
    ui.offersList->setFixedHeight(offersShown * (fontMetrics().height() + 4) + 2 * ui.offersList->frameWidth());
    connect(ui.offersList, &QListWidget::itemChanged, this, &DecideForm::changeOffers);
    ui.facilityPicker->setKind(CatalogKind::Facility, tr("Facility"));
    ui.facilityPicker->setOptional(tr("none"));
    ui.gridPicker->setKind(CatalogKind::Grid, tr("Grid"));
    ui.gridPicker->setOptional(tr("none"));
    connect(ui.facilityPicker, &ItemPicker::picked, this,
        [this](const QString &id) { changeSite(&DecisionSite::facility, id); });
    connect(
        ui.gridPicker, &ItemPicker::picked, this, [this](const QString &id) { changeSite(&DecisionSite::grid, id); });
}

void DecideForm::setUpObjective()
{
    auto &ui = *m_ui;
    for (const auto objective : allDecisionObjectives)
        ui.objectiveCombo->addItem(localized(words(objective)), int(objective));
    nameWidget(ui.objectiveCombo, tr("Objective"), tr("The best fleet has the least of it."));
    connect(ui.objectiveCombo, &QComboBox::activated, this, [this] {
        const auto chosen = DecisionObjective(m_ui->objectiveCombo->currentData().toInt());
        change({}, [&](DecisionDocument &d) { d.objective = chosen; });
    });
    ui.basePicker->setKind(CatalogKind::Node, tr("Base case"));
    ui.basePicker->setOptional(tr("none"));
    connect(ui.basePicker, &ItemPicker::picked, this, &DecideForm::changeBase);
    ui.baseNodesEdit->setLabel(tr("Nodes of the base case"));
    ui.baseNodesEdit->setRange(1, 1'000'000);
    connect(ui.baseNodesEdit, &CountEdit::valueEdited, this, [this](std::optional<int> nodes) {
        change(u"base_case.nodes"_s, [&](DecisionDocument &d) {
            if (d.baseCase)
                d.baseCase->nodes = nodes.value_or(1);
        });
    });
    nameWidget(
        ui.orderEdit, tr("Order on"), tr("The day on which is ordered, such as 2026-12-01; dates the calendar."));
    nameWidget(ui.deliveryEdit, tr("First run by"),
        tr("The day by which the first run has to begin, such as 2027-06-01; needs the order. Empty: no limit."));
    ui.orderEdit->setPlaceholderText(u"2026-12-01"_s);
    ui.deliveryEdit->setPlaceholderText(tr("no limit")); // on the day of the order nothing runs
    for (auto *edit : {ui.orderEdit, ui.deliveryEdit})
        edit->setMaxLength(10);
    connect(ui.orderEdit, &QLineEdit::editingFinished, this, [this] {
        changeDay(m_ui->orderEdit, u"order"_s,
            [](DecisionDocument &d, std::optional<std::chrono::sys_days> day) { d.order = day; });
    });
    connect(ui.deliveryEdit, &QLineEdit::editingFinished, this, [this] {
        changeDay(m_ui->deliveryEdit, u"limits.delivery_by"_s,
            [](DecisionDocument &d, std::optional<std::chrono::sys_days> day) { d.limits.deliveryBy = day; });
    });
    ui.drawsEdit->setLabel(tr("Draws"));
    ui.drawsEdit->setExplanation(tr("How often ranges are drawn from."));
    ui.drawsEdit->setRange(int(uncertainty::leastDraws), int(uncertainty::mostDraws));
    connect(ui.drawsEdit, &CountEdit::valueEdited, this, [this](std::optional<int> draws) {
        change(u"uncertainty.draws"_s, [&](DecisionDocument &d) { d.draws = std::size_t(draws.value_or(10'000)); });
    });
    ui.seedEdit->setLabel(tr("Seed"));
    ui.seedEdit->setExplanation(tr("The same seed gives the same draws on every machine."));
    ui.seedEdit->setRange(0, mostBatch);
    connect(ui.seedEdit, &CountEdit::valueEdited, this, [this](std::optional<int> seed) {
        change(u"uncertainty.seed"_s, [&](DecisionDocument &d) { d.seed = std::uint64_t(seed.value_or(1)); });
    });
    for (const auto *model : costModels())
        ui.modelCombo->addItem(localized(model->title()), utf8(model->id()));
    nameWidget(ui.modelCombo, tr("Cost model"), tr("What prices the steps of the jobs."));
    connect(ui.modelCombo, &QComboBox::activated, this, [this] {
        const auto id = m_ui->modelCombo->currentData().toString().toStdString();
        change({}, [&](DecisionDocument &d) { d.costModelId = id; });
    });
}

void DecideForm::setCatalog(std::shared_ptr<const Catalog> catalog)
{
    m_catalog = std::move(catalog);
    auto &ui = *m_ui;
    for (auto *picker : {ui.workloadPicker, ui.facilityPicker, ui.gridPicker, ui.basePicker})
        picker->setCatalog(m_catalog);
}

void DecideForm::setOffers(std::vector<OfferDocument> offers)
{
    m_offers = std::move(offers);
    showOffers();
}

/// Those of the project, then those that the decision holds and the project does not.
void DecideForm::showOffers()
{
    auto &list = *m_ui->offersList;
    const QSignalBlocker quiet(&list);
    const auto &chosen = m_document.candidates.offers;
    QStringList names;
    for (const auto &offer : m_offers)
        names << utf8(offer.name);
    for (const auto &reference : chosen)
        if (const auto offer = utf8(nameOfOffer(reference)); !names.contains(offer))
            names << offer;
    while (list.count() > names.size())
        delete list.takeItem(list.count() - 1);
    for (qsizetype row = 0; row < names.size(); ++row) { // in place: a tick may be under way
        auto *item = row < list.count() ? list.item(int(row)) : new QListWidgetItem(&list);
        item->setText(names[row]);
        item->setCheckState(std::ranges::find(chosen, names[row].toStdString(), nameOfOffer) != chosen.end()
                ? Qt::Checked
                : Qt::Unchecked);
    }
    list.setVisible(list.count() > 0);
    m_ui->offersListLabel->setVisible(list.count() > 0);
}

/// An offer of the project is taken as it is now, so that the decision stands alone.
void DecideForm::changeOffers()
{
    change({}, [this](DecisionDocument &d) {
        const auto before = std::exchange(d.candidates.offers, {});
        for (int row = 0; row < m_ui->offersList->count(); ++row) {
            const auto *item = m_ui->offersList->item(row);
            if (item->checkState() != Qt::Checked)
                continue;
            const auto offer = item->text().toStdString();
            const auto kept = std::ranges::find(before, offer, nameOfOffer);
            const auto own = std::ranges::find(m_offers, offer, &OfferDocument::name);
            if (kept != before.end())
                d.candidates.offers.push_back(*kept);
            else if (own != m_offers.end())
                d.candidates.offers.emplace_back(*own);
        }
    });
}

void DecideForm::showDecision(const DecisionDocument &document, bool afresh)
{
    const bool nodesMoved = afresh || document.candidates.nodes != m_ui->nodesPicker->ticked();
    const bool fabricsMoved = afresh || document.candidates.fabrics != m_ui->fabricsPicker->ticked();
    m_document = document;
    auto &ui = *m_ui;
    if (afresh) {
        m_job = 0;
        for (auto *edit : findChildren<NumberEdit *>())
            edit->restore();
        setCatalog(m_catalog); // pickers show their items again
        for (const auto &[edit, sentence] : m_refusedDays)
            setRefusedLook(edit, false);
        m_refusedDays.clear();
    }
    refuseAll({});
    m_job = std::min(m_job, document.jobs.empty() ? 0 : document.jobs.size() - 1);
    {
        const QSignalBlocker quiet(ui.jobCombo);
        ui.jobCombo->clear();
        for (const auto &job : document.jobs)
            ui.jobCombo->addItem(nameOfJob(job, m_catalog.get()));
    }
    showJob();
    for (const auto &limit : m_limits)
        limit.edit->setValue(limit.read(document.limits));
    const auto &candidates = document.candidates;
    if (m_catalog && nodesMoved) // the order stays while ticks are set
        ui.nodesPicker->setItems(*m_catalog, CatalogKind::Node, candidates.nodes);
    if (m_catalog && fabricsMoved)
        ui.fabricsPicker->setItems(*m_catalog, CatalogKind::Fabric, candidates.fabrics);
    ui.leastNodesEdit->setValue(candidates.leastNodes);
    ui.mostNodesEdit->setValue(candidates.mostNodes);
    const auto boxes = boxesOf(ui);
    for (std::size_t i = 0; i < boxes.size(); ++i)
        boxes[i]->setChecked(std::ranges::find(candidates.paying, payingBoxes[i]) != candidates.paying.end());
    ui.sparesBox->setChecked(ordersSpares(candidates));
    showOffers();
    const auto site = candidates.sites.empty() ? DecisionSite{} : candidates.sites.front();
    ui.facilityPicker->setReference(site.facility);
    ui.gridPicker->setReference(site.grid);
    selectData(ui.objectiveCombo, int(document.objective));
    ui.basePicker->setReference(document.baseCase ? document.baseCase->node : ItemReference(std::string()));
    ui.baseNodesEdit->setValue(document.baseCase ? document.baseCase->nodes : startingBaseNodes);
    ui.baseNodesEdit->setEnabled(document.baseCase.has_value());
    const auto showDay = [this](QLineEdit *edit, const std::optional<std::chrono::sys_days> &day) {
        if (!m_refusedDays.contains(edit)) // which stays as it was typed
            edit->setText(day ? utf8(dateText(*day)) : QString());
    };
    showDay(ui.orderEdit, document.order);
    showDay(ui.deliveryEdit, document.limits.deliveryBy);
    ui.drawsEdit->setValue(int(document.draws));
    ui.seedEdit->setValue(int(document.seed));
    selectData(ui.modelCombo, utf8(document.costModelId));
}

void DecideForm::tickedFirst()
{
    if (!m_catalog)
        return;
    m_ui->nodesPicker->setItems(*m_catalog, CatalogKind::Node, m_document.candidates.nodes);
    m_ui->fabricsPicker->setItems(*m_catalog, CatalogKind::Fabric, m_document.candidates.fabrics);
}

void DecideForm::showJob()
{
    if (m_job >= m_document.jobs.size())
        return;
    auto &ui = *m_ui;
    const auto &job = m_document.jobs[m_job];
    ui.jobCombo->setCurrentIndex(int(m_job));
    ui.workloadPicker->setReference(job.workload);
    ui.tokensEdit->setValue(job.tokens);
    ui.tokensEdit->setEnabled(!job.share);
    ui.shareEdit->setValue(job.share);
    ui.batchEdit->setValue(job.training.globalBatch);
    ui.leastBatchEdit->setValue(job.leastBatch);
    ui.mostBatchEdit->setValue(job.mostBatch);
    ui.sequenceEdit->setValue(job.training.sequenceLength);
    selectData(ui.precisionCombo, int(job.training.precision));
    ui.removeJobButton->setEnabled(m_document.jobs.size() > 1);
}

void DecideForm::acceptTyped() { app::acceptTyped(*this); }

void DecideForm::setReadOnly(bool readOnly, const QString &reason)
{
    auto &ui = *m_ui;
    for (auto *edit : findChildren<NumberEdit *>())
        edit->setReadOnly(readOnly, reason);
    for (auto *picker : {ui.workloadPicker, ui.facilityPicker, ui.gridPicker, ui.basePicker})
        picker->setReadOnly(readOnly, reason);
    for (auto *widget :
        std::initializer_list<QWidget *>{ui.nodesPicker, ui.fabricsPicker, ui.offersList, ui.payingRow, ui.sparesBox,
            ui.precisionCombo, ui.objectiveCombo, ui.modelCombo, ui.orderEdit, ui.deliveryEdit, ui.addJobButton})
        widget->setEnabled(!readOnly);
    ui.removeJobButton->setEnabled(!readOnly && m_document.jobs.size() > 1);
}

void DecideForm::change(const QString &field, const std::function<void(DecisionDocument &)> &assign)
{
    refuseAll({});
    emit changed(field, assign);
}

void DecideForm::changeJob(const QString &field, const std::function<void(DecisionJob &)> &assign)
{
    change(field.isEmpty() ? QString() : u"jobs/%1/%2"_s.arg(m_job).arg(field), [&](DecisionDocument &d) {
        if (m_job < d.jobs.size())
            assign(d.jobs[m_job]);
    });
}

void DecideForm::addJob()
{
    const auto last = m_document.jobs.size();
    change({}, [](DecisionDocument &d) {
        if (!d.jobs.empty())
            d.jobs.push_back(d.jobs.back());
    });
    m_job = std::min(last, m_document.jobs.size() - 1);
    showJob();
}

void DecideForm::removeJob()
{
    change({}, [this](DecisionDocument &d) {
        if (d.jobs.size() > 1 && m_job < d.jobs.size())
            d.jobs.erase(d.jobs.begin() + std::ptrdiff_t(m_job));
    });
}

void DecideForm::changePaying()
{
    change({}, [this](DecisionDocument &d) {
        auto &paying = d.candidates.paying;
        const auto boxes = boxesOf(*m_ui);
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            std::erase(paying, payingBoxes[i]);
            if (boxes[i]->isChecked())
                paying.push_back(payingBoxes[i]);
        }
    });
}

void DecideForm::changeSite(std::string DecisionSite::*part, const QString &id)
{
    change({}, [&](DecisionDocument &d) {
        auto &sites = d.candidates.sites;
        if (sites.empty())
            sites.emplace_back();
        sites.front().*part = id.toStdString();
        std::erase(sites, DecisionSite{});
    });
}

void DecideForm::changeBase(const QString &node)
{
    change({}, [&](DecisionDocument &d) {
        if (node.isEmpty())
            d.baseCase.reset();
        else if (!d.baseCase)
            d.baseCase = FleetDocument{.node = node.toStdString(), .nodes = startingBaseNodes};
        else {
            d.baseCase->node = node.toStdString();
            d.baseCase->fabric = std::string(); // that of another node
        }
    });
}

} // namespace fleetwright::app
