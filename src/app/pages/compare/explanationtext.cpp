// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/compare/explanationtext.h"

#include "app/wording.h"
#include "solver/answer/comparisontext.h"
#include "solver/explain/figureorigin.h"
#include "solver/validation/steprange.h"
#include "solver/worksheet/formulawords.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "units/format.h"

#include <QCoreApplication>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

QString link(const QString &scheme, const QString &target, const QString &text)
{
    return u"<a href=\"%1:%2\">%3</a>"_s.arg(scheme, target.toHtmlEscaped(), text);
}

QString originCell(const FormulaInput &input, const ComparisonColumn &column, const PlanDocument &plan,
    const Catalog &catalog, const CostModel &model)
{
    if (column.explained(input.origin))
        return link(QString::fromLatin1(figureLink), QString::fromStdString(input.origin), tr("how it came about"));
    const auto origin = describeOrigin(input.origin, plan, catalog, model);
    QString cell = localizedHtmlEscaped(origin.place);
    if (origin.kind)
        cell = link(QString::fromLatin1(recordLink),
            htmlEscaped(toString(*origin.kind)) + u'/' + QString::fromStdString(origin.recordId), cell);
    return origin.source.empty() ? cell : cell + u"<br><small>"_s + localizedHtmlEscaped(origin.source) + u"</small>"_s;
}

QString inputsTable(const ExplainedFigure &figure, const ComparisonColumn &column, const PlanDocument &plan,
    const Catalog &catalog, const CostModel &model)
{
    if (figure.inputs.empty())
        return {};
    QString html = u"<table cellspacing=\"0\" cellpadding=\"3\" width=\"100%\">"_s;
    for (const auto &input : figure.inputs)
        html += u"<tr><td><b>%1</b></td><td align=\"right\">%2</td><td>%3<br>%4</td></tr>"_s.arg(
            localizedHtmlEscaped(input.symbol), localizedHtmlEscaped(units::format(input.value, input.dimension)),
            localizedHtmlEscaped(input.meaning), originCell(input, column, plan, catalog, model));
    return html + u"</table>"_s;
}

} // namespace

QString explanationHtml(
    const Comparison &comparison, std::size_t column, const QString &key, const QString &back, const Catalog &catalog)
{
    if (column >= comparison.columns.size())
        return {};
    const auto &of = comparison.columns[column];
    const auto model = findCostModel(of.modelId);
    if (!model)
        return {};
    QString html;
    const auto about = u"<p><small>%1; %2</small></p>"_s.arg(
        tr("%1, %2 version %3")
            .arg(htmlEscaped(of.planName), localizedHtmlEscaped(of.modelTitle), htmlEscaped(of.modelVersion)),
        link(QString::fromLatin1(limitsLink), {}, tr("its %1 known limitations").arg((*model)->limitations().size())));
    if (const auto *from = of.explained(back.toStdString()))
        html += u"<p>"_s
            + link(QString::fromLatin1(backLink), {},
                u"\u2039 "_s + tr("Back to %1").arg(localizedHtmlEscaped(from->label)))
            + u"</p>"_s;
    if (!of.solution)
        return html
            + u"<p><b>%1</b></p><p>%2</p>"_s.arg(
                tr("This model refused the plan."), localizedHtmlEscaped(withLabels(of.solution.error().message)))
            + about;
    if (!of.outOfScope.empty())
        html += u"<p><b>%1</b> %2</p>"_s.arg(
            tr("This model was not made for such a plan."), localizedHtmlEscaped(of.outOfScope));
    if (const auto *row = comparison.row(measuredRow); row && key == utf8(measuredRow)) {
        html += u"<p><b>%1</b></p>"_s.arg(localizedHtmlEscaped(row->label));
        const auto said = of.solution->range ? validation::trustInWords(*of.solution->range)
                                             : std::vector{withLabels(row->cells[column].reason)};
        for (const auto &sentence : said)
            html += u"<p>%1</p>"_s.arg(localizedHtmlEscaped(sentence));
        return html + about;
    }
    const auto *figure = of.explained(key.toStdString());
    const auto found = std::ranges::find_if(comparison.rows, [&](const ComparisonRow &candidate) {
        return candidate.figure == key.toStdString()
            && (candidate.cells[column].value || !candidate.key.starts_with("details."));
    });
    const auto *row = found == comparison.rows.end() ? nullptr : &*found;
    if (!figure) {
        const QString why = row && !row->cells[column].reason.empty()
            ? localizedHtmlEscaped(withLabels(row->cells[column].reason))
            : tr("This model does not say how this figure came about.");
        return html
            + u"<p><b>%1</b></p><p>%2</p>"_s.arg(row ? localizedHtmlEscaped(row->label) : key.toHtmlEscaped(), why)
            + about;
    }
    const QString value = row && row->verdict
        ? localized(fleetwright::inWords(figure->value != 0, row->cells[column].onlyLikely))
        : localizedHtmlEscaped(units::format(figure->value, figure->dimension));
    html += u"<p><b>%1 = %2</b></p>"_s.arg(localizedHtmlEscaped(row ? row->label : figure->label), value);
    const auto &plan = comparison.plans[of.plan];
    if (isOfWorksheet(*figure)) { // its formula stands there, with the prices and rates below it
        html += u"<p>%1</p>"_s.arg(localizedHtmlEscaped(figure->source));
        if (of.modelId == plan.costModelId)
            html += u"<p>%1</p>"_s.arg(link(QString::fromLatin1(explainLink), QString::fromStdString(figure->key),
                tr("Explain it: every part, down to prices and rates")));
        return html + inputsTable(*figure, of, plan, catalog, **model) + about;
    }
    html += u"<p><code>= %1</code></p>"_s.arg(htmlEscaped(figure->formula));
    html += inputsTable(*figure, of, plan, catalog, **model);
    html += u"<p>%1</p>"_s.arg(tr("Source: %1").arg(localizedHtmlEscaped(figure->source)));
    return html + about;
}

QString limitationsHtml(const std::vector<std::string> &modelIds)
{
    QString html;
    for (const auto &id : modelIds) {
        const auto model = findCostModel(id);
        if (!model)
            continue;
        html += u"<p><b>%1</b>, %2</p><ul style=\"margin-left: 12px; -qt-list-indent: 0\">"_s.arg(
            localizedHtmlEscaped((*model)->title()), tr("version %1").arg(htmlEscaped((*model)->version())));
        for (const auto &limitation : (*model)->limitations())
            html += u"<li>"_s + localizedHtmlEscaped(limitation.text) + u"</li>"_s;
        html += u"</ul><p><small>%1</small></p>"_s.arg(localizedHtmlEscaped((*model)->literature()));
    }
    return html;
}

} // namespace fleetwright::app
