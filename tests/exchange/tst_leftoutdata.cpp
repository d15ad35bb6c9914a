// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/leftoutdata.h"
#include "exchange/measuredruns.h"
#include "exchange/validationdata.h"
#include "solver/models/detailed/pricer.h"
#include "testing/registry.h"

#include <nlohmann/json.hpp>

#include <QFile>
#include <QTest>

#include <cmath>

using namespace fleetwright;
using namespace fleetwright::exchange;
using namespace fleetwright::validation;

class TestLeftOutData : public QObject {
    Q_OBJECT
private slots:
    void readsWhatIsWritten()
    {
        const LeftOut leftOut{
            std::string(detailed::modelVersion), {{"a", "somebody", 0.125}, {"a", "somebody else", -0.25}}};
        std::string digest;
        const auto read = leftOutFromJson(leftOutText(leftOut).toStdString(), &digest);
        QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
        QVERIFY(*read == leftOut);
        QCOMPARE(digest, constantsDigest());
        QCOMPARE(digest.size(), 64UZ);
    }

    void refusals_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("field");
        QTest::newRow("another version") << "/model_version"
                                         << "\"0.9\""
                                         << "model_version";
        QTest::newRow("another format") << "/left_out"
                                        << "2"
                                        << "left_out";
        QTest::newRow("no digest") << "/constants_digest"
                                   << "\"abc\""
                                   << "constants_digest";
        QTest::newRow("no list") << "/runs"
                                 << "{}"
                                 << "runs";
        QTest::newRow("unknown key") << "/extra"
                                     << "1"
                                     << "extra";
        QTest::newRow("no number") << "/runs/0/log_error"
                                   << "\"0.1\""
                                   << "runs[0].log_error";
        QTest::newRow("no id") << "/runs/0/id"
                               << "null"
                               << "runs[0].id";
        QTest::newRow("twice") << "/runs/1/source"
                               << "\"somebody\""
                               << "runs[1].id";
    }
    void refusals()
    {
        QFETCH(const QString, path);
        QFETCH(const QString, value);
        QFETCH(const QString, field);
        auto json = nlohmann::ordered_json::parse(leftOutText(
            {std::string(detailed::modelVersion), {{"a", "somebody", 0.125}, {"a", "somebody else", -0.25}}}));
        json[nlohmann::ordered_json::json_pointer(path.toStdString())] = nlohmann::ordered_json::parse(
            value.toStdString());
        const auto read = leftOutFromJson(json.dump());
        QVERIFY(!read);
        QVERIFY2(read.error().field == field.toStdString(), read.error().field.c_str());
        QVERIFY(!read.error().message.empty());
    }

    /// What is shipped belongs to what is shipped.
    void shipped()
    {
        const auto &leftOut = shippedLeftOut();
        QVERIFY2(leftOut.has_value(), leftOut ? "" : leftOut.error().message.c_str());
        QFile file(QStringLiteral(":/fleetwright/validation/leftout.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        std::string digest;
        QVERIFY(leftOutFromJson(file.readAll().toStdString(), &digest));
        QCOMPARE(digest, constantsDigest());
        const auto &table = shippedRangeTable();
        QCOMPARE(table.runs().size(), leftOut->runs.size()); // every error belongs to a run
        const auto validation = validate(shippedMeasuredRuns()->runs, "detailed");
        for (const auto &scored : validation->runs) {
            const auto &run = shippedMeasuredRuns()->runs[scored.run];
            QVERIFY2(!scored.timed || table.find(run.source.key, run.id), scored.id.c_str());
        }
    }
};

FLEETWRIGHT_TEST(TestLeftOutData)
#include "tst_leftoutdata.moc"
