// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace fleetwright::app {

/// The line above a part of a form. It folds the part away (a click, Space or Return) and then says what the part
/// holds. What is wrong in there stands in the line as well, folded or not, so that no field has to make room for it.
class FoldHeader : public QAbstractButton {
    Q_OBJECT
public:
    explicit FoldHeader(QWidget *parent = nullptr);

    /// `content` is shown while the line is unfolded (checked), as it is at first.
    void setContent(QWidget *content, const QString &title);
    [[nodiscard]] QWidget *content() const { return m_content; }
    void setSummary(const QString &summary);
    [[nodiscard]] QString summary() const { return m_summary; }
    void setRefusal(const QString &sentence); ///< empty: nothing is wrong
    [[nodiscard]] QString refusal() const { return m_refusal; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void refresh();
    [[nodiscard]] QString line() const; ///< what stands beside the title
    [[nodiscard]] QString fittingIn(int width) const; ///< what is read of it in so many pixels
    [[nodiscard]] QRect lineRect() const;
    [[nodiscard]] QRect mirrored(const QRect &place) const; ///< where the layout runs from right to left

    QWidget *m_content = nullptr;
    QString m_summary;
    QString m_refusal;
};

} // namespace fleetwright::app
