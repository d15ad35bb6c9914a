// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace fleetwright::app {

/// Plain text in a fixed number of lines: where these are too few the end becomes an ellipsis, and the tooltip says it
/// whole.
class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget *parent = nullptr);

    void setLines(int lines);
    [[nodiscard]] int linesNeeded() const; ///< at its width
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool isWhole() const { return linesNeeded() <= m_lines; } ///< nothing of it is cut off

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    int m_lines = 1;
};

} // namespace fleetwright::app
