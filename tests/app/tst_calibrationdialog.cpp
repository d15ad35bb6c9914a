// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/mainwindow.h"
#include "app/theme.h"
#include "app/widgets/validationlabel.h"
#include "calibrationtesting.h"
#include "domain/calibration.h"
#include "solver/models/detailed/constantrecords.h"
#include "solver/samplerun.h"
#include "testing/registry.h"

#include <QComboBox>
#include <QDate>
#include <QDialogButtonBox>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QStackedWidget>
#include <QTableView>
#include <QUndoStack>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestCalibrationDialog : public QObject, CalibrationFixture {
    Q_OBJECT

    QTableView *table() { return part<QTableView>(*m_dialog, u"runsTable"_s); }
    std::vector<const CatalogRecord *> own()
    {
        std::vector<const CatalogRecord *> records;
        for (const auto &record : m_workspace->catalog()->records(CatalogKind::CalibrationConstant))
            if (!record.shipped)
                records.push_back(&record);
        return records;
    }
    void addThree()
    {
        using samplerun::run;
        QVERIFY(m_workspace->addMeasuredRuns({run("a", 12, 8), run("b", 11, 4), run("c", 10.5, 2)}).has_value());
    }

private slots:
    void init() { open(); }
    void cleanup() { close(); }

    void emptySaysWhatToDo()
    {
        QCOMPARE(part<QStackedWidget>(*m_dialog, u"runsStack"_s)->currentWidget()->objectName(), u"emptyPage"_s);
        QVERIFY(part<QLabel>(*m_dialog, u"emptyLabel"_s)->text().contains(u"import"_s));
        QVERIFY(!part<QPushButton>(*m_dialog, u"fitButton"_s)->isEnabled());
        QVERIFY(!part<QPushButton>(*m_dialog, u"applyButton"_s)->isEnabled());
        QVERIFY(part<QPushButton>(*m_dialog, u"emptyAddButton"_s)->isVisible());
    }

    void addByForm()
    {
        click(*m_dialog, u"emptyAddButton"_s);
        auto *dialog = form();
        QVERIFY(dialog);
        dialog->activateWindow(); // fields take their text when they lose the focus
        QTRY_VERIFY(dialog->isActiveWindow());
        save(*dialog); // nothing typed yet
        QVERIFY(dialog->isVisible());
        QVERIFY(!part<QLabel>(*dialog, u"sentence"_s)->text().isEmpty());
        // The field that is missing is marked and has the keyboard, and Save is where it was.
        auto *missing = part<QLineEdit>(*dialog, u"layersEditText"_s);
        QVERIFY(missing->property(refusedProperty).toBool());
        QTRY_VERIFY(missing->hasFocus());
        const auto place = part<QDialogButtonBox>(*dialog, u"buttons"_s)->pos();
        QTest::keyClicks(part<QLineEdit>(*dialog, u"nameEdit"_s), u"first"_s);
        for (const auto &[field, text] : {std::pair(u"acceleratorsEdit"_s, u"64"_s),
                 std::pair(u"layersEdit"_s, u"40"_s), std::pair(u"hiddenEdit"_s, u"5120"_s),
                 std::pair(u"headsEdit"_s, u"40"_s), std::pair(u"sequenceEdit"_s, u"2048"_s),
                 std::pair(u"batchEdit"_s, u"512"_s), std::pair(u"tpEdit"_s, u"8"_s),
                 std::pair(u"microbatchEdit"_s, u"1"_s), std::pair(u"stepTimeEdit"_s, u"12 s"_s)})
            type(*dialog, field, text);
        QCOMPARE(part<QDialogButtonBox>(*dialog, u"buttons"_s)->pos(), place);
        save(*dialog);
        QVERIFY2(m_workspace->measuredRuns().size() == 1, qPrintable(part<QLabel>(*dialog, u"sentence"_s)->text()));
        const auto &run = m_workspace->measuredRuns().front().document;
        QCOMPARE(run.id, std::string("first"));
        QCOMPARE(run.tp, std::optional<std::int64_t>(8));
        QCOMPARE(run.measured.stepTime->value(), 12.0);
        QCOMPARE(table()->model()->rowCount(), 1);
        m_workspace->undo();
        QCOMPARE(table()->model()->rowCount(), 0);
        m_workspace->redo();
        QCOMPARE(table()->model()->rowCount(), 1);
    }

    void sizesFromTheCatalog()
    {
        click(*m_dialog, u"emptyAddButton"_s);
        auto *dialog = form();
        auto *combo = dialog->findChild<QWidget *>(u"workloadPicker"_s)->findChild<QComboBox *>();
        combo->setFocus();
        combo->lineEdit()->selectAll();
        const auto *workload = m_workspace->catalog()->find(CatalogKind::Workload, "llama3_1_70b");
        QVERIFY(workload);
        QTest::keyClicks(combo->lineEdit(), QString::fromStdString(workload->name));
        QTest::keyClick(combo->lineEdit(), Qt::Key_Return);
        QTRY_COMPARE(part<QLineEdit>(*dialog, u"layersEditText"_s)->text(), u"80"_s);
        QCOMPARE(part<QLineEdit>(*dialog, u"hiddenEditText"_s)->text(), u"8192"_s);
    }

    void editDuplicateDelete()
    {
        addThree();
        table()->selectRow(0);
        click(*m_dialog, u"editButton"_s);
        form()->activateWindow();
        QTRY_VERIFY(form()->isActiveWindow());
        type(*form(), u"stepTimeEdit"_s, u"13 s"_s);
        save(*form());
        QTRY_COMPARE(m_workspace->measuredRuns().front().document.measured.stepTime->value(), 13.0);
        QTRY_VERIFY(!form());
        click(*m_dialog, u"duplicateButton"_s);
        save(*form());
        QTRY_COMPARE(m_workspace->measuredRuns().size(), 4UZ);
        QCOMPARE(m_workspace->measuredRuns().back().document.id, std::string("a (copy)"));
        table()->selectAll();
        click(*m_dialog, u"deleteButton"_s);
        QVERIFY(m_prompts->questions.isEmpty()); // undo brings them back
        QVERIFY(m_workspace->measuredRuns().empty());
        QVERIFY(part<QLabel>(*m_dialog, u"statusLabel"_s)->text().contains(u"Deleted 4 runs"_s));
        m_workspace->undo(); // one step, however many
        QCOMPARE(m_workspace->measuredRuns().size(), 4UZ);
        QCOMPARE(m_workspace->measuredRuns().front().document.id, std::string("a"));
    }

    void importsAFile()
    {
        QFile file(m_folder->filePath(u"runs.csv"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("id,accelerator,n_gpus,framework,model.layers,model.hidden,model.heads,seq_len,global_batch,micro_"
                   "batch,tp,pp,precision,measured.iteration_time_s\n"
                   "x,A100-SXM-80GB,64,Megatron-Core,40,5120,40,2048,512,1,8,1,bf16,12\n");
        file.close();
        m_prompts->fileName = file.fileName();
        click(*m_dialog, u"emptyImportButton"_s);
        QTRY_COMPARE(m_workspace->measuredRuns().size(), 1UZ);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"runs\": [");
        file.close();
        click(*m_dialog, u"importButton"_s);
        QTRY_COMPARE(m_prompts->errors.size(), 1UZ);
        QCOMPARE(m_workspace->measuredRuns().size(), 1UZ);
    }

    void importSaysWhichRowsAreNoRuns()
    {
        QFile file(m_folder->filePath(u"runs.csv"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("id,tp,per_device_batch\ngood,2,0.5\nbad,two,1\n");
        file.close();
        m_prompts->fileName = file.fileName();
        click(*m_dialog, u"emptyImportButton"_s);
        QTRY_COMPARE(m_workspace->measuredRuns().size(), 1UZ);
        QCOMPARE(m_workspace->measuredRuns().front().document.perDeviceBatch, std::optional(0.5));
        QCOMPARE(m_prompts->errors.size(), 1UZ);
        const auto &message = m_prompts->errors.front().message;
        QVERIFY2(message.contains("1 of 2 rows") && message.contains("line 3: \u201ctp\u201d must be a number"),
            message.c_str());
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("id,tp\nbad,two\n");
        file.close();
        click(*m_dialog, u"importButton"_s);
        QTRY_COMPARE(m_prompts->errors.size(), 2UZ);
        QCOMPARE(m_workspace->measuredRuns().size(), 1UZ);
        QVERIFY(m_prompts->errors.back().message.starts_with("The only row cannot be read."));
    }

    /// A worker prepares them; the table shows the first ones.
    void importsManyRuns()
    {
        constexpr int many = 10'500;
        QFile file(m_folder->filePath(u"many.csv"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QByteArray rows = "id,tp\n";
        for (int i = 0; i < many; ++i)
            rows += "run " + QByteArray::number(i) + ",8\n";
        file.write(rows);
        file.close();
        m_prompts->fileName = file.fileName();
        click(*m_dialog, u"emptyImportButton"_s);
        QTRY_COMPARE(m_workspace->measuredRuns().size(), std::size_t(many));
        QVERIFY(m_prompts->errors.empty());
        QCOMPARE(m_workspace->measuredRuns().back().document.id, "run " + std::to_string(many - 1));
        QCOMPARE(table()->model()->rowCount(), 10'000);
        QCOMPARE(part<QLabel>(*m_dialog, u"countLabel"_s)->text(), u"the first 10000 of 10500 runs"_s);
        m_workspace->undo();
        QVERIFY(m_workspace->measuredRuns().empty());
        m_workspace->redo();
        QCOMPARE(m_workspace->measuredRuns().size(), std::size_t(many));
    }

    void cancelLeavesAnImportUndone()
    {
        QFile file(m_folder->filePath(u"many.csv"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QByteArray rows = "id,tp\n";
        for (int i = 0; i < 200'000; ++i)
            rows += "run " + QByteArray::number(i) + ",8\n";
        file.write(rows);
        file.close();
        m_prompts->fileName = file.fileName();
        click(*m_dialog, u"emptyImportButton"_s);
        auto *cancel = part<QPushButton>(*m_dialog, u"cancelButton"_s);
        QVERIFY(cancel->isVisible() && !part<QPushButton>(*m_dialog, u"emptyImportButton"_s)->isEnabled());
        click(*m_dialog, u"cancelButton"_s);
        QVERIFY(!cancel->isVisible() && part<QPushButton>(*m_dialog, u"emptyImportButton"_s)->isEnabled());
        QVERIFY(part<QLabel>(*m_dialog, u"statusLabel"_s)->text().contains(u"cancelled"_s));
        file.open(QIODevice::WriteOnly | QIODevice::Truncate);
        file.write("id,tp\nthe only one,8\n");
        file.close();
        click(*m_dialog, u"emptyImportButton"_s); // the next one is read, and nothing of the first comes after it
        QTRY_COMPARE(m_workspace->measuredRuns().size(), 1UZ);
        QVERIFY(m_prompts->errors.empty());
    }

    void fitAndApply()
    {
        addThree();
        click(*m_dialog, u"fitButton"_s);
        QTRY_VERIFY(part<QPushButton>(*m_dialog, u"applyButton"_s)->isEnabled());
        QVERIFY(part<QTableView>(*m_dialog, u"constantsTable"_s)->isVisible());
        const int constants = part<QTableView>(*m_dialog, u"constantsTable"_s)->model()->rowCount();
        QVERIFY(constants > 0);
        QVERIFY(part<QLabel>(*m_dialog, u"statusLabel"_s)->text().contains(u"Median error"_s));
        click(*m_dialog, u"applyButton"_s);
        QCOMPARE(int(own().size()), constants);
        QVERIFY(m_prompts->errors.empty());
        QCOMPARE(m_workspace->undoStack()->undoText(),
            constants == 1 ? u"Calibrate 1 constant"_s : u"Calibrate %1 constants"_s.arg(constants));
        m_workspace->undo();
        QVERIFY(own().empty());
        m_workspace->redo();
        QCOMPARE(int(own().size()), constants);
        // Another calibration replaces the first; undo brings that back. It has one more run: that of the same runs
        // believes the same beforehand and comes to the same constants.
        const auto first = *own().front();
        QVERIFY(m_workspace->addMeasuredRuns({samplerun::run("d", 14, 8, 2)}).has_value());
        click(*m_dialog, u"fitButton"_s);
        QTRY_VERIFY(part<QPushButton>(*m_dialog, u"applyButton"_s)->isEnabled());
        click(*m_dialog, u"applyButton"_s);
        QVERIFY(!(*own().front() == first));
        m_workspace->undo();
        QVERIFY(*own().front() == first);
        m_workspace->undo(); // the fourth run
        // All of it is in the file.
        const auto path = m_workspace->path();
        m_workspace->close();
        QVERIFY(m_workspace->open(path).has_value());
        QCOMPARE(int(own().size()), constants);
        QCOMPARE(m_workspace->measuredRuns().size(), 3UZ);
    }

    /// What is in use stands above everything, what a fit comes to in words, and a later session has a way back, too.
    void saysWhatIsInUseAndLeadsBack()
    {
        const auto said = [&](const char *label) {
            return part<QLabel>(*m_dialog, QString::fromLatin1(label))->text();
        };
        auto *reset = part<QPushButton>(*m_dialog, u"resetButton"_s);
        QVERIFY(said("stateLabel").startsWith(u"In use: the constants that come with the program"_s));
        QVERIFY(!reset->isVisible() && !part<QLabel>(*m_dialog, u"verdictLabel"_s)->isVisible());
        addThree();
        QVERIFY(said("stateLabel").contains(u"move what is likely and its range"_s)); // which needs no fit
        click(*m_dialog, u"fitButton"_s);
        QTRY_VERIFY(part<QPushButton>(*m_dialog, u"applyButton"_s)->isEnabled());
        const auto verdict = said("verdictLabel");
        QVERIFY2(verdict.startsWith(u"Worth applying: expect a new run of yours to be "_s), qPrintable(verdict));
        QVERIFY2(!verdict.contains(u"It rests"_s), qPrintable(verdict)); // the first sentence alone is bold
        QVERIFY2(said("verdictDetails").contains(u"It rests on 3 runs"_s), qPrintable(said("verdictDetails")));
        QVERIFY(own().empty()); // a fit alone changes nothing
        click(*m_dialog, u"applyButton"_s);
        const auto constants = own().size();
        QVERIFY(constants > 0);
        const auto today = QDate::currentDate().toString(Qt::ISODate);
        QVERIFY2(said("stateLabel").startsWith(u"In use: %1 of the program\u2019s constants"_s.arg(constants))
                && said("stateLabel").contains(u"fitted to 3 runs on "_s + today),
            qPrintable(said("stateLabel")));
        const auto path = m_workspace->path();
        m_workspace->close(); // nothing is left to be undone then
        QVERIFY(m_workspace->open(path).has_value());
        QVERIFY(reset->isVisible());
        click(*m_dialog, u"resetButton"_s);
        QVERIFY(own().empty());
        QCOMPARE(m_workspace->measuredRuns().size(), 3UZ);
        QVERIFY(!reset->isVisible() && said("stateLabel").startsWith(u"In use: the constants that come"_s));
        QCOMPARE(m_workspace->undoStack()->undoText(), u"Back to the program\u2019s constants"_s);
        m_workspace->undo();
        QCOMPARE(own().size(), constants);
        m_workspace->redo();
        QVERIFY(own().empty() && m_prompts->errors.empty());
    }

    /// What was set by hand applies as what was fitted does, and each fit has its runs and its day.
    void constantsOfEveryOriginAreCounted()
    {
        const auto said = [&] { return part<QLabel>(*m_dialog, u"stateLabel"_s)->text(); };
        auto *reset = part<QPushButton>(*m_dialog, u"resetButton"_s);
        const auto constants = detailed::constantTable();
        const auto fitted = [&](std::size_t at) {
            const double value = detailed::Constants()[constants[at].constant];
            return detailed::FittedConstant{
                .constant = constants[at].constant, .before = value, .after = value, .low = value, .high = value};
        };
        auto byHand = *shippedConstant(*m_workspace->catalog(), constants[0].key);
        byHand.id = "by_hand";
        byHand.name = "By hand";
        byHand.shipped = false;
        QVERIFY(m_workspace->saveRecord(byHand).has_value());
        QCOMPARE(
            said(), u"In use: 1 of the program\u2019s constants replaced by your own, set by hand in the catalog."_s);
        QVERIFY(!reset->isVisible()); // it removes what was fitted
        QVERIFY(m_workspace
                    ->applyCalibration({detailed::calibratedRecord(fitted(1), 3, "2026-01-02"),
                        detailed::calibratedRecord(fitted(2), 3, "2026-01-02")})
                    .has_value());
        QCOMPARE(said(),
            u"In use: 3 of the program\u2019s constants replaced by your own: 2 fitted to 3 runs on 2026-01-02, 1 set "
            u"by "
            "hand in the catalog."_s);
        QVERIFY(m_workspace->applyCalibration({detailed::calibratedRecord(fitted(2), 1, "2026-03-04")}).has_value());
        QCOMPARE(said(),
            u"In use: 3 of the program\u2019s constants replaced by your own: 1 fitted to 1 run on 2026-03-04, 1 "
            u"fitted "
            "to 3 runs on 2026-01-02, 1 set by hand in the catalog."_s);
        QVERIFY(reset->isVisible());
        QCOMPARE(reset->text(), u"Remove the fitted constants"_s);
        click(*m_dialog, u"resetButton"_s);
        QCOMPARE(own().size(), 1UZ);
        QCOMPARE(own().front()->id, byHand.id);
        QCOMPARE(
            said(), u"In use: 1 of the program\u2019s constants replaced by your own, set by hand in the catalog."_s);
        QCOMPARE(part<QLabel>(*m_dialog, u"statusLabel"_s)->text(),
            u"The fitted constants are removed; the one set by hand in the catalog still applies. Undo brings the "
            u"fitted "
            "ones back."_s);
        QVERIFY(m_workspace->removeRecord(CatalogKind::CalibrationConstant, byHand.id).has_value());
        QCOMPARE(said(), u"In use: the constants that come with the program."_s);
    }

    void aFitSaysWhatItDoesToPlans()
    {
        QVERIFY(m_workspace->createSample(m_folder->filePath(u"plans.fleetwright"_s), storage::ShippedProject::Tutorial)
                    .has_value());
        addThree();
        const auto *verdict = part<QLabel>(*m_dialog, u"verdictDetails"_s);
        click(*m_dialog, u"fitButton"_s);
        QTRY_VERIFY(part<QPushButton>(*m_dialog, u"applyButton"_s)->isEnabled());
        QTRY_VERIFY2(verdict->text().endsWith(u"their steps stay as they are."_s),
            qPrintable(verdict->text())); // weighed beside the window
        auto plan = m_workspace->plans().front().document; // on what the runs were measured on
        plan.name = "Like the runs";
        plan.costModelId = "detailed";
        plan.fleet.node = "nvidia_dgx_a100_80gb";
        QVERIFY(m_workspace->addPlan(plan).has_value());
        click(*m_dialog, u"fitButton"_s);
        QTRY_VERIFY2(
            verdict->text().contains(u"A step of \u201cLike the runs\u201d takes "_s), qPrintable(verdict->text()));
        QVERIFY2(verdict->text().contains(u" by those before the fit ("_s), qPrintable(verdict->text()));
    }

    void oneRunHasNoOthersThatPredictIt()
    {
        QVERIFY(m_workspace->addMeasuredRuns({samplerun::run("a", 12, 8)}).has_value());
        click(*m_dialog, u"fitButton"_s);
        QTRY_VERIFY(part<QPushButton>(*m_dialog, u"applyButton"_s)->isEnabled());
        const auto status = part<QLabel>(*m_dialog, u"statusLabel"_s)->text();
        QVERIFY2(!status.contains(u"the others"_s), qPrintable(status));
        QCOMPARE(part<QLabel>(*m_dialog, u"verdictLabel"_s)->text(),
            u"One run cannot show whether a fit helps the next one."_s);
        const auto reasons = part<QLabel>(*m_dialog, u"verdictDetails"_s)->text();
        QVERIFY2(reasons.contains(u"than by the formula"_s), qPrintable(reasons)); // what its percentage is of
    }

    void changedRunsForgetTheFit()
    {
        addThree();
        click(*m_dialog, u"fitButton"_s);
        QTRY_VERIFY(part<QPushButton>(*m_dialog, u"applyButton"_s)->isEnabled());
        QVERIFY(m_workspace->addMeasuredRuns({samplerun::run("d", 14, 8, 2)}).has_value());
        QVERIFY(!part<QPushButton>(*m_dialog, u"applyButton"_s)->isEnabled());
        QVERIFY(!part<QTableView>(*m_dialog, u"constantsTable"_s)->isVisible());
    }

    void unusableRunsAreRefusedWithASentence()
    {
        auto run = samplerun::run("no batch", 9);
        run.globalBatch = std::nullopt;
        QVERIFY(m_workspace->addMeasuredRuns({run}).has_value());
        click(*m_dialog, u"fitButton"_s);
        QTRY_VERIFY(part<QLabel>(*m_dialog, u"sentence"_s)->text().contains(u"no batch"_s));
        QVERIFY(!part<QPushButton>(*m_dialog, u"applyButton"_s)->isEnabled());
    }

    void opensFromTheCatalogAndTheMenu()
    {
        Settings settings(m_folder->filePath(u"settings.ini"_s));
        MainWindow window(settings, *m_prompts);
        QVERIFY(window.workspace()
                    .createSample(m_folder->filePath(u"sample.fleetwright"_s), storage::ShippedProject::Tutorial)
                    .has_value());
        window.show();
        window.showPage(u"catalog/calibration_constants"_s);
        auto *button = window.findChild<QPushButton *>(u"calibrateButton"_s);
        QVERIFY(button && button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        auto *dialog = window.findChild<QDialog *>(u"CalibrationDialog"_s);
        QVERIFY(dialog && dialog->isVisible());
        dialog->hide();
        window.findChild<QAction *>(u"actionCalibrate"_s)->trigger();
        QVERIFY(dialog->isVisible());
    }
};

FLEETWRIGHT_TEST(TestCalibrationDialog)
#include "tst_calibrationdialog.moc"
