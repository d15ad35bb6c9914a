// SPDX-License-Identifier: GPL-3.0-or-later
// Every kind of file that the window takes, dropped on it.
#include "app/dialogs/launchimportdialog.h"
#include "exchange/decisiondocuments.h"
#include "exchange/huggingfacesamples.h"
#include "exchange/outputdocuments.h"
#include "exchange/sampleoffer.h"
#include "exchange/samplestudy.h"
#include "exchange/sweepdocuments.h"
#include "mainwindowtesting.h"
#include "reports/reportdocument.h"
#include "solver/sizesample.h"
#include "storage/projecttext.h"
#include "storage/shippedprojects.h"
#include "testing/registry.h"

#include <QDateTime>
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

using Count = std::function<std::size_t(const Workspace &)>;

class TestDrops : public QObject, protected MainWindowFixture {
    Q_OBJECT

    void drop(const QString &path)
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter({40, 40}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(m_window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent event({40, 40}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(m_window.get(), &event);
    }
    QString put(const QString &name, const std::string &text) const
    {
        return putFile(m_folder.filePath(name), QByteArray::fromStdString(text));
    }
    std::unique_ptr<storage::Project> tutorial(const QString &name) const
    {
        return storage::Project::createSample(m_folder.filePath(name), storage::ShippedProject::Tutorial).value();
    }
    LaunchImportDialog *launchDialog() const
    {
        for (auto *widget : QApplication::topLevelWidgets())
            if (auto *dialog = qobject_cast<LaunchImportDialog *>(widget); dialog && dialog->isVisible())
                return dialog;
        return nullptr;
    }

private slots:
    void initTestCase() { applyTheme(ThemeChoice::Light); }
    void init()
    {
        start();
        createProject();
    }
    void cleanup() { m_window.reset(); }

    void documents_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<std::string>("text");
        QTest::addColumn<Count>("count");
        const auto row = [](const char *kind, const QString &file, const std::string &text, const Count &count) {
            QTest::newRow(kind) << file << text << count;
        };
        row("plan", u"plan.yaml"_s, planText("Dropped").toStdString(), [](auto &w) { return w.plans().size(); });
        row("sweep", u"sweep.yaml"_s,
            exchange::sweepToYaml(tutorial(u"sweeps.fleetwright"_s)->sweeps().value().front().document),
            [](auto &w) { return w.sweeps().size(); });
        row("study", u"study.yaml"_s, samplestudy::text, [](auto &w) { return w.studies().size(); });
        row("offer", u"offer.yaml"_s, sampleoffer::bundle, [](auto &w) { return w.offers().size(); });
        row("decision", u"decision.yaml"_s, exchange::decisionToYaml(sizesample::question()),
            [](auto &w) { return w.decisions().size(); });
        row("output set", u"set.yaml"_s, exchange::outputSetToYaml({.name = "Board", .files = {"board.pdf"}}),
            [](auto &w) { return w.outputSets().size(); });
        row("measured runs", u"runs.csv"_s,
            "id,accelerator,n_gpus,framework,model.layers,model.hidden,model.heads,seq_len,global_batch,micro_batch,"
            "tp,pp,precision,measured.iteration_time_s\n"
            "x,A100-SXM-80GB,64,Megatron-Core,40,5120,40,2048,512,1,8,1,bf16,12\n",
            [](auto &w) { return w.measuredRuns().size(); });
        row("catalog", u"prices.json"_s,
            R"({"catalog": "prices", "items": [{"id": "offer_7", "name": "Offer 7", "category": "purchase",
                "item_type": "nodes", "item_ref": "nvidia_dgx_h100", "unit": "usd_per_node", "currency": "USD",
                "typical": 290000, "vendor": "Example AB", "term": "purchase", "as_of": "2026-11"}]})",
            [](auto &w) { return w.catalog()->find(CatalogKind::Price, "offer_7") ? 1UZ : 0UZ; });
        row("model", u"config.json"_s, huggingfacesamples::llama,
            [](auto &w) { return w.catalog()->find(CatalogKind::Workload, "llama_3_1_70b_hf") ? 1UZ : 0UZ; });
    }
    void documents()
    {
        QFETCH(const QString, file);
        QFETCH(const std::string, text);
        QFETCH(const Count, count);
        const auto before = count(m_window->workspace());
        drop(put(file, text));
        QTRY_COMPARE(count(m_window->workspace()), before + 1);
        QVERIFY(m_prompts.errors.empty());
    }

    void projects_data()
    {
        QTest::addColumn<bool>("isReport");
        QTest::newRow("project") << false;
        QTest::newRow("report that carries one") << true;
    }
    void projects()
    {
        QFETCH(const bool, isReport);
        const auto file = m_folder.filePath(u"source %1.fleetwright"_s.arg(isReport));
        auto source = tutorial(u"source %1.fleetwright"_s.arg(isReport));
        auto dropped = file;
        if (isReport) {
            reports::ReportDocument document;
            document.title = u"A report"_s;
            document.created = QDateTime(QDate(2026, 11, 23), QTime(12, 0), Qt::UTC);
            document.attachments.push_back(reports::projectAttachment(storage::projectText(*source).value()));
            const auto rendering = reports::renderPdf(document, Paper::A4, PdfProfile::PdfA3b);
            rendering->step();
            dropped = putFile(m_folder.filePath(u"report.pdf"_s), rendering->bytes().value());
            m_prompts.fileName = newFile();
        }
        const auto plans = source->plans().value().size();
        source.reset();
        drop(dropped);
        QTRY_COMPARE(m_window->workspace().path(), isReport ? m_prompts.fileName : file);
        QTRY_COMPARE(m_window->workspace().plans().size(), plans);
        QVERIFY(m_prompts.errors.empty());
    }

    /// They ask for what they do not say, in words of the window.
    void launchConfigurations_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<std::string>("text");
        QTest::newRow("Megatron-LM") << u"train.sh"_s
                                     << std::string("torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 32 "
                                                    "--hidden-size 4096 --seq-length 8192 --micro-batch-size 1 "
                                                    "--global-batch-size 64 --bf16\n");
        QTest::newRow("DeepSpeed") << u"ds_config.json"_s
                                   << std::string(R"({"train_batch_size": 512, "train_micro_batch_size_per_gpu": 2,
                                          "bf16": {"enabled": true}, "zero_optimization": {"stage": 1}})");
    }
    void launchConfigurations()
    {
        QFETCH(const QString, file);
        QFETCH(const std::string, text);
        drop(put(file, text));
        QTRY_VERIFY(launchDialog());
        const auto refusal = launchDialog()->findChild<QLabel *>(u"launchImportRefusal"_s)->text();
        QVERIFY2(!refusal.isEmpty() && !refusal.contains(u"--"_s), qPrintable(refusal));
        QVERIFY(m_prompts.errors.empty());
        launchDialog()->reject();
    }
};

FLEETWRIGHT_TEST(TestDrops)
#include "tst_drops.moc"
