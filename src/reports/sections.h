// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reports/reportdocument.h"
#include "solver/worksheet/fleettables.h"

/// The parts of a plan report. Each appends its elements.
namespace fleetwright::reports {

using Elements = std::vector<Element>;

[[nodiscard]] BulletList bulletsOf(const std::vector<std::string> &sentences);
/// A figure of a sized fleet as people read it; absent() where it is not known.
/// Of days that are more than the deadline allows in as many digits as show it.
[[nodiscard]] QString sizedText(
    size::SizeLimit limit, double value, const std::optional<Seconds> &deadline = std::nullopt);

/// A fleet with its sheet: of the decision's winner (both of its fleets, where it has two) and base case, else of each
/// plan, each once.
struct PricedFleet {
    QString name;
    FleetDocument document;
    Fleet fleet;
    CostSheet sheet;
    bool isWinner = false; ///< or a part of it; the closest fleet where nothing keeps the limits
    [[nodiscard]] bool isRented() const { return fleet->costs.paying == Paying::Rent; }
};
[[nodiscard]] std::vector<PricedFleet> pricedFleets(const ReportSubject &subject, const Catalog &catalog);

/// The first two pages: the recommendation, at most five options, the risks with numbers, what is asked; then where the
/// money goes, days against cost, cumulative cost and what moves it. Of the decision, else of the plans.
void appendAnswer(Elements &elements, const ReportSubject &subject, const Catalog &catalog);
/// Plans (else the decision's fleets) as columns, eight a table, with the rows that differ; what all share stands once
/// below.
void appendComparison(Elements &elements, const ReportSubject &subject, const Catalog &catalog);
/// Whether the plans train the same workload on the same tokens, priced by one cost model: whether the cost and days of
/// their runs compare.
[[nodiscard]] bool runsCompare(const std::vector<ReportPlan> &plans);
/// Candidates of the decision, what binds the others and what would let them in.
void appendSizing(Elements &elements, const ReportSubject &subject);
/// Each sweep: what was asked, its best, its figure over both axes with what breaks a limit set apart, and its chart.
/// Where the project goes by its measured runs, that sweeps do not.
void appendSweeps(Elements &elements, const ReportSubject &subject, const Catalog &catalog);
/// Draws: days, money and chances of each fleet, the tornado, what decides and what would settle it.
void appendSensitivity(Elements &elements, const ReportSubject &subject);
/// On which measured runs the step time rests, prices and terms of the winner with source and date, and what was not
/// considered.
void appendDecisiveAssumptions(
    Elements &elements, const ReportSubject &subject, const std::vector<PricedFleet> &fleets);
/// That the answer is not what was approved, and why: its inputs changed, or measured runs moved it. Empty: it is, or
/// nothing was approved.
[[nodiscard]] QString sinceApproval(const ReportDecision &decision);
/// Room for signatures; nothing where nothing keeps the limits.
void appendApproval(Elements &elements, const ReportSubject &subject);
/// Offers side by side; nothing with fewer than two.
void appendOffers(Elements &elements, const ReportSubject &subject, const Catalog &catalog);
/// The source of a line's price or count, with the day of the price; empty where it is a formula.
[[nodiscard]] std::string datedSource(const FleetBillLine &line);
/// Where the figures of a table come from, each source once: the note marks of its cells. The table outlives it.
class NotedCells {
public:
    explicit NotedCells(Table &table) : m_table(table) { }
    /// The text with the mark of the note that the parts make; without any the text.
    [[nodiscard]] QString with(const QString &text, std::initializer_list<std::string> parts);

private:
    Table &m_table;
};

/// One table of figures a fleet, those of the section alone; of a rented fleet no capital and no cost of owning.
void appendFleetFigures(Elements &elements, ReportSection section, const std::vector<PricedFleet> &fleets);
void appendCashFlow(Elements &elements, const std::vector<PricedFleet> &fleets);
/// What is to be ordered; a rented fleet is none of it.
void appendBill(Elements &elements, const std::vector<PricedFleet> &fleets);

void appendCharts(Elements &elements, const std::vector<ReportPlan> &plans);
void appendAssumptions(Elements &elements, const std::vector<ReportPlan> &plans);
/// What each plan asks for and what came of it; then, each once with the plans of which it is true: serving, warnings,
/// and what is not known.
void appendPlans(Elements &elements, const std::vector<ReportPlan> &plans, const Catalog &catalog);
/// Memory of the fullest accelerator by part, without parts of nothing; plans as columns.
void appendMemory(Elements &elements, const std::vector<ReportPlan> &plans);
/// Operators, collectives, memory by stage and schedule of a plan that the cost model `detailed` priced; nothing for
/// others.
void appendExplanation(Elements &elements, const Plan &plan);
/// Recorded decisions; nothing where there are none.
void appendLedger(Elements &elements, const std::vector<LedgerEntry> &ledger);
/// How far the cost models have been from measured runs, and what that says about the plans' accelerators; nothing
/// without a score.
void appendValidation(Elements &elements, const std::vector<ReportPlan> &plans, const validation::ScoredFile &scored);
void appendLimitations(Elements &elements, const std::vector<ReportPlan> &plans);
/// Source of every catalog value that entered, and the known confusions of the items.
void appendProvenance(Elements &elements, const std::vector<ReportPlan> &plans, const Catalog &catalog);
void appendReproducibility(Elements &elements, const std::vector<ReportPlan> &plans, const QString &line);

/// A catalog item that a plan uses, with the fields that a planner reads from it.
struct UsedItem {
    const CatalogRecord *record = nullptr;
    std::vector<const FieldDescriptor *> fields; ///< only those that the item states
    bool operator==(const UsedItem &) const = default;
};
/// Each item once, in order of kind and first use; items that stand inline in a document included.
[[nodiscard]] std::vector<UsedItem> usedItems(const std::vector<ReportPlan> &plans, const Catalog &catalog);
/// Keys of the fields from which the domain makes its values.
[[nodiscard]] std::span<const std::string_view> planningFields(CatalogKind kind);

/// The cost models of the plans, each once, in order of first use; unknown ids are left out.
[[nodiscard]] std::vector<const CostModel *> usedModels(const std::vector<ReportPlan> &plans);
/// "3  Name of the plan", as tables and charts write it.
[[nodiscard]] QString plotLabel(const ReportPlan &plan, std::size_t index);

} // namespace fleetwright::reports
