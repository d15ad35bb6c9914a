// SPDX-License-Identifier: GPL-3.0-or-later
// What the File menu does with files, without a window.
#include "app/dialogs/launchimportdialog.h"
#include "app/projectfiles.h"
#include "app/settings.h"
#include "app/widgets/itempicker.h"
#include "reports/reportdocument.h"
#include "scriptedprompts.h"
#include "storage/projecttext.h"
#include "testing/registry.h"
#include "workspacetesting.h"

#include <QApplication>
#include <QComboBox>
#include <QDateTime>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>

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

    /// A report of a project, as the report page and the command line write it.
    QString reportOf(const storage::Project &project, const QString &name) const
    {
        reports::ReportDocument document;
        document.title = u"A report"_s;
        document.created = QDateTime(QDate(2026, 11, 23), QTime(12, 0), Qt::UTC);
        document.attachments.push_back(reports::projectAttachment(storage::projectText(project).value()));
        const auto rendering = reports::renderPdf(document, Paper::A4, PdfProfile::PdfA3b);
        rendering->step();
        put(name, rendering->bytes().value());
        return file(name);
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

    /// What a script does not say is asked for; until then there is nothing to add.
    void aScriptBecomesAPlan()
    {
        put(u"train.sh"_s,
            "torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 32 --hidden-size 4096 --ffn-hidden-size 14336 "
            "--num-attention-heads 32 --group-query-attention --num-query-groups 8 --swiglu "
            "--untie-embeddings-and-output-weights --vocab-size 128256 --seq-length 8192 --max-position-embeddings "
            "131072 --micro-batch-size 1 --global-batch-size 64 --bf16 --tensor-model-parallel-size 4 --lr 1e-4\n");
        m_prompts.fileName = file(u"train.sh"_s);
        QSignalSpy imported(m_files.get(), &ProjectFiles::planImported);
        const auto before = m_workspace.plans().size();
        m_files->importDocument();
        LaunchImportDialog *dialog = nullptr;
        for (auto *widget : QApplication::topLevelWidgets())
            if (auto *found = qobject_cast<LaunchImportDialog *>(widget); found && found->isVisible())
                dialog = found;
        QVERIFY(dialog);
        auto *add = dialog->findChild<QPushButton *>(u"launchAdd"_s);
        auto *refusal = dialog->findChild<QLabel *>(u"launchImportRefusal"_s);
        QVERIFY(!add->isEnabled() && refusal->isVisible());
        const auto pick = [dialog](const QString &picker, const QString &id) {
            auto *combo = dialog->findChild<QWidget *>(picker)->findChild<QComboBox *>();
            combo->setFocus();
            combo->lineEdit()->selectAll();
            QTest::keyClicks(combo->lineEdit(), id);
            dialog->findChild<ItemPicker *>(picker)->acceptTyped();
        };
        pick(u"launchNode"_s, u"nvidia_dgx_h100"_s);
        pick(u"launchFabric"_s, u"ib_ndr"_s);
        QVERIFY2(!add->isEnabled() && refusal->text().contains(u"how many nodes"_s), qPrintable(refusal->text()));
        dialog->findChild<QSpinBox *>(u"launchNodes"_s)->setValue(2);
        QVERIFY2(add->isEnabled() && !refusal->isVisible(), qPrintable(refusal->text()));
        const auto told = dialog->findChild<QPlainTextEdit *>(u"launchTold"_s)->toPlainText();
        QVERIFY2(told.contains(u"--lr"_s) && told.contains(u"workload: llama3_1_8b"_s), qPrintable(told));
        QCOMPARE(m_workspace.plans().size(), before);
        QTest::mouseClick(add, Qt::LeftButton);
        QCOMPARE(imported.size(), 1);
        QCOMPARE(m_workspace.plans().size(), before + 1);
        const auto &plan = m_workspace.plans().back().document;
        QCOMPARE(plan.name, std::string("train"));
        QVERIFY(plan.fleet.nodes == 2 && plan.parallelism.tp == 4);
        QVERIFY(m_prompts.errors.empty());
    }

    void aReportOpensAsItsProject()
    {
        const auto source =
            storage::Project::createSample(file(u"source.fleetwright"_s), storage::ShippedProject::Tutorial).value();
        VERIFY_OK(source->saveOutputSet({0, {.name = "Board", .files = {"board.pdf"}}}));
        const auto report = reportOf(*source, u"report.pdf"_s);
        const auto bytes = bytesOf(u"report.pdf"_s);
        const auto before = m_workspace.path();
        m_prompts.fileName.clear(); // nobody names a file
        QVERIFY(!m_files->openPath(report));
        QCOMPARE(m_prompts.suggested, file(u"report.fleetwright"_s)); // next to the report
        QVERIFY(m_prompts.errors.empty());
        QCOMPARE(m_workspace.path(), before);

        m_prompts.fileName = file(u"again"_s);
        QVERIFY(m_files->openPath(report));
        QVERIFY(m_prompts.errors.empty());
        QCOMPARE(m_workspace.path(), file(u"again.fleetwright"_s));
        QCOMPARE(m_settings->recentFiles().front(), file(u"again.fleetwright"_s));
        QVERIFY(!m_settings->recentFiles().contains(report));
        QCOMPARE(m_settings->lastProject(), file(u"again.fleetwright"_s));
        QCOMPARE(bytesOf(u"report.pdf"_s), bytes);
        QCOMPARE(m_workspace.outputSets().size(), 1U);
        const auto plans = source->plans().value();
        QCOMPARE(m_workspace.plans().size(), plans.size());
        const auto catalog = source->catalog().value();
        for (std::size_t i = 0; i < plans.size(); ++i) {
            const auto then = reports::solveOne(plans[i].document, catalog);
            const auto now = reports::solveOne(m_workspace.plans()[i].document, *m_workspace.catalog());
            QCOMPARE(now.inputHash, then.inputHash);
            QCOMPARE(now.solution.has_value(), then.solution.has_value());
            if (then.solution)
                QCOMPARE(now.solution->estimate.stepTime->value(), then.solution->estimate.stepTime->value());
        }
        // The same question again suggests a name that is free.
        m_prompts.fileName.clear();
        put(u"report.fleetwright"_s, "mine");
        QVERIFY(!m_files->openPath(report));
        QCOMPARE(m_prompts.suggested, file(u"report 2.fleetwright"_s));
    }

    void aReportReplacesNoFile()
    {
        const auto source = storage::Project::create(file(u"empty.fleetwright"_s)).value();
        const auto report = reportOf(*source, u"empty.pdf"_s);
        const auto before = m_workspace.path();
        for (const auto &name : {u"notes.txt"_s, u"kept.fleetwright"_s}) {
            put(name, "mine");
            m_prompts.errors.clear();
            m_prompts.fileName = file(name);
            QVERIFY(!m_files->openPath(report));
            QCOMPARE(m_prompts.errors.size(), 1UZ);
            QVERIFY2(m_prompts.errors[0].message.contains("already exists"), m_prompts.errors[0].message.c_str());
            QCOMPARE(bytesOf(name), QByteArray("mine"));
            QCOMPARE(m_workspace.path(), before);
        }
    }

    void otherPdfsAreToldApart_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("says");
        QTest::newRow("no report") << QByteArray("%PDF-1.4\nnothing\n") << u"not as Fleetwright writes it"_s;
        reports::ReportDocument document;
        document.title = u"Without a project"_s;
        document.created = QDateTime(QDate(2026, 11, 23), QTime(12, 0), Qt::UTC);
        const auto plain = [&](PdfProfile profile) {
            const auto rendering = reports::renderPdf(document, Paper::A4, profile);
            rendering->step();
            return rendering->bytes().value();
        };
        QTest::newRow("PDF/A-1b") << plain(PdfProfile::PdfA1b) << u"no project in the PDF"_s;
        document.attachments.push_back(reports::projectAttachment(R"({"fleetwright_project": 99})"));
        QTest::newRow("of a later version") << plain(PdfProfile::PdfA3b) << u"later version"_s;
        QTest::newRow("cut") << plain(PdfProfile::PdfA3b).chopped(100) << u"not as Fleetwright writes it"_s;
    }
    void otherPdfsAreToldApart()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, says);
        put(u"other.PDF"_s, bytes);
        const auto before = m_workspace.path();
        const auto recent = m_settings->recentFiles();
        m_prompts.fileName = file(u"never.fleetwright"_s);
        QVERIFY(!m_files->openPath(file(u"other.PDF"_s)));
        QCOMPARE(m_prompts.errors.size(), 1UZ);
        QVERIFY2(
            QString::fromStdString(m_prompts.errors[0].message).contains(says), m_prompts.errors[0].message.c_str());
        QVERIFY(!QFile::exists(file(u"never.fleetwright"_s)));
        QCOMPARE(m_workspace.path(), before);
        QCOMPARE(m_settings->recentFiles(), recent);
    }
};

FLEETWRIGHT_TEST(TestProjectFiles)
#include "tst_projectfiles.moc"
