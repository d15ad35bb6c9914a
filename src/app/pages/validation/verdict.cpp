// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/validation/verdict.h"

#include "app/wording.h"
#include "solver/models/costmodel.h"
#include "solver/validation/newsite.h"
#include "text/localized.h"

#include <QGuiApplication>

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
        return tr("At a site that nobody has measured, the step times of %1 are typically %2 off.").arg(model, error);
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

QString cellsOf(const QStringList &cells, const QString &tag)
{
    // A table of a document does not turn by itself.
    const bool turned = QGuiApplication::isRightToLeft();
    QString html;
    for (qsizetype i = 0; i < cells.size(); ++i) {
        const bool isText = i == 0 || i == cells.size() - 1;
        const auto cell =
            u"<%1 align=\"%2\" style=\"padding-%3:16px; font-weight:normal; white-space:nowrap\">%4</%1>"_s.arg(
                tag, isText && !turned ? u"left"_s : u"right"_s, turned ? u"left"_s : u"right"_s, cells[i]);
        html = turned ? cell + html : html + cell;
    }
    return u"<tr>"_s + html + u"</tr>"_s;
}

bool isLeftOut(const NewSite &site)
{
    return site.evidence() == Evidence::LeftOut || site.evidence() == Evidence::Partly;
}

/// The errors side by side: for whom, how far, whether ranges hold, from how many runs.
QString errorTable(const NewSite &site, const Validation &of)
{
    const bool leftOut = isLeftOut(site);
    const auto &coverage = site.score.coverage;
    QString html = u"<table cellspacing=\"0\" cellpadding=\"1\">"_s
        + cellsOf({tr("For whom"), tr("Typical error"), tr("Mean error"),
                      tr("Runs in their %1 range").arg(localized(promiseInWords())), tr("Runs")},
            u"th"_s);
    html += cellsOf({leftOut ? tr("A site that nobody has measured") : tr("These runs, as predicted"),
                        percent(site.score.macroMedianError), percent(site.score.macroMeanError),
                        tr("%1; %2 in the worst quarter").arg(percent(coverage.mean), percent(coverage.worstQuarter)),
                        leftOut ? tr("%1, each without its source (of %2)")
                                      .arg(app::count(double(site.score.runs.size())))
                                      .arg(site.score.sources.size())
                                : app::count(double(site.score.runs.size()))},
        u"td"_s);
    if (leftOut)
        html += cellsOf({tr("Those that it was fitted to (how well it fits)"), percent(of.macroMedianError),
                            percent(of.macroMeanError), u"\u2013"_s, app::count(of.priced)},
            u"td"_s);
    return html + u"</table>"_s;
}

/// How the numbers of runs that stand on the page go together.
QString runsInWords(const Validation &of, const QString &runs, bool isLeftOut)
{
    const int listed = int(of.runs.size()), memoryAlone = listed - of.priced, unscored = of.rows - listed;
    QStringList parts{tr("%1: %2 of %3 runs scored by their step times")
                          .arg(runs.toHtmlEscaped(), app::count(of.priced), app::count(of.rows))};
    if (memoryAlone > 0)
        parts << tr("%1 more by memory alone, which makes %2 in the list")
                     .arg(app::count(memoryAlone), app::count(listed));
    if (unscored > 0)
        parts << (unscored == 1
                ? tr("1 is not scored, for a reason that stands under Skipped")
                : tr("%1 are not scored, for reasons that stand under Skipped").arg(app::count(unscored)));
    // Beside the error at a site that the fit has not seen, which is larger: why there are two.
    const auto within = isLeftOut
        ? tr(". Counted run by run, not source by source as above, and with their own source in the fit, half of these "
             "step times are predicted within %1, nine of ten within %2; a new site has none in it.")
        : tr(". Half of the step times are predicted within %1, nine of ten within %2.");
    return parts.join(u"; "_s) + within.arg(percent(of.overall.medianError), percent(of.overall.p90Error));
}

} // namespace

QString verdictHtml(const ScoredFile &file, const std::string &modelId, const QString &runs)
{
    const auto model = findCostModel(modelId);
    const QString title = localizedHtmlEscaped(model ? (*model)->title() : std::string_view(modelId));
    const auto score = std::ranges::find(file.scores, modelId, &ModelScore::modelId);
    if (score == file.scores.end())
        return {};
    if (!score->validation)
        return tr("%1: %2").arg(u"<b>%1</b>"_s.arg(title), localizedHtmlEscaped(score->validation.error().message));
    const auto &of = *score->validation;
    if (of.overall.count == 0)
        return tr("%1 gives no step time for any of the %2 runs (%3).")
            .arg(u"<b>%1</b>"_s.arg(title))
            .arg(of.rows)
            .arg(runs.toHtmlEscaped());
    const QString named = u"%1 %2"_s.arg(title, htmlEscaped(of.costModelVersion));
    const auto *site = file.newSiteOf(modelId);
    const bool known = site && !site->score.runs.empty();
    return paragraph(known ? errorSentence(*site, named)
                           : tr("On these runs %1 is typically %2 off. No error on sources left out is known of this "
                                "model, and no range: at another site it may be more.")
                                 .arg(named, large(percent(of.macroMedianError))),
               u"font-size:large"_s)
        + (known ? errorTable(*site, of) : QString()) + paragraph(runsInWords(of, runs, known && isLeftOut(*site)));
}

QString standingHtml(const QString &plan, const PredictionRange &range)
{
    QStringList sentences;
    if (range.runs > 0)
        sentences << tr("like %1; these alone, each predicted without its source, are typically %2 off. In four of "
                        "five cases its step takes %3 (%4).")
                         .arg(localizedHtmlEscaped(range.comparable), percent(range.typicalError),
                             localizedHtmlEscaped(inWords(range)), localizedHtmlEscaped(forWhom(range)));
    for (const auto &sentence : range.outside)
        sentences << localizedHtmlEscaped(sentence);
    return u"<b>%1</b> %2"_s.arg(
        tr("Your plan \u201c%1\u201d%2:")
            .arg(plan.toHtmlEscaped(),
                range.isValidated() ? QString() : u", "_s + localized(badgeOf(range)).toHtmlEscaped()),
        sentences.join(u' '));
}

} // namespace fleetwright::app
