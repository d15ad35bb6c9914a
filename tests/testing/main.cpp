// SPDX-License-Identifier: GPL-3.0-or-later
#include "testing/registry.h"
#if defined(FLEETWRIGHT_TEST_WIDGETS)
#include "text/localized.h"
#endif

#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <map>
#if defined(FLEETWRIGHT_TEST_WIDGETS)
#include <QApplication>
using Application = QApplication;
#elif defined(FLEETWRIGHT_TEST_GUI)
#include <QGuiApplication>
using Application = QGuiApplication;
#else
#include <QCoreApplication>
using Application = QCoreApplication;
#endif

namespace fleetwright::testregistry {

namespace {

struct Entry {
    MakeTest make = nullptr;
    Child child = nullptr;
};

/// In order of names, whatever the linker did.
std::map<QString, Entry> &entries()
{
    static std::map<QString, Entry> all;
    return all;
}

Entry &entryOf(const char *file)
{
    return entries()[QFileInfo(QString::fromUtf8(file)).completeBaseName().sliced(4)]; // tst_NAME.cpp
}

int runOne(const Entry &entry, const QStringList &arguments)
{
    const auto test = entry.make();
    return QTest::qExec(test.get(), arguments);
}

/// A home and a temporary folder of its own for each test program: several run at once, and none may touch those of the
/// person who runs them, or count what another has put there.
void moveHome(const QString &home)
{
    qputenv("HOME", home.toLocal8Bit());
    // Some tests ask a child that may do less, which has to reach what they prepared there.
    QFile::setPermissions(home, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner | QFile::ExeOther);
    const QDir own(home);
    if (!own.mkdir(QStringLiteral("tmp")))
        qFatal("There is no place for a temporary folder");
    qputenv("TMPDIR", own.filePath(QStringLiteral("tmp")).toLocal8Bit());
    // Windows of several programs find each other there.
    if (!own.mkdir(QStringLiteral("run"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner))
        qFatal("There is no place for a runtime folder");
    qputenv("XDG_RUNTIME_DIR", own.filePath(QStringLiteral("run")).toLocal8Bit());
    for (const auto *name : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"})
        qunsetenv(name);
}

/// What is expected is written in English, whatever the machine speaks; FLEETWRIGHT_LANGUAGE asks for another one.
/// A child has the surroundings that its test gave it.
void speakEnglish(bool isChild)
{
    if (isChild || qEnvironmentVariableIsSet("FLEETWRIGHT_LANGUAGE"))
        return;
    qputenv("LC_ALL", "C.UTF-8");
    qunsetenv("LANGUAGE");
}

} // namespace

Registration::Registration(const char *file, MakeTest make) { entryOf(file).make = make; }
Registration::Registration(const char *file, Child child) { entryOf(file).child = child; }

} // namespace fleetwright::testregistry

#ifdef __SANITIZE_THREAD__
/// Qt is built without ThreadSanitizer, which therefore misses the locks of QTest's own watchdog. What these libraries
/// call themselves is left out; what they call of ours is not.
extern "C" const char *__tsan_default_suppressions()
{
    return "called_from_lib:libQt6Test.so\nrace:QWaitCondition::~QWaitCondition\n";
}
#endif

int main(int argc, char *argv[])
{
    using namespace fleetwright::testregistry;
    const QTemporaryDir home;
    if (!home.isValid())
        qFatal("There is no place for a temporary folder");
    moveHome(home.path());
    speakEnglish(argc > 2 && QByteArrayView(argv[2]) == "--child");
    Application application(argc, argv);
#if defined(FLEETWRIGHT_TEST_WIDGETS)
    fleetwright::useLanguage(fleetwright::languageOfSystem()); // pages are looked at in each
#endif
    auto arguments = Application::arguments();
    const auto chosen = arguments.size() > 1 ? entries().find(arguments.at(1)) : entries().end();
    if (chosen != entries().end()) {
        arguments.removeAt(1);
        if (chosen->second.child && arguments.value(1) == QStringLiteral("--child"))
            return chosen->second.child(arguments.sliced(2));
        return runOne(chosen->second, arguments);
    }
    if (arguments.size() > 1 && !arguments.at(1).startsWith(u'-')) {
        qCritical("There is no test %s; these are:", qPrintable(arguments.at(1)));
        for (const auto &[name, entry] : entries())
            qCritical("  %s", qPrintable(name));
        return 2;
    }
    int failed = 0;
    for (const auto &[name, entry] : entries())
        failed += runOne(entry, arguments) != 0;
    return failed;
}
