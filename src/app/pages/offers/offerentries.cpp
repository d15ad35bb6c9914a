// SPDX-License-Identifier: GPL-3.0-or-later
// The form and the lines of one offer: what they show and what an entry does.
#include "app/pages/offers/offerspage.h"

#include "app/pages/plan/planrows.h"
#include "app/widgets/fleetfields.h"
#include "app/workspace/workspace.h"
#include "domain/calendarday.h"
#include "itemmodels/offertables.h"
#include "text/localizedparts.h"
#include "text/utf8.h"
#include "ui_offerspage.h"

#include <QCheckBox>
#include <QSortFilterProxyModel>

#include <ranges>
#include <utility>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

std::string idOf(const ItemReference &reference)
{
    const auto *id = std::get_if<std::string>(&reference);
    return id ? *id : std::get<CatalogRecord>(reference).id;
}

/// A line for the fleet's nodes. Its price is the vendor's to state: that of the catalog would read as offered.
OfferLine lineOfNodes(const FleetDocument &fleet)
{
    return {.item = idOf(fleet.node), .part = {}, .quantity = double(fleet.nodes), .unitPrice = 0, .discount = 0};
}

} // namespace

void OffersPage::setUpForm()
{
    auto &ui = *m_ui;
    const auto text = [this](QLineEdit *edit, const QString &field, const QString &name,
                          std::string OfferDocument::*member) {
        edit->setMaxLength(300);
        edit->setAccessibleName(name);
        connect(edit, &QLineEdit::textEdited, this,
            [this, field, member](const QString &typed) { changeText(field, typed, member); });
    };
    text(ui.nameEdit, u"name"_s, tr("Name of the offer"), &OfferDocument::name);
    text(ui.vendorEdit, u"vendor"_s, tr("Vendor"), &OfferDocument::vendor);
    text(ui.paymentEdit, u"payment"_s, tr("Payment terms"), &OfferDocument::paymentTerms);
    ui.vendorEdit->setPlaceholderText(tr("Whose offer it is"));
    ui.untilEdit->setPlaceholderText(tr("2027-03-31, or empty"));
    ui.untilEdit->setAccessibleName(tr("The last day on which the offer stands"));
    connect(ui.untilEdit, &QLineEdit::textEdited, this, [this](const QString &typed) { changeUntil(typed, false); });
    connect(ui.untilEdit, &QLineEdit::editingFinished, this, [this] {
        if (m_ui->untilEdit->isModified())
            changeUntil(m_ui->untilEdit->text(), true);
    });
    ui.currencyCombo->setAccessibleName(tr("Currency"));
    ui.currencyCombo->setToolTip(tr("Currency of all prices of the offer, at the rate of the currencies catalog."));
    connect(ui.currencyCombo, &QComboBox::activated, this, [this] {
        const auto code = m_ui->currencyCombo->currentData().toString().toStdString();
        change(u"currency"_s, [&](OfferDocument &offer) { offer.currency = code; });
    });
    ui.nodePicker->setKind(CatalogKind::Node, tr("Node"),
        [](const CatalogRecord &record) { return record.text("accelerator_id").has_value(); });
    ui.fabricPicker->setKind(CatalogKind::Fabric, tr("Fabric"),
        [](const CatalogRecord &record) { return record.text("scope") == "scale_out"; });
    ui.facilityPicker->setKind(CatalogKind::Facility, tr("Facility"));
    ui.facilityPicker->setOptional(tr("none"));
    ui.gridPicker->setKind(CatalogKind::Grid, tr("Grid"));
    ui.gridPicker->setOptional(tr("none"));
    connect(ui.nodePicker, &ItemPicker::picked, this, [this](const QString &id) {
        change(u"node"_s, [&](OfferDocument &offer) {
            const auto before = idOf(offer.fleet.node);
            offer.fleet.node = id.toStdString();
            for (auto &line : offer.lines) // the lines for the nodes follow
                if (line.item == before)
                    line.item = id.toStdString();
        });
    });
    connect(ui.fabricPicker, &ItemPicker::picked, this, [this](const QString &id) {
        change(u"fabric"_s, [&](OfferDocument &offer) { offer.fleet.fabric = id.toStdString(); });
    });
    connect(ui.facilityPicker, &ItemPicker::picked, this, [this](const QString &id) {
        change(u"facility"_s, [&](OfferDocument &offer) { offer.fleet.facility = id.toStdString(); });
    });
    connect(ui.gridPicker, &ItemPicker::picked, this, [this](const QString &id) {
        change(u"grid"_s, [&](OfferDocument &offer) { offer.fleet.grid = id.toStdString(); });
    });
    ui.nodesEdit->setLabel(tr("Nodes"));
    ui.nodesEdit->setExplanation(tr("Number of equal nodes, without spare ones."));
    ui.nodesEdit->setRange(1, mostNodes);
    connect(ui.nodesEdit, &CountEdit::valueEdited, this, [this](std::optional<int> nodes) {
        change(u"nodes"_s, [&](OfferDocument &offer) {
            for (auto &line : offer.lines) // the line that had all of them has all of them
                if (line.item == idOf(offer.fleet.node) && line.quantity == offer.fleet.nodes)
                    line.quantity = nodes.value_or(1);
            offer.fleet.nodes = nodes.value_or(1);
        });
    });
}

void OffersPage::setUpTerms()
{
    auto &ui = *m_ui;
    const auto years = [this](CountEdit *edit, const QString &label, const QString &explanation,
                           std::optional<int> OfferDocument::*member, const QString &field) {
        edit->setLabel(label);
        edit->setExplanation(explanation);
        edit->setRange(0, mostOfferYears);
        edit->setOptional(tr("not stated"));
        connect(edit, &CountEdit::valueEdited, this, [this, member, field](std::optional<int> value) {
            change(field, [&](OfferDocument &offer) { offer.*member = value; });
        });
    };
    years(ui.warrantyEdit, tr("Warranty"), tr("Years of warranty, in which support costs nothing."),
        &OfferDocument::warrantyYears, u"warranty"_s);
    years(ui.supportEdit, tr("Support"), tr("Years of support in these prices; of support with a line its quantity."),
        &OfferDocument::supportYears, u"support"_s);
    const auto amount = [this](QuantityEdit *edit, const QString &label, const QString &explanation,
                            const QString &field, std::function<void(OfferDocument &, std::optional<double>)> assign) {
        constexpr double most = 1e12;
        edit->setLabel(label);
        edit->setExplanation(explanation);
        edit->setQuantity(units::Dimension::Number, {});
        edit->setRange(0, most);
        edit->setOptional(tr("not stated"));
        connect(edit, &QuantityEdit::valueEdited, this, [this, field, assign](std::optional<double> value) {
            change(field, [&](OfferDocument &offer) { assign(offer, value); });
        });
    };
    amount(ui.deliveryEdit, tr("Delivery"), tr("Weeks from the order to delivery."), u"delivery"_s,
        [](OfferDocument &offer, std::optional<double> weeks) { offer.deliveryWeeks = weeks; });
    amount(ui.colocationEdit, tr("Colocation"), tr("Price of a contracted kW and month, in the offer's currency."),
        u"colocation"_s, [](OfferDocument &offer, std::optional<double> price) {
            const bool includes = offer.colocation && offer.colocation->includesEnergy;
            offer.colocation = price ? std::optional(OfferColocation{*price, includes}) : std::nullopt;
        });
    connect(ui.energyCheck, &QCheckBox::clicked, this, [this](bool includes) {
        change(u"energy"_s, [&](OfferDocument &offer) {
            if (offer.colocation)
                offer.colocation->includesEnergy = includes;
        });
    });
    ui.payingCombo->addItem(tr("bought"), -1);
    for (const auto term : allRentTerms)
        ui.payingCombo->addItem(tr("rented, %1").arg(localized(fleetwright::words(term))), int(term));
    ui.payingCombo->setAccessibleName(tr("Bought or rented"));
    connect(ui.payingCombo, &QComboBox::activated, this,
        [this] { changePaying(m_ui->payingCombo->currentData().toInt() >= 0); });
    amount(ui.rentEdit, tr("Rent"), tr("Price of an accelerator and hour, in the offer's currency."), u"rent"_s,
        [](OfferDocument &offer, std::optional<double> price) {
            if (offer.rent)
                offer.rent->perAcceleratorHour = price.value_or(0);
        });
    amount(ui.extrasEdit, tr("Extras"), tr("What a year costs beside the hours: storage, network, support..."),
        u"extras"_s, [](OfferDocument &offer, std::optional<double> price) {
            if (offer.rent)
                offer.rent->extrasPerYear = price.value_or(0);
        });
    int place = 0;
    for (const auto part : allOfferParts) {
        if (part == OfferPart::Nodes || part == OfferPart::SpareNodes)
            continue;
        auto *check = new QCheckBox(localizedWord(fleetwright::words(part)), this);
        check->setObjectName(u"scope_"_s + utf8(toString(part)));
        constexpr int columns = 3;
        ui.scopeLayout->addWidget(check, place / columns, place % columns);
        ++place;
        m_scope.emplace_back(part, check);
        connect(check, &QCheckBox::clicked, this, [this, part](bool in) {
            change({}, [&](OfferDocument &offer) {
                std::erase(offer.scope, part);
                if (in)
                    offer.scope.push_back(part);
                if (in && part == OfferPart::Support && !offer.supportYears)
                    offer.supportYears = 1;
            });
        });
    }
}

void OffersPage::showEntries(const OfferDocument &document, bool afresh)
{
    auto &ui = *m_ui;
    if (afresh) {
        for (auto *edit : {ui.nodesEdit, ui.warrantyEdit, ui.supportEdit})
            edit->restore();
        for (auto *edit : {ui.deliveryEdit, ui.colocationEdit, ui.rentEdit, ui.extrasEdit})
            edit->restore();
    }
    const auto put = [](QLineEdit *edit, const QString &text) {
        if (edit->text().trimmed() != text)
            edit->setText(text);
    };
    put(ui.nameEdit, utf8(document.name));
    put(ui.vendorEdit, utf8(document.vendor));
    put(ui.untilEdit, document.validUntil ? utf8(dateText(*document.validUntil)) : QString());
    put(ui.paymentEdit, utf8(document.paymentTerms));
    const auto code = utf8(document.currency);
    if (ui.currencyCombo->findData(code) < 0)
        ui.currencyCombo->addItem(tr("%1 (no rate)").arg(code), code);
    selectData(ui.currencyCombo, code);
    ui.nodePicker->setReference(document.fleet.node);
    ui.nodesEdit->setValue(document.fleet.nodes);
    ui.fabricPicker->setReference(document.fleet.fabric);
    ui.facilityPicker->setReference(document.fleet.facility);
    ui.gridPicker->setReference(document.fleet.grid);
    ui.warrantyEdit->setValue(document.warrantyYears);
    ui.supportEdit->setValue(document.supportYears);
    ui.deliveryEdit->setValue(document.deliveryWeeks);
    const auto &colocation = document.colocation;
    ui.colocationEdit->setValue(colocation ? std::optional(colocation->perKwMonth) : std::nullopt);
    ui.energyCheck->setChecked(colocation && colocation->includesEnergy);
    ui.energyCheck->setVisible(colocation.has_value());
    const bool rented = document.rent.has_value();
    selectData(ui.payingCombo, rented ? int(document.rent->term) : -1);
    ui.rentEdit->setValue(rented ? std::optional(document.rent->perAcceleratorHour) : std::nullopt);
    ui.extrasEdit->setValue(rented ? std::optional(document.rent->extrasPerYear) : std::nullopt);
    for (auto *widget : {static_cast<QWidget *>(ui.rentEdit), static_cast<QWidget *>(ui.rentEditLabel),
             static_cast<QWidget *>(ui.extrasEdit), static_cast<QWidget *>(ui.extrasEditLabel)})
        widget->setVisible(rented);
    for (const auto &[part, check] : m_scope) {
        check->setChecked(std::ranges::find(document.scope, part) != document.scope.end());
        check->setVisible(!rented);
    }
    for (auto *widget : {static_cast<QWidget *>(ui.linesTable), static_cast<QWidget *>(ui.scopeLabel),
             static_cast<QWidget *>(ui.addLineButton), static_cast<QWidget *>(ui.removeLineButton),
             static_cast<QWidget *>(ui.linesTitle)})
        widget->setVisible(!rented);
    m_lines->setTable(itemmodels::offerLinesTable(document, *m_workspace.catalog()));
    showAnswers();
}

void OffersPage::change(const QString &field, const std::function<void(OfferDocument &)> &assign)
{
    const auto *offer = m_workspace.offer(m_current);
    if (!offer)
        return;
    OfferDocument next = offer->document;
    assign(next);
    if (const auto valid = check(next); !valid) {
        refuse(valid.error());
        return;
    }
    m_ui->offerSentence->setSentence({});
    const auto merging = field.isEmpty() ? QString() : u"offer/%1/%2"_s.arg(m_current).arg(field);
    if (const auto done = m_workspace.editOffer(m_current, next, merging); !done)
        refuse(done.error());
    else if (std::exchange(m_isRefused, false))
        emit statusMessage(tr("Saved.")); // in the place of what was said of the entry before
}

void OffersPage::changeText(const QString &field, const QString &text, std::string OfferDocument::*member)
{
    change(field, [&](OfferDocument &offer) { offer.*member = text.trimmed().toStdString(); });
}

/// A date that is still being typed is refused where it stands; that it is not saved is said when it is left so.
void OffersPage::changeUntil(const QString &text, bool isFinished)
{
    const auto typed = text.trimmed().toStdString();
    const auto date = dateFromText(typed);
    if (!typed.empty() && !date) {
        const auto sentence = tr("The last day is a date such as 2027-03-31.");
        if (isFinished)
            refuse({ErrorCode::UnsupportedValue, "valid_until", sentence.toStdString()});
        else
            m_ui->offerSentence->setSentence(sentence);
        return;
    }
    change(u"until"_s, [&](OfferDocument &offer) { offer.validUntil = date; });
}

/// What is rented has no lines and what is bought has some.
void OffersPage::changePaying(bool rented)
{
    const auto term = RentTerm(std::max(0, m_ui->payingCombo->currentData().toInt()));
    change({}, [&](OfferDocument &offer) {
        if (!rented) {
            offer.rent.reset();
            if (offer.lines.empty())
                offer.lines.push_back(lineOfNodes(offer.fleet));
            return;
        }
        offer.lines.clear();
        offer.scope.clear();
        if (!offer.rent)
            offer.rent.emplace();
        offer.rent->term = term;
    });
}

void OffersPage::changeLine(const QString &row, int column, const QString &text)
{
    const auto *offer = m_workspace.offer(m_current);
    const auto index = row.toUInt();
    if (!offer || index >= offer->document.lines.size())
        return;
    auto line = itemmodels::typedOfferLine(offer->document.lines[index], column, text, *m_workspace.catalog());
    if (!line) {
        refuse(line.error());
        return;
    }
    change({}, [&](OfferDocument &next) { next.lines[index] = *line; });
}

/// For the first part that the offer lacks; it counts when it has a price.
void OffersPage::addLine()
{
    change({}, [this](OfferDocument &offer) {
        auto part = OfferPart::Network;
        for (const auto &[each, check] : m_scope) {
            const auto isOfIt = [&](std::size_t line) {
                const auto of = partOf(offer, line, *m_workspace.catalog());
                return of && *of == each;
            };
            const auto lines = std::views::iota(std::size_t(0), offer.lines.size());
            if (std::ranges::find(offer.scope, each) == offer.scope.end() && std::ranges::none_of(lines, isOfIt)) {
                part = each;
                break;
            }
        }
        offer.lines.push_back(
            {.item = std::string(toString(part)), .part = {}, .quantity = 1, .unitPrice = 0, .discount = 0});
    });
    const auto first = m_sortedLines->mapFromSource(m_lines->index(m_lines->rowCount() - 1, itemmodels::OfferLineItem));
    if (!first.isValid())
        return;
    auto *table = m_ui->linesTable;
    table->setCurrentIndex(first);
    table->scrollTo(first);
    table->setFocus();
    table->edit(first);
}

void OffersPage::removeLine()
{
    const auto now = m_sortedLines->mapToSource(m_ui->linesTable->currentIndex());
    if (now.isValid())
        change({}, [&](OfferDocument &offer) { offer.lines.erase(offer.lines.begin() + now.row()); });
}

void OffersPage::newOffer()
{
    if (!m_workspace.isOpen() || m_workspace.isReadOnly())
        return;
    OfferDocument offer;
    offer.name = tr("New offer").toStdString();
    offer.fleet = m_workspace.fleets().empty() ? startingFleet(*m_workspace.catalog())
                                               : m_workspace.fleets().front().document;
    offer.fleet.costs = {};
    offer.lines.push_back(lineOfNodes(offer.fleet));
    addOffer(std::move(offer));
}

} // namespace fleetwright::app
