// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/handbook/handbook.h"

#include <QHash>
#include <QTextBrowser>

namespace fleetwright::app {

/// Shows a page of the handbook in the colours of the theme. Leads nowhere by itself: it says which link was followed.
class HandbookView : public QTextBrowser {
    Q_OBJECT
public:
    explicit HandbookView(QWidget *parent = nullptr);

    /// Its beginning, or the heading with this anchor.
    void showPage(const HandbookPage &page, const QString &anchor);
    [[nodiscard]] const HandbookPage *page() const { return m_page; }
    void scrollToHeading(const QString &anchor);

    static constexpr int leastZoom = 50, mostZoom = 300, zoomStep = 10;
    [[nodiscard]] int zoom() const { return m_zoom; }
    /// In percent of the window's own letters, between the two.
    void setZoom(int percent);

    /// Marks every place where one of the words, or its plural, begins.
    void markWords(const QStringList &words);
    /// Marks every place of the text and selects the next (or, backwards, the one before) from the cursor on, around
    /// the end; the count, and the number of the selected one from 1, 0 where there is none.
    struct Found {
        int count = 0, selected = 0;
    };
    Found findText(const QString &text, bool backwards, bool fromHere);
    void clearMarks();

signals:
    void linkFollowed(const QString &link);
    void zoomed(int percent);

protected:
    QVariant loadResource(int type, const QUrl &name) override;
    void changeEvent(QEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;

private:
    void render();
    void colour(QTextDocument &page) const;
    void mark(const QList<QTextCursor> &places);

    const HandbookPage *m_page = nullptr;
    int m_zoom = 100;
    QHash<QString, int> m_headings; ///< blocks by anchor
    bool m_isRendering = false;
};

} // namespace fleetwright::app
