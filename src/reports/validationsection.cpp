// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/measuredruns.h"
#include "exchange/validationdata.h"
#include "reports/sections.h"
#include "reports/wording.h"
#include "solver/models/costmodel.h"
#include "solver/models/detailed/constants.h"
#include "text/localized.h"
#include "text/localizedparts.h"
#include "text/utf8.h"
#include "units/columns.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace Qt::StringLiterals;

namespace fleetwright::reports {

namespace {

QString percent(double share) { return localized(units::percentCell(share)); }
QString percent(const std::optional<double> &share) { return share ? percent(*share) : absent(); }
QString withSign(double share) { return localized(units::signedPercentCell(share)); }
QString words(double share) { return localized(units::formatPercent(share)); }
QString tau(const std::optional<double> &value)
{
    return value ? localizedNumber(QString::number(*value, 'f', 2)) : absent();
}

QString modelTitle(const std::string &id)
{
    const auto model = findCostModel(id);
    return model ? localized((*model)->title()) : utf8(id);
}

/// The model whose errors are shown by source: that of the first plan that has errors, else the best on the whole.
const validation::Validation *shownModel(const std::vector<ReportPlan> &plans, const validation::ScoredFile &scored)
{
    for (const auto &plan : plans)
        if (const auto *of = scored.scoreOf(plan.document.costModelId); of && of->overall.count > 0)
            return of;
    const validation::Validation *best = nullptr;
    for (const auto &score : scored.scores)
        if (score.validation && score.validation->overall.count > 0
            && (!best || score.validation->macroMedianError < best->macroMedianError))
            best = &*score.validation;
    return best;
}

Table modelsTable(const validation::ScoredFile &scored)
{
    Table table{tr("Errors of the cost models on the published runs, in percent of the measured value. Macro: mean "
                   "over the sources of each source's median or mean. Tau (order of layouts, 1 is perfect) and "
                   "regret (what the model's favourite costs) are means over groups of runs that differ only in how "
                   "the job was split; memory is a macro median."),
        {tr("Cost model"), tr("Runs priced"), tr("Macro median"), tr("Macro mean"), tr("Median"), tr("90th pct."),
            tr("Bias"), tr("Tau"), tr("Regret"), tr("Memory")},
        {}, {false, true, true, true, true, true, true, true, true, true}};
    for (const auto &score : scored.scores) {
        const bool any = score.validation && score.validation->overall.count > 0;
        if (!any) {
            table.rows.push_back({modelTitle(score.modelId), u"0"_s, absent(), absent(), absent(), absent(), absent(),
                absent(), absent(), absent()});
            continue;
        }
        const auto &of = *score.validation;
        table.rows.push_back({modelTitle(score.modelId), QString::number(of.priced), percent(of.macroMedianError),
            percent(of.macroMeanError), percent(of.overall.medianError), percent(of.overall.p90Error),
            withSign(of.overall.bias), tau(of.kendallTau), percent(of.regret),
            of.memory.sources.empty() ? absent() : percent(of.memory.macroMedianError)});
    }
    return table;
}

Table sourcesTable(const validation::ScoredFile &scored, const validation::Validation &of)
{
    std::map<std::string_view, const validation::RunSource *> sources;
    for (const auto &run : scored.file.runs)
        sources.try_emplace(run.source.key, &run.source);
    Table table{tr("Errors of %1 by source, in percent of the measured step time").arg(modelTitle(of.costModelId)),
        {tr("Source"), tr("Date"), tr("Runs"), tr("Median"), tr("Mean"), tr("90th pct."), tr("Bias")}, {},
        {false, false, true, true, true, true, true}};
    for (const auto &group : validation::breakdown(of, scored.places, validation::Grouping::Source)) {
        const auto found = sources.find(group.group);
        const auto *source = found == sources.end() || found->second->title.empty() ? nullptr : found->second;
        const auto &figures = group.figures;
        table.rows.push_back({source ? utf8(source->title) : localized(group.group),
            source ? localized(source->date) : QString(), QString::number(figures.count), percent(figures.medianError),
            percent(figures.meanError), percent(figures.p90Error), withSign(figures.bias)});
    }
    return table;
}

/// The errors that count first: those on sources left out.
BulletList newSiteList(const validation::NewSite &site, const validation::Validation &of)
{
    BulletList list;
    const auto add = [&](const std::string &sentence) {
        if (!sentence.empty())
            list.items << localized(sentence);
    };
    add(errorInWords(site));
    add(fittedInWords(site, of));
    if (site.levels) {
        QStringList levels;
        for (const auto &level : levelsInWords(*site.levels))
            levels << tr("%1 %2").arg(withinSentence(localized(level.name)), words(std::exp(level.deviation) - 1));
        list.items << tr("Where errors arise, as standard deviations: %1.").arg(levels.join(u", "_s));
    }
    add(coverageInWords(site.score.coverage));
    add(productionInWords(site.production));
    if (site.production.inFile > 0)
        add(validation::claimsInWords());
    return list;
}

/// What was validated for the accelerators of one plan.
QString aboutPlan(const ReportPlan &plan, const validation::ScoredFile &scored)
{
    const auto *of = scored.scoreOf(plan.document.costModelId);
    const QString model = modelTitle(plan.document.costModelId);
    if (!of || of->overall.count == 0)
        return tr("%1 gives no step time for any published run, so nothing was validated.").arg(model);
    const auto &accelerator = (*plan.plan)->fleet->node->accelerator;
    const auto match = detailed::familyOf(*accelerator);
    const QString family = utf8(detailed::toString(match.family()));
    if (match.isNearest())
        return match.shares().size() > 1
            ? tr("no run on %1 or its family was published; nothing was validated for it. The nearest families with "
                 "runs "
                 "are %2.")
                  .arg(localizedAsWhole(accelerator->name), localized(detailed::familiesInWords(match.shares())))
            : tr("no run on %1 or its family was published; nothing was validated for it. The nearest family with runs "
                 "is "
                 "%2.")
                  .arg(localizedAsWhole(accelerator->name), family);
    const auto figures = of->families.find(std::string(detailed::toString(match.family())));
    if (figures == of->families.end())
        return tr("none of the published runs on accelerators like %1 (family %2) could be scored with %3.")
            .arg(localizedAsWhole(accelerator->name), family, model);
    return tr(
        "%1 was compared with %2 published runs on the family of %3 (%4); half of them are within %5, nine of ten "
        "within %6.")
        .arg(model)
        .arg(figures->second.count)
        .arg(localizedAsWhole(accelerator->name), family, words(figures->second.medianError),
            words(figures->second.p90Error));
}

} // namespace

Expected<validation::ScoredFile> publishedScores(const std::stop_token &stop)
{
    const auto &runs = exchange::shippedMeasuredRuns();
    if (!runs)
        return std::unexpected(runs.error());
    std::vector<std::string> ids;
    for (const auto *model : costModels())
        ids.emplace_back(model->id());
    return validation::scoreAll(*runs, ids, {}, exchange::shippedNewSite, stop);
}

void appendValidation(Elements &elements, const std::vector<ReportPlan> &plans, const validation::ScoredFile &scored)
{
    const auto *shown = shownModel(plans, scored);
    if (!shown)
        return;
    elements.push_back(Heading{1, tr("Validation")});
    elements.push_back(
        Paragraph{tr("%1 published measured runs from %2 sources come with the program, and every cost model that can "
                     "price them was asked. An error is the predicted step time over the measured one, "
                     "minus one.")
                      .arg(scored.file.runs.size())
                      .arg(shown->sources.size())});
    if (const auto *site = scored.newSiteOf(shown->costModelId))
        elements.push_back(newSiteList(*site, *shown));
    else
        elements.push_back(Paragraph{tr("No error on sources left out is known of %1: its figures are those on the "
                                        "published runs.")
                                         .arg(modelTitle(shown->costModelId))});
    BulletList sentences;
    std::vector<std::pair<QString, QStringList>> said; // each once, with the plans of which it is true
    for (std::size_t i = 0; i < plans.size(); ++i) {
        if (!plans[i].plan)
            continue;
        const auto sentence = aboutPlan(plans[i], scored);
        auto found = std::ranges::find(said, sentence, &std::pair<QString, QStringList>::first);
        if (found == said.end())
            found = said.insert(found, {sentence, {}});
        found->second << QString::number(i + 1);
    }
    for (const auto &[sentence, numbers] : said)
        sentences.items << (numbers.size() == 1 ? tr("Plan %1: %2").arg(numbers.front(), sentence)
                                                : tr("Plans %1: %2").arg(numbers.join(u", "_s), sentence));
    if (!sentences.items.isEmpty())
        elements.push_back(std::move(sentences));
    elements.push_back(modelsTable(scored));
    elements.push_back(sourcesTable(scored, *shown));
}

} // namespace fleetwright::reports
