// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chartcontent.h"

#include <QChartView>

#include <functional>

class QAction;

namespace fleetwright::charts {

/// A chart on screen. Its context menu copies the chart as a picture (PNG in twice its size) or as SVG and
/// saves it as either; screen readers get its sentence.
class ChartView : public QChartView {
    Q_OBJECT
public:
    explicit ChartView(QWidget *parent = nullptr);
    ~ChartView() override;

    using QChartView::show;
    void show(ChartContent content, const Theme &theme);
    [[nodiscard]] ChartTable table() const; ///< what it draws in numbers; empty where it draws nothing or has none

    /// Asks for a file name: (suggested name, filter) to path, empty when cancelled. Without it the save actions are
    /// not offered.
    void setFileChooser(std::function<QString(const QString &, const QString &)> chooser);
    /// What it takes not to be cut at this width; asked for where the size policy has a height for the width.
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] bool hasFileChooser() const { return bool(m_chooser); }

public slots:
    void copyImage();
    /// As a picture that programs paste (image/svg+xml) and as its text.
    void copySvg();
    void copyData(); ///< what it draws as tab-separated numbers, where it has a table

signals:
    void copied(const QString &told); ///< what to tell in the status bar
    /// A save that the user asked for did not work.
    void saveFailed(const fleetwright::Error &error);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void updateMinimumHeight();
    void save(const QString &suffix, const QString &filter);

    std::function<QString(const QString &, const QString &)> m_chooser;
    ChartContent m_content;
    Theme m_theme;
    QAction *m_copyData;
    QAction *m_saveSvg;
    QAction *m_savePng;
};

} // namespace fleetwright::charts
