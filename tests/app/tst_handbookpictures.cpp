// SPDX-License-Identifier: GPL-3.0-or-later
// The pictures of the handbook.
#include "testing/registry.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;

namespace {

QString readText(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

class TestHandbookPictures : public QObject {
    Q_OBJECT

private slots:
    /// The same drawing with words of its own, in colours that the view replaces by those of the theme.
    void picturesHaveGermanWords()
    {
        static const QRegularExpression words(u">([^<]*)</text>"_s), colour(u"\"(#[0-9a-f]{6})\""_s);
        const QStringList ours{u"#111111"_s, u"#ffffff"_s, u"#eeeeee"_s, u"#999999"_s, u"#1f5fbf"_s};
        const QDir folder(QStringLiteral(FLEETWRIGHT_SOURCES "/resources/handbook/pictures"));
        const auto files = folder.entryList({u"*.svg"_s});
        QVERIFY(files.size() >= 7);
        for (const auto &name : files) {
            const auto english = readText(folder.filePath(name));
            const auto german = readText(QStringLiteral(FLEETWRIGHT_SOURCES "/resources/handbook/de/pictures/") + name);
            auto drawn = english, drawnThere = german;
            QCOMPARE(drawnThere.remove(words), drawn.remove(words));
            int differ = 0;
            auto there = words.globalMatch(german);
            for (auto at = words.globalMatch(english); at.hasNext();)
                differ += at.next().captured(1) != there.next().captured(1) ? 1 : 0;
            QVERIFY2(differ > 1, qPrintable(name));
            for (auto at = colour.globalMatch(english); at.hasNext();) {
                const auto used = at.next().captured(1);
                QVERIFY2(ours.contains(used), qPrintable(name + u": "_s + used));
            }
        }
    }
};

FLEETWRIGHT_TEST(TestHandbookPictures)
#include "tst_handbookpictures.moc"
