// SPDX-License-Identifier: GPL-3.0-or-later
// Names from somebody else's project show as they were typed, on every page, and showing them opens no file.
#include "app/mainwindow.h"
#include "app/scriptedprompts.h"
#include "app/settings.h"
#include "app/theme.h"
#include "app/workspace/workspace.h"
#include "testing/registry.h"

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QMessageBox>
#include <QPainter>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QStyle>
#include <QStyleOption>
#include <QTemporaryDir>
#include <QTest>
#include <QToolTip>
#include <QTreeWidgetItemIterator>

#include <algorithm>
#include <cmath>
#include <sys/stat.h>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

namespace {

constexpr int childMilliseconds = 300'000;

/// The files that `strace` saw being opened.
QStringList openedFiles(const QString &log)
{
    QFile file(log);
    if (!file.open(QIODevice::ReadOnly))
        return {u"no log"_s};
    static const QRegularExpression call(u"open(?:at)?\\(.*?\"([^\"]*)\""_s);
    QStringList paths;
    for (const auto &line : QString::fromUtf8(file.readAll()).split(u'\n'))
        if (const auto match = call.match(line); match.hasMatch())
            paths << match.captured(1);
    paths.removeDuplicates();
    return paths;
}

} // namespace

class TestPlainText : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { applyTheme(ThemeChoice::Light); }

    /// What is not ticked is seen as something to tick: its outline has a contrast of 3 to 1 to its ground, in the dark
    /// as well.
    void boxesToTickHaveAnOutline()
    {
        const auto luminance = [](const QColor &colour) {
            const auto linear = [](double part) {
                return part <= 0.03928 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
            };
            return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
        };
        const auto contrast = [&](const QColor &a, const QColor &b) {
            const double one = luminance(a), other = luminance(b);
            return (std::max(one, other) + 0.05) / (std::min(one, other) + 0.05);
        };
        for (const auto theme : {ThemeChoice::Dark, ThemeChoice::Light}) {
            applyTheme(theme);
            for (const auto element : {QStyle::PE_IndicatorCheckBox, QStyle::PE_IndicatorItemViewItemCheck,
                     QStyle::PE_IndicatorRadioButton}) {
                QImage image(24, 24, QImage::Format_RGB32);
                const QColor ground = qApp->palette().color(QPalette::Base);
                image.fill(ground);
                QPainter painter(&image);
                QStyleOptionViewItem option;
                option.palette = qApp->palette();
                option.rect = QRect(4, 4, 14, 14);
                option.state = QStyle::State_Enabled | QStyle::State_Off;
                qApp->style()->drawPrimitive(element, &option, &painter);
                painter.end();
                // Each of its four sides, within the pixels in which a circle or a square may have it.
                for (const auto side : {QPoint(0, -1), QPoint(0, 1), QPoint(-1, 0), QPoint(1, 0)}) {
                    double most = 0;
                    for (int away = 4; away <= 7; ++away)
                        most = std::max(most, contrast(image.pixelColor(QPoint(11, 11) + away * side), ground));
                    QVERIFY2(most >= 3, qPrintable(u"%1 %2: %3"_s.arg(int(theme)).arg(int(element)).arg(most)));
                }
            }
        }
        applyTheme(ThemeChoice::Light);
    }

    void labels()
    {
        QLabel label(u"<b>bold</b>"_s);
        label.show();
        QCOMPARE(label.textFormat(), Qt::PlainText);
        QCOMPARE(label.sizeHint().width() > label.fontMetrics().horizontalAdvance(u"<b>bold</b>"_s) - 2, true);
        QLabel rich;
        rich.setTextFormat(Qt::RichText);
        rich.show();
        QCOMPARE(rich.textFormat(), Qt::RichText); // whoever says so escapes
    }

    void toolTips()
    {
        QToolTip::showText({10, 10}, u"<b>bold</b>"_s);
        QCOMPARE(QToolTip::text(), u"<b>bold</b>"_s);
        int found = 0;
        for (auto *widget : QApplication::topLevelWidgets())
            if (auto *tip = qobject_cast<QLabel *>(widget); tip && tip->inherits("QTipLabel")) {
                QCOMPARE(tip->textFormat(), Qt::PlainText);
                ++found;
            }
        QCOMPARE(found, 1);
        QToolTip::hideText();
    }

    void messages()
    {
        QMessageBox box(QMessageBox::Warning, u"<b>title</b>"_s, u"<b>text</b>"_s);
        box.setInformativeText(u"<b>more</b>"_s);
        box.show();
        int texts = 0;
        for (const auto *label : box.findChildren<QLabel *>())
            if (label->text().startsWith(u'<')) {
                QCOMPARE(label->textFormat(), Qt::PlainText);
                ++texts;
            }
        QCOMPARE(texts, 2);
    }

    /// Every page of a project whose names mention a pipe that nobody writes to: whoever opens it stops for ever.
    void pagesOpenNoFile()
    {
        QTemporaryDir folder;
        const auto pipe = folder.filePath(u"pipe"_s), log = folder.filePath(u"log"_s);
        QCOMPARE(mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
        QStringList command{QCoreApplication::applicationFilePath(), u"plaintext"_s, u"--child"_s, folder.path(), pipe};
        const bool traced = !QStandardPaths::findExecutable(u"strace"_s).isEmpty();
        if (traced)
            command = QStringList{u"strace"_s, u"-f"_s, u"-q"_s, u"-e"_s, u"trace=open,openat"_s, u"-o"_s, log}
                + command;
        QProcess child;
        child.setWorkingDirectory(folder.path());
        child.start(command.takeFirst(), command);
        const bool ended = child.waitForFinished(childMilliseconds);
        if (!ended)
            child.kill();
        QVERIFY2(ended, "a page opened the file that a name mentions");
        QVERIFY2(child.exitCode() == 0, child.readAllStandardError().right(500));
        if (!traced)
            QSKIP("strace is missing, so nobody saw which files were opened");
        const auto opened = openedFiles(log);
        QVERIFY(opened.size() > 10);
        QVERIFY2(!opened.contains(pipe), "the pipe was opened");
        QStringList unknown;
        const QStringList known{u"/usr/"_s, u"/lib"_s, u"/etc/"_s, u"/proc/"_s, u"/sys/"_s, u"/dev/"_s,
            u"/var/cache/"_s, u"/var/lib/"_s, folder.path(), QDir::homePath(),
            QStandardPaths::writableLocation(QStandardPaths::TempLocation),
            QFileInfo(QCoreApplication::applicationFilePath()).absolutePath()};
        for (const auto &path : opened)
            if (path.startsWith(u'/')
                && std::ranges::none_of(known, [&](const QString &start) { return path.startsWith(start); }))
                unknown << path;
        QVERIFY2(unknown.isEmpty(), qPrintable(unknown.join(u", "_s)));
    }
};

/// Opens every page of a project with such names.
int showPages(const QStringList &arguments)
{
    const QDir folder(arguments.value(0));
    const auto name = u"<img src='%1'><b>bold</b>"_s.arg(arguments.value(1));
    applyTheme(ThemeChoice::Light);
    Settings settings(folder.filePath(u"settings.ini"_s));
    ScriptedPrompts prompts;
    MainWindow window(settings, prompts);
    window.show();
    if (!window.workspace().createSample(
            folder.filePath(u"<img src='pipe'>.fleetwright"_s), storage::ShippedProject::Tutorial))
        return 2;
    auto plan = window.workspace().plans().front().document;
    plan.name = name.toStdString();
    if (!window.workspace().editPlan(window.workspace().plans().front().id, plan))
        return 3;
    auto *navigation = window.findChild<QTreeWidget *>(u"navigation"_s);
    QStringList pages;
    for (QTreeWidgetItemIterator it(navigation); *it; ++it)
        if (const auto id = (*it)->data(0, Qt::UserRole).toString(); !id.isEmpty())
            pages << id;
    for (const auto &page : pages) {
        window.showPage(page);
        QTest::qWait(200);
    }
    window.showPlan(window.workspace().plans().front().id);
    QTest::qWait(500);
    bool shown = false;
    for (const auto *label : window.findChildren<QLabel *>()) {
        shown = shown || label->text().contains(name);
        if (label->isVisible() && label->textFormat() == Qt::RichText && label->text().contains(u"<img"_s))
            return 4;
    }
    QToolTip::showText({10, 10}, name);
    QTest::qWait(100);
    window.showPage(u"report"_s);
    QTest::qWait(1500); // its pages are drawn
    return pages.size() > 8 ? 0 : 5;
}

FLEETWRIGHT_TEST(TestPlainText)
FLEETWRIGHT_TEST_CHILD(showPages)
#include "tst_plaintext.moc"
