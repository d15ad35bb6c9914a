// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/layoutsearchdetailjob.h"

namespace fleetwright::jobs {

namespace {

/// The first refusal stands for all: the three ask the same cost model about the same case.
void answer(LayoutSearchDetails &details, const std::stop_token &stop)
{
    const auto &question = details.question;
    const auto &request = *question.request;
    if (question.within) {
        auto found = layoutsearch::run(
            layoutsearch::within(request, question.split, question.caseIndex), {.stop = stop});
        if (!found) {
            details.refused = found.error();
            return;
        }
        details.within = std::make_shared<const layoutsearch::Result>(std::move(*found));
    }
    if (stop.stop_requested())
        return;
    auto changes = layoutsearch::sensitivity(request, details.layout, question.caseIndex);
    if (!changes) {
        details.refused = changes.error();
        return;
    }
    details.changes = std::move(*changes);
    if (!question.reference || stop.stop_requested())
        return;
    auto sentences = layoutsearch::whyNot(
        request, details.layout, question.caseIndex, *question.reference, question.against);
    if (sentences)
        details.whyNot = std::move(*sentences);
    else
        details.refused = sentences.error();
}

} // namespace

Layout frugalLayout(const layoutsearch::Request &request, const Split &split, int caseIndex)
{
    const auto &plan = *request.cases.at(std::size_t(caseIndex)).plan;
    const auto model = findCostModel(request.costModelId);
    const auto priced = model ? (*model)->layoutSearchTraits().options : LayoutSearchOptions();
    const auto smallest = [&](LayoutSearchOption option, int own, int free) {
        return !priced.has(option) ? own : request.space[option].empty() ? free : request.space[option].front();
    };
    const auto largest = [&](LayoutSearchOption option, int own, int free) {
        return !priced.has(option) ? own : request.space[option].empty() ? free : request.space[option].back();
    };
    const int full = static_cast<int>(Recompute::Full), highestZero = 3;
    Layout layout{.tp = split.tp, .cp = split.cp, .pp = split.pp, .ep = split.ep, .dp = split.dp};
    layout.virtualStages = smallest(LayoutSearchOption::VirtualStages, plan.parallelism.virtualStages, 1);
    layout.microbatchSize = smallest(LayoutSearchOption::MicrobatchSize, 1, 1);
    layout.recompute = static_cast<Recompute>(
        largest(LayoutSearchOption::Recompute, static_cast<int>(plan.training.recompute), full));
    layout.zeroStage = static_cast<std::int8_t>(
        split.dp * split.cp > 1 ? largest(LayoutSearchOption::ZeroStage, plan.parallelism.zeroStage, highestZero) : 0);
    layout.sequenceParallel = split.tp > 1
        && largest(LayoutSearchOption::SequenceParallel, plan.parallelism.sequenceParallel ? 1 : 0, 1) == 1;
    return layout;
}

LayoutSearchDetailJob::LayoutSearchDetailJob(QObject *parent) : QObject(parent) { }

LayoutSearchDetailJob::~LayoutSearchDetailJob() = default;

void LayoutSearchDetailJob::start(LayoutSearchQuestion question)
{
    const auto details = std::make_shared<LayoutSearchDetails>();
    details->question = std::move(question);
    m_run.start(
        [details](const LatestRun::Run &run) {
            const auto &asked = details->question;
            details->layout = asked.layout ? *asked.layout : frugalLayout(*asked.request, asked.split, asked.caseIndex);
            answer(*details, run.stop());
            return details;
        },
        [details](const std::string &what) {
            details->refused = Error{ErrorCode::UnsupportedValue, {},
                "The split could not be looked into (" + what + "); change the plan and report it."};
            return details;
        },
        [this](const std::shared_ptr<LayoutSearchDetails> &answered) { emit finished(answered); });
}

void LayoutSearchDetailJob::cancel() { m_run.cancel(); }

} // namespace fleetwright::jobs
