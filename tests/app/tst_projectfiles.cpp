// SPDX-License-Identifier: GPL-3.0-or-later
// What the File menu does with files, without a window.
#include "app/projectfiles.h"
#include "app/settings.h"
#include "scriptedprompts.h"
#include "testing/registry.h"
#include "workspacetesting.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestProjectFiles : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    Workspace m_workspace;
    ScriptedPrompts m_prompts;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<ProjectFiles> m_files;

    [[nodiscard]] QString file(const QString &name) const { return m_folder.filePath(name); }
    [[nodiscard]] QByteArray bytesOf(const QString &name) const
    {
        QFile opened(file(name));
        return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray("cannot be read");
    }
    void put(const QString &name, const QByteArray &bytes) const
    {
        QFile opened(file(name));
        QVERIFY(opened.open(QIODevice::WriteOnly));
        QCOMPARE(opened.write(bytes), bytes.size());
    }

private slots:
    void initTestCase()
    {
        m_settings = std::make_unique<Settings>(file(u"settings.ini"_s));
        m_files = std::make_unique<ProjectFiles>(m_workspace, m_prompts, *m_settings, nullptr);
        VERIFY_OK(m_workspace.createProject(file(u"project.fleetwright"_s)));
    }
    void init()
    {
        m_prompts.questions.clear();
        m_prompts.errors.clear();
        m_prompts.confirmation = true;
    }

    /// Whatever the answer would be, so that nothing is asked but the name.
    void noCopyReplacesAProject()
    {
        QSignalSpy saved(m_files.get(), &ProjectFiles::copySaved);
        m_prompts.fileName = file(u"copy"_s); // the ending comes by itself
        m_files->saveCopy();
        QCOMPARE(saved.size(), 1);
        const auto bytes = bytesOf(u"copy.fleetwright"_s);
        VERIFY_OK(m_workspace.addPlan(examplePlan()));
        for (const auto &name : {u"copy"_s, u"copy.fleetwright"_s}) {
            m_prompts.questions.clear();
            m_prompts.fileName = file(name);
            m_files->saveCopy();
            QCOMPARE(m_prompts.questions.size(), 1);
            QVERIFY2(
                m_prompts.errors.back().message.contains("it is a project"), m_prompts.errors.back().message.c_str());
            QCOMPARE(bytesOf(u"copy.fleetwright"_s), bytes);
        }
        QCOMPARE(saved.size(), 1);
    }

    void aCopyReplacesOtherFilesWhenAsked()
    {
        put(u"notes.fleetwright"_s, "no project");
        m_prompts.fileName = file(u"notes"_s);
        m_prompts.confirmation = false;
        m_files->saveCopy();
        QCOMPARE(m_prompts.questions.size(), 2);
        QCOMPARE(bytesOf(u"notes.fleetwright"_s), QByteArray("no project"));
        m_prompts.confirmation = true;
        m_files->saveCopy();
        QVERIFY(m_prompts.errors.empty());
        QVERIFY(storage::Project::open(file(u"notes.fleetwright"_s)));
    }

    void keysOfAnOlderVersionAreSaid()
    {
        constexpr const char *plan =
            "fleetwright: 1\nname: Old\nworkload: llama3_1_70b\nfleet: {node: nvidia_dgx_h100, nodes: 32, fabric: "
            "ib_ndr}\nparallelism: {tp: 8, pp: 4}\ntraining: {global_batch: 256, microbatch_count: 16, seq_len: 2048, "
            "precision: fp16}\nconstraints: {budget_usd: 5.0e7, max_power_kw: 500}\n";
        put(u"old.yaml"_s, plan);
        m_prompts.fileName = file(u"old.yaml"_s);
        QSignalSpy imported(m_files.get(), &ProjectFiles::planImported);
        m_files->importDocument();
        QCOMPARE(imported.size(), 1);
        QCOMPARE(m_workspace.plans().back().document.constraints.facilityPower->value(), 500e3);
        QCOMPARE(m_prompts.errors.size(), 1UZ);
        for (const auto *words : {"run_cost_usd", "max_facility_mw", "it was read as such"})
            QVERIFY2(m_prompts.errors[0].message.contains(words), m_prompts.errors[0].message.c_str());

        put(u"new.yaml"_s,
            QByteArray(plan).replace("budget_usd", "run_cost_usd").replace("max_power_kw", "max_facility_mw"));
        m_prompts.fileName = file(u"new.yaml"_s);
        m_files->importDocument();
        QCOMPARE(imported.size(), 2);
        QCOMPARE(m_prompts.errors.size(), 1UZ);
    }
};

FLEETWRIGHT_TEST(TestProjectFiles)
#include "tst_projectfiles.moc"
