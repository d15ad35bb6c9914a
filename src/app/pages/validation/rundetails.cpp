// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/validation/rundetails.h"

#include "app/wording.h"
#include "itemmodels/validationmodel.h"
#include "solver/validation/newsite.h"
#include "solver/validation/runname.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "units/format.h"

#include <QCoreApplication>
#include <QUrl>

#include <algorithm>
#include <array>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using namespace validation;

namespace {

constexpr std::size_t explained = 20; // misses; all are in the table of runs

/// Only addresses of the web become links: a file of runs may come from anywhere.
QString webLink(const std::string &address)
{
    const QUrl url(utf8(address), QUrl::StrictMode);
    if (!url.isValid() || (url.scheme() != u"https" && url.scheme() != u"http"))
        return htmlEscaped(address);
    return u"<a href=\"%1\">%2</a>"_s.arg(QString::fromUtf8(url.toEncoded()).toHtmlEscaped(), htmlEscaped(address));
}

/// Behind the name of a run, where it is not the name.
QString idOf(const MeasuredRun &run)
{
    return runName(run) == run.id ? QString() : u" (%1)"_s.arg(tr("id %1").arg(htmlEscaped(run.id)));
}

QString sourceLine(const MeasuredRun &run)
{
    QStringList parts{u"<b>%1</b>"_s.arg(localizedHtmlEscaped(sourceName(run.source)))};
    if (!run.source.where.empty())
        parts << htmlEscaped(run.source.where);
    if (!run.source.url.empty())
        parts << webLink(run.source.url);
    return parts.join(u", "_s);
}

/// nullptr for a run that was not timed.
const ScoredRange *rangeOf(const NewSite &newSite, std::size_t row)
{
    const auto found = std::ranges::find(newSite.score.runs, row, &ScoredRange::run);
    return found != newSite.score.runs.end() ? &*found : nullptr;
}

QString cell(const QString &name, const QString &value)
{
    return u"<td>%1</td><td align=\"right\"><b>%2</b></td><td width=\"24\"></td>"_s.arg(name, value);
}

/// A table of name and value, three pairs beside each other.
QString table(const std::vector<std::pair<QString, QString>> &pairs)
{
    constexpr std::size_t across = 3;
    QString html = u"<table cellspacing=\"0\" cellpadding=\"2\">"_s;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (i % across == 0)
            html += u"<tr>"_s;
        html += cell(pairs[i].first.toHtmlEscaped(), pairs[i].second.toHtmlEscaped());
        if (i % across == across - 1 || i + 1 == pairs.size())
            html += u"</tr>"_s;
    }
    return html + u"</table>"_s;
}

QString partsTable(const StepBreakdown &parts)
{
    const std::array all{std::pair(tr("Compute"), parts.compute), std::pair(tr("Pipeline bubble"), parts.bubble),
        std::pair(tr("TP, exposed"), parts.tp), std::pair(tr("CP, exposed"), parts.cp),
        std::pair(tr("EP, exposed"), parts.ep), std::pair(tr("PP, exposed"), parts.pp),
        std::pair(tr("DP, exposed"), parts.dp), std::pair(tr("Optimizer"), parts.optimizer),
        std::pair(tr("Overhead"), parts.overhead), std::pair(tr("Other"), parts.other)};
    std::vector<std::pair<QString, QString>> pairs;
    for (const auto &[name, time] : all)
        if (time.value() > 0)
            pairs.emplace_back(name, localized(units::format(time)));
    return pairs.empty() ? QString() : u"<p>%1</p>"_s.arg(tr("Parts of the predicted step:")) + table(pairs);
}

/// Measured and predicted beside the range for a new site, which is what the run is judged by.
QString timesHtml(const ScoredRun &scored, const NewSite *newSite, std::size_t row)
{
    const auto error = [&](Seconds predicted) { return itemmodels::signedPercent(predicted / scored.measured - 1.0); };
    std::vector<std::pair<QString, QString>> pairs{{tr("Measured"), shown(scored.measured)},
        {tr("Predicted"), tr("%1 (%2)").arg(shown(scored.predicted), error(scored.predicted))}};
    const auto *range = newSite ? rangeOf(*newSite, row) : nullptr;
    if (!range || range->high <= range->low)
        return table(pairs);
    pairs.emplace_back(range->afterOwnRuns ? tr("Expected by the project\u2019s other runs")
            : range->leftOut               ? tr("Predicted with its source left out")
                                           : tr("Middle of the range"),
        tr("%1 (%2)").arg(shown(range->prediction), error(range->prediction)));
    return table(pairs)
        + u"<p>%1</p>"_s.arg(tr("80 % range made without its source: <b>%1 to %2</b>. The measured time lies %3.")
                                 .arg(shown(range->low), shown(range->high),
                                     range->holds(scored.measured)      ? tr("in it")
                                         : scored.measured < range->low ? tr("<b>below</b> it: the run was faster")
                                                                        : tr("<b>above</b> it: the run was slower")));
}

QString memoryOf(const ScoredRun &scored)
{
    QStringList sentences;
    if (scored.predictedMemory && scored.measuredMemory)
        sentences << tr("Peak memory: predicted %1, measured %2.")
                         .arg(localized(units::format(*scored.predictedMemory)),
                             localized(units::format(*scored.measuredMemory)));
    if (scored.predictedFits && scored.ranOutOfMemory)
        sentences << tr("Out of memory: the model says %1, the run %2.")
                         .arg(*scored.predictedFits ? tr("it fits") : tr("it does not fit"),
                             *scored.ranOutOfMemory ? tr("ran out of memory") : tr("fitted"));
    return sentences.join(u' ');
}

QString statedBy(const MeasuredRun &run)
{
    std::vector<std::pair<QString, QString>> pairs;
    const auto text = [&](const QString &name, const std::string &value) {
        if (!value.empty())
            pairs.emplace_back(name, utf8(value));
    };
    const auto count = [&](const QString &name, const std::optional<std::int64_t> &value) {
        if (value)
            pairs.emplace_back(name, localized(units::format(double(*value), units::Dimension::Number)));
    };
    text(tr("Model"), run.model.name);
    count(tr("Layers"), run.model.layers);
    count(tr("Hidden size"), run.model.hidden);
    text(tr("Accelerator"), run.accelerator);
    count(tr("Accelerators"), run.accelerators);
    count(tr("Sequence length"), run.sequenceLength);
    count(tr("Global batch"), run.globalBatch);
    text(tr("Precision"), run.precision);
    text(tr("Recompute"), run.recompute);
    const QString layout = itemmodels::layoutText(run);
    return u"<p>%1 %2</p>"_s.arg(tr("The source states:"), layout.toHtmlEscaped()) + table(pairs);
}

QString bullets(const std::vector<std::string> &sentences)
{
    QString html = u"<ul style=\"margin-left: 12px; -qt-list-indent: 0\">"_s;
    for (const auto &sentence : sentences)
        html += u"<li>%1</li>"_s.arg(localizedHtmlEscaped(sentence));
    return sentences.empty() ? QString() : html + u"</ul>"_s;
}

} // namespace

QString runHtml(const ScoredFile &file, const Validation &of, const NewSite *newSite, std::size_t row)
{
    const auto &scored = of.runs.at(row);
    const auto &run = file.file.runs.at(scored.run);
    QString html = u"<p><b>%1</b>%2</p>"_s.arg(localizedHtmlEscaped(file.nameOf(scored.run)), idOf(run))
        + u"<p>%1</p>"_s.arg(tr("Measured by %1").arg(sourceLine(run)));
    if (scored.timed)
        html += timesHtml(scored, newSite, row);
    if (const QString memory = memoryOf(scored); !memory.isEmpty())
        html += u"<p>%1</p>"_s.arg(memory);
    html += bullets(explainMiss(run, scored, of));
    html += partsTable(scored.breakdown);
    html += statedBy(run);
    if (!run.derivedFormula.empty())
        html += u"<p>%1</p>"_s.arg(tr("Step time derived as %1.").arg(htmlEscaped(run.derivedFormula)));
    return html;
}

QString missesHtml(const ScoredFile &file, const Validation &of)
{
    const auto order = byError(of);
    if (order.empty())
        return u"<p>%1</p>"_s.arg(tr("No run was scored, so there is no miss."));
    QString html;
    for (std::size_t i = 0; i < std::min(explained, order.size()); ++i) {
        const auto &scored = of.runs[order[i]];
        const auto &run = file.file.runs.at(scored.run);
        html += u"<p>%1. <a href=\"%2:%3\"><b>%4</b></a>%5: %6<br>%7</p>"_s.arg(i + 1)
                    .arg(QLatin1StringView(runLink))
                    .arg(order[i])
                    .arg(localizedHtmlEscaped(file.nameOf(scored.run)), idOf(run),
                        itemmodels::signedPercent(scored.error), sourceLine(run));
        html += bullets(explainMiss(run, scored, of));
    }
    if (order.size() > explained)
        html += u"<p>%1</p>"_s.arg(
            tr("All %1 scored runs are in the tab \u201cRuns\u201d, the largest error first.").arg(order.size()));
    return html;
}

} // namespace fleetwright::app
