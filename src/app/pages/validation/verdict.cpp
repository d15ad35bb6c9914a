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

/// A large figure with what it says beside it.
QString figureCell(const QString &figure, bool first, const QString &what)
{
    return u"<td style=\"white-space:nowrap; vertical-align:middle\"><span style=\"font-size:%1; "
           u"font-weight:%2\">%3</span></td>"
           "<td width=\"30%\" style=\"padding-left:6px; padding-right:16px; vertical-align:middle\">%4</td>"_s.arg(
               first ? u"xx-large"_s : u"large"_s, first ? u"bold"_s : u"normal"_s, figure.toHtmlEscaped(), what);
}

QString leftOutText(const NewSite &site)
{
    const auto mean = percent(site.score.macroMeanError);
    const auto sources = site.score.sources.size();
    switch (site.evidence()) {
    case Evidence::LeftOut:
        return tr("<b>off at a site that nobody has measured</b>: each of %1 sources left out and everything "
                  "estimated again (mean error %2)")
            .arg(sources)
            .arg(mean);
    case Evidence::Partly:
        return tr("<b>off</b>, %1 of %2 runs predicted with their source left out, the others as they are "
                  "(mean error %3)")
            .arg(site.score.leftOut)
            .arg(site.score.runs.size())
            .arg(mean);
    case Evidence::AsPredicted:
        return tr("<b>off, as predicted</b>: a new site\u2019s error if these runs had no part in the fit; no "
                  "left-out error of them is known (mean error %1)")
            .arg(mean);
    case Evidence::OwnRuns:
        return tr("<b>off with the project\u2019s runs</b>, each predicted from the others (mean error %1)").arg(mean);
    }
    return {};
}

QString cells(const NewSite &site, const Validation &of)
{
    const auto &coverage = site.score.coverage;
    QString html = figureCell(percent(site.score.macroMedianError), true, leftOutText(site))
        + figureCell(percent(coverage.mean), false,
            tr("of a source\u2019s runs lie in their %1 range; %2 in the worst quarter of the sources")
                .arg(utf8(promiseInWords()), percent(coverage.worstQuarter)));
    if (site.evidence() == Evidence::LeftOut || site.evidence() == Evidence::Partly)
        html += figureCell(percent(of.macroMedianError), false,
            tr("off on the runs that it was fitted to (mean error %1): how well it fits, not what you get")
                .arg(percent(of.macroMeanError)));
    return u"<table width=\"100%\" cellspacing=\"0\" cellpadding=\"0\"><tr>"_s + html + u"</tr></table>"_s;
}

} // namespace

QString verdictHtml(const ScoredFile &file, const std::string &modelId, const QString &runs)
{
    const auto model = findCostModel(modelId);
    const QString title = u"<b>%1</b>"_s.arg(htmlEscaped(model ? (*model)->title() : std::string_view(modelId)));
    const auto score = std::ranges::find(file.scores, modelId, &ModelScore::modelId);
    if (score == file.scores.end())
        return {};
    if (!score->validation)
        return tr("%1: %2").arg(title, htmlEscaped(score->validation.error().message));
    const auto &of = *score->validation;
    if (of.overall.count == 0)
        return tr("%1 gives no step time for any of the %2 runs (%3).")
            .arg(title)
            .arg(of.rows)
            .arg(runs.toHtmlEscaped());
    const QString scored = tr("%1: %2 of %3 runs scored")
                               .arg(u"%1 <b>%2</b>"_s.arg(title, htmlEscaped(of.costModelVersion)))
                               .arg(of.priced)
                               .arg(of.rows);
    const QString within = tr("half of all runs are within %1, nine of ten within %2")
                               .arg(percent(of.overall.medianError), percent(of.overall.p90Error));
    const auto *site = file.newSiteOf(modelId);
    if (site && !site->score.runs.empty())
        return cells(*site, of) + u"<p style=\"margin-top:4px; margin-bottom:0\">%1; %2.</p>"_s.arg(scored, within);
    return tr("%1. A source\u2019s typical error is %2 (mean of %3 medians); %4. No error on sources left out is "
              "known of this model, and no range.")
        .arg(scored, percent(of.macroMedianError))
        .arg(of.sources.size())
        .arg(within);
}

} // namespace fleetwright::app
