// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chartview.h"

#include "charts/chartinteraction.h"
#include "charts/drawing.h"

#include <QAction>
#include <QChart>
#include <QClipboard>
#include <QGuiApplication>
#include <QKeySequence>
#include <QResizeEvent>

using namespace Qt::StringLiterals;

namespace fleetwright::charts {

ChartView::ChartView(QWidget *parent)
    : QChartView(parent), m_copyData(new QAction(tr("Copy &data"), this)),
      m_saveSvg(new QAction(tr("Save as &SVG…"), this)), m_savePng(new QAction(tr("Save as &PNG…"), this))
{
    viewport()->setLayoutDirection(Qt::LeftToRight);
    setLayoutDirection(Qt::LeftToRight); // axes run so in any layout, and "1.75 s" is no "s 1.75"
    const auto keys = u'\t' + QKeySequence(QKeySequence::Copy).toString(QKeySequence::NativeText);
    auto *copy = new QAction(tr("&Copy as picture") + keys, this); // whose keys the window looks after
    copy->setObjectName(u"copyChartAction"_s);
    auto *copyAsSvg = new QAction(tr("Copy as S&VG"), this);
    copyAsSvg->setObjectName(u"copyChartSvgAction"_s);
    m_saveSvg->setObjectName(u"saveChartSvgAction"_s);
    m_savePng->setObjectName(u"saveChartPngAction"_s);
    m_copyData->setObjectName(u"copyChartDataAction"_s);
    addActions({copy, copyAsSvg, m_copyData, m_saveSvg, m_savePng});
    setContextMenuPolicy(Qt::ActionsContextMenu);
    m_copyData->setVisible(false);
    m_saveSvg->setVisible(false);
    m_savePng->setVisible(false);
    setRenderHint(QPainter::Antialiasing);
    setFrameShape(QFrame::NoFrame);
    new ChartInteraction(this); // a child that finds its chart here
    connect(copy, &QAction::triggered, this, &ChartView::copyImage);
    connect(copyAsSvg, &QAction::triggered, this, &ChartView::copySvg);
    connect(m_copyData, &QAction::triggered, this, &ChartView::copyData);
    connect(m_saveSvg, &QAction::triggered, this, [this] { save(u"svg"_s, tr("SVG picture (*.svg)")); });
    connect(m_savePng, &QAction::triggered, this, [this] { save(u"png"_s, tr("PNG picture (*.png)")); });
}

ChartView::~ChartView() = default;

/// A picture leaves out what is hidden on screen.
static ChartContent asShown(const ChartView &view, ChartContent content)
{
    content.draw = [draw = content.draw, hidden = view.findChild<ChartInteraction *>()->hidden()](const Theme &theme) {
        auto chart = draw(theme);
        ChartInteraction::hide(*chart, hidden);
        return chart;
    };
    return content;
}

void ChartView::show(ChartContent content, const Theme &theme)
{
    m_content = std::move(content);
    m_theme = theme;
    const std::unique_ptr<QChart> previous(chart()); // setChart hands the old one back
    setChart(m_content.draw(theme).release());
    findChild<ChartInteraction *>()->takeChart();
    setBackgroundBrush(theme.background);
    m_copyData->setVisible(bool(m_content.table));
    updateMinimumHeight();
    setAccessibleName(m_content.name);
    setAccessibleDescription(m_content.description);
}

ChartTable ChartView::table() const { return m_content.table ? m_content.table() : ChartTable(); }

int ChartView::heightForWidth(int width) const
{
    return m_content.naturalHeight ? m_content.naturalHeight(m_theme, width) : minimumHeight();
}

void ChartView::updateMinimumHeight()
{
    if (m_content.naturalHeight)
        setMinimumHeight(m_content.naturalHeight(m_theme, width()));
}

void ChartView::resizeEvent(QResizeEvent *event)
{
    QChartView::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        updateMinimumHeight(); // a narrower legend takes more rows
}

void ChartView::setFileChooser(std::function<QString(const QString &, const QString &)> chooser)
{
    m_chooser = std::move(chooser);
    m_saveSvg->setVisible(bool(m_chooser));
    m_savePng->setVisible(bool(m_chooser));
}

void ChartView::copyImage()
{
    if (!m_content.draw)
        return;
    copyPicture(drawingOf(asShown(*this, m_content), m_theme, size()));
    emit copied(tr("Chart copied as a picture"));
}

void ChartView::copySvg()
{
    if (!m_content.draw)
        return;
    charts::copySvg(drawingOf(asShown(*this, m_content), m_theme, size()));
    emit copied(tr("Chart copied as SVG"));
}

void ChartView::copyData()
{
    if (!m_content.table)
        return;
    const auto table = m_content.table();
    QGuiApplication::clipboard()->setText(toTabSeparated(table));
    emit copied(table.rows.size() == 1 ? tr("1 row copied") : tr("%1 rows copied").arg(table.rows.size()));
}

void ChartView::save(const QString &suffix, const QString &filter)
{
    const QString path = m_chooser && m_content.draw ? m_chooser(m_content.name + u'.' + suffix, filter) : QString();
    if (path.isEmpty())
        return;
    const auto written = suffix == u"svg" ? writeSvg(asShown(*this, m_content), m_theme, size(), path)
                                          : writePng(asShown(*this, m_content), m_theme, size(), path);
    if (!written)
        emit saveFailed(written.error());
}

} // namespace fleetwright::charts
