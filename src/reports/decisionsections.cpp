// SPDX-License-Identifier: GPL-3.0-or-later
// What a decision looked at, how sure its answer is, and the offers side by side.
#include "charts/decisioncharts.h"
#include "exchange/sizeresults.h"
#include "reports/sections.h"
#include "reports/wording.h"
#include "solver/offers/offercomparison.h"
#include "solver/size/sizewords.h"
#include "text/localized.h"
#include "units/grouping.h"

#include <QDateTime>
#include <QLocale>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fleetwright::reports {

using size::SizeLimit;
using uncertainty::RiskFigure;

namespace {

QString drawn(const uncertainty::FleetRisk &risk, RiskFigure figure, SizeLimit limit)
{
    const auto &spread = risk.spread(figure);
    if (!spread)
        return absent();
    const auto range = spread->range();
    return localized(size::rangeInWords(limit, spread->likely, range.p10, range.p90));
}

QString chanceText(const std::optional<uncertainty::Chance> &chance)
{
    return chance ? localized(units::formatPercent(chance->share)) : absent();
}

/// A board reads what kinds of reasons there are, an engineer each node.
void appendNotConsidered(Elements &elements, const size::Result &result, Audience audience)
{
    std::vector<std::pair<QString, QStringList>> left; // what, of whom: many nodes are left out for one reason
    for (const auto &of : result.refused) {
        const auto message = plainWords(of.error.message), candidate = utf8(of.candidate);
        auto same = std::ranges::find(left, message, &std::pair<QString, QStringList>::first);
        if (same == left.end())
            same = left.insert(left.end(), {message, {}});
        if (!same->second.contains(candidate))
            same->second << candidate;
    }
    if (left.empty())
        return;
    constexpr qsizetype mostReasons = 2, mostNames = 3;
    const bool isShort = audience == Audience::Board;
    BulletList items;
    for (const auto &[message, names] : left) {
        if (isShort && items.items.size() == mostReasons)
            break;
        const auto shown = isShort ? names.first(std::min(mostNames, names.size())) : names;
        const auto more = names.size() - shown.size();
        items.items << (more > 0 ? tr("%1 and %2 more: %3").arg(shown.join(u", "_s), QString::number(more), message)
                                 : tr("%1: %2").arg(shown.join(u", "_s), message));
    }
    qsizetype others = 0;
    for (auto i = std::size_t(items.items.size()); i < left.size(); ++i)
        others += left[i].second.size();
    if (others > 0)
        items.items << tr("Left out for other reasons: %1; a report for engineers lists them.").arg(others);
    elements.push_back(Heading{2, tr("What was not considered")});
    elements.push_back(std::move(items));
}

/// What the step time rests on. Where runs of the site decide, what they say comes first, and to a board the first page
/// has said in brief what was never measured.
BulletList evidenceList(const ReportDecision &decision, Audience audience)
{
    auto said = decision.evidence;
    const auto measured = size::measuredInWords(*decision.result);
    if (measured.empty())
        return bulletsOf(said);
    const auto *range = decision.sure && decision.sure->measured ? &*decision.sure->measured : nullptr;
    const auto neverMeasured = [range](const std::string &sentence) {
        return range && std::ranges::find(range->outside, sentence) != range->outside.end();
    };
    const auto others = std::ranges::count_if(said, neverMeasured);
    if (audience == Audience::Board && others > 1)
        std::erase_if(said, neverMeasured);
    said.insert(said.begin(), measured);
    if (const auto otherwise = range ? validation::timedOtherwiseInWords(*range) : std::string(); !otherwise.empty())
        said.insert(said.begin() + 1, otherwise);
    auto list = bulletsOf(said);
    if (audience == Audience::Board && others > 1)
        list.items << tr("More on what it rests on: %1 sentences in a report for engineers.").arg(others);
    return list;
}

/// Prices, and the terms that every figure of money and power rests on.
bool isDecisive(const FleetEntryLine &line, Audience audience, bool isRented)
{
    // To a board that rents, what buying would rest on is no term of it.
    constexpr auto ofRent = std::to_array<std::string_view>(
        {"rent_usd_per_hour", "reserved_share", "rent_extra_usd", "utilisation", "pue"});
    if (audience == Audience::Board && isRented && std::ranges::find(ofRent, line.key) == ofRent.end())
        return false;
    // Parts of a network move no decision; the first table of a board's second page has their sum and its sources.
    constexpr auto small = std::to_array<std::string_view>(
        {"cable_usd_per_metre", "out_of_band_switch_usd", "switch_usd", "transceiver_usd", "node_transceiver_usd"});
    if (audience == Audience::Board && std::ranges::find(small, line.key) != small.end())
        return false;
    constexpr auto terms = std::to_array<std::string_view>({"usd_per_kwh", "pue", "discount_rate", "life_years",
        "residual_share", "utilisation", "support_share", "staff_fte", "rate_per_node_day"});
    if (audience == Audience::Board && line.key == "rate_per_node_day")
        return false; // it is in the days and their range
    const bool isPrice = line.origin != EntryOrigin::Assumed && line.unit.starts_with("USD");
    return line.value.value_or(0) != 0 && (isPrice || std::ranges::find(terms, line.key) != terms.end());
}

/// "2.00 to 3.10 M USD/node": the unit once where both have it.
QString inOneUnit(const QString &low, const QString &high)
{
    static const QRegularExpression number(u"^[0-9.\u202f]*"_s);
    const auto unit = [](const QString &text) { return text.mid(number.match(text).capturedLength()); };
    return tr("%1 to %2").arg(unit(low) == unit(high) ? low.chopped(unit(low).size()) : low, high);
}

Table termsTable(const PricedFleet &fleet, Audience audience)
{
    Table table{tr("Prices and terms: %1").arg(fleet.name),
        {tr("Value"), tr("Likely"), tr("Range"), tr("Source"), tr("Date")}, {}, {false, true, true, false, false}};
    for (const auto &line : entriesOf(fleet.document, fleet.fleet, fleet.sheet)) {
        if (!isDecisive(line, audience, fleet.isRented()))
            continue;
        const bool isShare = line.key.ends_with("_share") || line.key == "utilisation" || line.key == "discount_rate";
        const auto shown = [&](double number) {
            return localized(isShare ? units::formatPercent(number) : valueText(number, line.unit));
        };
        auto source = localized(line.source);
        if (!line.priceId.empty())
            source += tr(" (price %1)").arg(utf8(line.priceId));
        table.rows.push_back({localized(line.label), shown(*line.value),
            line.low && line.high ? inOneUnit(shown(*line.low), shown(*line.high)) : QString(), source,
            utf8(line.date)});
    }
    return table;
}

} // namespace

void appendSizing(Elements &elements, const ReportSubject &subject)
{
    if (!subject.decision)
        return;
    const auto &[document, result, sure, hash, evidence, approved] = *subject.decision;
    elements.push_back(Heading{1, tr("Candidates")});
    elements.push_back(Paragraph{tr("%1. One row for the best fleet of each node, those that keep all limits first.")
                                     .arg(localized(size::countsInWords(*result)))});
    Table table{tr("Best of each node"),
        {tr("Fleet"), tr("Layout"), tr("Days"), tr("Jobs"), tr("Capital"), tr("Power"), tr("Limits")}, {},
        {false, false, true, true, true, true, false}};
    Table binding{tr("What binds the others, and what would let them in"),
        {tr("Fleet"), tr("Breaks"), tr("What would free it")}, {}, {false, false, false}};
    for (const auto *row : result->byNode()) {
        const auto &answer = row->answer;
        const auto &figures = answer.figures;
        const auto judged = size::asDrawn(document, answer, sure ? sure->of(*result, answer) : nullptr);
        const auto fleet = localized(size::fleetInWords(*result, answer));
        table.rows.push_back(
            {fleet, localized(size::splitsInWords(document, answer)), sizedText(SizeLimit::Deadline, figures.days),
                sizedText(SizeLimit::RunCost, figures.runCostUsd), sizedText(SizeLimit::Capital, figures.capitalUsd),
                sizedText(SizeLimit::Power, figures.facilityWatts), judged.isFeasible() ? tr("kept") : tr("broken")});
        if (!judged.isFeasible())
            binding.rows.push_back(
                {fleet, localized(size::missesInWords(judged)), localized(size::remediesInWords(*row))});
    }
    elements.push_back(std::move(table));
    if (result->best())
        elements.push_back(bulletsOf(size::bindingInWords(document, *result)));
    if (!binding.rows.empty())
        elements.push_back(std::move(binding));
    const auto sections = subject.set.sectionsOrUsual();
    if (std::ranges::find(sections, ReportSection::Assumptions) == sections.end()) // which says it, too
        appendNotConsidered(elements, *result, subject.set.audience);
}

void appendSensitivity(Elements &elements, const ReportSubject &subject)
{
    if (!subject.decision || !subject.decision->sure)
        return;
    const auto &sure = *subject.decision->sure;
    const auto &risk = sure.risk;
    elements.push_back(Heading{1, tr("How sure")});
    Table table{tr("%1 draws, seed %2: the likely value of each figure, and the range of eight draws in ten")
                    .arg(utf8(units::grouped(std::to_string(risk.draws))))
                    .arg(risk.seed),
        {tr("Fleet"), tr("Days"), tr("Cost of the run"), tr("Capital"), tr("By the date"), tr("Best in")}, {},
        {false, true, true, true, true, true}};
    const auto &result = *subject.decision->result;
    const auto compared = result.compared();
    const auto nodes = result.byNode().size();
    for (std::size_t i = 0; i < risk.fleets.size(); ++i) {
        const auto &fleet = risk.fleets[i];
        const auto place = sure.fleets[i];
        const bool keeps = !place || compared[*place]->answer.isFeasible();
        const bool competes = place && *place < nodes && (keeps || !result.best());
        table.rows.push_back({localized(fleet.label), drawn(fleet, RiskFigure::Days, SizeLimit::Deadline),
            drawn(fleet, RiskFigure::RunCost, SizeLimit::RunCost),
            drawn(fleet, RiskFigure::Capital, SizeLimit::Capital), chanceText(fleet.deadline),
            competes ? chanceText(fleet.best) : absent()});
    }
    auto said = size::howSureInWords(sure);
    if (subject.set.audience != Audience::Board)
        elements.push_back(std::move(table));
    else {
        // How it was drawn is about the table; what ranges of money hold stands beside what is asked.
        said.clear();
        if (risk.rank)
            said.push_back(risk.rank->sentences.front());
        for (const auto &[title, sentence] : size::sureHeadlines(sure))
            said.push_back(title + " " + sentence);
    }
    // The rest is which price lets which loser win.
    const std::size_t most = subject.set.audience == Audience::Board ? 4 : 8;
    if (subject.set.audience != Audience::Technical && said.size() > most)
        said.resize(most);
    elements.push_back(bulletsOf(said));
}

void appendDecisiveAssumptions(Elements &elements, const ReportSubject &subject, const std::vector<PricedFleet> &fleets)
{
    if (!subject.decision)
        return;
    const auto &[document, result, sure, hash, evidence, approved] = *subject.decision;
    elements.push_back(Heading{1, tr("What it rests on")});
    if (!evidence.empty()) {
        elements.push_back(Paragraph{
            tr("The step time of %1:").arg(localized(size::fleetInWords(*result, result->answers.front().answer)))});
        elements.push_back(evidenceList(*subject.decision, subject.set.audience));
    }
    for (const auto &fleet : fleets)
        if (fleet.isWinner)
            elements.push_back(termsTable(fleet, subject.set.audience));
    appendNotConsidered(elements, *result, subject.set.audience);
}

QString sinceApproval(const ReportDecision &decision)
{
    const auto &approved = decision.approved;
    if (!approved)
        return {};
    QStringList said;
    if (approved->inputHash != decision.inputHash)
        said << tr("Its inputs have changed since: what is above is not what was approved.");
    if (const auto then = exchange::sizeResultFromStored(approved->answer))
        if (const auto moved = size::movedInWords(*then, *decision.result); !moved.empty())
            said << localized(moved);
    return said.join(u' ');
}

namespace {

/// What turned out to be known of it beside what was approved; empty: nothing yet.
QString whatBecameOf(const ApprovedDecision &approved)
{
    const auto then = exchange::sizeResultFromStored(approved.answer);
    const auto *best = then ? then->best() : nullptr;
    struct Known {
        size::SizeLimit limit;
        std::optional<double> became;
        double size::FleetFigures::*figure;
    };
    const auto &actuals = approved.actuals;
    QStringList said;
    for (const auto &[limit, became, figure] :
        {Known{size::SizeLimit::Deadline, actuals.days, &size::FleetFigures::days},
            Known{size::SizeLimit::RunCost, actuals.runCostUsd, &size::FleetFigures::runCostUsd},
            Known{size::SizeLimit::Capital, actuals.capitalUsd, &size::FleetFigures::capitalUsd},
            Known{size::SizeLimit::Power, actuals.facilityWatts, &size::FleetFigures::facilityWatts}})
        if (became) {
            auto words = localized(size::limitInWords(limit, *became));
            if (best)
                words =
                    tr("%1, approved were %2").arg(words, localized(size::valueInWords(limit, best->figures.*figure)));
            said << words;
        }
    return said.isEmpty() ? QString() : tr("What became of it: %1.").arg(said.join(u"; "_s));
}

} // namespace

void appendApproval(Elements &elements, const ReportSubject &subject)
{
    if (!subject.decision || !subject.decision->result->best())
        return; // nothing is there to be approved
    elements.push_back(Heading{2, tr("Approval")});
    if (const auto &approved = subject.decision->approved) {
        const auto when = QDateTime::fromString(utf8(approved->when), Qt::ISODate).toUTC();
        auto text = tr("Approved in the project on %1 UTC").arg(writtenDay(when, true));
        const auto who = utf8(inWords(approved->signature));
        text += who.isEmpty() ? QString() : tr(" by %1").arg(who);
        // Of before signatures were kept the note is where somebody may have signed.
        if (approved->note.empty())
            text += u'.';
        else
            text += who.isEmpty() ? tr(": %1").arg(utf8(approved->note))
                                  : tr(". Noted since: %1").arg(utf8(approved->note));
        for (const auto &more : {sinceApproval(*subject.decision), whatBecameOf(*approved)})
            if (!more.isEmpty())
                text += u' ' + more;
        elements.push_back(Paragraph{text});
    }
    // Who approved it already has a line above; one more may sign.
    elements.push_back(Table{{}, {tr("Name"), tr("Role"), tr("Date"), tr("Signature")},
        {subject.decision->approved ? 1UZ : 2UZ, QStringList{u" "_s, u" "_s, u" "_s, u" "_s}},
        {false, false, false, false}, {}, {}, true});
}

void appendOffers(Elements &elements, const ReportSubject &subject, const Catalog &catalog)
{
    if (!subject.decision)
        return;
    std::vector<OfferDocument> offers;
    for (const auto &reference : subject.decision->document.candidates.offers)
        if (const auto *offer = std::get_if<OfferDocument>(&reference))
            offers.push_back(*offer);
    if (offers.size() < 2)
        return;
    elements.push_back(Heading{1, tr("Offers")});
    const auto comparison = compareOffers(offers, catalog, {.asOf = subject.decision->document.order, .plan = {}});
    if (!comparison) {
        elements.push_back(Note{plainWords(comparison.error().message)});
        return;
    }
    elements.push_back(bulletsOf(comparison->sentences));
    Table table{localized(addedSentence), {QString()}, {}, {false}};
    for (const auto &offer : comparison->offers) {
        table.header << utf8(offer.offer.name);
        table.rightAligned.push_back(true);
    }
    for (const auto &row : comparison->rows) {
        if (row.isTotal)
            table.strongRows.push_back(table.rows.size());
        QStringList cells{localized(row.label)};
        for (const auto &cell : row.cells)
            cells << localized(textOf(row, cell));
        table.rows.push_back(std::move(cells));
    }
    elements.push_back(std::move(table));
}

} // namespace fleetwright::reports
