// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/validation/verdict.h"

#include "app/wording.h"
#include "solver/models/costmodel.h"
#include "solver/validation/newsite.h"
#include "text/utf8.h"

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using namespace validation;

namespace {

/// The figure that counts, as the first thing that is seen.
QString large(const QString &figure)
{
    return u"<span style=\"font-size:xx-large; font-weight:bold\">%1</span>"_s.arg(figure.toHtmlEscaped());
}

QString paragraph(const QString &html, const QString &style = {})
{
    return u"<p style=\"margin-top:2px; margin-bottom:2px; %1\">%2</p>"_s.arg(style, html);
}

/// How far off the model is, and for whom.
QString errorSentence(const NewSite &site, const QString &model)
{
    const QString error = large(percent(site.score.macroMedianError)), mean = percent(site.score.macroMeanError);
    switch (site.evidence()) {
    case Evidence::LeftOut:
        return tr("At a site that nobody has measured, the step times of %1 are typically %2 off (mean error %3).")
            .arg(model, error, mean);
    case Evidence::Partly:
        return tr("The step times of %1 are typically %2 off (mean error %3), most of it at sites that it has not "
                  "seen: %4 of %5 runs are predicted with their source left out, the others as they are.")
            .arg(model, error, mean)
            .arg(site.score.leftOut)
            .arg(site.score.runs.size());
    case Evidence::AsPredicted:
        return tr("The step times of %1 are typically %2 off (mean error %3), as predicted: no left-out error of them "
                  "is known. A new site\u2019s error if these runs had no part in the fit.")
            .arg(model, error, mean);
    case Evidence::OwnRuns:
        return tr("The step times of %1 are typically %2 off with the project\u2019s runs, each predicted from the "
                  "others (mean error %3).")
            .arg(model, error, mean);
    }
    return {};
}

/// From what that is known.
QStringList evidence(const NewSite &site, const Validation &of)
{
    const auto &coverage = site.score.coverage;
    QStringList sentences;
    if (site.evidence() == Evidence::LeftOut)
        sentences << tr("Each of %1 sources was left out in turn, everything was estimated again from the others, and "
                        "its runs were predicted; the error is the mean of the sources\u2019 medians.")
                         .arg(site.score.sources.size());
    sentences << tr("%1 of a source\u2019s runs lie in their %2 range, %3 in the worst quarter of the sources.")
                     .arg(percent(coverage.mean), utf8(promiseInWords()), percent(coverage.worstQuarter));
    if (site.evidence() == Evidence::LeftOut || site.evidence() == Evidence::Partly)
        sentences << tr("On the runs that it was fitted to it is %1 off (mean error %2): how well it fits, not what "
                        "you get.")
                         .arg(percent(of.macroMedianError), percent(of.macroMeanError));
    return sentences;
}

} // namespace

QString verdictHtml(const ScoredFile &file, const std::string &modelId, const QString &runs, const QString &standing)
{
    const auto model = findCostModel(modelId);
    const QString title = htmlEscaped(model ? (*model)->title() : std::string_view(modelId));
    const auto score = std::ranges::find(file.scores, modelId, &ModelScore::modelId);
    if (score == file.scores.end())
        return {};
    if (!score->validation)
        return tr("%1: %2").arg(u"<b>%1</b>"_s.arg(title), htmlEscaped(score->validation.error().message));
    const auto &of = *score->validation;
    if (of.overall.count == 0)
        return tr("%1 gives no step time for any of the %2 runs (%3).")
            .arg(u"<b>%1</b>"_s.arg(title))
            .arg(of.rows)
            .arg(runs.toHtmlEscaped());
    const QString named = u"%1 %2"_s.arg(title, htmlEscaped(of.costModelVersion));
    const auto *site = file.newSiteOf(modelId);
    const bool known = site && !site->score.runs.empty();
    QStringList facts{
        tr("%1: %2 of %3 runs scored, of %4 sources; half of them are predicted within %5, nine of ten "
           "within %6.")
            .arg(runs.toHtmlEscaped(), QString::number(of.priced), QString::number(of.rows),
                QString::number(of.sources.size()), percent(of.overall.medianError), percent(of.overall.p90Error))};
    if (known)
        facts = evidence(*site, of) + facts;
    return paragraph(known ? errorSentence(*site, named)
                           : tr("On these runs %1 is typically %2 off. No error on sources left out is known of this "
                                "model, and no range: at another site it may be more.")
                                 .arg(named, large(percent(of.macroMedianError))),
               u"font-size:large"_s)
        + (standing.isEmpty() ? QString() : paragraph(standing)) + paragraph(facts.join(u' '));
}

QString standingHtml(const QString &plan, const PredictionRange &range)
{
    QStringList sentences;
    if (range.runs > 0)
        sentences << tr("like %1, each predicted without its source: typically %2 off. In four of five cases its step "
                        "takes %3 (%4).")
                         .arg(htmlEscaped(range.comparable), percent(range.typicalError), htmlEscaped(inWords(range)),
                             htmlEscaped(forWhom(range)));
    for (const auto &sentence : range.outside)
        sentences << htmlEscaped(sentence);
    return u"<b>%1</b> %2"_s.arg(
        tr("Your plan \u201c%1\u201d%2:")
            .arg(
                plan.toHtmlEscaped(), range.isValidated() ? QString() : u", "_s + utf8(badgeOf(range)).toHtmlEscaped()),
        sentences.join(u' '));
}

} // namespace fleetwright::app
