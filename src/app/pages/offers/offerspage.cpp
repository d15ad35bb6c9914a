// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/offers/offerspage.h"

#include "app/pages/plan/planrows.h"
#include "app/theme.h"
#include "app/widgets/fleetfields.h"
#include "app/widgets/typedentries.h"
#include "app/widgets/wrappedcolumns.h"
#include "app/workspace/exportdocument.h"
#include "app/workspace/prompts.h"
#include "app/workspace/rowdocuments.h"
#include "app/workspace/workspace.h"
#include "domain/calendarday.h"
#include "exchange/offerdocuments.h"
#include "exchange/readfile.h"
#include "exchange/textreader.h"
#include "itemmodels/catalogtablemodel.h"
#include "itemmodels/numbersfirst.h"
#include "itemmodels/offermodel.h"
#include "itemmodels/offertables.h"
#include "solver/validation/ownsite.h"
#include "solver/worksheet/formulawords.h"
#include "text/catalogtexts.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "ui_offerspage.h"

#include <QAction>
#include <QCheckBox>
#include <QDate>
#include <QFileInfo>
#include <QHeaderView>
#include <QSortFilterProxyModel>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

std::chrono::sys_days today() { return itemmodels::sysDays(QDate::currentDate()); }

} // namespace

OffersPage::OffersPage(Workspace &workspace, Prompts &prompts, QWidget *parent)
    : Page(parent), m_workspace(workspace), m_prompts(prompts), m_ui(std::make_unique<Ui::OffersPage>()),
      m_model(new itemmodels::OfferModel(this)), m_proxy(new QSortFilterProxyModel(this)),
      m_sortedLines(new itemmodels::NumbersFirst(this)), m_lines(new itemmodels::SheetTableModel(this)),
      m_totals(new itemmodels::SheetTableModel(this)), m_comparison(new itemmodels::SheetTableModel(this))
{
    m_ui->setupUi(this);
    makeTitle(m_ui->pageTitle);
    makeTitle(m_ui->emptyTitle);
    setUpList();
    setUpForm();
    setUpTerms();
    m_ui->formScroll->viewport()->setAutoFillBackground(false);
    m_ui->formBox->setAutoFillBackground(false);
    setUpLines();
    setUpComparison();
    connectWorkspace();
    reload();
}

OffersPage::~OffersPage() = default;

void OffersPage::setUpList()
{
    auto &ui = *m_ui;
    m_proxy->setSourceModel(m_model);
    m_proxy->setSortRole(itemmodels::sortRole);
    ui.offerTable->setModel(m_proxy);
    setUpTable(ui.offerTable, itemmodels::OfferModel::Name);
    ui.offerTable->setSortingEnabled(true);
    ui.offerTable->sortByColumn(itemmodels::OfferModel::Name, Qt::AscendingOrder);
    ui.offerTable->setAccessibleName(tr("Offers"));
    ui.offerTable->setMinimumHeight(80);
    ui.offerTable->setMaximumHeight(16 * gridUnit); // the form and the comparison below need the room
    connect(
        ui.offerTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &now) {
            if (now.isValid() && now.data(itemmodels::idRole).toLongLong() != m_current)
                showOffer(now.data(itemmodels::idRole).toLongLong());
        });
    for (auto *button : {ui.newButton, ui.emptyNewButton})
        connect(button, &QPushButton::clicked, this, &OffersPage::newOffer);
    for (auto *button : {ui.importButton, ui.emptyImportButton})
        connect(button, &QPushButton::clicked, this, &OffersPage::importOffer);
    connect(ui.duplicateButton, &QPushButton::clicked, this, &OffersPage::duplicateOffer);
    connect(ui.exportButton, &QPushButton::clicked, this, &OffersPage::exportOffer);
    connect(ui.removeButton, &QPushButton::clicked, this, &OffersPage::removeOffer);
    auto *remove = new QAction(tr("&Delete"), ui.offerTable);
    remove->setShortcut(QKeySequence::Delete);
    remove->setShortcutContext(Qt::WidgetShortcut);
    connect(remove, &QAction::triggered, this, &OffersPage::removeOffer);
    ui.offerTable->addAction(remove);
    copyOffers(ui.offerTable, m_workspace);
}

void OffersPage::setUpLines()
{
    auto &ui = *m_ui;
    m_sortedLines->setSourceModel(m_lines);
    ui.linesTable->setModel(m_sortedLines);
    setUpTable(ui.linesTable, itemmodels::OfferLineItem);
    letSort(*ui.linesTable);
    ui.linesTable->setSelectionBehavior(QAbstractItemView::SelectItems);
    ui.linesTable->setEditTriggers(
        QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed | QAbstractItemView::AnyKeyPressed);
    ui.linesTable->setAccessibleName(tr("Lines of the offer"));
    ui.totalsTable->setModel(m_totals);
    setUpTable(ui.totalsTable, 0);
    ui.totalsTable->setAccessibleName(tr("What the offer adds up to"));
    ui.totalsTable->horizontalHeader()->hide();
    ui.totalsTable->setSelectionMode(QAbstractItemView::ExtendedSelection);
    connect(m_lines, &itemmodels::SheetTableModel::typed, this, &OffersPage::changeLine);
    connect(ui.addLineButton, &QPushButton::clicked, this, &OffersPage::addLine);
    connect(ui.removeLineButton, &QPushButton::clicked, this, &OffersPage::removeLine);
}

void OffersPage::setUpComparison()
{
    auto &ui = *m_ui;
    ui.comparisonTable->setModel(m_comparison);
    setUpTable(ui.comparisonTable, 0);
    ui.comparisonTable->setAccessibleName(tr("Offers side by side"));
    new WrappedColumns(*ui.comparisonTable);
    ui.addedLabel->setText(localized(bestSentence) + u"  "_s + localized(addedSentence));
    ui.planCombo->setAccessibleName(tr("Plan that the fleets are to run"));
    ui.planCombo->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(ui.planCombo, &QComboBox::activated, this, &OffersPage::compare);
    connect(ui.tabs, &QTabWidget::currentChanged, this, &OffersPage::compare);
}

void OffersPage::connectWorkspace()
{
    connect(&m_workspace, &Workspace::settleRequested, this, [this] { acceptTyped(*this); });
    connect(&m_workspace, &Workspace::projectChanged, this, &OffersPage::reload);
    connect(&m_workspace, &Workspace::offerInserted, this, [this](int index) {
        const auto &offer = m_workspace.offers().at(std::size_t(index));
        m_model->insert(index, row(offer));
        if (m_current == 0)
            showOffer(offer.id);
        updateState();
        compare();
    });
    connect(&m_workspace, &Workspace::offerChanged, this, &OffersPage::offerChanged);
    connect(&m_workspace, &Workspace::offerRemoved, this, &OffersPage::offerRemoved);
    for (const auto signal : {&Workspace::planInserted, &Workspace::planChanged, &Workspace::planRemoved})
        connect(&m_workspace, signal, this, [this] {
            fillPlans();
            compare();
        });
    connect(&m_workspace, &Workspace::measuredRunsReplaced, this, &OffersPage::compare);
    connect(&m_workspace, &Workspace::measuredRunChanged, this, &OffersPage::compare);
    connect(&m_workspace, &Workspace::catalogChanged, this, [this] {
        for (auto *picker : {m_ui->nodePicker, m_ui->fabricPicker, m_ui->facilityPicker, m_ui->gridPicker})
            picker->setCatalog(m_workspace.catalog());
        fillCurrencies();
        refreshRows();
        if (const auto *offer = m_workspace.offer(m_current))
            showEntries(offer->document, false);
        compare();
    });
}

itemmodels::OfferListRow OffersPage::row(const storage::SavedOffer &offer) const
{
    const auto &document = offer.document;
    const auto &catalog = *m_workspace.catalog();
    const auto stands = pricedOffer(document, catalog, {.asOf = today()});
    const bool isExpired = !stands && stands.error().field == "valid_until";
    return {.id = offer.id,
        .name = utf8(document.name),
        .vendor = utf8(document.vendor),
        .fleet = tr("%1 \u00d7 %2")
                     .arg(document.fleet.nodes)
                     .arg(utf8(nameOf(document.fleet.node, CatalogKind::Node, catalog))),
        .validUntil = document.validUntil ? utf8(dateText(*document.validUntil)) : QString(),
        .state = isExpired        ? tr("expired")
            : !stands             ? tr("cannot be priced")
            : !isPriced(document) ? tr("has no price yet")
                                  : tr("stands"),
        .toolTip = stands ? QString() : localized(stands.error().message)};
}

void OffersPage::refreshRows()
{
    for (int i = 0; i < m_model->rowCount(); ++i)
        m_model->change(i, row(m_workspace.offers().at(std::size_t(i))));
}

void OffersPage::fillCurrencies()
{
    auto *combo = m_ui->currencyCombo;
    const auto shown = combo->currentData().toString();
    combo->clear();
    combo->addItem(u"USD"_s, u"USD"_s);
    for (const auto &record : m_workspace.catalog()->records(CatalogKind::Currency))
        if (const auto code = localized(record.text("code").value_or("")); !code.isEmpty() && combo->findData(code) < 0)
            combo->addItem(tr("%1 (%2)").arg(code, nameInWords(record)), code);
    selectData(combo, shown);
}

void OffersPage::fillPlans()
{
    auto *combo = m_ui->planCombo;
    const auto chosen = combo->currentData();
    combo->clear();
    combo->addItem(tr("no plan"), qint64(0));
    if (m_workspace.isOpen())
        for (const auto &plan : m_workspace.plans())
            combo->addItem(utf8(plan.document.name), plan.id);
    combo->setCurrentIndex(std::max(0, combo->findData(chosen)));
}

void OffersPage::reload()
{
    m_current = 0;
    std::vector<itemmodels::OfferListRow> rows;
    fillPlans();
    if (m_workspace.isOpen()) {
        for (auto *picker : {m_ui->nodePicker, m_ui->fabricPicker, m_ui->facilityPicker, m_ui->gridPicker})
            picker->setCatalog(m_workspace.catalog());
        fillCurrencies();
        for (const auto &offer : m_workspace.offers())
            rows.push_back(row(offer));
    }
    m_model->setRows(std::move(rows));
    if (m_proxy->rowCount() > 0)
        showOffer(m_proxy->index(0, 0).data(itemmodels::idRole).toLongLong());
    updateState();
    compare();
}

void OffersPage::updateState()
{
    auto &ui = *m_ui;
    const bool writable = m_workspace.isOpen() && !m_workspace.isReadOnly();
    const QString reason = writable ? QString()
        : m_workspace.isOpen()      ? m_workspace.readOnlyReason()
                                    : tr("Open or create a project first.");
    ui.stack->setCurrentWidget(m_model->rowCount() > 0 ? ui.contentPage : ui.emptyPage);
    for (auto *button : {ui.newButton, ui.emptyNewButton, ui.duplicateButton, ui.removeButton, ui.importButton,
             ui.emptyImportButton, ui.addLineButton, ui.removeLineButton})
        button->setEnabled(writable);
    for (auto *picker : {ui.nodePicker, ui.fabricPicker, ui.facilityPicker, ui.gridPicker})
        picker->setReadOnly(!writable, reason);
    for (auto *edit : {ui.nodesEdit, ui.warrantyEdit, ui.supportEdit})
        edit->setReadOnly(!writable, reason);
    for (auto *edit : {ui.deliveryEdit, ui.colocationEdit, ui.rentEdit, ui.extrasEdit})
        edit->setReadOnly(!writable, reason);
    for (auto *edit : {ui.nameEdit, ui.vendorEdit, ui.untilEdit, ui.paymentEdit}) {
        edit->setReadOnly(!writable);
        edit->setToolTip(reason);
    }
    for (auto *widget : {static_cast<QWidget *>(ui.currencyCombo), static_cast<QWidget *>(ui.payingCombo),
             static_cast<QWidget *>(ui.energyCheck)})
        widget->setEnabled(writable);
    for (const auto &[part, check] : m_scope)
        check->setEnabled(writable);
    m_lines->setEditable(writable);
}

void OffersPage::selectRow(qint64 id)
{
    const auto index = m_proxy->mapFromSource(m_model->index(m_model->indexOf(id), 0));
    if (index.isValid() && m_ui->offerTable->currentIndex().row() != index.row())
        m_ui->offerTable->setCurrentIndex(index);
}

void OffersPage::showOffer(qint64 id)
{
    m_workspace.settle();
    const auto *offer = m_workspace.offer(id);
    if (!offer)
        return;
    m_current = id;
    showEntries(offer->document, true);
    selectRow(id);
}

/// What the offer adds up to and what is missing in it, or why it cannot be priced.
void OffersPage::showAnswers()
{
    const auto *offer = m_workspace.offer(m_current);
    if (!offer)
        return;
    const bool licences = std::ranges::any_of(m_workspace.offers(), hasLicences, &storage::SavedOffer::document);
    const OfferScope scope{.asOf = today(), .licences = licences};
    const auto priced = pricedOffer(offer->document, *m_workspace.catalog(), scope);
    m_ui->offerSentence->setSentence(priced ? QString() : localized(priced.error().message));
    m_totals->setTable(
        itemmodels::offerTotalsTable(offer->document, priced ? std::optional(totalsOf(*priced)) : std::nullopt));
    auto *table = m_ui->totalsTable;
    table->setFixedHeight(
        m_totals->rowCount() * table->verticalHeader()->defaultSectionSize() + 2 * table->frameWidth());
    table->setVisible(m_totals->rowCount() > 0);
    QStringList missing, included, lines;
    if (priced) {
        for (const auto &mark : priced->normal.marks)
            (mark.kind == OfferMark::Kind::Included ? included : missing) << localized(mark.sentence);
        if (!offer->document.rent)
            lines << (missing.empty() ? tr("Nothing is missing in its scope.") : tr("Missing in its scope:"));
        lines << missing << included;
        for (const auto &notice : priced->normal.notices)
            lines << localized(withLabels(notice));
    }
    m_ui->marks->setText(lines.join(u'\n'));
}

/// Of all offers that stand and can be priced; the others say why they are left out.
void OffersPage::compare()
{
    auto &ui = *m_ui;
    if (ui.tabs->currentWidget() != ui.compareTab || !m_workspace.isOpen())
        return;
    const auto &catalog = *m_workspace.catalog();
    std::vector<OfferDocument> standing;
    QStringList leftOut;
    for (const auto &offer : m_workspace.offers()) {
        if (const auto priced = pricedOffer(offer.document, catalog, {.asOf = today()}); priced)
            standing.push_back(offer.document);
        else
            leftOut
                << tr("Left out: \u201c%1\u201d. %2").arg(utf8(offer.document.name), localized(priced.error().message));
    }
    OfferComparing comparing{.asOf = today(), .plan = {}};
    if (const auto *plan = m_workspace.plan(ui.planCombo->currentData().toLongLong()))
        comparing.plan = plan->document;
    const auto comparison = compareOffers(standing, catalog, comparing);
    QStringList sentences;
    if (comparison)
        for (const auto &sentence : comparison->sentences)
            sentences << localized(sentence);
    else
        leftOut << localized(comparison.error().message);
    if (comparison && comparing.plan && validation::isMovedByRuns(comparing.plan->costModelId)
        && validation::anyUsable(m_workspace.measuredRuns(), &storage::SavedMeasuredRun::document))
        sentences << localized(validation::formulaAlone);
    ui.comparison->setText(sentences.join(u'\n'));
    ui.comparisonSentence->setSentence(leftOut.join(u'\n'));
    ui.comparisonTable->setVisible(comparison.has_value());
    ui.addedLabel->setVisible(comparison.has_value());
    m_comparison->setTable(comparison ? itemmodels::offerComparisonTable(*comparison) : itemmodels::SheetTable());
}

void OffersPage::offerChanged(int index)
{
    const auto &offer = m_workspace.offers().at(std::size_t(index));
    m_model->change(index, row(offer));
    if (offer.id == m_current)
        showEntries(offer.document, false);
    compare();
}

void OffersPage::offerRemoved(int index)
{
    const bool current = m_model->row(index).id == m_current;
    if (current)
        m_current = 0;
    m_model->remove(index);
    if (current && m_proxy->rowCount() > 0) {
        const auto now = m_ui->offerTable->currentIndex();
        showOffer((now.isValid() ? now : m_proxy->index(0, 0)).data(itemmodels::idRole).toLongLong());
    }
    updateState();
    compare();
}

void OffersPage::refuse(const Error &error)
{
    const auto sentence = localized(error.message);
    m_ui->offerSentence->setSentence(sentence);
    if (const auto *offer = m_workspace.offer(m_current))
        m_lines->setTable(itemmodels::offerLinesTable(offer->document, *m_workspace.catalog()));
    m_isRefused = true;
    emit statusMessage(tr("Not saved: %1").arg(sentence));
}

void OffersPage::addOffer(OfferDocument document)
{
    document.name = freeName(document.name, m_workspace.offers());
    const auto id = m_workspace.addOffer(document);
    if (!id) {
        m_prompts.showError(this, tr("The offer was not added"), id.error());
        return;
    }
    m_ui->tabs->setCurrentWidget(m_ui->offerTab);
    showOffer(*id);
    m_ui->nameEdit->setFocus();
    m_ui->nameEdit->selectAll();
}

void OffersPage::duplicateOffer()
{
    m_workspace.settle();
    if (const auto *offer = m_workspace.offer(m_current); offer && !m_workspace.isReadOnly())
        addOffer(offer->document);
}

void OffersPage::removeOffer()
{
    const auto *offer = m_workspace.offer(m_current);
    if (!offer || m_workspace.isReadOnly())
        return;
    const auto name = utf8(offer->document.name);
    if (const auto done = m_workspace.removeOffer(m_current); !done)
        m_prompts.showError(this, tr("The offer was not deleted"), done.error());
    else
        emit removed(name);
}

void OffersPage::importOffer()
{
    const auto path = m_prompts.fileToOpen(this, tr("Import offer"), tr("Offers (*.yaml *.yml *.json);;All files (*)"));
    if (path.isEmpty())
        return;
    const auto text = exchange::readFile(path, exchange::longestDocument);
    auto offer = text ? exchange::offerFromText(*text) : std::unexpected(text.error());
    if (!offer)
        m_prompts.showError(this, tr("\u201c%1\u201d was not imported").arg(QFileInfo(path).fileName()), offer.error());
    else
        addOffer(std::move(*offer));
}

void OffersPage::exportOffer()
{
    m_workspace.settle();
    const auto *offer = m_workspace.offer(m_current);
    if (!offer)
        return;
    const auto told = exportDocument(
        offer->document, m_prompts, this, tr("Export offer"), tr("The offer was not exported"));
    if (!told.isEmpty())
        emit statusMessage(told);
}

} // namespace fleetwright::app
