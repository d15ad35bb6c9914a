// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/searchdetailjob.h"

#include <exception>

namespace fleetwright::jobs {

namespace {

/// The first refusal stands for all: the three ask the same cost model about the same case.
void answer(SearchDetails &details, const std::stop_token &stop)
{
    const auto &question = details.question;
    const auto &request = *question.request;
    if (question.within) {
        auto found = search::run(search::within(request, question.split, question.caseIndex), {.stop = stop});
        if (!found) {
            details.refused = found.error();
            return;
        }
        details.within = std::make_shared<const search::Result>(std::move(*found));
    }
    if (stop.stop_requested())
        return;
    auto changes = search::sensitivity(request, details.layout, question.caseIndex);
    if (!changes) {
        details.refused = changes.error();
        return;
    }
    details.changes = std::move(*changes);
    if (!question.reference || stop.stop_requested())
        return;
    auto sentences = search::whyNot(request, details.layout, question.caseIndex, *question.reference);
    if (sentences)
        details.whyNot = std::move(*sentences);
    else
        details.refused = sentences.error();
}

} // namespace

Layout frugalLayout(const search::Request &request, const Split &split, int caseIndex)
{
    const auto &plan = *request.cases.at(std::size_t(caseIndex)).plan;
    const auto model = findCostModel(request.costModelId);
    const auto priced = model ? (*model)->searchTraits().options : SearchOptions();
    const auto smallest = [&](SearchOption option, int own, int free) {
        return !priced.has(option) ? own : request.space[option].empty() ? free : request.space[option].front();
    };
    const auto largest = [&](SearchOption option, int own, int free) {
        return !priced.has(option) ? own : request.space[option].empty() ? free : request.space[option].back();
    };
    const int full = static_cast<int>(Recompute::Full), highestZero = 3;
    Layout layout{.tp = split.tp, .cp = split.cp, .pp = split.pp, .ep = split.ep, .dp = split.dp};
    layout.virtualStages = smallest(SearchOption::VirtualStages, plan.parallelism.virtualStages, 1);
    layout.microbatchSize = smallest(SearchOption::MicrobatchSize, 1, 1);
    layout.recompute = static_cast<Recompute>(
        largest(SearchOption::Recompute, static_cast<int>(plan.training.recompute), full));
    layout.zeroStage = static_cast<std::int8_t>(
        split.dp * split.cp > 1 ? largest(SearchOption::ZeroStage, plan.parallelism.zeroStage, highestZero) : 0);
    layout.sequenceParallel = split.tp > 1
        && largest(SearchOption::SequenceParallel, plan.parallelism.sequenceParallel ? 1 : 0, 1) == 1;
    return layout;
}

SearchDetailJob::SearchDetailJob(QObject *parent) : QObject(parent)
{
    m_pool.setMaxThreadCount(1); // questions queue, so a superseded answer never comes after the one that replaced it
}

SearchDetailJob::~SearchDetailJob()
{
    cancel();
    m_pool.waitForDone();
}

void SearchDetailJob::start(SearchDetailQuestion question)
{
    cancel();
    m_stop = std::stop_source();
    m_running = true;
    m_pool.start([this, run = m_run, question = std::move(question), stop = m_stop.get_token()] {
        if (stop.stop_requested())
            return;
        auto details = std::make_shared<SearchDetails>();
        details->question = question;
        try {
            details->layout = question.layout ? *question.layout
                                              : frugalLayout(*question.request, question.split, question.caseIndex);
            answer(*details, stop);
        } catch (const std::exception &exception) {
            details->refused = Error{ErrorCode::UnsupportedValue, {},
                std::string("The split could not be looked into (") + exception.what()
                    + "); change the plan and report it."};
        } catch (...) {
            details->refused = Error{ErrorCode::UnsupportedValue, {},
                "The split could not be looked into (an unknown fault); change the plan and report it."};
        }
        if (stop.stop_requested())
            return;
        QMetaObject::invokeMethod(
            this,
            [this, run, details] {
                if (run != m_run)
                    return;
                m_running = false;
                emit finished(details);
            },
            Qt::QueuedConnection);
    });
}

void SearchDetailJob::cancel()
{
    ++m_run;
    m_running = false;
    m_stop.request_stop();
    m_pool.clear();
}

} // namespace fleetwright::jobs
