// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/singleinstance.h"

#include <QCryptographicHash>
#include <QDeadlineTimer>
#include <QDir>
#include <QFileInfo>
#include <QLocalServer>
#include <QLocalSocket>
#include <QRegularExpression>
#include <QStringDecoder>
#include <QThread>
#include <QTimer>

#include <algorithm>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

// The window greets first, so that nothing is handed to one that has hung. Then comes the request: fields that end with
// a zero byte, and an empty one at its end. The answer is a line.
constexpr QByteArrayView greeting("fleetwright 1\n"), taken("taken\n"), refused("refused\n");
constexpr QByteArrayView fileField("file="), tokenField("token="), sampleField("sample");
constexpr int patience = 5000; // in milliseconds, for each of the two
constexpr int mostConnections = 16, longestToken = 256;

/// Whether the other end belongs to the user of this process.
bool isOwn(const QLocalSocket &socket)
{
#ifdef SO_PEERCRED
    ucred peer{};
    socklen_t size = sizeof(peer);
    return ::getsockopt(int(socket.socketDescriptor()), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0
        && peer.uid == ::geteuid();
#else
    return socket.isValid(); // the folder is the user's alone
#endif
}

/// Held by one start after the other, for moments; the system lets go of it when a start dies.
class StartLock {
public:
    explicit StartLock(const QString &path)
        : m_file(::open(path.toLocal8Bit().constData(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR))
    {
        constexpr unsigned long pause = 10; // in milliseconds
        const QDeadlineTimer deadline(patience);
        while (m_file >= 0 && !m_held && !deadline.hasExpired()) {
            m_held = ::flock(m_file, LOCK_EX | LOCK_NB) == 0;
            if (!m_held)
                QThread::msleep(pause);
        }
    }
    ~StartLock()
    {
        if (m_file >= 0)
            ::close(m_file);
    }
    Q_DISABLE_COPY_MOVE(StartLock)
    [[nodiscard]] bool isHeld() const { return m_held; }

private:
    int m_file;
    bool m_held = false;
};

qint64 processOf(const QLocalSocket &socket)
{
#ifdef SO_PEERCRED
    ucred peer{};
    socklen_t size = sizeof(peer);
    if (::getsockopt(int(socket.socketDescriptor()), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0)
        return peer.pid;
#endif
    return socket.isValid() ? 0 : -1;
}

/// Makes the folder if need be; false when somebody else could look into it, or put something there.
bool isPrivate(const QByteArray &folder)
{
    ::mkdir(folder.constData(), S_IRWXU);
    struct stat found { };
    return ::lstat(folder.constData(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == ::geteuid()
        && (found.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

QByteArray written(const HandOver &request)
{
    QByteArray text;
    const auto add = [&](QByteArrayView field, const QString &value) {
        text.append(field).append(value.toUtf8()).append('\0');
    };
    if (request.sample)
        add(sampleField, {});
    if (!request.token.isEmpty())
        add(tokenField, request.token);
    for (const auto &file : request.files)
        add(fileField, file);
    if (text.isEmpty()) // only to the front
        text.append('\0');
    return text.append('\0');
}

std::optional<QString> textIn(QByteArrayView bytes)
{
    QStringDecoder decoder(QStringDecoder::Utf8);
    const QString text = decoder(bytes);
    return decoder.hasError() || text.isEmpty() ? std::nullopt : std::optional(text);
}

/// `text` without the two zero bytes at its end.
std::optional<HandOver> readRequest(const QByteArray &text)
{
    HandOver request;
    static const QRegularExpression plain(u"^[\\x21-\\x7e]+$"_s);
    if (text.isEmpty())
        return request;
    for (const QByteArrayView field : text.split('\0')) {
        if (field == sampleField) {
            request.sample = true;
        } else if (field.startsWith(fileField)) {
            const auto file = textIn(field.sliced(fileField.size()));
            if (!file || !QDir::isAbsolutePath(*file) || file->startsWith(u':')
                || request.files.size() == SingleInstance::mostFiles)
                return std::nullopt;
            request.files << *file;
        } else if (field.startsWith(tokenField)) {
            const auto token = textIn(field.sliced(tokenField.size()));
            if (!token || token->size() > longestToken || !plain.match(*token).hasMatch())
                return std::nullopt;
            request.token = *token;
        } else {
            return std::nullopt;
        }
    }
    return request;
}

/// The next line, at most of `most` bytes; what came of it when the time is over.
QByteArray lineFrom(QLocalSocket &socket, qsizetype most)
{
    const QDeadlineTimer deadline(patience);
    while (!socket.canReadLine() && socket.bytesAvailable() < most)
        if (!socket.waitForReadyRead(int(deadline.remainingTime())))
            break;
    return socket.readLine(most + 1);
}

} // namespace

QString SingleInstance::addressOf(const QString &screen)
{
    const auto own = u"fleetwright-%1"_s.arg(::geteuid());
    for (const auto &place : {qEnvironmentVariable("XDG_RUNTIME_DIR"), QDir::tempPath()}) {
        const auto folder = QDir(place).filePath(own);
        if (QDir::isAbsolutePath(place) && isPrivate(folder.toLocal8Bit()))
            return folder + u'/'
                + QString::fromLatin1(
                    QCryptographicHash::hash(screen.toUtf8(), QCryptographicHash::Sha256).toHex().first(16));
    }
    return {};
}

QString SingleInstance::screenOf(const QString &platform, const QString &display)
{
    static const QRegularExpression numberOfScreen(u"(:\\d+)\\.\\d+$"_s);
    const auto named = !display.isEmpty()   ? display
        : platform.startsWith(u"wayland"_s) ? qEnvironmentVariable("WAYLAND_DISPLAY")
                                            : qEnvironmentVariable("DISPLAY");
    return platform + u' ' + QString(named).replace(numberOfScreen, u"\\1"_s);
}

SingleInstance::SingleInstance(QString address, QObject *parent)
    : QObject(parent), m_address(std::move(address)), m_server(new QLocalServer(this))
{
    m_server->setSocketOptions(QLocalServer::UserAccessOption);
    m_server->setMaxPendingConnections(mostConnections);
    connect(m_server, &QLocalServer::newConnection, this, &SingleInstance::greet);
}

/// Connects to the window that listens, or else listens. The lock makes of two that start at once one window.
bool SingleInstance::connectOrListen(QLocalSocket &socket)
{
    if (m_address.isEmpty())
        return false;
    const StartLock lock(m_address + u".lock"_s);
    if (!lock.isHeld())
        return false;
    socket.connectToServer(m_address);
    if (socket.waitForConnected(patience))
        return true;
    if (socket.error() == QLocalSocket::ServerNotFoundError || socket.error() == QLocalSocket::ConnectionRefusedError) {
        QLocalServer::removeServer(m_address);
        m_server->listen(m_address);
    }
    return false;
}

std::optional<qint64> SingleInstance::handOverOrListen(const HandOver &request)
{
    const auto text = written(request);
    QLocalSocket socket;
    if (!connectOrListen(socket) || !isOwn(socket) || text.size() > longestRequest
        || lineFrom(socket, greeting.size()) != greeting)
        return std::nullopt;
    const auto process = processOf(socket);
    socket.write(text);
    while (socket.bytesToWrite() > 0)
        if (!socket.waitForBytesWritten(patience))
            return std::nullopt;
    return lineFrom(socket, refused.size()) == taken ? std::optional(process) : std::nullopt;
}

bool SingleInstance::isListening() const { return m_server->isListening(); }

void SingleInstance::listenIfNobodyDoes()
{
    QLocalSocket socket;
    static_cast<void>(connectOrListen(socket));
}

void SingleInstance::greet()
{
    while (auto *socket = m_server->nextPendingConnection()) {
        connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
        if (!isOwn(*socket) || m_server->findChildren<QLocalSocket *>().size() > mostConnections) {
            socket->abort();
            continue;
        }
        socket->setReadBufferSize(longestRequest + 1);
        connect(socket, &QLocalSocket::readyRead, this, [this, socket] { read(*socket); });
        QTimer::singleShot(patience, socket, &QLocalSocket::abort);
        socket->write(greeting.data(), greeting.size());
    }
}

void SingleInstance::read(QLocalSocket &socket)
{
    static constexpr QByteArrayView end("\0\0", 2);
    const auto text = socket.peek(longestRequest + 1);
    const auto ending = text.indexOf(end);
    if (ending < 0 && text.size() <= longestRequest)
        return; // more is to come
    const auto request = ending >= 0 && ending + end.size() == text.size() && text.size() <= longestRequest
        ? readRequest(text.first(ending))
        : std::nullopt;
    disconnect(&socket, &QLocalSocket::readyRead, this, nullptr); // one request
    socket.readAll();
    const auto answer = request ? taken : refused;
    socket.write(answer.data(), answer.size());
    socket.flush(); // whoever asked waits for it, and opening may take longer than that
    socket.disconnectFromServer();
    if (request)
        QMetaObject::invokeMethod(
            this, [this, request = *request] { emit handedOver(request); }, Qt::QueuedConnection);
}

} // namespace fleetwright::app
