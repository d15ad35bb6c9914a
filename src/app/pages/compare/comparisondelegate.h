// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>
#include <QStyledItemDelegate>

namespace fleetwright::app {

/// Writes a comparison's cell: a star before the best of the row, the value, and behind it the difference to the
/// reference in a column of its own, so that values line up.
class ComparisonDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void setDifferencesShown(bool shown) { m_differences = shown; }
    /// Width at which no value and no difference is cut.
    [[nodiscard]] int columnWidth(const QFontMetrics &metrics) const;
    /// Width for the words of a column's inputs, which may be longer than any figure.
    [[nodiscard]] static int inputWidth(const QAbstractItemModel &model, int column, const QFontMetrics &metrics);
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    [[nodiscard]] int differenceWidth(const QFontMetrics &metrics) const;
    bool m_differences = true;
};

/// A header whose titles have several lines; a line that is too long goes on in a second one, shortened in the middle.
/// Of rows the titles have one line, which ends in dots where it is too long; headings have a sign that they fold.
class LinesHeader : public QHeaderView {
    Q_OBJECT
public:
    using QHeaderView::QHeaderView;

protected:
    void initStyleOptionForIndex(QStyleOptionHeader *option, int logicalIndex) const override;
    [[nodiscard]] QSize sectionSizeFromContents(int logicalIndex) const override;

private:
    [[nodiscard]] QStringList linesOf(int logicalIndex) const;
};

} // namespace fleetwright::app
