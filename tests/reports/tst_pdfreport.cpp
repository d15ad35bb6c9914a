// SPDX-License-Identifier: GPL-3.0-or-later
// Reads PDFs back with poppler's tools (package poppler-utils).
#include "reports/pagedreport.h"
#include "reports/pagetext.h"
#include "samplereport.h"
#include "testing/registry.h"
#include "units/format.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QPainter>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <cstdio>
#include <sys/resource.h>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::reports;
using fleetwright::test::refusedPlan;
using fleetwright::test::report;
using fleetwright::test::samplePlan;

namespace {

QString output(const QString &program, const QStringList &arguments)
{
    QProcess process;
    process.start(program, arguments);
    if (!process.waitForFinished(60000) || process.exitCode() != 0)
        return u"%1 failed (is poppler-utils installed?): %2"_s.arg(program, process.errorString());
    return QString::fromUtf8(process.readAllStandardOutput());
}

QString textOf(const QString &pdf, const QStringList &options = {})
{
    return output(u"pdftotext"_s, options + QStringList{u"-enc"_s, u"UTF-8"_s, pdf, u"-"_s});
}

QString information(const QString &pdf, const QString &key)
{
    for (const QString &line : output(u"pdfinfo"_s, {pdf}).split(u'\n'))
        if (line.startsWith(key + u':'))
            return line.mid(key.size() + 1).trimmed();
    return u"no "_s + key;
}

QByteArray bytesOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::vector<PlanDocument> manyPlans(int count)
{
    std::vector<PlanDocument> plans;
    for (int i = 0; i < count; ++i) {
        plans.push_back(samplePlan("Variant " + std::to_string(i + 1)));
        plans.back().training.globalBatch = 256 + 128 * i; // which 16 microbatches of 8 replicas divide
    }
    return plans;
}

/// The report that two processes must write alike.
std::vector<PlanDocument> comparedPlans()
{
    return {samplePlan(), samplePlan("Zweiter, größerer Plan"), refusedPlan()};
}

} // namespace

class TestPdfReport : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    [[nodiscard]] QString file(const QString &name) const { return m_folder.filePath(name); }

private slots:
    /// What is copied from a paper has to work where it is pasted.
    void addressesHaveNothingUnseenInThem()
    {
        const auto address = u"https://www.example.org/data/table-2/rows?of=a/b"_s;
        const auto text = u"1.50 to 2.50 USD/kWh, "_s + address + u"; see example.org/prices/h100 and USD/(node h)"_s;
        const auto shown = unbroken(text);
        QVERIFY2(shown.contains(address) && shown.contains(u"example.org/prices/h100"_s), qPrintable(shown));
        QVERIFY(shown.contains(u"USD/\u2060kWh"_s)); // a unit stays whole
        QVERIFY(shown.contains(u"USD/\u2060(node\u00a0h)"_s));
        auto document = report({samplePlan()});
        document.elements.insert(document.elements.begin(), Paragraph{u"From "_s + address});
        const QString path = file(u"address.pdf"_s);
        QVERIFY(writePdf(document, path, Paper::A4).has_value());
        QVERIFY2(textOf(path).contains(address), qPrintable(textOf(path).left(400)));
    }

    void readBack()
    {
        const QString path = file(u"report.pdf"_s);
        const auto document = report({samplePlan(), refusedPlan()});
        const auto written = writePdf(document, path, Paper::A4);
        QVERIFY2(written.has_value(), written ? "" : written.error().message.c_str());
        QCOMPARE(information(path, u"Title"_s), u"Training plans: Größe & Co"_s);
        QCOMPARE(information(path, u"Author"_s), u"Fleetwright"_s);
        QCOMPARE(information(path, u"Creator"_s), document.producer);
        QCOMPARE(information(path, u"Subject"_s), document.subject);
        QVERIFY(information(path, u"CreationDate"_s).contains(u"2026"_s));
        QVERIFY(information(path, u"Page size"_s).contains(u"A4"_s));
        const int pages = information(path, u"Pages"_s).toInt();
        QVERIFY(pages >= 5 && pages < 15);
        const QString text = textOf(path);
        for (const auto &expected : {u"Training plans: Größe & Co"_s, u"Llama on H100"_s, u"InfiniBand NDR"_s,
                 u"Seven-way tensor parallel"_s, u"refused"_s, u"Step time [s]"_s, u"Pipeline bubble"_s,
                 u"Memory [GB]"_s, u"Constraint trace"_s, u"Known limitations"_s, u"Known confusions"_s,
                 u"Page 1 of %1"_s.arg(pages), u"Page %1 of %1"_s.arg(pages)})
            QVERIFY2(text.contains(expected), qPrintable(expected));
        const auto solution = *solveAll({samplePlan()}, test::catalog())[0].solution;
        QVERIFY(text.contains(QString::fromStdString(units::threeDigits(solution.estimate.stepTime->value()))));
    }

    void fontsAreEmbedded()
    {
        const QString path = file(u"fonts.pdf"_s);
        QVERIFY(writePdf(report({samplePlan()}), path, Paper::A4));
        const auto lines = output(u"pdffonts"_s, {path}).split(u'\n', Qt::SkipEmptyParts).mid(2);
        QCOMPARE(lines.size(), 2);
        for (const auto &line : lines) {
            QVERIFY2(line.startsWith(u"DejaVuSans"_s) || line.contains(u"+DejaVuSans"_s), qPrintable(line));
            static const QRegularExpression embeddedAndMapped(u"Identity-H\\s+yes\\s+\\w+\\s+yes"_s);
            QVERIFY2(line.contains(embeddedAndMapped), qPrintable(line));
        }
    }

    void paperSizes()
    {
        const auto document = report({samplePlan()});
        QVERIFY(writePdf(document, file(u"letter.pdf"_s), Paper::Letter));
        QVERIFY2(information(file(u"letter.pdf"_s), u"Page size"_s).startsWith(u"612 x 792"_s),
            qPrintable(information(file(u"letter.pdf"_s), u"Page size"_s)));
        QVERIFY(writePdf(document, file(u"a4.pdf"_s), Paper::A4));
        QVERIFY(information(file(u"a4.pdf"_s), u"Page size"_s).startsWith(u"595 x 842"_s));
    }

    void chartsAreVectors()
    {
        QVERIFY(writePdf(report({samplePlan()}), file(u"vectors.pdf"_s), Paper::A4));
        QCOMPARE(output(u"pdfimages"_s, {u"-list"_s, file(u"vectors.pdf"_s)}).split(u'\n', Qt::SkipEmptyParts).size(),
            2); // the header only
    }

    void sameDocumentSameBytes()
    {
        const auto plans = comparedPlans();
        QVERIFY(writePdf(report(plans), file(u"one.pdf"_s), Paper::A4));
        QVERIFY(writePdf(report(plans), file(u"two.pdf"_s), Paper::A4));
        QVERIFY(!bytesOf(file(u"one.pdf"_s)).isEmpty());
        QCOMPARE(bytesOf(file(u"one.pdf"_s)), bytesOf(file(u"two.pdf"_s)));
    }

    void sameBytesInAnotherProcess_data()
    {
        QTest::addColumn<QStringList>("environment");
        QTest::newRow("again") << QStringList{};
        QTest::newRow("time zone") << QStringList{u"TZ=Asia/Tokyo"_s};
        QTest::newRow("locale") << QStringList{u"LC_ALL=de_DE.UTF-8"_s, u"LANG=de_DE.UTF-8"_s,
            u"FLEETWRIGHT_LANGUAGE=en"_s}; // a report is in the program's language
        QTest::newRow("scaled screen") << QStringList{u"QT_SCALE_FACTOR=2"_s, u"QT_FONT_DPI=144"_s};
        QTest::newRow("style") << QStringList{u"QT_STYLE_OVERRIDE=windows"_s};
        if (qEnvironmentVariableIsSet("DISPLAY"))
            QTest::newRow("display") << QStringList{u"QT_QPA_PLATFORM=xcb"_s};
    }
    void sameBytesInAnotherProcess()
    {
        QFETCH(QStringList, environment);
        QVERIFY(writePdf(report(comparedPlans()), file(u"here.pdf"_s), Paper::A4));
        QProcess other;
        QProcessEnvironment settings = QProcessEnvironment::systemEnvironment();
        for (const auto &entry : environment)
            settings.insert(entry.section(u'=', 0, 0), entry.section(u'=', 1));
        other.setProcessEnvironment(settings);
        QFile::remove(file(u"there.pdf"_s));
        other.start(QCoreApplication::applicationFilePath(), {u"pdfreport"_s, u"--child"_s, file(u"there.pdf"_s)});
        QVERIFY(other.waitForFinished(60000));
        if (environment.contains(u"QT_QPA_PLATFORM=xcb"_s) && other.exitStatus() == QProcess::CrashExit)
            QSKIP("The display cannot be used.");
        QCOMPARE(other.exitCode(), 0);
        QCOMPARE(bytesOf(file(u"there.pdf"_s)), bytesOf(file(u"here.pdf"_s)));
    }

    void onlyTheDateDiffers()
    {
        const auto plans = comparedPlans();
        QVERIFY(writePdf(report(plans), file(u"today.pdf"_s), Paper::A4));
        QVERIFY(
            writePdf(report(plans, test::someDate().addDays(1).addSecs(-3600)), file(u"tomorrow.pdf"_s), Paper::A4));
        QVERIFY(bytesOf(file(u"today.pdf"_s)) != bytesOf(file(u"tomorrow.pdf"_s)));
        const auto withoutDates = [](QString text) {
            static const QRegularExpression date(
                u"21 November 2026, 20:00 UTC|22 November 2026, 19:00 UTC|2026-11-2\\d \\d\\d:00 UTC"_s);
            return text.simplified().replace(date, u"DATE"_s);
        };
        QCOMPARE(withoutDates(textOf(file(u"today.pdf"_s))), withoutDates(textOf(file(u"tomorrow.pdf"_s))));
    }

    void plansOf_data()
    {
        QTest::addColumn<int>("plans");
        for (const int count : {0, 1, 30, 40})
            QTest::addRow("%d plans", count) << count;
    }
    void plansOf()
    {
        QFETCH(int, plans);
        const QString path = file(u"many.pdf"_s);
        QVERIFY(writePdf(report(manyPlans(plans)), path, Paper::Letter));
        const int pages = information(path, u"Pages"_s).toInt();
        const QString all = textOf(path);
        if (plans == 0) {
            QCOMPARE(pages, 1);
            QVERIFY(all.contains(u"Nothing to report"_s));
            return;
        }
        for (int i = 1; i <= plans; ++i)
            QVERIFY2(all.contains(u"Variant %1"_s.arg(i)), qPrintable(QString::number(i)));
        for (int page = 1; page <= pages; ++page) { // no empty page
            const QString text = textOf(path, {u"-f"_s, QString::number(page), u"-l"_s, QString::number(page)});
            QVERIFY2(text.simplified().size() > 80, qPrintable(u"page %1: %2"_s.arg(page).arg(text)));
        }
    }

    void tableHeadersRepeat()
    {
        QVERIFY(writePdf(report(manyPlans(90)), file(u"long.pdf"_s), Paper::A4));
        // The hashes of so many plans take several pages.
        QVERIFY(textOf(file(u"long.pdf"_s)).count(u"Hash of all inputs"_s) > 2);
        QVERIFY(textOf(file(u"long.pdf"_s)).contains(u"Step time by part (plans 24 to 46 of 90)"_s));
    }

    void names_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("long") << u"A name of many words "_s.repeated(14).trimmed();
        QTest::newRow("one long word") << QString(300, u'W');
        QTest::newRow("umlauts") << u"Größenwahn: Ærøskøbing, Łódź, Ωμέγα, Привет"_s;
        QTest::newRow("line breaks") << u"first\nsecond\tthird"_s;
    }
    void names()
    {
        QFETCH(QString, name);
        const QString path = file(u"name.pdf"_s);
        QVERIFY(writePdf(report({samplePlan(name.toStdString()), samplePlan()}), path, Paper::A4));
        QString text = textOf(path);
        QVERIFY(text.remove(QRegularExpression(u"\\s"_s)).contains(name.left(60).remove(QRegularExpression(u"\\s"_s))));
        // Nothing is printed outside the margins: every word lies within the page's text width.
        static const QRegularExpression word(
            u"<word xMin=\"([\\d.-]+)\" yMin=\"([\\d.-]+)\" xMax=\"([\\d.-]+)\" yMax=\"([\\d.-]+)\">"_s);
        auto words = word.globalMatch(textOf(path, {u"-bbox"_s}));
        int count = 0;
        while (words.hasNext()) {
            const auto match = words.next();
            ++count;
            QVERIFY2(match.captured(1).toDouble() >= 44 && match.captured(3).toDouble() <= 595 - 44,
                qPrintable(match.captured(0)));
            QVERIFY2(match.captured(2).toDouble() >= 25 && match.captured(4).toDouble() <= 842 - 20,
                qPrintable(match.captured(0)));
        }
        QVERIFY(count > 500);
    }

    void cannotWrite_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("says");
        QTest::newRow("missing folder") << file(u"no/such/report.pdf"_s) << u"does not exist"_s;
        QTest::newRow("a folder") << m_folder.path() << u"it is a folder"_s;
        QTest::newRow("no name") << QString() << u"needs a name"_s;
        QTest::newRow("file as folder") << file(u"plain"_s) + u"/report.pdf"_s << u"does not exist"_s;
        QTest::newRow("not writable") << u"/proc/report.pdf"_s << u"/proc/report.pdf"_s;
        QTest::newRow("a device") << u"/dev/null"_s << u"not an ordinary file"_s;
    }
    void cannotWrite()
    {
        QFETCH(QString, path);
        QFETCH(QString, says);
        QFile plain(file(u"plain"_s));
        QVERIFY(plain.open(QIODevice::WriteOnly));
        const auto written = writePdf(report({samplePlan()}), path, Paper::A4);
        QVERIFY(!written.has_value());
        QVERIFY(written.error().code == ErrorCode::IoError);
        QVERIFY2(QString::fromStdString(written.error().message).contains(says), written.error().message.c_str());
        QVERIFY(!writeHtml(report({samplePlan()}), path).has_value());
    }

    void fullDiskLeavesTheOldFile()
    {
        const QString path = file(u"full.pdf"_s);
        QVERIFY(writePdf(report({samplePlan()}), path, Paper::A4));
        const auto before = bytesOf(path);
        QProcess other;
        other.start(QCoreApplication::applicationFilePath(), {u"pdfreport"_s, u"--child"_s, u"--limited"_s, path});
        QVERIFY(other.waitForFinished(60000));
        QCOMPARE(other.exitCode(), 1);
        QVERIFY2(other.readAllStandardError().contains("Free some space"), "the sentence says what to do");
        QCOMPARE(bytesOf(path), before);
        QCOMPARE(QDir(m_folder.path()).entryList({u"full.pdf*"_s}, QDir::Files).size(), 1);
    }

    void replacedAsAWhole()
    {
        const QString path = file(u"kept.pdf"_s);
        QVERIFY(writePdf(report({samplePlan()}), path, Paper::A4));
        const auto before = bytesOf(path);
        QVERIFY(writePdf(report({samplePlan("Other")}), path, Paper::A4)); // replaced as a whole
        QVERIFY(bytesOf(path) != before);
        QCOMPARE(QDir(m_folder.path()).entryList({u"kept.pdf*"_s}, QDir::Files).size(), 1); // no temporary file stays
    }

    void previewShowsTheSamePages()
    {
        const auto document = report({samplePlan()});
        const PagedReport pages(document, Paper::A4);
        QVERIFY(writePdf(document, file(u"pages.pdf"_s), Paper::A4));
        QCOMPARE(pages.pageCount(), information(file(u"pages.pdf"_s), u"Pages"_s).toInt());
        QImage image(300, 424, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        painter.scale(300 / paperSize(Paper::A4).width(), 300 / paperSize(Paper::A4).width());
        pages.paintPage(painter, 0);
        painter.end();
        int dark = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                dark += qGray(image.pixel(x, y)) < 128;
        QVERIFY(dark > 300);
    }
};

int writeBeside(const QStringList &arguments)
{
    if (arguments.value(0) != u"--limited")
        return writePdf(report(comparedPlans()), arguments.value(0), Paper::A4) ? 0 : 1;
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{4096, 4096};
    setrlimit(RLIMIT_FSIZE, &limit); // the disk seems full after 4 KiB
    const auto written = writePdf(report(comparedPlans()), arguments.value(1), Paper::A4);
    if (!written)
        std::fputs(written.error().message.c_str(), stderr);
    return written ? 0 : 1;
}

FLEETWRIGHT_TEST(TestPdfReport)
FLEETWRIGHT_TEST_CHILD(writeBeside)
#include "tst_pdfreport.moc"
