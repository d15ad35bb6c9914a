// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemView>
#include <QCoreApplication>
#include <QEvent>
#include <QTest>

namespace fleetwright::app {

/// Whether the bars of a table come to rest in every size: a bar that makes room for itself by hiding, and comes back
/// because of it, keeps the program busy for ever.
class RestingBars : public QObject {
public:
    explicit RestingBars(QAbstractItemView &view) : m_view(view) { view.viewport()->installEventFilter(this); }

    /// Lets everything happen that `resize` asks for; more than a few sizes of the viewport are one too many.
    template <class Resize> bool restsAfter(Resize resize)
    {
        m_count = 0;
        resize();
        for (int i = 0; i < 4 && m_count <= most; ++i)
            QCoreApplication::processEvents();
        return m_count <= most;
    }
    /// Whether they do while the page around the table is made taller, from `least` to `greatest` pixels.
    QString unrestAt(QWidget &page, int least, int greatest)
    {
        for (int height = least; height <= greatest; height += 2)
            if (!restsAfter([&] { page.resize(page.width(), height); }))
                return QString::number(height);
        return {};
    }
    bool eventFilter(QObject *, QEvent *event) override
    {
        // One that does not rest would not even leave processEvents(): it is held fast, and seen afterwards.
        if (event->type() == QEvent::Resize && ++m_count > most)
            m_view.setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        return false;
    }

private:
    static constexpr int most = 8;
    QAbstractItemView &m_view;
    int m_count = 0;
};

} // namespace fleetwright::app
