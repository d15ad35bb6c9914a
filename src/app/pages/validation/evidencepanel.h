// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chartcontent.h"

#include <QWidget>

#include <memory>
#include <optional>

class QPushButton;
class QTableView;

namespace Ui {
class EvidencePanel;
}
namespace fleetwright::charts {
class ChartView;
}

namespace fleetwright::app {

/// A question about the predictions and its answer: a sentence, a chart and its figures in a table. Shows a text in
/// their place while there is none.
class EvidencePanel : public QWidget {
    Q_OBJECT
public:
    /// The parts are called `name` + "Chart", "Table", "Sentence", "Nothing", "Stop", "Compute" and
    /// "Further".
    EvidencePanel(const QString &name, const QString &question, QWidget *parent = nullptr);
    ~EvidencePanel() override;

    [[nodiscard]] charts::ChartView *chart() const;
    [[nodiscard]] QTableView *table() const;
    /// For answers that take a moment; hidden until setWork() is called.
    [[nodiscard]] QPushButton *stopButton() const;
    [[nodiscard]] QPushButton *computeButton() const;

    /// A button that leads on from here.
    QPushButton *offerFurther(const QString &text, const QString &toolTip);

    void showAnswer(const QString &sentence, charts::ChartContent content);
    void showChart(charts::ChartContent content); ///< beside the same sentence and table
    void showNothing(const QString &why);
    /// `offered`: the answer can be asked for.
    void setWork(bool running, bool offered);

protected:
    void changeEvent(QEvent *event) override;

private:
    std::unique_ptr<Ui::EvidencePanel> m_ui;
    std::optional<charts::ChartContent> m_content; ///< the last one shown
};

} // namespace fleetwright::app
