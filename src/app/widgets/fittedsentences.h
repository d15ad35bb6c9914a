// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QStringList>

namespace fleetwright::app {

/// Sentences in a fixed number of lines: as many as are read whole, and how many more stand under Details. The tool tip
/// then says them all. Its height follows from the lines and never from what it says.
class FittedSentences : public QLabel {
    Q_OBJECT
public:
    explicit FittedSentences(QWidget *parent = nullptr);

    void setSentences(const QStringList &sentences);
    void setLines(int lines);
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void fit();
    [[nodiscard]] bool hasRoomFor(const QString &text) const;

    QStringList m_sentences;
    int m_lines = 1;
};

} // namespace fleetwright::app
