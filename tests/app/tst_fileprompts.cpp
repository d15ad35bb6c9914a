// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/documents.h"
#include "scriptedprompts.h"
#include "testing/putfile.h"
#include "testing/registry.h"

#include "app/workspace/exportdocument.h"
#include "workspacetesting.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

/// Files to read and to write, as every page asks for them.
class TestFilePrompts : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    ScriptedPrompts m_prompts;

    [[nodiscard]] QString path(const QString &name) const { return m_folder.filePath(name); }
    [[nodiscard]] QByteArray bytesOf(const QString &name) const
    {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("no file");
    }
    QString save(const QString &name)
    {
        return m_prompts.saveFile(nullptr,
            {.title = u"Save"_s, .name = name, .filter = u"Tables (*.csv)"_s, .failure = u"Not saved"_s},
            [](const QString &) { return QByteArray("new"); });
    }

private slots:
    void init() { m_prompts = {}; }

    void nothingIsWrittenWhenCancelled()
    {
        QVERIFY(save(u"a.csv"_s).isEmpty());
        QVERIFY(m_prompts.errors.empty());
    }

    void aNameWithoutSuffixGetsOneAndReplacesOnlyWhenAsked()
    {
        m_prompts.fileName = path(u"table"_s);
        QVERIFY(save(u"a.csv"_s).contains(u"table.csv"_s));
        QCOMPARE(bytesOf(u"table.csv"_s), QByteArray("new"));
        QCOMPARE(m_prompts.questions.size(), 1); // which file
        putFile(path(u"table.csv"_s), "mine");
        m_prompts.confirmation = false;
        QVERIFY(save(u"a.csv"_s).isEmpty());
        QCOMPARE(m_prompts.questions.size(), 3); // and whether to replace it
        QCOMPARE(bytesOf(u"table.csv"_s), QByteArray("mine"));
        m_prompts.confirmation = true;
        QVERIFY(!save(u"a.csv"_s).isEmpty());
        QCOMPARE(bytesOf(u"table.csv"_s), QByteArray("new"));
    }

    void theNextQuestionStartsInTheSameFolder()
    {
        m_prompts.setFolder(path({}));
        m_prompts.fileName = path(u"sub/in.yaml"_s);
        QVERIFY(QDir(path({})).mkpath(u"sub"_s));
        QCOMPARE(m_prompts.fileToOpen(nullptr, u"Open"_s, {}), path(u"sub/in.yaml"_s));
        m_prompts.fileName = path(u"out.csv"_s);
        QVERIFY(!save(u"Tokens/s of A.csv"_s).isEmpty());
        QCOMPARE(m_prompts.suggested, path(u"sub/Tokens-s of A.csv"_s)); // no folder "Tokens"
        QVERIFY(!save(u"b.csv"_s).isEmpty());
        QCOMPARE(m_prompts.suggested, path(u"b.csv"_s));
    }

    void aRefusalIsShown()
    {
        m_prompts.fileName = path(u"no folder/a.csv"_s);
        QVERIFY(save(u"a.csv"_s).isEmpty());
        QCOMPARE(m_prompts.errors.size(), 1UZ);
    }

    void documentsAreWrittenAsTheirSuffixSays()
    {
        for (const auto &name : {u"plan"_s, u"plan.yaml"_s, u"plan.JSON"_s}) {
            m_prompts.fileName = path(name);
            QVERIFY(!exportDocument(examplePlan(), m_prompts, nullptr, u"Export"_s, u"Not exported"_s).isEmpty());
            const auto file = name.contains(u'.') ? name : name + u".yaml"_s;
            QCOMPARE(bytesOf(file).startsWith('{'), name.endsWith(u"JSON"_s));
            const auto read = exchange::documentFromText(bytesOf(file).toStdString());
            QVERIFY(read && std::get<PlanDocument>(*read) == examplePlan());
        }
    }
};

FLEETWRIGHT_TEST(TestFilePrompts)
#include "tst_fileprompts.moc"
