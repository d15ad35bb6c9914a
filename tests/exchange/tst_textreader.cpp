// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/textreader.h"
#include "exchange/yamlwords.h"
#include "testing/malformedyaml.h"
#include "testing/registry.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <cmath>

using namespace fleetwright;

class TestTextReader : public QObject {
    Q_OBJECT
private slots:
    void wordsForNumbersThatAreNone()
    {
        const std::string text =
            "{\"id\": \"NaN \\\" Infinity\", \"a\": NaN, \"b\": [-Infinity, Infinity], \"NaN\": \"NaN\"}";
        const auto read = exchange::readJson(text, {.nonFinite = true});
        QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
        QCOMPARE(read->at("id").get<std::string>(), std::string("NaN \" Infinity"));
        QCOMPARE(read->at("NaN").get<std::string>(), std::string("NaN"));
        QVERIFY(std::isnan(read->at("a").get<double>()));
        QVERIFY(std::isinf(read->at("b")[0].get<double>()) && read->at("b")[0].get<double>() < 0);
        QVERIFY(std::isinf(read->at("b")[1].get<double>()) && read->at("b")[1].get<double>() > 0);
    }

    void refusedUnlessAskedFor_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("nonFinite");
        QTest::newRow("strict") << QStringLiteral("{\"a\": NaN}") << false;
        QTest::newRow("inside a word") << QStringLiteral("{\"a\": NaNa}") << true;
        QTest::newRow("as a key") << QStringLiteral("{NaN: 1}") << false;
        QTest::newRow("too large a number") << QStringLiteral("{\"a\": 1e999}") << true;
        QTest::newRow("unclosed text") << QStringLiteral("{\"a\": \"NaN}") << true;
    }
    void refusedUnlessAskedFor()
    {
        QFETCH(QString, text);
        QFETCH(bool, nonFinite);
        QVERIFY(!exchange::readJson(text.toStdString(), {.nonFinite = nonFinite}));
    }

    /// In our words, each with what to do, and never in the library's.
    void malformedYaml_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("ours");
        for (const auto &row : malformedyaml::documents)
            QTest::newRow(row.what) << QByteArray(row.text) << QByteArray(row.ours);
    }
    void malformedYaml()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, ours);
        const auto read = exchange::readText(text.toStdString());
        QVERIFY(!read);
        QVERIFY2(read.error().message.contains(ours.toStdString()), read.error().message.c_str());
        for (const auto *words : malformedyaml::wordsOfTheLibrary)
            QVERIFY2(!read.error().message.contains(words), read.error().message.c_str());
        QVERIFY2(read.error().message.contains("(line "), read.error().message.c_str());
    }
    void unknownFaultOfYaml()
    {
        QCOMPARE(exchange::yamlFaultInWords("a message of a later library"),
            std::string("This is not valid YAML; check indentation, quotes, colons and brackets."));
    }

    /// By us, before either parser sees it: each says something else about bytes that are no text.
    void encoding()
    {
        for (const std::string text :
            {"{\"a\": \"\xC3\x28\"}", "a: \xC3\x28\n", "a: \xED\xA0\x80\n", "a: \xC0\xAF\n", "a: b\xC3"}) {
            const auto read = exchange::readText(text);
            QVERIFY(!read);
            QVERIFY2(read.error().message.contains("not valid UTF-8"), read.error().message.c_str());
        }
    }
};

FLEETWRIGHT_TEST(TestTextReader)
#include "tst_textreader.moc"
