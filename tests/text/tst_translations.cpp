// SPDX-License-Identifier: GPL-3.0-or-later
// The German texts: what a program relies on is in them as in the English ones.
#include "testing/registry.h"

#include <QFile>
#include <QHash>
#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamReader>

using namespace Qt::StringLiterals;

namespace {

struct Message {
    QString source;
    QStringList forms;
    bool finished = true, plural = false;
};

std::vector<Message> readMessages()
{
    QFile file(QStringLiteral(FLEETWRIGHT_TRANSLATIONS "/fleetwright_de.ts"));
    std::vector<Message> messages;
    if (!file.open(QIODevice::ReadOnly))
        return messages;
    QXmlStreamReader xml(&file);
    while (!xml.atEnd()) {
        xml.readNext();
        if (xml.isStartElement() && xml.name() == u"message"_s)
            messages.push_back({{}, {}, true, xml.attributes().value(u"numerus"_s) == u"yes"_s});
        else if (xml.isStartElement() && xml.name() == u"source"_s)
            messages.back().source = xml.readElementText();
        else if (xml.isStartElement() && xml.name() == u"translation"_s) {
            messages.back().finished = !xml.attributes().hasAttribute(u"type"_s);
            if (!messages.back().plural)
                messages.back().forms << xml.readElementText();
        } else if (xml.isStartElement() && xml.name() == u"numerusform"_s)
            messages.back().forms << xml.readElementText();
    }
    return messages;
}

QStringList allOf(const QString &text, const char *expression)
{
    static QHash<QByteArray, QRegularExpression> made; // in thousands of texts
    auto &regular = made[expression];
    if (regular.pattern().isEmpty())
        regular.setPattern(QString::fromLatin1(expression));
    QStringList found;
    for (auto matches = regular.globalMatch(text); matches.hasNext();)
        found << matches.next().captured();
    found.sort();
    return found;
}

QString blanksAround(const QString &text)
{
    const auto core = text.trimmed();
    return core.isEmpty() ? text : QString(text).replace(text.indexOf(core), core.size(), u"|"_s);
}

/// What the German text lacks of the English one.
QString faultOf(const Message &message, const QString &german)
{
    const auto &english = message.source;
    if (german.trimmed().isEmpty() != english.trimmed().isEmpty())
        return u"is empty"_s;
    const auto places = [&](const QString &text) { return allOf(text, "%\\d+|%L\\d+|\\{\\d+\\}"); };
    if (places(english) != places(german))
        return u"has other places"_s;
    if (blanksAround(english) != blanksAround(german))
        return u"has other blanks at its ends"_s;
    if (english.count(u'\n') != german.count(u'\n'))
        return u"has other lines"_s;
    if (allOf(english, "&[^&\\s]").size() != allOf(german, "&[^&\\s]").size())
        return u"has other keys with Alt"_s;
    if (allOf(english, "</?[a-z][^>]*>") != allOf(german, "</?[a-z][^>]*>"))
        return u"has other markup"_s;
    for (const auto &end : {u"..."_s, u"\u2026"_s})
        if (english.endsWith(end) != german.endsWith(end))
            return u"ends otherwise"_s;
    if (allOf(english, "--[a-z][a-z-]*") != allOf(german, "--[a-z][a-z-]*"))
        return u"has other options"_s;
    return {};
}

} // namespace

class TestTranslations : public QObject {
    Q_OBJECT

private slots:
    void listIsRead() { QVERIFY(readMessages().size() > 8000); }

    /// That it holds every text of the sources is what tests/layers/check-translations.sh asks.
    void everyTextIsTranslated()
    {
        int left = 0;
        for (const auto &message : readMessages())
            if (!message.finished || message.forms.isEmpty() || message.forms.contains(QString())) {
                qWarning().noquote() << u"not translated: \u201c%1\u201d"_s.arg(message.source);
                ++left;
            }
        QCOMPARE(left, 0);
    }

    void rulesAreNoticed()
    {
        const auto fault = [](const char *english, const char *german) {
            return faultOf({QString::fromUtf8(english), {}}, QString::fromUtf8(german));
        };
        QCOMPARE(fault("%1 of %2", "%2 von %1"), QString());
        QVERIFY(!fault("%1 of %2", "%1 von %1").isEmpty());
        QVERIFY(!fault("{1} nodes", "Knoten").isEmpty());
        QVERIFY(!fault("and more ", "und mehr").isEmpty());
        QVERIFY(!fault("&Open", "Öffnen").isEmpty());
        QCOMPARE(fault("Costs && &time", "Kosten && &Zeit"), QString());
        QVERIFY(!fault("<b>All</b>", "Alle").isEmpty());
        QVERIFY(!fault("Open...", "Öffnen").isEmpty());
        QVERIFY(!fault("Use --seek", "Benutzen Sie --suche").isEmpty());
    }

    void textsKeepWhatTheProgramReliesOn()
    {
        QStringList faults;
        for (const auto &message : readMessages())
            for (const auto &form : message.finished ? message.forms : QStringList())
                if (const auto fault = faultOf(message, form); !fault.isEmpty())
                    faults << u"“%1”: “%2” %3"_s.arg(message.source, form, fault);
        for (const auto &fault : faults)
            qWarning().noquote() << fault;
        QVERIFY2(faults.isEmpty(), qPrintable(QString::number(faults.size())));
    }

    void pluralsHaveTwoForms()
    {
        for (const auto &message : readMessages())
            if (message.plural && message.finished)
                QVERIFY2(message.forms.size() == 2, qPrintable(message.source));
    }
};

FLEETWRIGHT_TEST(TestTranslations)
#include "tst_translations.moc"
