// SPDX-License-Identifier: GPL-3.0-or-later
// Reports read back: the project comes out as it went in, and what is hostile or damaged is refused with a sentence.
#include "reports/pdfreading.h"
#include "samplereport.h"
#include "testing/registry.h"

#include <QCryptographicHash>
#include <QElapsedTimer>
#include <QTest>

#include <qpdf/QPDF.hh>
#include <qpdf/QPDFWriter.hh>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::reports;

namespace {

const QByteArray projectBytes = R"({"fleetwright_project":1,"documents":[]})";

QByteArray pdfCarrying(const QByteArray &text, PdfProfile profile = PdfProfile::PdfA3b)
{
    ReportDocument document;
    document.title = u"A report"_s;
    document.created = test::someDate();
    if (!text.isNull())
        document.attachments.push_back(projectAttachment(text));
    const auto rendering = renderPdf(document, Paper::A4, profile);
    rendering->step();
    return rendering->bytes().value_or(QByteArray());
}

/// The report with its objects changed as somebody hostile would.
template <class Change>
QByteArray changed(const QByteArray &pdf, Change change, qpdf_object_stream_e streams = qpdf_o_disable)
{
    QPDF file;
    file.processMemoryFile("changed", pdf.constData(), std::size_t(pdf.size()));
    change(file);
    QPDFWriter writer(file);
    writer.setOutputMemory();
    writer.setObjectStreamMode(streams);
    writer.write();
    const auto buffer = writer.getBufferSharedPointer();
    return {reinterpret_cast<const char *>(buffer->getBuffer()), qsizetype(buffer->getSize())};
}

QPDFObjectHandle firstFile(QPDF &file) { return file.getRoot().getKey("/AF").getArrayItem(0); }

} // namespace

class TestPdfReading : public QObject {
    Q_OBJECT

private slots:
    void readsBack()
    {
        const auto read = projectIn(pdfCarrying(projectBytes));
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QCOMPARE(*read, projectBytes);
        const QByteArray large(20'000'000, 'x');
        QCOMPARE(projectIn(pdfCarrying(large)).value_or(QByteArray()), large);
    }

    void withoutAProject()
    {
        for (const auto &pdf : {pdfCarrying(QByteArray()), pdfCarrying(projectBytes, PdfProfile::PdfA1b)}) {
            const auto read = projectIn(pdf);
            QVERIFY(!read && read.error().code == ErrorCode::MissingField);
            QVERIFY(read.error().message.find("no project in the PDF") != std::string::npos);
        }
    }

    void hostile_data()
    {
        QTest::addColumn<QByteArray>("pdf");
        QTest::addColumn<QString>("says");
        const auto pdf = pdfCarrying(projectBytes);
        QTest::newRow("nothing") << QByteArray() << u"not a PDF"_s;
        QTest::newRow("another file") << QByteArray("PK\3\4 an archive") << u"not a PDF"_s;
        QTest::newRow("header only") << QByteArray("%PDF-1.7\n") << u"another program"_s;
        QTest::newRow("cut") << pdf.left(pdf.size() * 2 / 3) << u"another program"_s;
        QTest::newRow("text behind the end") << pdf + "\nstartxref\n9\n%%EOF\n" << u"another program"_s;
        QTest::newRow("object streams") << changed(
            pdf, [](QPDF &) {}, qpdf_o_generate)
                                        << u"another program"_s;
        const auto named = [&](const std::string &name) {
            return changed(
                pdf, [&](QPDF &file) { firstFile(file).replaceKey("/UF", QPDFObjectHandle::newUnicodeString(name)); });
        };
        QTest::newRow("a path for a name") << named("../../project.json") << u"path for a name"_s;
        QTest::newRow("a folder for a name") << named("/etc/project.json") << u"path for a name"_s;
        QTest::newRow("a path of Windows") << named("..\\project.json") << u"path for a name"_s;
        QTest::newRow("another name") << named("plan.json") << u"None of the files"_s;
        QTest::newRow("two projects") << changed(pdf, [](QPDF &file) {
            file.getRoot().getKey("/AF").appendItem(firstFile(file));
        }) << u"two projects"_s;
        QTest::newRow("a thousand files") << changed(pdf, [](QPDF &file) {
            for (int i = 0; i < 1000; ++i)
                file.getRoot().getKey("/AF").appendItem(firstFile(file));
        }) << u"more than 64 files"_s;
        const auto sized = [&](long long size) {
            return changed(pdf, [&](QPDF &file) {
                firstFile(file).getKey("/EF").getKey("/F").getDict().getKey("/Params").replaceKey(
                    "/Size", QPDFObjectHandle::newInteger(size));
            });
        };
        QTest::newRow("larger than it says") << sized(3) << u"larger than it says"_s;
        QTest::newRow("smaller than it says") << sized(30'000) << u"checksum"_s;
        QTest::newRow("gigabytes") << sized(8'000'000'000) << u"larger than 64 MiB"_s;
        QTest::newRow("negative") << sized(-1) << u"larger than 64 MiB"_s;
        QTest::newRow("changed content") << changed(pdf, [](QPDF &file) {
            auto other = projectBytes;
            other.replace('1', '2');
            firstFile(file).getKey("/EF").getKey("/F").replaceStreamData(
                other.toStdString(), QPDFObjectHandle::newNull(), QPDFObjectHandle::newNull());
        }) << u"checksum"_s;
        QTest::newRow("file elsewhere") << changed(pdf, [](QPDF &file) {
            firstFile(file).getKey("/EF").getKey("/F").getDict().replaceKey(
                "/FFilter", QPDFObjectHandle::newName("/FlateDecode"));
            firstFile(file).getKey("/EF").getKey("/F").getDict().replaceKey(
                "/F", QPDFObjectHandle::newString("/etc/passwd"));
        }) << u"another program"_s;
        QTest::newRow("no dictionary") << changed(pdf, [](QPDF &file) {
            file.getRoot().getKey("/AF").setArrayItem(0, QPDFObjectHandle::newInteger(7));
        }) << u"another program"_s;
        QTest::newRow("a list in itself") << changed(pdf, [](QPDF &file) {
            auto list = file.makeIndirectObject(QPDFObjectHandle::newArray());
            list.appendItem(list);
            file.getRoot().replaceKey("/AF", list);
        }) << u"another program"_s;
        QTest::newRow("a file in itself") << changed(pdf, [](QPDF &file) {
            auto one = file.makeIndirectObject(QPDFObjectHandle::newDictionary());
            for (const auto *key : {"/EF", "/F", "/Params"})
                one.replaceKey(key, one);
            one.replaceKey("/UF", QPDFObjectHandle::newUnicodeString("project.json"));
            file.getRoot().replaceKey("/AF", QPDFObjectHandle::newArray(std::vector{one}));
        }) << u"another program"_s;
        QTest::newRow("lists without end") << [&] {
            auto deep = pdf; // the catalog is read with the file
            const auto at = deep.indexOf("/AF");
            return deep.left(at) + "/AF " + QByteArray(100'000, '[') + deep.mid(at);
        }() << u"another program"_s;
        QTest::newRow("encrypted") << [&] {
            QPDF file;
            file.processMemoryFile("encrypted", pdf.constData(), std::size_t(pdf.size()));
            QPDFWriter writer(file);
            writer.setOutputMemory();
            writer.setObjectStreamMode(qpdf_o_disable);
            writer.setR6EncryptionParameters("", "owner", true, true, true, true, true, true, qpdf_r3p_full, true);
            writer.write();
            const auto buffer = writer.getBufferSharedPointer();
            return QByteArray(reinterpret_cast<const char *>(buffer->getBuffer()), qsizetype(buffer->getSize()));
        }() << u"another program"_s;
    }
    void hostile()
    {
        QFETCH(QByteArray, pdf);
        QFETCH(QString, says);
        const auto read = projectIn(pdf);
        QVERIFY(!read);
        QVERIFY2(QString::fromStdString(read.error().message).contains(says), read.error().message.c_str());
    }

    /// 64 MiB of zeros in 64 KiB, said to be a thousand bytes.
    void bombIsNotInflated()
    {
        const QByteArray zeros(64 << 20, '\0');
        auto bomb = changed(pdfCarrying(projectBytes), [&](QPDF &file) {
            auto stream = firstFile(file).getKey("/EF").getKey("/F");
            stream.replaceStreamData(qCompress(zeros, 9).mid(4).toStdString(),
                QPDFObjectHandle::newName("/FlateDecode"), QPDFObjectHandle::newNull());
            stream.getDict().getKey("/Params").replaceKey("/Size", QPDFObjectHandle::newInteger(1000));
        });
        QVERIFY(bomb.size() < 1'000'000);
        QElapsedTimer timer;
        timer.start();
        const auto read = projectIn(bomb);
        QVERIFY(!read);
        QVERIFY2(read.error().message.find("larger than it says") != std::string::npos, read.error().message.c_str());
        QVERIFY2(timer.elapsed() < 2000, qPrintable(QString::number(timer.elapsed())));
    }

    void filtersInAChain()
    {
        const auto chained = changed(pdfCarrying(projectBytes), [&](QPDF &file) {
            auto filters = QPDFObjectHandle::newArray();
            filters.appendItem(QPDFObjectHandle::newName("/FlateDecode"));
            filters.appendItem(QPDFObjectHandle::newName("/FlateDecode"));
            firstFile(file).getKey("/EF").getKey("/F").replaceStreamData(
                qCompress(qCompress(projectBytes).mid(4)).mid(4).toStdString(), filters, QPDFObjectHandle::newNull());
        });
        // libqpdf may join the two when it writes; what matters is that the content is right or refused.
        const auto read = projectIn(chained);
        QVERIFY(!read || *read == projectBytes);
    }

    void noByteBreaksIt()
    {
        const auto pdf = pdfCarrying(projectBytes);
        int refused = 0;
        for (qsizetype at = 0; at < pdf.size(); at += std::max<qsizetype>(1, pdf.size() / 700)) {
            auto damaged = pdf;
            damaged[at] = char(damaged[at] ^ 0x5f);
            const auto read = projectIn(damaged);
            QVERIFY(!read || *read == projectBytes); // never something else
            refused += !read;
        }
        QVERIFY(refused > 5);
    }
};

FLEETWRIGHT_TEST(TestPdfReading)
#include "tst_pdfreading.moc"
