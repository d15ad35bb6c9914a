// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/catalogfiles.h"
#include "exchange/csvreader.h"
#include "exchange/measuredruns.h"
#include "exchange/readfile.h"
#include "exchange/textreader.h"
#include "testing/putfile.h"
#include "testing/registry.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <QTemporaryDir>

using namespace fleetwright;
using namespace fleetwright::exchange;

namespace {

std::string listOf(std::size_t values)
{
    std::string text = "{\"a\": [0";
    for (std::size_t i = 1; i < values; ++i)
        text += ",0";
    return text + "]}";
}

std::string objectOf(std::size_t keys)
{
    std::string text = "{\"k0\": 0";
    for (std::size_t i = 1; i < keys; ++i)
        text += ", \"k" + std::to_string(i) + "\": 0";
    return text + "}";
}

std::string nested(std::size_t levels) // the object among them
{
    return "{\"a\": " + std::string(levels - 1, '[') + std::string(levels - 1, ']') + "}";
}

} // namespace

/// Each limit of a text: what just meets it is read, one more is refused.
class TextLimitsTest : public QObject {
    Q_OBJECT
private slots:
    void limits_data()
    {
        QTest::addColumn<QByteArray>("within");
        QTest::addColumn<QByteArray>("beyond");
        QTest::addColumn<QString>("says");
        const TextLimits limits;
        const auto row = [](const char *name, const std::string &within, const std::string &beyond, const char *says) {
            QTest::newRow(name) << QByteArray::fromStdString(within) << QByteArray::fromStdString(beyond)
                                << QString::fromLatin1(says);
        };
        row("depth", nested(limits.depth), nested(limits.depth + 1), "levels deep");
        row("keys", objectOf(limits.keys), objectOf(limits.keys + 1), "keys");
        row("values", listOf(limits.values - 2), listOf(limits.values - 1), "values"); // object and list count, too
        const auto padded = [](std::size_t bytes) { return "{}" + std::string(bytes - 2, ' '); };
        row("bytes", padded(limits.bytes), padded(limits.bytes + 1), "MiB");
        row("length of a key", "{\"" + std::string(200, 'k') + "\": 1}", "{\"" + std::string(201, 'k') + "\": 1}",
            "200 characters");
        row("control characters", "{\"a\": \"\\n\"}", "{\"a\": \"\x1b[31m\"}", "control character");
    }

    void limits()
    {
        QFETCH(QByteArray, within);
        QFETCH(QByteArray, beyond);
        QFETCH(QString, says);
        const auto read = readText(within.toStdString());
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        const auto refused = readText(beyond.toStdString());
        QVERIFY(!refused);
        QVERIFY2(QString::fromStdString(refused.error().message).contains(says), refused.error().message.c_str());
    }

    void bytesOfAFile()
    {
        const QTemporaryDir folder;
        const auto path = putFile(folder.filePath(QStringLiteral("long.yaml")), QByteArray(1001, 'x'));
        QVERIFY(readFile(path, 1001));
        QVERIFY(!readFile(path, 1000));
    }

    /// A line of separators would become cells of many times its size.
    void cellsOfATable()
    {
        const auto separators = [](std::size_t cells) { return std::string(cells - 1, ',') + "\nid,name\n"; };
        const auto within = CsvReader(separators(mostCsvCells), ',').next();
        QVERIFY(within && !within->fault);
        QCOMPARE(within->cells.size(), mostCsvCells);
        const auto text = separators(1'000'000);
        CsvReader reader(text, ',');
        const auto beyond = reader.next();
        QVERIFY(beyond && beyond->fault);
        QCOMPARE(beyond->cells.size(), mostCsvCells);
        QVERIFY2(beyond->fault->message.contains("2000 cells"), beyond->fault->message.c_str());
        const auto after = reader.next();
        QVERIFY(after && !after->fault && after->cells.size() == 2 && after->line == 2);
        QVERIFY(!measuredRunsFromCsv("id" + text));
        QVERIFY(!catalogFileFromCsv("id" + text, CatalogKind::Node));
        QVERIFY(!looksLikeRunTable(text));
    }

    void lengthOfAColumn()
    {
        const auto read = measuredRunsFromCsv("id," + std::string(10'000'000, 'x') + "\na,1\n");
        QVERIFY(read && read->runs.size() == 1);
    }
};

FLEETWRIGHT_TEST(TextLimitsTest)
#include "tst_textlimits.moc"
