// SPDX-License-Identifier: GPL-3.0-or-later
// One window for one user and screen: files handed over by later starts, and everything that is refused.
#include "app/projectfiles.h"
#include "app/singleinstance.h"
#include "mainwindowtesting.h"
#include "testing/registry.h"

#include <QDialog>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QProcess>
#include <QSignalSpy>

#include <atomic>
#include <cerrno>
#include <future>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

namespace {

constexpr int enough = 30'000;

sockaddr_un addressAt(const QString &path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const auto bytes = path.toLocal8Bit();
    std::copy(bytes.begin(), bytes.end(), address.sun_path);
    return address;
}

/// A program that speaks to the window as it likes.
class Talker {
public:
    explicit Talker(const QString &path) : m_socket(::socket(AF_UNIX, SOCK_STREAM, 0))
    {
        auto address = addressAt(path);
        m_connected = ::connect(m_socket, reinterpret_cast<sockaddr *>(&address), sizeof(address)) == 0;
    }
    ~Talker() { ::close(m_socket); }
    Q_DISABLE_COPY_MOVE(Talker)
    [[nodiscard]] bool isConnected() const { return m_connected; }
    /// As much as is taken before the other end hangs up.
    void say(QByteArray words) const
    {
        while (!words.isEmpty()) {
            const auto sent = ::send(
                m_socket, words.constData(), std::size_t(words.size()), MSG_DONTWAIT | MSG_NOSIGNAL);
            if (sent < 0 && errno != EAGAIN)
                return;
            words.remove(0, std::max<qsizetype>(0, sent));
            QTest::qWait(1);
        }
    }
    /// All that is said until the other end hangs up; "..." where it does not.
    [[nodiscard]] QByteArray heard(int milliseconds) const
    {
        QByteArray all;
        bool ended = false;
        static_cast<void>(QTest::qWaitFor(
            [&] {
                char bytes[256];
                const auto got = ::recv(m_socket, bytes, sizeof(bytes), MSG_DONTWAIT);
                if (got > 0)
                    all.append(bytes, qsizetype(got));
                ended = got == 0 || (got < 0 && errno != EAGAIN);
                return ended;
            },
            milliseconds));
        return ended ? all : all + "...";
    }

private:
    int m_socket;
    bool m_connected = false;
};

/// What another user gets from the socket: 0 nothing at all, 1 no connection, 2 a greeting, 3 no such user.
int outcomeForStranger(const QString &path)
{
    auto address = addressAt(path);
    const auto child = ::fork();
    if (child == 0) {
        if (::setgid(65534) != 0 || ::setuid(65534) != 0)
            ::_exit(3);
        const int stranger = ::socket(AF_UNIX, SOCK_STREAM, 0);
        sockaddr *at = reinterpret_cast<sockaddr *>(&address);
        if (::connect(stranger, at, sizeof(address)) != 0)
            ::_exit(1);
        char byte = 0;
        ::_exit(::read(stranger, &byte, 1) > 0 ? 2 : 0);
    }
    int status = -1;
    while (::waitpid(child, &status, WNOHANG) == 0)
        QTest::qWait(10); // the window answers meanwhile
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

class TestSingleInstance : public QObject, MainWindowFixture {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_place;
    QString m_address;

    /// As another process would, beside the window.
    std::future<std::optional<qint64>> asking(const HandOver &request) const
    {
        return std::async(std::launch::async,
            [address = m_address, request] { return SingleInstance(address).handOverOrListen(request); });
    }
    static std::optional<qint64> answerOf(std::future<std::optional<qint64>> asked)
    {
        while (asked.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
            QTest::qWait(5);
        return asked.get();
    }

    /// The program, as somebody starts it on this screen.
    struct Program {
        QProcess process;
        explicit Program(const QStringList &arguments) { process.start(QStringLiteral(FLEETWRIGHT_WINDOW), arguments); }
        ~Program()
        {
            process.kill();
            process.waitForFinished();
        }
        bool ends()
        {
            return QTest::qWaitFor([this] { return process.state() == QProcess::NotRunning; }, enough);
        }
        QString said() { return QString::fromUtf8(process.readAllStandardOutput()); }
    };
    static QString addressHere()
    {
        return SingleInstance::addressOf(SingleInstance::screenOf(QGuiApplication::platformName(), {}));
    }

private slots:
    void init()
    {
        m_place = std::make_unique<QTemporaryDir>();
        m_address = m_place->filePath(u"window"_s);
    }
    void cleanup() { m_window.reset(); }

    void filesAreHandedOver()
    {
        SingleInstance first(m_address);
        QVERIFY(!first.handOverOrListen({}));
        QVERIFY(first.isListening());
        QCOMPARE(QFileInfo(m_address).permissions()
                & (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther | QFile::ExeGroup
                    | QFile::ExeOther),
            QFile::Permissions());
        QSignalSpy spy(&first, &SingleInstance::handedOver);
        const HandOver request{{u"/tmp/Größe 1.yaml"_s, u"/tmp/a\nb.json"_s}, true, u"token-1_TIME2"_s};
        QCOMPARE(answerOf(asking(request)), std::optional<qint64>(::getpid()));
        QTRY_COMPARE(spy.size(), 1);
        const auto taken = spy[0][0].value<HandOver>();
        QCOMPARE(taken.files, request.files);
        QCOMPARE(taken.sample, true);
        QCOMPARE(taken.token, request.token);
        // Without files the window only comes to the front.
        QVERIFY(answerOf(asking({})));
        QTRY_COMPARE(spy.size(), 2);
        QVERIFY(spy[1][0].value<HandOver>().files.isEmpty());
    }

    /// Whoever asks is answered before what it asked for is done, which may take longer than its patience.
    void theAnswerDoesNotWaitForTheFiles()
    {
        SingleInstance first(m_address);
        QVERIFY(!first.handOverOrListen({}));
        auto asked = asking({{u"/tmp/large.fleetwright"_s}, false, {}});
        bool opened = false, answered = false;
        connect(&first, &SingleInstance::handedOver, &first, [&] {
            answered = asked.wait_for(std::chrono::seconds(20)) == std::future_status::ready;
            opened = true;
        });
        QTRY_VERIFY_WITH_TIMEOUT(opened, enough);
        QVERIFY(answered);
        QVERIFY(asked.get());
    }

    void manyAskAtOnce()
    {
        SingleInstance first(m_address);
        QVERIFY(!first.handOverOrListen({}));
        QSignalSpy spy(&first, &SingleInstance::handedOver);
        std::vector<std::future<std::optional<qint64>>> asked;
        for (int i = 0; i < 12; ++i)
            asked.push_back(asking({{u"/tmp/%1"_s.arg(i)}, false, {}}));
        for (auto &one : asked)
            QVERIFY(answerOf(std::move(one)));
        QTRY_COMPARE(spy.size(), 12);
    }

    void ofTwoThatStartAtOnceOneListens()
    {
        std::atomic<int> listening = 0, handed = 0, neither = 0;
        std::vector<std::future<void>> starts;
        for (int i = 0; i < 6; ++i)
            starts.push_back(std::async(std::launch::async, [&] {
                SingleInstance one(m_address);
                QEventLoop loop; // of this thread
                if (one.handOverOrListen({{u"/tmp/x"_s}, false, {}}))
                    ++handed;
                else
                    ++(one.isListening() ? listening : neither);
                const QDeadlineTimer deadline(enough);
                while (listening + handed + neither < 6 && !deadline.hasExpired())
                    loop.processEvents(QEventLoop::AllEvents, 10);
            }));
        for (auto &start : starts)
            QVERIFY(start.wait_for(std::chrono::seconds(60)) == std::future_status::ready);
        QCOMPARE(neither.load(), 0);
        QCOMPARE(listening.load(), 1);
        QCOMPARE(handed.load(), 5);
    }

    void refusals_data()
    {
        QTest::addColumn<QByteArray>("message");
        const auto row = [](const char *name, QByteArrayView message) { QTest::newRow(name) << message.toByteArray(); };
        using namespace std::string_view_literals;
        const auto text = [](std::string_view view) { return QByteArray(view.data(), qsizetype(view.size())); };
        row("a relative name", text("file=plan.yaml\0\0"sv));
        row("a resource", text("file=:/icons/add.svg\0\0"sv));
        row("no name", text("file=\0\0"sv));
        row("another wish", text("file=/tmp/a\0delete=/tmp/b\0\0"sv));
        row("no UTF-8", text("file=/tmp/\xff\xfe\0\0"sv));
        row("a token with a line", text("token=a\nb\0\0"sv));
        row("a long token", "token=" + QByteArray(300, 'a') + text("\0\0"sv));
        row("more after the end", text("file=/tmp/a\0\0file=/tmp/b\0\0"sv));
        row("too long", "file=/" + QByteArray(SingleInstance::longestRequest, 'a') + text("\0\0"sv));
        row("endless", QByteArray(SingleInstance::longestRequest + 1, 'a'));
        row("too many", QByteArray(text("file=/a\0"sv)).repeated(SingleInstance::mostFiles + 1) + '\0');
        row("HTTP", "GET / HTTP/1.1\r\n\0\0"_ba);
    }
    void refusals()
    {
        QFETCH(QByteArray, message);
        SingleInstance first(m_address);
        QVERIFY(!first.handOverOrListen({}));
        QSignalSpy spy(&first, &SingleInstance::handedOver);
        const Talker talker(m_address);
        talker.say(message);
        const auto heard = talker.heard(enough);
        QVERIFY2(heard == "fleetwright 1\nrefused\n" || heard == "fleetwright 1\n", heard.constData());
        QVERIFY(spy.isEmpty());
        QVERIFY(answerOf(asking({}))); // and the window listens on
    }

    void whoSaysNothingIsHungUpOn()
    {
        SingleInstance first(m_address);
        QVERIFY(!first.handOverOrListen({}));
        const Talker silent(m_address);
        silent.say("file=/tmp/a");
        QVERIFY(answerOf(asking({}))); // nobody waits for it
        QCOMPARE(silent.heard(15'000), "fleetwright 1\n"_ba);
    }

    void aWindowThatHangsGetsNothing()
    {
        const int deaf = ::socket(AF_UNIX, SOCK_STREAM, 0);
        auto address = addressAt(m_address);
        QCOMPARE(::bind(deaf, reinterpret_cast<sockaddr *>(&address), sizeof(address)), 0);
        QCOMPARE(::listen(deaf, 4), 0);
        SingleInstance second(m_address);
        QElapsedTimer timer;
        timer.start();
        QVERIFY(!second.handOverOrListen({{u"/tmp/a"_s}, false, {}}));
        QVERIFY(timer.elapsed() < enough);
        QVERIFY(!second.isListening()); // the place is taken
        const int accepted = ::accept(deaf, nullptr, nullptr);
        char byte = 0;
        QCOMPARE(::read(accepted, &byte, 1), ssize_t(0)); // it will not open the file when it wakes up
        ::close(accepted);
        ::close(deaf);
    }

    void anotherUserIsRefused()
    {
        if (::geteuid() != 0)
            QSKIP("Only root can be somebody else.");
        SingleInstance first(m_address);
        QVERIFY(!first.handOverOrListen({}));
        QCOMPARE(outcomeForStranger(m_address), 1); // the folder and the socket are closed to them
        for (auto at = QFileInfo(m_place->path()); !at.isRoot(); at = QFileInfo(at.absolutePath()))
            if (const QFileInfo around(at.absolutePath()); !(around.permissions() & QFile::ExeOther))
                QSKIP("The folder for temporary files is closed to others.");
        // Only what is the test's own: the folders around it are the machine's.
        QCOMPARE(::chmod(m_place->path().toLocal8Bit().constData(), 0755), 0);
        QCOMPARE(::chmod(m_address.toLocal8Bit().constData(), 0666), 0);
        QCOMPARE(outcomeForStranger(m_address), 0); // and so is the window where they are not
    }

    void aFolderOfAnybodyIsNotUsed()
    {
        const auto runtime = qgetenv("XDG_RUNTIME_DIR"), temporary = qgetenv("TMPDIR");
        qputenv("XDG_RUNTIME_DIR", m_place->path().toLocal8Bit());
        qputenv("TMPDIR", m_place->filePath(u"none"_s).toLocal8Bit());
        const auto address = SingleInstance::addressOf(u"screen"_s);
        QVERIFY(address.startsWith(m_place->path() + u'/'));
        QVERIFY(address != SingleInstance::addressOf(u"another screen"_s));
        const auto folder = QFileInfo(address).absolutePath();
        QCOMPARE(QFileInfo(folder).permissions() & (QFile::ReadGroup | QFile::ExeOther), QFile::Permissions());
        ::chmod(folder.toLocal8Bit().constData(), 0770);
        QCOMPARE(SingleInstance::addressOf(u"screen"_s), QString());
        QVERIFY(QDir(folder).removeRecursively());
        QVERIFY(QFile::link(m_place->path(), folder)); // set there by somebody
        QCOMPARE(SingleInstance::addressOf(u"screen"_s), QString());
        qputenv("XDG_RUNTIME_DIR", runtime);
        qputenv("TMPDIR", temporary);
        SingleInstance alone{QString()};
        QVERIFY(!alone.handOverOrListen({}));
        QVERIFY(!alone.isListening());
    }

    void screensAreToldApart()
    {
        QCOMPARE(SingleInstance::screenOf(u"xcb"_s, u":1.0"_s), SingleInstance::screenOf(u"xcb"_s, u":1"_s));
        QVERIFY(SingleInstance::screenOf(u"xcb"_s, u":1"_s) != SingleInstance::screenOf(u"xcb"_s, u":2"_s));
        QVERIFY(SingleInstance::screenOf(u"xcb"_s, u":1"_s) != SingleInstance::screenOf(u"offscreen"_s, u":1"_s));
    }

    /// The real program against a window of ours: it ends at once, says where, and the window shows what it named.
    void aSecondStartOpensInTheFirst()
    {
        start();
        SingleInstance first(addressHere());
        QVERIFY(!first.handOverOrListen({}));
        connect(&first, &SingleInstance::handedOver, m_window.get(), &MainWindow::takeOver);
        const auto project = createProject();
        createProject();
        QVERIFY(m_window->workspace().plans().empty());
        m_window->showMinimized();
        const auto plan = putFile(m_folder.filePath(u"handed.yaml"_s), planText("Handed over"));
        const auto other = putFile(m_folder.filePath(u"other.yaml"_s), planText("Another"));
        Program second({plan, project, other});
        QVERIFY(second.ends());
        QCOMPARE(second.process.exitCode(), 0);
        const auto said = second.said();
        for (const auto &words : {project, plan, other, QString::number(::getpid()), u"--new-window"_s})
            QVERIFY2(said.contains(words), qPrintable(said));
        QTRY_COMPARE(m_window->workspace().plans().size(), 2UZ);
        QCOMPARE(m_window->workspace().path(), project); // opened first, though it was not named first
        QCOMPARE(m_window->workspace().plans().front().document.name, std::string("Handed over"));
        QVERIFY(m_prompts.errors.empty());
        QVERIFY(!m_window->isMinimized() && m_window->isActiveWindow());
    }

    void catalogsAndRunsAreTaken()
    {
        start();
        createProject();
        const auto runs = putFile(
            m_folder.filePath(u"own.csv"_s), "id,accelerators.count,accelerators.name,model.layers\nrun 1,8,H100,32\n");
        const auto items = putFile(m_folder.filePath(u"mine.json"_s),
            R"({"catalog": "grids", "schema": {}, "sources": {}, "items": [{"id": "mine", "name": "My grid", "kind": "country"}]})");
        m_window->receive({items});
        QTRY_COMPARE(m_window->currentPage(), u"catalog/grids"_s);
        QVERIFY(m_window->workspace().catalog()->find(CatalogKind::Grid, "mine"));
        QVERIFY(m_prompts.errors.empty());
        m_window->receive({runs});
        QCOMPARE(m_window->workspace().measuredRuns().size(), 1UZ);
        QVERIFY(m_window->findChild<QDialog *>(u"CalibrationDialog"_s)); // where they are shown
    }

    void filesWaitForAnOpenQuestion()
    {
        start();
        const auto first = createProject();
        createProject();
        QDialog question(m_window.get());
        question.open();
        QTRY_VERIFY(QApplication::activeModalWidget());
        m_window->takeOver({{first}, false, {}});
        QTest::qWait(500);
        QVERIFY(m_window->workspace().path() != first);
        question.reject();
        QTRY_COMPARE(m_window->workspace().path(), first);
    }

    /// As they were asked for: documents go into the project that was open then, or is named with them.
    void whatWaitsIsNotMixed()
    {
        start();
        const auto later = createProject();
        const auto open = createProject();
        const auto plan = putFile(m_folder.filePath(u"earlier.yaml"_s), planText("Asked for earlier"));
        QDialog question(m_window.get());
        question.open();
        QTRY_VERIFY(QApplication::activeModalWidget());
        m_window->takeOver({{plan}, false, {}});
        m_window->takeOver({{later}, false, {}});
        question.reject();
        QTRY_COMPARE(m_window->workspace().path(), later);
        QVERIFY(m_window->workspace().plans().empty());
        QVERIFY(m_window->workspace().open(open));
        QCOMPARE(m_window->workspace().plans().size(), 1UZ);
    }

    /// They are for the project that is named with them, not for the one that is open.
    void documentsOfAProjectThatDoesNotOpen()
    {
        start();
        const auto other = createProject();
        const auto open = createProject();
        const auto plan = putFile(m_folder.filePath(u"for B.yaml"_s), planText("For B"));
        m_window->receive({plan, m_folder.filePath(u"B.fleetwright"_s), other});
        QCOMPARE(m_window->workspace().path(), open);
        QVERIFY(m_window->workspace().plans().empty());
        QCOMPARE(m_prompts.errors.size(), 2UZ); // why it does not open, and what was left alone
        for (const auto &words : {"B.fleetwright", "for B.yaml"})
            QVERIFY2(m_prompts.errors.back().message.find(words) != std::string::npos, words);
        QVERIFY(m_window->workspace().open(other));
        QVERIFY(m_window->workspace().plans().empty());
    }

    /// Also one that something renamed.
    void aProjectIsKnownByItsContent()
    {
        start();
        const auto project = createProject();
        m_window->workspace().close();
        for (const auto &name : {u"UPPER.FLEETWRIGHT"_s, u"project.bak"_s, u"no ending"_s}) {
            const auto renamed = m_folder.filePath(name);
            QVERIFY(QFile::copy(project, renamed));
            QVERIFY(ProjectFiles::isProject(renamed));
            m_window->receive({renamed});
            QVERIFY2(
                m_prompts.errors.empty(), m_prompts.errors.empty() ? "" : m_prompts.errors.front().message.c_str());
            QCOMPARE(m_window->workspace().path(), renamed);
        }
        QVERIFY(ProjectFiles::isProject(m_folder.filePath(u"missing.Fleetwright"_s)));
        QVERIFY(!ProjectFiles::isProject(
            putFile(m_folder.filePath(u"some.db"_s), QByteArray("SQLite format 3\0", 16) + QByteArray(100, '\0'))));
        QVERIFY(!ProjectFiles::isProject(putFile(m_folder.filePath(u"plan.yaml"_s), planText("A plan"))));
    }

    void aNewWindowIsOneOfItsOwn()
    {
        SingleInstance first(addressHere());
        QVERIFY(!first.handOverOrListen({}));
        QSignalSpy spy(&first, &SingleInstance::handedOver);
        const auto project = m_place->filePath(u"own.fleetwright"_s);
        QVERIFY(Workspace().createProject(project));
        const QFileInfo holder(m_place->filePath(u".own.fleetwright.lock"_s)); // the note of who has it open
        QVERIFY(!holder.exists());
        Program second({u"--new-window"_s, project});
        QVERIFY(QTest::qWaitFor([&] { return QFileInfo::exists(holder.filePath()); }, enough));
        QCOMPARE(second.process.state(), QProcess::Running);
        QVERIFY(spy.isEmpty());
    }

    void theSocketOfACrashIsTakenOver()
    {
        const auto listens = [] { return Talker(addressHere()).isConnected(); };
        {
            Program first({});
            QVERIFY(QTest::qWaitFor(listens, enough));
        } // killed
        QVERIFY(QFileInfo::exists(addressHere()));
        QVERIFY(!listens());
        Program second({});
        QVERIFY(QTest::qWaitFor(listens, enough));
        Program third({});
        QVERIFY(third.ends());
        QCOMPARE(third.process.exitCode(), 0);
        QVERIFY2(third.said().contains(QString::number(second.process.processId())), "the second one's process");
    }
};

FLEETWRIGHT_TEST(TestSingleInstance)
#include "tst_singleinstance.moc"
