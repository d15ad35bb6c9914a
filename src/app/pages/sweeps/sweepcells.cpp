// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/sweeps/sweepcells.h"

#include "app/pages/plan/layoutname.h"
#include "app/wording.h"
#include "itemmodels/sweepmodel.h"
#include "solver/sweep/leftoutfabrics.h"
#include "text/localized.h"
#include "text/utf8.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <iterator>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype longestName = 280;

/// The values of the axes; with the name of each axis before it where `named`.
QString place(const SweepDocument &document, const SweepCell &cell, const Catalog &catalog, bool named)
{
    QStringList parts;
    const std::size_t points[]{cell.row, cell.column};
    for (std::size_t i = 0; i < document.axes.size(); ++i) {
        const auto &axis = document.axes[i];
        const QString value = itemmodels::pointText(axis.points[points[i]], document, catalog);
        parts << (named ? itemmodels::axisText(axis, document) + u' ' + value : value);
    }
    return parts.join(u", "_s);
}

/// How the job is split, the settings of the axes among it.
QString layoutText(const SweepDocument &document, const SweepCell &cell, const Catalog &catalog)
{
    if (cell.layout)
        return localized(inWords(*cell.layout));
    const auto applied = applySettings(settingsOf(document, cell.row, cell.column), document.plan, catalog);
    if (!applied)
        return {};
    const auto &ranks = applied->document.parallelism;
    auto text = u"TP %1, PP %2"_s.arg(ranks.tp).arg(ranks.pp);
    if (ranks.cp > 1)
        text += u", CP %1"_s.arg(ranks.cp);
    if (ranks.ep > 1)
        text += u", EP %1"_s.arg(ranks.ep);
    return text;
}

/// What is decided by first: days and cost, then what the sweep asks for, then the rest.
std::vector<std::string> figuresInOrder(const SweepDocument &document, const SweepResult &result)
{
    std::vector<std::string> keys{"run_time_s", "run_cost_usd", document.figure};
    std::ranges::copy(result.figures, std::back_inserter(keys));
    std::vector<std::string> once;
    for (auto &key : keys)
        if (std::ranges::find(once, key) == once.end())
            once.push_back(std::move(key));
    return once;
}

QString figuresHtml(const SweepDocument &document, const SweepResult &result, const SweepCell &cell)
{
    QString html = u"<table cellspacing='0' cellpadding='2'>"_s;
    int shown = 0;
    for (const auto &key : figuresInOrder(document, result)) {
        const auto value = result.figure(cell, key);
        const auto figure = value ? chooseFigure(key) : Expected<ChosenFigure>(std::unexpected(Error{}));
        if (!figure)
            continue;
        html += (shown % 2 == 0 ? u"<tr>"_s : QString())
            + u"<td>%1</td><td align='right'>%2</td><td width='32'></td>"_s.arg(
                localizedHtmlEscaped(figure->label), localized(figureText(value, figure->dimension)));
        html += ++shown % 2 == 0 ? u"</tr>"_s : QString();
    }
    return html + u"</table>"_s;
}

} // namespace

QString verdictText(const SweepDocument &shown, const SweepResult &result, const Catalog &catalog)
{
    QStringList sentences;
    const auto figure = chooseFigure(shown.figure);
    if (!figure)
        return {};
    for (std::size_t model = 0; model < result.models.size(); ++model)
        sentences << localized(describeBest(shown, result, *figure, model, catalog))
                  << localized(describeBestOfEach(shown, result, *figure, model, catalog))
                  << localized(describeAlikeFabrics(shown, result, *figure, model, catalog));
    sentences << localized(describeFeasibility(result));
    constexpr std::size_t readable = 6;
    if (shown.mark && result.columns * result.models.size() <= readable)
        for (std::size_t column = 0; column < result.columns; ++column)
            for (std::size_t model = 0; model < result.models.size(); ++model)
                sentences << localized(describeCrossing(shown, result, *figure, *shown.mark, column, model, catalog));
    sentences.removeAll(QString());
    return sentences.join(u' ');
}

QString cellHtml(
    const SweepDocument &document, const SweepResult &result, const SweepCell &cell, const Catalog &catalog)
{
    const auto &model = result.models[cell.model];
    QString html = u"<p><b>%1</b> (%2 %3)</p>"_s.arg(
        place(document, cell, catalog, true).toHtmlEscaped(), utf8(model.id), utf8(model.version));
    const auto paragraph = [&](const QString &title, const QString &text) {
        html += u"<p><b>%1</b> %2</p>"_s.arg(title, text.toHtmlEscaped());
    };
    if (const auto layout = layoutText(document, cell, catalog); !layout.isEmpty())
        paragraph(tr("Layout:"), layout);
    if (cell.refused)
        paragraph(tr("Refused:"), localized(cell.refused->message));
    else if (!cell.feasible)
        paragraph(tr("Not feasible."), {});
    else if (!cell.decided)
        paragraph(tr("Not known whether it fits:"), tr("the cost model knows no memory."));
    else if (cell.onlyLikely)
        paragraph(tr("Feasible:"), localized(fleetwright::inWords(cell.feasibility(), cell.onlyLikely)));
    for (const auto &problem : cell.problems)
        paragraph({}, localized(problem));
    html += figuresHtml(document, result, cell);
    if (const auto leftOut = describeLeftOutFabric(document, cell.row, cell.column, catalog); !leftOut.empty())
        paragraph(tr("Note:"), localized(leftOut));
    for (const auto &notice : cell.notices)
        paragraph(tr("Note:"), localized(notice));
    return html;
}

Expected<PlanDocument> planOfCell(
    const SweepDocument &document, const SweepResult &result, const SweepCell &cell, const Catalog &catalog)
{
    auto plan = document.plan;
    plan.costModelId = result.models[cell.model].id;
    auto applied = applySettings(settingsOf(document, cell.row, cell.column), std::move(plan), catalog);
    if (!applied)
        return std::unexpected(std::move(applied.error()));
    if (applied->accelerator)
        return refuse(ErrorCode::UnsupportedValue, "fleet.node.accelerator",
            tr("This cell changes the accelerator itself, which a plan cannot hold. Duplicate \u201c%1\u201d in the "
               "accelerators catalog, change it there, and use it in a node of your own.")
                .arg(utf8(applied->accelerator->name))
                .toStdString());
    if (cell.layout)
        fleetwright::adopt(*cell.layout, applied->document);
    const auto name = (utf8(document.name) + u": "_s + place(document, cell, catalog, false)).left(longestName);
    applied->document.name =
        (cell.layout ? nameWithLayout(name, localized(inWords(splitOf(*cell.layout)))) : name).toStdString();
    return std::move(applied->document);
}

} // namespace fleetwright::app
