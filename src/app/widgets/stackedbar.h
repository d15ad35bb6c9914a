// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QWidget>

#include <vector>

class QPainter;

namespace fleetwright::app {

/// A horizontal bar of parts against a capacity: what fits is inside the frame, what does not runs past the capacity
/// line. Lengths are shares of the capacity. Each part explains itself in a tooltip. The context menu copies it.
class StackedBar : public QWidget {
    Q_OBJECT
public:
    struct Part {
        QString text; ///< "weights 17.6 GB"
        double share; ///< of the capacity
        QColor colour;
    };
    explicit StackedBar(QWidget *parent = nullptr);
    /// `limit` marks a smaller allowed share of the capacity; 0: none.
    void setParts(std::vector<Part> parts, double limit, const QString &description);
    [[nodiscard]] QSize sizeHint() const override { return {200, 24}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {80, 24}; }

signals:
    void copied(const QString &told); ///< what to tell in the status bar

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    void draw(QPainter &painter) const;
    [[nodiscard]] double pixelsPerShare() const;

    std::vector<Part> m_parts;
    double m_limit = 0;
};

} // namespace fleetwright::app
