// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspace/editdescription.h"
#include "app/wording.h"
#include "solver/size/sizewords.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

QString quoted(const std::string &name)
{
    const auto marks = language() == Language::German ? u"\u201e%1\u201c"_s : u"\u2018%1\u2019"_s;
    return marks.arg(QString::fromStdString(name));
}

/// Collects the names of the fields that differ.
class Differences {
public:
    template <class T> Differences &compare(const T &before, const T &after, const char *what)
    {
        if (!(before == after)) {
            m_changed << tr(what);
            m_values.emplace_back();
        }
        return *this;
    }
    /// The same, with what it was and what it is; empty: there was, or is, none.
    Differences &note(const QString &what, const QString &before, const QString &after)
    {
        m_changed << what;
        m_values.emplace_back(before, after);
        m_step = before.isEmpty() ? tr("Set %1 of %2 to %3").arg(what, u"%1"_s, after)
            : after.isEmpty()     ? tr("Remove %1 of %2, which was %3").arg(what, u"%1"_s, before)
                                  : tr("Change %1 of %2 from %3 to %4").arg(what, u"%1"_s, before, after);
        return *this;
    }
    Differences &compareCounts(int before, int after, const char *what)
    {
        return before == after ? *this : note(tr(what), count(before), count(after));
    }
    [[nodiscard]] QString sentence(const std::string &name) const
    {
        if (m_changed.size() == 1 && !m_step.isEmpty())
            return m_step.arg(quoted(name));
        if (m_changed.size() == 1)
            return tr("Change %1 of %2").arg(m_changed.front(), quoted(name));
        if (m_changed.isEmpty())
            return tr("Change %1").arg(quoted(name));
        constexpr qsizetype most = 3; // of more the first are named
        const auto listed = m_changed.first(std::min(most, m_changed.size()) - (m_changed.size() > most ? 0 : 1));
        const auto last = m_changed.size() > most ? tr("%1 more").arg(m_changed.size() - most) : m_changed.back();
        return tr("Change %1 and %2 of %3").arg(listed.join(u", "_s), last, quoted(name));
    }
    [[nodiscard]] std::vector<ThenAndNow> thenAndNow() const
    {
        std::vector<ThenAndNow> parts;
        for (qsizetype i = 0; i < m_changed.size(); ++i) {
            auto what = m_changed.at(i);
            what[0] = what.at(0).toUpper();
            const auto &[then, now] = m_values[std::size_t(i)];
            const bool isSaid = !then.isEmpty() || !now.isEmpty();
            const auto orNone = [&](const QString &value) { return value.isEmpty() && isSaid ? tr("none") : value; };
            parts.push_back({what, orNone(then), orNone(now)});
        }
        return parts;
    }
    [[nodiscard]] QString sentence(std::size_t plans) const
    {
        return m_changed.size() == 1 ? tr("Change %1 of %2 plans").arg(m_changed.front()).arg(plans)
                                     : tr("Change %1 plans").arg(plans);
    }

private:
    QStringList m_changed;
    std::vector<std::pair<QString, QString>> m_values; ///< of each, then and now; empty: not said
    QString m_step; ///< of the last one that was noted, with the name's place
};

void compareFleets(Differences &differences, const FleetDocument &before, const FleetDocument &after)
{
    differences.compare(before.node, after.node, QT_TRANSLATE_NOOP("app", "node"))
        .compare(before.nodes, after.nodes, QT_TRANSLATE_NOOP("app", "number of nodes"))
        .compare(before.fabric, after.fabric, QT_TRANSLATE_NOOP("app", "fabric"))
        .compare(before.oversubscription, after.oversubscription, QT_TRANSLATE_NOOP("app", "oversubscription"))
        .compare(before.topology, after.topology, QT_TRANSLATE_NOOP("app", "topology"))
        .compare(before.facility, after.facility, QT_TRANSLATE_NOOP("app", "facility"))
        .compare(before.grid, after.grid, QT_TRANSLATE_NOOP("app", "grid"))
        .compare(before.costs, after.costs, QT_TRANSLATE_NOOP("app", "prices and terms"));
}

/// Each limit by itself.
void compareLimits(Differences &differences, const DecisionDocument &before, const DecisionDocument &after)
{
    const auto a = size::statedLimits(before), b = size::statedLimits(after);
    const auto wordsOf = [](const std::vector<size::StatedLimit> &stated, size::SizeLimit limit) {
        const auto found = std::ranges::find(stated, limit, &size::StatedLimit::limit);
        return found == stated.end() ? QString() : localized(size::statedInWords(*found));
    };
    for (std::size_t i = 0; i < size::sizeLimitCount; ++i) {
        const auto limit = static_cast<size::SizeLimit>(i);
        const auto was = wordsOf(a, limit), is = wordsOf(b, limit);
        if (was == is)
            continue;
        auto title = localized(size::titleOf(limit));
        if (limit != size::SizeLimit::Mfu) // a name
            title[0] = withinSentence(title).at(0);
        differences.note(title, was, is);
    }
    if (a == b || before.limits.plan.maxMemoryShare != after.limits.plan.maxMemoryShare)
        differences.compare(before.limits, after.limits, QT_TRANSLATE_NOOP("app", "limits"));
}

/// What is asked of jobs and candidates most, by itself.
void compareJobs(Differences &differences, const DecisionDocument &before, const DecisionDocument &after)
{
    auto jobs = before.jobs;
    if (jobs.size() == 1 && after.jobs.size() == 1) {
        const auto &to = after.jobs.front();
        auto &from = jobs.front();
        differences.compareCounts(
            from.training.globalBatch, to.training.globalBatch, QT_TRANSLATE_NOOP("app", "batch"));
        from.training.globalBatch = to.training.globalBatch;
        differences.compare(std::pair(from.leastBatch, from.mostBatch), std::pair(to.leastBatch, to.mostBatch),
            QT_TRANSLATE_NOOP("app", "range of batches"));
        from.leastBatch = to.leastBatch;
        from.mostBatch = to.mostBatch;
    }
    differences.compare(jobs, after.jobs, QT_TRANSLATE_NOOP("app", "jobs"));
    auto candidates = before.candidates;
    differences
        .compareCounts(candidates.leastNodes, after.candidates.leastNodes, QT_TRANSLATE_NOOP("app", "fewest nodes"))
        .compareCounts(candidates.mostNodes, after.candidates.mostNodes, QT_TRANSLATE_NOOP("app", "most nodes"));
    candidates.leastNodes = after.candidates.leastNodes;
    candidates.mostNodes = after.candidates.mostNodes;
    differences.compare(candidates, after.candidates, QT_TRANSLATE_NOOP("app", "candidates"));
}

template <class Document> QString renamed(const Document &before, const Document &after)
{
    Document named = before;
    named.name = after.name;
    return named == after ? tr("Rename %1 to %2").arg(quoted(before.name), quoted(after.name)) : QString();
}

Differences differencesOf(PlanDocument a, const PlanDocument &b)
{
    Differences differences;
    if (a.bestLayout != b.bestLayout) { // one step, though every degree may change with it
        differences.compare(false, true, QT_TRANSLATE_NOOP("app", "layout"));
        a.parallelism = b.parallelism;
        a.training.microbatchCount = b.training.microbatchCount;
        a.training.microbatchSize = b.training.microbatchSize;
        a.training.recompute = b.training.recompute;
    }
    differences.compare(a.workload, b.workload, QT_TRANSLATE_NOOP("app", "workload"));
    compareFleets(differences, a.fleet, b.fleet);
    differences.compare(a.parallelism.tp, b.parallelism.tp, QT_TRANSLATE_NOOP("app", "tensor parallelism"))
        .compare(a.parallelism.pp, b.parallelism.pp, QT_TRANSLATE_NOOP("app", "pipeline stages"))
        .compare(a.parallelism.cp, b.parallelism.cp, QT_TRANSLATE_NOOP("app", "context parallelism"))
        .compare(a.parallelism.ep, b.parallelism.ep, QT_TRANSLATE_NOOP("app", "expert parallelism"))
        .compare(a.parallelism.virtualStages, b.parallelism.virtualStages, QT_TRANSLATE_NOOP("app", "virtual stages"))
        .compare(a.parallelism.zeroStage, b.parallelism.zeroStage, QT_TRANSLATE_NOOP("app", "ZeRO stage"))
        .compare(a.parallelism.sequenceParallel, b.parallelism.sequenceParallel,
            QT_TRANSLATE_NOOP("app", "sequence parallelism"))
        .compare(a.training.globalBatch, b.training.globalBatch, QT_TRANSLATE_NOOP("app", "global batch"))
        .compare(std::pair(a.training.microbatchCount, a.training.microbatchSize),
            std::pair(b.training.microbatchCount, b.training.microbatchSize), QT_TRANSLATE_NOOP("app", "microbatches"))
        .compare(a.training.sequenceLength, b.training.sequenceLength, QT_TRANSLATE_NOOP("app", "sequence length"))
        .compare(a.training.precision, b.training.precision, QT_TRANSLATE_NOOP("app", "precision"))
        .compare(a.training.recompute, b.training.recompute, QT_TRANSLATE_NOOP("app", "recomputation"))
        .compare(a.training.lora, b.training.lora, QT_TRANSLATE_NOOP("app", "LoRA"))
        .compare(
            a.training.accumulationSteps, b.training.accumulationSteps, QT_TRANSLATE_NOOP("app", "accumulation steps"))
        .compare(a.training.tokenBudget, b.training.tokenBudget, QT_TRANSLATE_NOOP("app", "token budget"))
        .compare(a.assumptions, b.assumptions, QT_TRANSLATE_NOOP("app", "assumptions"))
        .compare(a.constraints, b.constraints, QT_TRANSLATE_NOOP("app", "constraints"))
        .compare(a.costModelId, b.costModelId, QT_TRANSLATE_NOOP("app", "cost model"));
    return differences;
}

Differences differencesOf(const DecisionDocument &a, const DecisionDocument &b)
{
    Differences differences;
    compareJobs(differences, a, b);
    compareLimits(differences, a, b);
    differences.compare(a.objective, b.objective, QT_TRANSLATE_NOOP("app", "objective"))
        .compare(a.front, b.front, QT_TRANSLATE_NOOP("app", "front"))
        .compare(a.baseCase, b.baseCase, QT_TRANSLATE_NOOP("app", "base case"))
        .compare(a.order, b.order, QT_TRANSLATE_NOOP("app", "day of the order"))
        .compare(std::pair(a.draws, a.seed), std::pair(b.draws, b.seed), QT_TRANSLATE_NOOP("app", "draws"))
        .compare(a.costModelId, b.costModelId, QT_TRANSLATE_NOOP("app", "cost model"));
    return differences;
}

} // namespace

QString describeEdit(const std::optional<storage::SavedPlan> &before, const std::optional<storage::SavedPlan> &after)
{
    if (!before)
        return tr("Add plan %1").arg(quoted(after->document.name));
    if (!after)
        return tr("Delete plan %1").arg(quoted(before->document.name));
    const auto &a = before->document;
    const auto &b = after->document;
    if (const auto text = renamed(a, b); !text.isEmpty())
        return text;
    return differencesOf(a, b).sentence(b.name);
}

QString describeEdit(const std::optional<std::vector<storage::SavedPlan>> &before,
    const std::optional<std::vector<storage::SavedPlan>> &after)
{
    return differencesOf(before->front().document, after->front().document).sentence(after->size());
}

QString describeEdit(const std::optional<storage::SavedFleet> &before, const std::optional<storage::SavedFleet> &after)
{
    if (!before)
        return tr("Add fleet %1").arg(quoted(after->document.name));
    if (!after)
        return tr("Delete fleet %1").arg(quoted(before->document.name));
    if (const auto text = renamed(before->document, after->document); !text.isEmpty())
        return text;
    Differences differences;
    compareFleets(differences, before->document, after->document);
    return differences.sentence(after->document.name);
}

QString describeEdit(const std::optional<storage::SavedSweep> &before, const std::optional<storage::SavedSweep> &after)
{
    if (!before)
        return tr("Add sweep %1").arg(quoted(after->document.name));
    if (!after)
        return tr("Delete sweep %1").arg(quoted(before->document.name));
    const auto &a = before->document;
    const auto &b = after->document;
    if (const auto text = renamed(a, b); !text.isEmpty())
        return text;
    Differences differences;
    differences.compare(a.question, b.question, QT_TRANSLATE_NOOP("app", "question"))
        .compare(a.plan, b.plan, QT_TRANSLATE_NOOP("app", "base plan"))
        .compare(a.axes, b.axes, QT_TRANSLATE_NOOP("app", "axes"))
        .compare(a.costModels, b.costModels, QT_TRANSLATE_NOOP("app", "cost models"))
        .compare(a.figure, b.figure, QT_TRANSLATE_NOOP("app", "figure"))
        .compare(a.view, b.view, QT_TRANSLATE_NOOP("app", "view"))
        .compare(a.mark, b.mark, QT_TRANSLATE_NOOP("app", "mark"));
    return differences.sentence(b.name);
}

QString describeEdit(const std::optional<storage::SavedStudy> &before, const std::optional<storage::SavedStudy> &after)
{
    if (!before)
        return tr("Add study %1").arg(quoted(after->document.title));
    if (!after)
        return tr("Delete study %1").arg(quoted(before->document.title));
    return tr("Change %1").arg(quoted(after->document.title));
}

QString describeEdit(
    const std::optional<storage::SavedLedgerEntry> &before, const std::optional<storage::SavedLedgerEntry> &after)
{
    if (!before)
        return tr("Record %1").arg(quoted(after->document.title));
    if (!after)
        return tr("Delete ledger entry %1").arg(quoted(before->document.title));
    Differences differences;
    differences.compare(before->document.note, after->document.note, QT_TRANSLATE_NOOP("app", "note"))
        .compare(before->document.title, after->document.title, QT_TRANSLATE_NOOP("app", "title"));
    return differences.sentence(after->document.title);
}

QString describeEdit(const std::optional<storage::SavedOffer> &before, const std::optional<storage::SavedOffer> &after)
{
    if (!before)
        return tr("Add offer %1").arg(quoted(after->document.name));
    if (!after)
        return tr("Delete offer %1").arg(quoted(before->document.name));
    const auto &a = before->document;
    const auto &b = after->document;
    if (const auto text = renamed(a, b); !text.isEmpty())
        return text;
    Differences differences;
    differences.compare(a.vendor, b.vendor, QT_TRANSLATE_NOOP("app", "vendor"))
        .compare(a.validUntil, b.validUntil, QT_TRANSLATE_NOOP("app", "last day"))
        .compare(a.currency, b.currency, QT_TRANSLATE_NOOP("app", "currency"));
    compareFleets(differences, a.fleet, b.fleet);
    differences.compare(a.lines, b.lines, QT_TRANSLATE_NOOP("app", "lines"))
        .compare(a.scope, b.scope, QT_TRANSLATE_NOOP("app", "scope"))
        .compare(a.supportYears, b.supportYears, QT_TRANSLATE_NOOP("app", "years of support"))
        .compare(a.warrantyYears, b.warrantyYears, QT_TRANSLATE_NOOP("app", "warranty"))
        .compare(a.deliveryWeeks, b.deliveryWeeks, QT_TRANSLATE_NOOP("app", "delivery"))
        .compare(a.paymentTerms, b.paymentTerms, QT_TRANSLATE_NOOP("app", "payment"))
        .compare(a.colocation, b.colocation, QT_TRANSLATE_NOOP("app", "colocation"))
        .compare(a.rent, b.rent, QT_TRANSLATE_NOOP("app", "rent"));
    return differences.sentence(b.name);
}

QString describeEdit(
    const std::optional<storage::SavedMeasuredRun> &before, const std::optional<storage::SavedMeasuredRun> &after)
{
    if (!before)
        return tr("Add measured run %1").arg(quoted(after->document.id));
    if (!after)
        return tr("Delete measured run %1").arg(quoted(before->document.id));
    return tr("Change measured run %1").arg(quoted(after->document.id));
}

QString describeEdit(
    const std::optional<storage::SavedDecision> &before, const std::optional<storage::SavedDecision> &after)
{
    if (!before)
        return tr("Add decision %1").arg(quoted(after->document.name));
    if (!after)
        return tr("Delete decision %1").arg(quoted(before->document.name));
    const auto &a = before->document;
    const auto &b = after->document;
    if (const auto text = renamed(a, b); !text.isEmpty())
        return text;
    return differencesOf(a, b).sentence(b.name);
}

QStringList questionChanges(const DecisionDocument &then, const DecisionDocument &now)
{
    QStringList parts;
    for (const auto &[what, before, after] : changesOfQuestion(then, now))
        parts << (before.isEmpty() && after.isEmpty() ? tr("%1: changed").arg(what)
                                                      : tr("%1: %2 then, %3 now").arg(what, before, after));
    return parts;
}

std::vector<ThenAndNow> changesOfQuestion(const DecisionDocument &then, const DecisionDocument &now)
{
    return differencesOf(then, now).thenAndNow();
}

QString describeEdit(
    const std::optional<storage::SavedApproval> &before, const std::optional<storage::SavedApproval> &after)
{
    if (!before)
        return tr("Approve %1").arg(quoted(after->document.name));
    if (!after)
        return tr("Delete what was approved of %1").arg(quoted(before->document.name));
    if (!before->document.withdrawn && after->document.withdrawn)
        return tr("Withdraw what was approved of %1").arg(quoted(after->document.name));
    Differences differences;
    differences.compare(before->document.actuals, after->document.actuals, QT_TRANSLATE_NOOP("app", "actuals"))
        .compare(before->document.note, after->document.note, QT_TRANSLATE_NOOP("app", "note"));
    return differences.sentence(after->document.name);
}

QString describeEdit(
    const std::optional<storage::SavedOutputSet> &before, const std::optional<storage::SavedOutputSet> &after)
{
    if (!before)
        return tr("Add output set %1").arg(quoted(after->document.name));
    if (!after)
        return tr("Delete output set %1").arg(quoted(before->document.name));
    const auto &a = before->document;
    const auto &b = after->document;
    if (const auto text = renamed(a, b); !text.isEmpty())
        return text;
    Differences differences;
    differences.compare(a.files, b.files, QT_TRANSLATE_NOOP("app", "files"))
        .compare(a.audience, b.audience, QT_TRANSLATE_NOOP("app", "audience"))
        .compare(a.sections, b.sections, QT_TRANSLATE_NOOP("app", "sections"))
        .compare(std::pair(a.decision, a.withoutDecision), std::pair(b.decision, b.withoutDecision),
            QT_TRANSLATE_NOOP("app", "decision"))
        .compare(
            std::pair(a.plans, a.withoutPlans), std::pair(b.plans, b.withoutPlans), QT_TRANSLATE_NOOP("app", "plans"))
        .compare(a.title, b.title, QT_TRANSLATE_NOOP("app", "title"))
        .compare(a.author, b.author, QT_TRANSLATE_NOOP("app", "author"))
        .compare(a.organisation, b.organisation, QT_TRANSLATE_NOOP("app", "organisation"))
        .compare(a.logo, b.logo, QT_TRANSLATE_NOOP("app", "logo"))
        .compare(a.paper, b.paper, QT_TRANSLATE_NOOP("app", "paper"))
        .compare(a.profile, b.profile, QT_TRANSLATE_NOOP("app", "PDF profile"))
        .compare(a.language, b.language, QT_TRANSLATE_NOOP("app", "language"))
        .compare(a.date, b.date, QT_TRANSLATE_NOOP("app", "date"));
    return differences.sentence(b.name);
}

QString describeEdit(const std::optional<std::vector<storage::SavedMeasuredRun>> &before,
    const std::optional<std::vector<storage::SavedMeasuredRun>> &after)
{
    const auto &runs = after ? *after : *before;
    if (runs.size() == 1)
        return after ? describeEdit(std::nullopt, std::optional(runs.front()))
                     : describeEdit(std::optional(runs.front()), std::nullopt);
    return after ? tr("Add %1 measured runs").arg(runs.size()) : tr("Delete %1 measured runs").arg(runs.size());
}

QString describeEdit(
    const std::optional<std::vector<CatalogRecord>> &, const std::optional<std::vector<CatalogRecord>> &after)
{
    if (after->empty())
        return tr("Back to the program\u2019s constants");
    return after->size() == 1 ? tr("Calibrate 1 constant") : tr("Calibrate %1 constants").arg(after->size());
}

QString describeEdit(const std::optional<CatalogItems> &, const std::optional<CatalogItems> &after)
{
    const auto &records = after->records;
    const bool shipped = !records.empty() && records.front().shipped;
    if (records.size() == 1)
        return (shipped ? tr("Update %1") : tr("Import %1")).arg(quoted(records.front().name));
    return (shipped ? tr("Update %1 shipped catalog items") : tr("Import %1 catalog items")).arg(records.size());
}

QString describeEdit(const std::optional<CatalogRecord> &before, const std::optional<CatalogRecord> &after)
{
    const auto &shown = after ? *after : *before;
    const auto what = QString::fromUtf8(itemName(shown.kind));
    if (!before)
        return tr("Add %1 %2").arg(what, quoted(shown.name));
    if (!after)
        return tr("Delete %1 %2").arg(what, quoted(shown.name));
    return tr("Change %1 %2").arg(what, quoted(shown.name));
}

} // namespace fleetwright::app
