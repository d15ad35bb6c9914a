// SPDX-License-Identifier: GPL-3.0-or-later
// What reports add to the pages: metadata, outline, links, attachments, and the clauses of PDF/A that they rely on.
#include "charts/chartdata.h"
#include "domain/calendarday.h"
#include "pdfchecker.h"
#include "reports/pagedreport.h"
#include "samplereport.h"
#include "testing/registry.h"

#include <QBuffer>
#include <QFile>
#include <QGuiApplication>
#include <QImage>
#include <QPainter>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::reports;

namespace {

QByteArray pngLogo()
{
    QImage logo(120, 40, QImage::Format_ARGB32);
    logo.fill(QColor(0, 90, 160, 120)); // half transparent, which PDF/A-1 has not
    QByteArray png;
    QBuffer buffer(&png);
    buffer.open(QIODevice::WriteOnly);
    logo.save(&buffer, "PNG");
    return png;
}

Table table(const QString &caption, int columns, int rows)
{
    Table made{caption, {}, {}, {}, {}, {}};
    for (int c = 0; c < columns; ++c) {
        made.header << u"Column %1"_s.arg(c + 1);
        made.rightAligned.push_back(c > 0);
    }
    for (int r = 0; r < rows; ++r) {
        QStringList row;
        for (int c = 0; c < columns; ++c)
            row << u"r%1c%2"_s.arg(r + 1).arg(c + 1);
        made.rows.push_back(row);
    }
    return made;
}

ChartPicture picture(const QString &caption)
{
    const auto data = charts::stepBars({{u"A"_s, StepBreakdown{.compute = 2.0 * second}},
        {u"B"_s, StepBreakdown{.compute = 1.0 * second, .bubble = 0.5 * second}}});
    return {caption, charts::barChart(data, caption, caption)};
}

/// One of everything that a report may hold.
ReportDocument everything()
{
    ReportDocument document;
    document.title = u"Größe & <script>alert(1)</script> =HYPERLINK(\"x\")"_s;
    document.subtitle = u"机器学习集群 と 計画"_s;
    document.subject = u"A subject"_s;
    document.author = u"Ada & Co \u0001\u001b"_s;
    document.producer = u"Fleetwright test"_s;
    document.created = test::someDate();
    document.organisation = u"Example & Söhne"_s;
    document.logo = pngLogo();
    document.elements.emplace_back(Contents{});
    document.elements.emplace_back(PageBreak{});
    for (int chapter = 1; chapter <= 3; ++chapter) {
        document.elements.emplace_back(Heading{1, u"Chapter %1"_s.arg(chapter)});
        for (int part = 1; part <= 2; ++part) {
            document.elements.emplace_back(Heading{2, u"Part %1.%2"_s.arg(chapter).arg(part)});
            document.elements.emplace_back(Paragraph{u"A text. "_s.repeated(60)});
        }
        auto costs = table(u"Costs of chapter %1"_s.arg(chapter), 5, 40);
        costs.rows[0][1] += noteMark(0);
        costs.notes << u"price_dgx_h100_2026, 2026-11-20, 200 to 300 k$"_s;
        costs.strongRows = {39};
        document.elements.emplace_back(costs);
    }
    document.elements.emplace_back(Heading{3, u"Deep"_s});
    document.elements.emplace_back(picture(u"Left"_s));
    document.elements.emplace_back(picture(u"Right"_s));
    document.elements.emplace_back(table(u"Facts"_s, 2, 11));
    document.attachments.push_back(projectAttachment(QByteArray("{\"a\": \"") + QByteArray(5000, 'x') + "\"}"));
    document.attachments.push_back({u"costs.csv"_s, "text/csv", u"Costs as a table"_s, "a,b\n1,2\n"});
    return document;
}

QByteArray pdfOf(
    const ReportDocument &document, PdfProfile profile, Paper paper = Paper::A4, Laying laying = Laying::AtOnce)
{
    const auto rendering = renderPdf(document, paper, profile, laying);
    for (int step = 0; step < rendering->steps(); ++step)
        rendering->step();
    return rendering->bytes().value_or(QByteArray());
}

struct Ran {
    int status = -1;
    QString output;
};
Ran run(const QString &program, const QStringList &arguments)
{
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, arguments);
    if (!process.waitForFinished(60000))
        return {};
    return {process.exitCode(), QString::fromUtf8(process.readAll())};
}

bool isThere(const char *program) { return !QStandardPaths::findExecutable(QString::fromLatin1(program)).isEmpty(); }

} // namespace

class TestPdfArchive : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    [[nodiscard]] QString saved(const QByteArray &bytes) const
    {
        QFile file(m_folder.filePath(u"saved.pdf"_s));
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() ? file.fileName() : QString();
    }
    static void profiles()
    {
        QTest::addColumn<int>("profile");
        QTest::newRow("PDF/A-3b") << int(PdfProfile::PdfA3b);
        QTest::newRow("PDF/A-1b") << int(PdfProfile::PdfA1b);
    }

private slots:
    /// Paper does not turn with the window.
    void paperRunsFromLeftToRight()
    {
        const auto report = everything();
        const auto pictures = [&report](Qt::LayoutDirection direction) {
            QGuiApplication::setLayoutDirection(direction);
            PagedReport paged(report, Paper::A4);
            std::vector<QImage> pages;
            for (int page = 0; page < paged.pageCount(); ++page) {
                QImage image((paperSize(Paper::A4) / 16).toSize(), QImage::Format_RGB32);
                image.fill(Qt::white);
                QPainter painter(&image);
                painter.scale(1 / 16.0, 1 / 16.0);
                paged.paintPage(painter, page);
                pages.push_back(std::move(image));
            }
            return pages;
        };
        const auto turned = pictures(Qt::RightToLeft), usual = pictures(Qt::LeftToRight);
        QCOMPARE(turned.size(), usual.size());
        for (std::size_t page = 0; page < usual.size(); ++page)
            QVERIFY2(turned[page] == usual[page], qPrintable(QString::number(page + 1)));
    }

    /// Spare pictures make room: the last one first, and none where the pages suffice.
    void sparePicturesMakeRoom()
    {
        const auto pagesOf = [](int most, int spare) {
            ReportDocument document;
            document.mostPages = most;
            constexpr int pictures = 6; // three on a page
            for (int i = 0; i < pictures; ++i) {
                auto one = picture(u"Picture %1"_s.arg(i));
                one.isSpare = i < spare;
                document.elements.emplace_back(std::move(one));
            }
            document.elements.emplace_back(Heading{2, u"Behind"_s});
            document.elements.emplace_back(Paragraph{u"them"_s});
            const PagedReport paged(document, Paper::A4);
            return std::pair(paged.pageCount(), paged.navigation().anchors.back().page);
        };
        const auto all = pagesOf(0, 6);
        QVERIFY(all.first >= 2 && all.second == all.first - 1);
        QCOMPARE(pagesOf(1, 0), all); // nothing to leave out
        QCOMPARE(pagesOf(1, 6), std::pair(1, 0));
        QCOMPARE(pagesOf(all.first, 6), all);
    }

    /// However its pages are laid out, the file is the same.
    void laidOutInStepsItIsTheSame()
    {
        const auto document = everything();
        for (const auto profile : {PdfProfile::PdfA3b, PdfProfile::PdfA1b})
            QCOMPARE(pdfOf(document, profile, Paper::A4, Laying::InSteps), pdfOf(document, profile));
    }

    void keepsItsClauses_data() { profiles(); }
    void keepsItsClauses()
    {
        QFETCH(int, profile);
        const auto kind = PdfProfile(profile);
        const auto everythingFaults = test::faultsOf(pdfOf(everything(), kind), kind);
        QVERIFY2(everythingFaults.isEmpty(), qPrintable(everythingFaults.join(u"; "_s)));
        const auto sampleFaults = test::faultsOf(
            pdfOf(test::report({test::samplePlan(), test::refusedPlan()}), kind, Paper::Letter), kind);
        QVERIFY2(sampleFaults.isEmpty(), qPrintable(sampleFaults.join(u"; "_s)));
        const auto emptyFaults = test::faultsOf(pdfOf(ReportDocument{.created = test::someDate()}, kind), kind);
        QVERIFY2(emptyFaults.isEmpty(), qPrintable(emptyFaults.join(u"; "_s)));
    }

    /// The checker sees what it should: the same file with one thing broken.
    void checkerSees_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QString>("says");
        QTest::newRow("header") << QByteArray("%PDF-1.4") << QByteArray("%PDF-1.3") << u"header"_s;
        QTest::newRow("part") << QByteArray("<pdfaid:part>1") << QByteArray("<pdfaid:part>2") << u"pdfaid:part"_s;
        QTest::newRow("XMP") << QByteArray("Example subject</rdf:li>") << QByteArray("Example objects</rdf:li>")
                             << u"/Subject"_s;
        QTest::newRow("intent") << QByteArray("/GTS_PDFA1") << QByteArray("/GTS_PDFX1") << u"output intent"_s;
        QTest::newRow("font file") << QByteArray("/FontFile2") << QByteArray("/FontFile9") << u"not embedded"_s;
        QTest::newRow("glyphs") << QByteArray("/CIDSet") << QByteArray("/CIDSat") << u"list its glyphs"_s;
        QTest::newRow("identifier") << QByteArray("/ID [") << QByteArray("/Ix [") << u"identifier"_s;
        QTest::newRow("flags") << QByteArray("/F 4 ") << QByteArray("/F 2 ") << u"not printed"_s;
        QTest::newRow("destination") << QByteArray("/Dest (section.000002)") << QByteArray("/Dest (section.900002)")
                                     << u"leads nowhere"_s;
        QTest::newRow("language") << QByteArray("/Lang (") << QByteArray("/Long (") << u"language"_s;
        QTest::newRow("filter") << QByteArray("/Filter /FlateDecode") << QByteArray("/Filter /LZWDecode  ")
                                << u"filter"_s;
        QTest::newRow("transparency") << QByteArray("/CA 1.0") << QByteArray("/CA 0.5") << u"transparent"_s;
    }
    void checkerSees()
    {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QString, says);
        auto document = everything();
        document.subject = u"Example subject"_s;
        auto pdf = pdfOf(document, PdfProfile::PdfA1b);
        const auto at = pdf.indexOf(from);
        QVERIFY2(at >= 0, from.constData());
        QVERIFY(test::faultsOf(pdf, PdfProfile::PdfA1b).isEmpty());
        pdf.replace(at, from.size(), to.leftJustified(from.size()));
        const auto faults = test::faultsOf(pdf, PdfProfile::PdfA1b);
        QVERIFY2(!faults.filter(says).isEmpty() || (says == u"filter"_s && !faults.isEmpty()),
            qPrintable(u"%1: %2"_s.arg(says, faults.join(u"; "_s))));
    }

    void qpdfFindsNoFault_data() { profiles(); }
    void qpdfFindsNoFault()
    {
        if (!isThere("qpdf"))
            QSKIP("The program qpdf is not installed.");
        QFETCH(int, profile);
        const auto ran = run(u"qpdf"_s, {u"--check"_s, saved(pdfOf(everything(), PdfProfile(profile)))});
        QVERIFY2(ran.status == 0 && ran.output.contains(u"No syntax or stream encoding errors found"_s),
            qPrintable(ran.output));
    }

    void mutoolReadsIt_data() { profiles(); }
    void mutoolReadsIt()
    {
        if (!isThere("mutool"))
            QSKIP("The program mutool is not installed.");
        QFETCH(int, profile);
        const auto path = saved(pdfOf(everything(), PdfProfile(profile)));
        const auto information = run(u"mutool"_s, {u"info"_s, path});
        QCOMPARE(information.status, 0);
        QVERIFY2(!information.output.contains(u"error"_s) && !information.output.contains(u"warning"_s),
            qPrintable(information.output));
        const auto outline = run(u"mutool"_s, {u"show"_s, path, u"outline"_s});
        for (const auto &text : {u"Chapter 1"_s, u"Part 3.2"_s, u"Deep"_s})
            QVERIFY2(outline.output.contains(text), qPrintable(outline.output));
        const auto drawn = run(u"mutool"_s, {u"draw"_s, u"-F"_s, u"txt"_s, u"-o"_s, u"-"_s, path});
        QVERIFY2(drawn.status == 0 && !drawn.output.contains(u"error:"_s), qPrintable(drawn.output.left(2000)));
    }

    void attachmentsComeOut()
    {
        if (!isThere("pdfdetach"))
            QSKIP("The program pdfdetach is not installed.");
        const auto document = everything();
        const auto path = saved(pdfOf(document, PdfProfile::PdfA3b));
        const auto out = m_folder.filePath(u"out.json"_s);
        const auto ran = run(u"pdfdetach"_s, {u"-savefile"_s, projectAttachmentName, u"-o"_s, out, path});
        QVERIFY2(ran.status == 0, qPrintable(ran.output));
        QFile file(out);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), document.attachments[0].bytes);
        QVERIFY(run(u"pdfdetach"_s, {u"-list"_s, saved(pdfOf(document, PdfProfile::PdfA1b))})
                    .output.startsWith(u"0 embedded"_s));
    }

    void textComesOutInOrder()
    {
        if (!isThere("pdftotext"))
            QSKIP("The program pdftotext is not installed.");
        const auto path = saved(pdfOf(everything(), PdfProfile::PdfA3b));
        const auto text = run(u"pdftotext"_s, {u"-layout"_s, u"-enc"_s, u"UTF-8"_s, path, u"-"_s}).output;
        for (const auto &expected : {u"Example & Söhne"_s, u"机器学习集群"_s, u"計画"_s,
                 u"Table 1: Costs of chapter 1"_s, u"Table 3: Costs of chapter 3"_s, u"Figure 1: Left"_s,
                 u"Figure 2: Right"_s, u"Table 4: Facts"_s, u"price_dgx_h100_2026"_s})
            QVERIFY2(text.contains(expected), qPrintable(expected));
        // Each row is a line with its cells in order, and rows come one after the other.
        qsizetype at = text.indexOf(u"Costs of chapter 1"_s, text.indexOf(u"Table 1"_s));
        for (int row = 1; row <= 40; ++row) {
            const QRegularExpression line(
                u"r%1c1 +r%1c2.? +r%1c3 +r%1c4 +r%1c5"_s.arg(row)); // a mark may stand behind the second
            const auto match = line.match(text, at);
            QVERIFY2(match.hasMatch(), qPrintable(QString::number(row)));
            at = match.capturedEnd();
        }
        // Two columns of facts side by side: each fact keeps its value.
        for (int row = 1; row <= 11; ++row)
            QVERIFY(text.contains(QRegularExpression(u"r%1c1 +r%1c2"_s.arg(row))));
    }

    void contentsNameThePages()
    {
        if (!isThere("pdftotext"))
            QSKIP("The program pdftotext is not installed.");
        const auto document = everything();
        const auto path = saved(pdfOf(document, PdfProfile::PdfA3b));
        const PagedReport pages(document, Paper::A4);
        const auto navigation = pages.navigation();
        QCOMPARE(navigation.anchors.size(), std::size_t(10));
        QCOMPARE(navigation.links.size(), std::size_t(9)); // "Deep" is deeper than the contents go
        const auto first = run(
            u"pdftotext"_s, {u"-layout"_s, u"-f"_s, u"1"_s, u"-l"_s, u"1"_s, u"-enc"_s, u"UTF-8"_s, path, u"-"_s})
                               .output;
        for (const auto &link : navigation.links) {
            const auto &anchor = navigation.anchors[link.anchor];
            QCOMPARE(link.page, 0);
            QVERIFY2(first.contains(QRegularExpression(
                         QRegularExpression::escape(anchor.text) + u" +%1\\b"_s.arg(anchor.page + 1))),
                qPrintable(anchor.text));
            const auto page = QString::number(anchor.page + 1);
            QVERIFY(run(u"pdftotext"_s, {u"-f"_s, page, u"-l"_s, page, path, u"-"_s}).output.contains(anchor.text));
        }
    }

    void fontsForEveryLetter()
    {
        if (!isThere("pdffonts"))
            QSKIP("The program pdffonts is not installed.");
        const auto fonts = run(u"pdffonts"_s, {saved(pdfOf(everything(), PdfProfile::PdfA3b))}).output;
        QVERIFY2(fonts.contains(u"DroidSansFallback"_s), qPrintable(fonts));
        QCOMPARE(fonts.split(u'\n', Qt::SkipEmptyParts).size(), 5); // two lines of headings, regular, bold, wide
    }

    void rowsStayTogether()
    {
        // Whatever stands above, a page never begins or ends with fewer than three rows of a table.
        for (int above = 0; above < 60; ++above) {
            ReportDocument document;
            document.created = test::someDate();
            for (int i = 0; i < above; ++i)
                document.elements.emplace_back(Paragraph{u"line"_s});
            document.elements.emplace_back(table({}, 3, 12));
            const PagedReport pages(document, Paper::A4);
            if (pages.pageCount() == 1)
                continue;
            const auto path = saved(pdfOf(document, PdfProfile::PdfA1b));
            int rows = 0;
            for (int page = 1; page <= pages.pageCount(); ++page) {
                const auto number = QString::number(page);
                const auto text = run(u"pdftotext"_s, {u"-f"_s, number, u"-l"_s, number, path, u"-"_s}).output;
                const auto here = text.count(QRegularExpression(u"r\\d+c1\\b"_s));
                QVERIFY2(here == 0 || here >= 3, qPrintable(u"%1 lines above: %2 rows"_s.arg(above).arg(here)));
                QVERIFY(here == 0 || text.contains(u"Column 1"_s));
                rows += int(here);
            }
            QCOMPARE(rows, 12);
            above += 4; // one in five is enough
        }
    }

    void sameBytes()
    {
        const auto once = pdfOf(everything(), PdfProfile::PdfA3b);
        QVERIFY(!once.isEmpty());
        QCOMPARE(pdfOf(everything(), PdfProfile::PdfA3b), once);
        auto later = everything();
        later.created = later.created.addDays(1);
        QVERIFY(pdfOf(later, PdfProfile::PdfA3b) != once);
    }

    void dates()
    {
        qputenv("SOURCE_DATE_EPOCH", "1234567890");
        QCOMPARE(reportDate()->toString(Qt::ISODate), u"2009-02-13T23:31:30Z"_s);
        QCOMPARE(reportDate(dateFromText("2026-11-21"))->toString(Qt::ISODate), u"2026-11-21T00:00:00Z"_s); // asked for
        for (const char *wrong : {"soon", "-1", "-5", "1e9", "253402300800", "999999999999999"}) {
            qputenv("SOURCE_DATE_EPOCH", wrong);
            QVERIFY(!reportDate() && reportDate().error().field == "SOURCE_DATE_EPOCH");
        }
        qunsetenv("SOURCE_DATE_EPOCH");
        QVERIFY(!reportDate(dateFromText("0000-01-01")) && !reportDate(dateFromText("1969-12-31")));
        QVERIFY(std::abs(reportDate()->secsTo(QDateTime::currentDateTimeUtc())) < 60);
    }

    void foreignPagesAreRefused()
    {
        QVERIFY(!archivedPdf("%PDF-1.4\nnonsense", everything(), {}, PdfProfile::PdfA3b));
        QVERIFY(!archivedPdf({}, everything(), {}, PdfProfile::PdfA1b));
    }
};

FLEETWRIGHT_TEST(TestPdfArchive)
#include "tst_pdfarchive.moc"
