// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

#include <optional>

class QLocalServer;
class QLocalSocket;

namespace fleetwright::app {

/// What a start of the program asks of the window that is there already.
struct HandOver {
    QStringList files; ///< absolute
    bool sample = false;
    QString token; ///< with which the desktop lets the window come to the front; empty: none was given
};

/// One window for one user and screen. Whoever starts later finds it by a socket in a folder that is the user's alone
/// and hands over what is to be opened. Nothing but files is asked this way, and only programs of the same user are
/// listened to; a message that is too long, late or not understood is refused.
class SingleInstance : public QObject {
    Q_OBJECT
public:
    static constexpr qsizetype longestRequest = 1 << 20; ///< in bytes
    static constexpr int mostFiles = 1000;

    /// Where the window on `screen` listens; empty where no folder is the user's alone: every start is a window then.
    [[nodiscard]] static QString addressOf(const QString &screen);
    /// Names the screen of this application: two screens of one user have a window each. `display` is what the command
    /// line names; empty: the environment does.
    [[nodiscard]] static QString screenOf(const QString &platform, const QString &display);

    explicit SingleInstance(QString address, QObject *parent = nullptr);

    /// Hands `request` to the window that listens and returns its process. Without one, or one that does not answer,
    /// nothing is handed over, and this is the window that listens from now on, if it can. A socket left by a crash is
    /// taken over. Returns within a few seconds.
    [[nodiscard]] std::optional<qint64> handOverOrListen(const HandOver &request);
    /// Listens unless another window does.
    void listenIfNobodyDoes();
    [[nodiscard]] bool isListening() const;

signals:
    /// When the one who asked has been answered: what is done about it may take its time.
    void handedOver(const fleetwright::app::HandOver &request);

private:
    bool connectOrListen(QLocalSocket &socket);
    void greet();
    void read(QLocalSocket &socket);

    QString m_address;
    QLocalServer *m_server;
};

} // namespace fleetwright::app
