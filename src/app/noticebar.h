// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QStringList>
#include <QTimer>

#include <functional>
#include <vector>

class QLabel;
class QPushButton;
class QToolButton;

namespace fleetwright::app {

/// Something that people must hear of and that asks nothing of them.
struct Notice {
    enum class Kind {
        Done, ///< leaves by itself
        Warning ///< stays until it is closed
    };
    Kind kind = Kind::Done;
    QString title;
    QString text{};
    QString key{}; ///< a newer notice of the same key takes its place; empty: none does
    QString action{}; ///< what can be done about it, on a button; empty: nothing
    std::function<void()> act{};
};

/// The strip below the pages for what the window has to say without stopping anybody, the newest first; nothing above
/// it moves when it comes. Keeps a list of everything that was said.
class NoticeBar : public QFrame {
    Q_OBJECT
public:
    explicit NoticeBar(QWidget *parent = nullptr);

    /// The strip of the window in which `widget` stands; null in a dialog, which has to say it itself.
    [[nodiscard]] static NoticeBar *of(const QWidget *widget);

    void tell(Notice notice);
    /// Into the list only: it was shown elsewhere, for a moment.
    void note(const QString &text);
    void dismiss(const QString &key);

    [[nodiscard]] int open() const { return int(m_open.size()); }
    /// Everything that was said, each with its time, the last ones first.
    [[nodiscard]] QStringList said() const;

signals:
    void noted();

protected:
    void changeEvent(QEvent *event) override;
    void enterEvent(QEnterEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    void close();
    void act();
    void refresh();

    QLabel *m_sign;
    QLabel *m_text;
    QLabel *m_more;
    QPushButton *m_actButton;
    QToolButton *m_closeButton;
    QTimer m_leaving;
    std::vector<Notice> m_open; ///< the one in sight is the last
    QStringList m_said;
};

} // namespace fleetwright::app
