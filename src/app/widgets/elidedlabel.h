// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace fleetwright::app {

/// A line of plain text that may be longer than there is room for: it is written smaller, and where that is not enough
/// the end becomes an ellipsis, and the tooltip says it whole.
class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    using QLabel::QLabel;

    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool isWhole() const; ///< nothing of it is cut off

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    [[nodiscard]] bool fits() const { return QLabel::sizeHint().width() <= width(); }
    [[nodiscard]] QFont narrowerFont() const;
};

} // namespace fleetwright::app
