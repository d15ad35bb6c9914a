// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTextBrowser>

namespace fleetwright::app {

struct HandbookPage;

/// One page as text: Markdown without HTML, in the colours of the theme. It loads nothing; a link that is clicked is
/// only told of.
class HandbookView : public QTextBrowser {
    Q_OBJECT
public:
    explicit HandbookView(QWidget *parent = nullptr);

    void showPage(const HandbookPage &page);
    /// Scrolls so that the heading stands at the top; empty: to the beginning.
    void showHeading(const QString &anchor);
    /// In percent of the usual size, within the limits.
    void setZoom(int percent);
    [[nodiscard]] int zoom() const { return m_zoom; }

    static constexpr int leastZoom = 50, usualZoom = 100, mostZoom = 300;

    QVariant loadResource(int type, const QUrl &name) override;

signals:
    void zoomAsked(int steps); ///< by Ctrl and the wheel

protected:
    void changeEvent(QEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;

private:
    void fill();
    void colour();

    QString m_markdown;
    QHash<QString, int> m_blocks; ///< of each heading's anchor
    QStringList m_anchors;
    int m_zoom = usualZoom;
    double m_usualSize;
};

} // namespace fleetwright::app
