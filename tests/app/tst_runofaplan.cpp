// SPDX-License-Identifier: GPL-3.0-or-later
// The form of a measured run that starts as a plan.
#include "app/widgets/validationlabel.h"
#include "app/wording.h"
#include "calibrationtesting.h"
#include "solver/answer/solve.h"
#include "solver/models/detailed/constantrecords.h"
#include "solver/search/bestlayout.h"
#include "solver/validation/runconfiguration.h"
#include "solver/validation/runprice.h"
#include "testing/registry.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QLineEdit>
#include <QPushButton>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestRunOfAPlan : public QObject, CalibrationFixture {
    Q_OBJECT

    /// Nothing is under way any more.
    static bool isAsThePlan(QDialog &form)
    {
        return part<QDialogButtonBox>(form, u"buttons"_s)->button(QDialogButtonBox::Save)->isEnabled();
    }

private slots:
    void init() { open(); }
    void cleanup() { close(); }

    void startsAsAPlan()
    {
        QVERIFY(m_workspace->addPlan(examplePlan()).has_value());
        const auto plan = m_workspace->plans().front().document;
        click(*m_dialog, u"emptyAddButton"_s);
        auto *dialog = form();
        auto *plans = part<QComboBox>(*dialog, u"planCombo"_s);
        QVERIFY(plans->isVisible());
        QCOMPARE(plans->itemText(1), QString::fromStdString(plan.name));
        plans->setFocus();
        QTest::keyClick(plans, Qt::Key_Down);
        QTRY_VERIFY(isAsThePlan(*dialog));
        QCOMPARE(part<QLineEdit>(*dialog, u"tpEditText"_s)->text(), QString::number(plan.parallelism.tp));
        QCOMPARE(part<QLineEdit>(*dialog, u"sequenceEditText"_s)->text().remove(u','),
            QString::number(plan.training.sequenceLength));
        QVERIFY(!part<QLineEdit>(*dialog, u"layersEditText"_s)->text().isEmpty());
        QVERIFY(part<QComboBox>(*dialog, u"acceleratorCombo"_s)->currentText().startsWith(u"H100"_s));
    }

    /// Named after the plan, predicted as the plan is, and no longer where a field says otherwise.
    void aRunOfAPlanIsPredictedAsThePlan()
    {
        QVERIFY(m_workspace->addPlan(examplePlan()).has_value());
        auto plan = m_workspace->plans().front().document;
        plan.costModelId = "detailed";
        QVERIFY(m_workspace->editPlan(m_workspace->plans().front().id, plan).has_value());
        const auto step = *solve(*resolve(plan, *m_workspace->catalog()))->estimate.stepTime;
        const auto fill = [&](const QString &name) {
            auto *dialog = form();
            dialog->activateWindow();
            QTRY_VERIFY(dialog->isActiveWindow());
            auto *edit = part<QLineEdit>(*dialog, u"nameEdit"_s);
            QCOMPARE(edit->placeholderText(), u"needed"_s);
            auto *plans = part<QComboBox>(*dialog, u"planCombo"_s);
            plans->setFocus();
            QTest::keyClick(plans, Qt::Key_Down);
            QTRY_COMPARE(edit->text(), name);
            const auto reading = part<QLabel>(*dialog, u"readingLabel"_s)->text();
            QVERIFY2(reading.endsWith(u"a step is predicted to take %1."_s.arg(shown(step))), qPrintable(reading));
            type(*dialog, u"stepTimeEdit"_s, u"2.6 s"_s);
        };
        const auto name = QString::fromStdString(plan.name);
        click(*m_dialog, u"emptyAddButton"_s);
        fill(name);
        save(*form());
        QCOMPARE(m_workspace->measuredRuns().size(), 1UZ);
        const auto run = m_workspace->measuredRuns().front().document;
        QCOMPARE(run.id, plan.name);
        const auto constants = *detailed::constantsOf(*m_workspace->catalog());
        QCOMPARE(validation::likelyStep(*validation::configurationFrom(run), constants)->mean.value(), step.value());
        QTRY_VERIFY(!form());
        click(*m_dialog, u"addButton"_s);
        fill(name + u", run 2"_s);
        auto *software = part<QComboBox>(*form(), u"frameworkCombo"_s);
        software->setFocus();
        QTest::keyClick(software, Qt::Key_Home);
        QVERIFY(part<QLabel>(*form(), u"readingLabel"_s)->text().contains(u"Megatron-Core"_s));
        save(*form());
        QTRY_COMPARE(m_workspace->measuredRuns().size(), 2UZ);
        const auto other = validation::configurationFrom(m_workspace->measuredRuns().back().document);
        QVERIFY(other->setting.stack.software == detailed::Software::MegatronCore);
        QVERIFY(other->setting.machine == validation::configurationFrom(run)->setting.machine);
    }

    /// One whose layout is open begins with the layout that the plan is answered with.
    void aPlanWithAnOpenLayoutStartsARun()
    {
        QVERIFY(m_workspace->addPlan(examplePlan()).has_value());
        auto plan = withBestLayout(m_workspace->plans().front().document);
        plan.parallelism = {.tp = 1, .pp = 1}; // with which its batch is not divided
        QVERIFY(m_workspace->editPlan(m_workspace->plans().front().id, plan).has_value());
        const auto decided = layoutsearch::resolveWithBestLayout(plan, *m_workspace->catalog());
        QVERIFY(decided && decided->layout);
        click(*m_dialog, u"emptyAddButton"_s);
        auto *dialog = form();
        auto *plans = part<QComboBox>(*dialog, u"planCombo"_s);
        plans->setFocus();
        QTest::keyClick(plans, Qt::Key_Down);
        QTRY_VERIFY(isAsThePlan(*dialog));
        QCOMPARE(plans->currentIndex(), 1);
        QCOMPARE(part<QLineEdit>(*dialog, u"tpEditText"_s)->text(), QString::number(decided->layout->row.layout.tp));
        QCOMPARE(part<QLineEdit>(*dialog, u"ppEditText"_s)->text(), QString::number(decided->layout->row.layout.pp));
    }

    /// What the runs of the site say, and the layout that they choose, are found beside the window, which shows nothing
    /// of the plan until then.
    void aPlanIsReadBesideTheWindow()
    {
        QVERIFY(m_workspace->addPlan(examplePlan()).has_value());
        auto plan = withBestLayout(m_workspace->plans().front().document);
        QVERIFY(m_workspace->editPlan(m_workspace->plans().front().id, plan).has_value());
        click(*m_dialog, u"emptyAddButton"_s);
        auto *dialog = form();
        auto *plans = part<QComboBox>(*dialog, u"planCombo"_s);
        const auto *layers = part<QLineEdit>(*dialog, u"layersEditText"_s);
        const auto *reading = part<QLabel>(*dialog, u"readingLabel"_s);
        plans->setFocus();
        QTest::keyClick(plans, Qt::Key_Down);
        QVERIFY(layers->text().isEmpty() && reading->text().isEmpty() && !isAsThePlan(*dialog));
        QTest::keyClick(plans, Qt::Key_Up); // another choice ends it
        QVERIFY(isAsThePlan(*dialog));
        QTest::qWait(200);
        QVERIFY(layers->text().isEmpty());
        QTest::keyClick(plans, Qt::Key_Down);
        save(*dialog);
        QVERIFY(m_workspace->measuredRuns().empty());
        QTRY_VERIFY(isAsThePlan(*dialog));
        QVERIFY(!layers->text().isEmpty() && !reading->text().isEmpty());
    }

    /// A plan that no run can be made from is not named over a form that is not its own.
    void aPlanThatCannotStartARun()
    {
        QVERIFY(m_workspace->addPlan(examplePlan()).has_value());
        auto plan = m_workspace->plans().front().document;
        plan.training.microbatchCount = 7; // does not divide its batch
        plan.training.microbatchSize.reset();
        QVERIFY(m_workspace->editPlan(m_workspace->plans().front().id, plan).has_value());
        click(*m_dialog, u"emptyAddButton"_s);
        auto *dialog = form();
        auto *plans = part<QComboBox>(*dialog, u"planCombo"_s);
        auto *sentence = part<ValidationLabel>(*dialog, u"sentence"_s);
        plans->setFocus();
        QTest::keyClick(plans, Qt::Key_Down);
        QTRY_VERIFY(!sentence->sentence().isEmpty());
        QCOMPARE(plans->currentIndex(), 0);
        QVERIFY(isAsThePlan(*dialog)); // what is typed can be saved
        auto *name = part<QLineEdit>(*dialog, u"nameEdit"_s);
        name->setFocus();
        QTest::keyClicks(name, u"One"_s);
        QVERIFY2(sentence->sentence().isEmpty(), qPrintable(sentence->sentence()));
    }
};

FLEETWRIGHT_TEST(TestRunOfAPlan)
#include "tst_runofaplan.moc"
