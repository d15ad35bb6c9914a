// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/sweeps/sweepcells.h"

#include "app/pages/plan/layoutname.h"
#include "app/wording.h"
#include "itemmodels/sweepmodel.h"
#include "text/utf8.h"

#include <QCoreApplication>
#include <QStringList>

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

QString figuresHtml(const SweepResult &result, const SweepCell &cell)
{
    QString html = u"<table cellspacing='0' cellpadding='2'>"_s;
    int shown = 0;
    for (const auto &key : result.figures) {
        const auto value = result.figure(cell, key);
        const auto figure = value ? chooseFigure(key) : Expected<ChosenFigure>(std::unexpected(Error{}));
        if (!figure)
            continue;
        html += (shown % 2 == 0 ? u"<tr>"_s : QString())
            + u"<td>%1</td><td align='right'>%2</td><td width='32'></td>"_s.arg(
                htmlEscaped(figure->label), utf8(figureText(value, figure->dimension)));
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
        sentences << utf8(describeBest(shown, result, *figure, model, catalog))
                  << utf8(describeBestOfEach(shown, result, *figure, model, catalog));
    sentences << utf8(describeFeasibility(result));
    constexpr std::size_t readable = 6;
    if (shown.mark && result.columns * result.models.size() <= readable)
        for (std::size_t column = 0; column < result.columns; ++column)
            for (std::size_t model = 0; model < result.models.size(); ++model)
                sentences << utf8(describeCrossing(shown, result, *figure, *shown.mark, column, model, catalog));
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
    if (cell.refused)
        paragraph(tr("Refused:"), utf8(cell.refused->message));
    else if (!cell.feasible)
        paragraph(tr("Not feasible."), {});
    else if (!cell.decided)
        paragraph(tr("Not known whether it fits:"), tr("the cost model knows no memory."));
    for (const auto &problem : cell.problems)
        paragraph({}, utf8(problem));
    html += figuresHtml(result, cell);
    for (const auto &notice : cell.notices)
        paragraph(tr("Note:"), utf8(notice));
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
        (cell.layout ? nameWithLayout(name, utf8(inWords(splitOf(*cell.layout)))) : name).toStdString();
    return std::move(applied->document);
}

} // namespace fleetwright::app
