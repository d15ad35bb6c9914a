// SPDX-License-Identifier: GPL-3.0-or-later
// What a decision looked at, how sure its answer is, and the offers side by side.
#include "charts/decisioncharts.h"
#include "reports/sections.h"
#include "reports/wording.h"
#include "solver/offers/offercomparison.h"
#include "solver/size/sizewords.h"
#include "solver/size/usedvalues.h"
#include "solver/worksheet/fleettables.h"
#include "solver/worksheet/sheets.h"

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fleetwright::reports {

using size::SizeLimit;
using uncertainty::RiskFigure;

namespace {

QString sized(SizeLimit limit, double value)
{
    return std::isnan(value) ? absent() : utf8(size::valueInWords(limit, value));
}

QString drawn(const uncertainty::FleetRisk &risk, RiskFigure figure, SizeLimit limit)
{
    const auto &spread = risk.spread(figure);
    if (!spread)
        return absent();
    const auto &quantiles = spread->quantiles;
    return utf8(size::rangeInWords(limit, quantiles.p50, quantiles.p10, quantiles.p90));
}

QString chanceText(const std::optional<uncertainty::Chance> &chance)
{
    return chance ? utf8(units::formatPercent(chance->share)) : absent();
}

BulletList sentences(const std::vector<std::string> &said)
{
    BulletList list;
    for (const auto &sentence : said)
        list.items << utf8(sentence);
    return list;
}

} // namespace

void appendSizing(Elements &elements, const ReportSubject &subject)
{
    if (!subject.decision)
        return;
    const auto &[document, result, sure, hash] = *subject.decision;
    elements.push_back(Heading{1, tr("Candidates")});
    elements.push_back(Paragraph{tr("%1. One row for the best fleet of each node, those that keep all limits first.")
                                     .arg(utf8(size::countsInWords(*result)))});
    Table table{tr("Best of each node"),
        {tr("Fleet"), tr("Layout"), tr("Days"), tr("Jobs"), tr("Capital"), tr("Power"), tr("Limits")}, {},
        {false, false, true, true, true, true, false}};
    Table binding{tr("What binds the others, and what would let them in"),
        {tr("Fleet"), tr("Breaks"), tr("What would free it")}, {}, {false, false, false}};
    for (const auto *row : result->byNode()) {
        const auto &answer = row->answer;
        const auto &figures = answer.figures;
        const auto fleet = utf8(size::fleetInWords(*result, answer));
        table.rows.push_back(
            {fleet, utf8(size::splitsInWords(document, answer)), sized(SizeLimit::Deadline, figures.days),
                sized(SizeLimit::RunCost, figures.runCostUsd), sized(SizeLimit::Capital, figures.capitalUsd),
                sized(SizeLimit::Power, figures.facilityWatts), answer.isFeasible() ? tr("kept") : tr("broken")});
        if (!answer.isFeasible())
            binding.rows.push_back({fleet, utf8(size::missesInWords(answer)), utf8(size::remediesInWords(*row))});
    }
    elements.push_back(std::move(table));
    if (!binding.rows.empty())
        elements.push_back(std::move(binding));
    BulletList refused;
    for (const auto &of : result->refused)
        refused.items << tr("%1: %2").arg(utf8(of.candidate), utf8(of.error.message));
    if (!refused.items.isEmpty()) {
        elements.push_back(Heading{2, tr("What was not considered")});
        elements.push_back(std::move(refused));
    }
}

void appendSensitivity(Elements &elements, const ReportSubject &subject)
{
    if (!subject.decision || !subject.decision->sure)
        return;
    const auto &sure = *subject.decision->sure;
    const auto &risk = sure.risk;
    elements.push_back(Heading{1, tr("How sure")});
    Table table{tr("%1 draws, seed %2: the middle of each figure, and the range of eight draws in ten")
                    .arg(risk.draws)
                    .arg(risk.seed),
        {tr("Fleet"), tr("Days"), tr("Jobs"), tr("Capital"), tr("By the date"), tr("Best in")}, {},
        {false, true, true, true, true, true}};
    for (const auto &fleet : risk.fleets)
        table.rows.push_back({utf8(fleet.label), drawn(fleet, RiskFigure::Days, SizeLimit::Deadline),
            drawn(fleet, RiskFigure::RunCost, SizeLimit::RunCost),
            drawn(fleet, RiskFigure::Capital, SizeLimit::Capital), chanceText(fleet.deadline), chanceText(fleet.best)});
    elements.push_back(std::move(table));
    auto said = size::howSureInWords(sure);
    constexpr std::size_t mostForBoard = 8; // the rest is which price lets which loser win
    if (subject.set.audience == Audience::Board && said.size() > mostForBoard)
        said.resize(mostForBoard);
    elements.push_back(sentences(said));
}

void appendDecisiveAssumptions(Elements &elements, const ReportSubject &subject, const Catalog &catalog)
{
    if (!subject.decision)
        return;
    const auto &[document, result, sure, hash] = *subject.decision;
    elements.push_back(Heading{1, tr("What it rests on")});
    const auto values = size::usedValues(document, *result, catalog);
    Table table{tr("Prices and rates of the recommended fleet"),
        {tr("Value"), tr("Likely"), tr("Range"), tr("Source"), tr("Date")}, {}, {false, true, true, false, false}};
    const auto &sheet = sheets::run();
    for (const auto &value : values) {
        if (value.subject != values.front().subject) // that of the winner
            continue;
        const auto row = sheet.find(value.key);
        if (!row)
            continue;
        const auto &unit = sheet.row(*row).unit;
        const auto shown = [&](double number) { return utf8(valueText(number, unit)); };
        table.rows.push_back({utf8(sheet.row(*row).label), shown(value.value),
            value.low && value.high ? tr("%1 to %2").arg(shown(*value.low), shown(*value.high)) : QString(),
            utf8(value.source), utf8(value.date)});
    }
    if (!table.rows.empty())
        elements.push_back(std::move(table));
    BulletList left;
    for (const auto &of : result->refused)
        left.items << tr("%1: %2").arg(utf8(of.candidate), utf8(of.error.message));
    if (!left.items.isEmpty()) {
        elements.push_back(Heading{2, tr("What was not considered")});
        elements.push_back(std::move(left));
    }
    elements.push_back(Heading{2, tr("Approval")});
    elements.push_back(Table{{}, {tr("Name"), tr("Role"), tr("Date"), tr("Signature")},
        {{u" "_s, u" "_s, u" "_s, u" "_s}, {u" "_s, u" "_s, u" "_s, u" "_s}}, {false, false, false, false}});
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
        elements.push_back(Note{utf8(comparison.error().message)});
        return;
    }
    elements.push_back(sentences(comparison->sentences));
    Table table{utf8(addedSentence), {QString()}, {}, {false}};
    for (const auto &offer : comparison->offers) {
        table.header << utf8(offer.offer.name);
        table.rightAligned.push_back(true);
    }
    for (const auto &row : comparison->rows) {
        if (row.isTotal)
            table.strongRows.push_back(table.rows.size());
        QStringList cells{utf8(row.label)};
        for (const auto &cell : row.cells)
            cells << utf8(textOf(row, cell));
        table.rows.push_back(std::move(cells));
    }
    elements.push_back(std::move(table));
}

} // namespace fleetwright::reports
