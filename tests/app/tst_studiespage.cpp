// SPDX-License-Identifier: GPL-3.0-or-later
// Guided studies as a reader goes through them, and what the project keeps of it.
#include "app/pages/studies/studiespage.h"
#include "testing/registry.h"

#include "app/pages/ledger/ledgerpage.h"
#include "app/theme.h"
#include "exchange/studydocuments.h"
#include "pagetesting.h"
#include "solver/study/instruments.h"
#include "solver/study/study.h"
#include "storage/shippedstudies.h"

#include <QAction>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFile>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSlider>
#include <QTreeWidget>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestStudiesPage : public QObject, private PageFixture<StudiesPage> {
    Q_OBJECT
private slots:
    void init();
    void cleanup() { close(); }
    void shippedStudiesAreWhole();
    void shippedStudiesCanBeWon();
    void entriesSayWhatTheyAre();
    void instrumentWaitsForThePrediction();
    void predictionStaysWhenTheProjectReopens();
    void wholeStudyByHand();
    void reflectionIsKept();
    void anotherProjectGetsNothing();
    void keysGoBackAndOn();
    void startAgain();
    void themeIsTakenAtOnce();
    void instrumentsStandOnTheirOwn();
    void ownStudy();
    void importRefuses();

private:
    void openPage() { showPage({1090, 750}); }
    void click(const QString &button) { QTest::mouseClick(part<QPushButton>(*m_page, button), Qt::LeftButton); }
    void predict(const QString &choice)
    {
        part<QRadioButton>(*m_page, u"choice/"_s + choice)->click();
        click(u"predictButton"_s);
    }
    QString text(const QString &label) { return part<QLabel>(*m_page, label)->text(); }
    StudyProgress saved(const char *study)
    {
        const auto progress = m_workspace->studyProgress(study);
        return progress && *progress ? **progress : StudyProgress{};
    }
};

void TestStudiesPage::init()
{
    makeSample();
    openPage();
}

void TestStudiesPage::shippedStudiesAreWhole()
{
    const auto studies = storage::shippedStudies();
    QVERIFY2(studies, studies ? "" : (studies.error().field + ": " + studies.error().message).c_str());
    QCOMPARE(studies->size(), 2UZ);
    QCOMPARE(int((*studies)[0].context), int(StudyContext::DataParallel));
    QCOMPARE(int((*studies)[1].context), int(StudyContext::ThreeDimensional));
    for (const auto &study : *studies) {
        std::map<std::string_view, int> kinds;
        for (const auto &step : study.steps)
            ++kinds[kindOf(step)];
        QCOMPARE(kinds["predict"], 2);
        QCOMPARE(kinds["reveal"], 2);
        QCOMPARE(kinds["instrument"], 2);
        QVERIFY(kinds["brief"] >= 1 && kinds["reflect"] == 1 && kinds["takeaways"] == 1);
        QVERIFY(exchange::studyFromText(exchange::studyToYaml(study)).value() == study);
    }
}

void TestStudiesPage::shippedStudiesCanBeWon()
{
    const auto studies = storage::shippedStudies().value();
    const std::vector<InstrumentSettings> best{
        DpWallSettings{7, 512, 4, WallFabric::ScaleOut, InstrumentVariant::Corrected},
        CubeSettings{2, 16, 16, InstrumentVariant::Corrected}};
    for (std::size_t i = 0; i < studies.size(); ++i) {
        auto progress = study::started(studies[i]);
        for (const auto &step : studies[i].steps)
            if (const auto *question = std::get_if<PredictStep>(&step.content))
                progress = study::answered(
                    studies[i], progress, step.id, std::ranges::find_if(question->choices, &Choice::right)->id)
                               .value();
        progress = study::moved(studies[i], progress, study::finalInstrument(studies[i])->id, best[i]).value();
        const auto reading = instruments::read(best[i], instruments::standardMachine()).value();
        QCOMPARE(int(study::verdict(studies[i], progress, reading.outcome).tier), int(study::Tier::Optimal));
        // The start is not yet the answer.
        const auto start = std::get<InstrumentStep>(study::finalInstrument(studies[i])->content).start;
        QVERIFY(*instruments::read(start, instruments::standardMachine())->outcome.mfu < study::optimalMfu);
    }
    // What the text of the second study claims.
    QVERIFY(!*instruments::read(CubeSettings{8, 4, 16}, instruments::standardMachine())->outcome.memoryFits);
    QVERIFY(*instruments::read(CubeSettings{2, 16, 16}, instruments::standardMachine())->outcome.memoryFits);
}

/// No two entries are called the same, each study shows its place from the first step, which says what is learnt.
void TestStudiesPage::entriesSayWhatTheyAre()
{
    auto *list = part<QTreeWidget>(*m_page, u"list"_s);
    QStringList names;
    for (QTreeWidgetItemIterator item(list); *item; ++item)
        names << (*item)->text(0);
    QCOMPARE(names.removeDuplicates(), 0);
    QVERIFY(names.contains(u"Instrument: 3D cube"_s));
    QCOMPARE(list->currentItem()->text(1), u"1 of 10"_s);
    const auto outline = text(u"outlineLabel"_s);
    QVERIFY2(outline.contains(u"What you learn: Why does the utilisation"_s) && outline.contains(u"20 minutes"_s)
            && outline.contains(u"10.  What to take along"_s),
        qPrintable(outline));
}

void TestStudiesPage::instrumentWaitsForThePrediction()
{
    click(u"nextButton"_s);
    QCOMPARE(text(u"stepTitle"_s), u"Why does the MFU fall?"_s);
    QVERIFY(!part<QPushButton>(*m_page, u"predictButton"_s)->isEnabled());
    click(u"nextButton"_s);
    auto *panel = part<QWidget>(*m_page->findChild<QWidget *>(u"study"_s), u"instrument/dp-wall"_s);
    QVERIFY(part<QLabel>(*panel, u"lockedLabel"_s)->isVisible());
    QVERIFY(
        part<QLabel>(*panel, u"lockedLabel"_s)
            ->text()
            .startsWith(
                u"The instrument is locked until you have made the prediction \u201cWhy does the MFU fall?\u201d"_s));
    QVERIFY(!part<QPushButton>(*m_page, u"nextButton"_s)->isEnabled());
    QVERIFY(text(u"blockedLabel"_s).contains(u"Next opens when"_s));
    QVERIFY(!part<QSlider>(*panel, u"microbatchSlider"_s)->isVisible());
    QTest::mouseClick(part<QPushButton>(*panel, u"unlockButton"_s), Qt::LeftButton);
    QTRY_COMPARE(text(u"stepTitle"_s), u"Why does the MFU fall?"_s);
    predict(u"memory"_s);
    QVERIFY(text(u"madeLabel"_s).startsWith(u"Your prediction is made and stays."_s));
    for (const auto *choice : m_page->findChildren<QRadioButton *>())
        QVERIFY(!choice->isEnabled());
    QVERIFY(!part<QPushButton>(*m_page, u"predictButton"_s)->isVisible());
    click(u"nextButton"_s);
    panel = part<QWidget>(*m_page->findChild<QWidget *>(u"study"_s), u"instrument/dp-wall"_s);
    QVERIFY(part<QSlider>(*panel, u"microbatchSlider"_s)->isVisible());
    click(u"nextButton"_s);
    QVERIFY(!part<QWidget>(*m_page, u"study"_s)
                 ->findChild<QWidget *>(u"instrument/dp-wall"_s)); // it would hold its size for this step
    QCOMPARE(text(u"replyTitle"_s), u"Your prediction did not hold"_s);
    QVERIFY(text(u"replyLabel"_s).startsWith(u"In data parallelism every accelerator holds the same weights"_s));
    QVERIFY(text(u"rightLabel"_s).startsWith(u"Right is: The all-reduce stays as long"_s));
}

void TestStudiesPage::predictionStaysWhenTheProjectReopens()
{
    click(u"nextButton"_s);
    predict(u"slower"_s);
    click(u"nextButton"_s);
    auto *panel = part<QWidget>(*m_page->findChild<QWidget *>(u"study"_s), u"instrument/dp-wall"_s);
    auto *slider = part<QSlider>(*panel, u"acceleratorsSlider"_s);
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_End);
    QTRY_VERIFY(saved("data-parallel-wall").settings.contains("wall-as-printed"));
    QCOMPARE(std::get<DpWallSettings>(saved("data-parallel-wall").settings.at("wall-as-printed")).accelerators, 1024);

    const auto path = m_workspace->path();
    m_page.reset();
    m_workspace->close();
    m_workspace = std::make_unique<Workspace>();
    QVERIFY(m_workspace->open(path).has_value());
    openPage();
    QCOMPARE(text(u"stepLabel"_s), u"Step 3 of 10"_s);
    panel = part<QWidget>(*m_page->findChild<QWidget *>(u"study"_s), u"instrument/dp-wall"_s);
    QCOMPARE(part<QSlider>(*panel, u"acceleratorsSlider"_s)->value(), 10);
    click(u"backButton"_s);
    QVERIFY(part<QRadioButton>(*m_page, u"choice/slower"_s)->isChecked());
    QVERIFY(!part<QRadioButton>(*m_page, u"choice/communication"_s)->isEnabled());
    auto *list = part<QTreeWidget>(*m_page, u"list"_s);
    QCOMPARE(list->currentItem()->text(1), u"2 of 10"_s);
}

void TestStudiesPage::wholeStudyByHand()
{
    m_page->showEntry(u"cube-of-1024"_s);
    click(u"nextButton"_s);
    predict(u"deep-pipeline"_s);
    for (int i = 0; i < 3; ++i)
        click(u"nextButton"_s);
    QCOMPARE(text(u"stepTitle"_s), u"Why does TP stay inside the node?"_s);
    predict(u"critical-path"_s);
    click(u"nextButton"_s);
    auto *panel = part<QWidget>(*m_page->findChild<QWidget *>(u"study"_s), u"instrument/cube"_s);
    auto *tp = part<QSlider>(*panel, u"tpSlider"_s), *pp = part<QSlider>(*panel, u"ppSlider"_s);
    tp->setFocus();
    QTest::keyClick(tp, Qt::Key_Home);
    QTest::keyClick(tp, Qt::Key_Right);
    pp->setFocus();
    for (int i = 4; i < 16; ++i)
        QTest::keyClick(pp, Qt::Key_Right);
    QCOMPARE(part<QLabel>(*panel, u"mfuValue"_s)->text(), u"41.9\u00a0%"_s);
    for (int i = 0; i < 3; ++i)
        click(u"nextButton"_s);
    QVERIFY(!part<QWidget>(*m_page, u"result"_s)->isVisible());
    QCOMPARE(part<QPushButton>(*m_page, u"nextButton"_s)->text(), u"Finish"_s);
    click(u"nextButton"_s);
    QVERIFY(part<QWidget>(*m_page, u"result"_s)->isVisible());
    QCOMPARE(text(u"resultTitle"_s), u"Finished: optimal"_s);
    QCOMPARE(text(u"statusLine"_s),
        u"TP 2 x PP 16 x DP 32, 16 microbatches, corrected  \u00b7  MFU 41.9\u00a0%  \u00b7  memory fits  \u00b7  "
        u"bubble 5.86\u00a0%"_s);
    QCOMPARE(text(u"predictionsLabel"_s).count(u"Held:"_s), 2);
    QVERIFY(saved("cube-of-1024").finished);
    QCOMPARE(part<QTreeWidget>(*m_page, u"list"_s)->currentItem()->text(1), u"finished"_s);

    QCOMPARE(m_workspace->ledger().size(), 0UZ);
    click(u"recordButton"_s);
    QTRY_VERIFY(m_page->findChild<QDialog *>());
    auto *dialog = m_page->findChild<QDialog *>();
    QCOMPARE(part<QLineEdit>(*dialog, u"tpEditText"_s)->text(), u"2"_s);
    part<QPlainTextEdit>(*dialog, u"noteEdit"_s)->setFocus();
    QTest::keyClicks(part<QPlainTextEdit>(*dialog, u"noteEdit"_s), u"Agreed "_s);
    QTest::mouseClick(part<QDialogButtonBox>(*dialog, u"buttons"_s)->button(QDialogButtonBox::Save), Qt::LeftButton);
    QTRY_COMPARE(m_workspace->ledger().size(), 1UZ);
    const auto &entry = m_workspace->ledger().front().document;
    QCOMPARE(int(entry.context), int(LedgerContext::ThreeDimensional));
    QCOMPARE(*entry.dp, 32);
    QCOMPARE(*entry.accelerators, 1024);
    QVERIFY(*entry.memoryFeasible && *entry.predictionHeld);
    QVERIFY(entry.note.contains("Agreed") && entry.note.contains("Tier: optimal."));
    QVERIFY(!part<QPushButton>(*m_page, u"recordButton"_s)->isVisible());
    QVERIFY(saved("cube-of-1024").ledgerOffered);
}

void TestStudiesPage::reflectionIsKept()
{
    const auto study = storage::shippedStudies()->front();
    auto progress = study::answered(study, study::started(study), "why-it-falls", "slower").value();
    progress = study::answered(study, progress, "what-hides-it", "buckets").value();
    progress.currentStep = "your-words";
    QVERIFY(m_workspace->saveStudyProgress(progress).has_value());
    openPage();
    auto *edit = part<QPlainTextEdit>(*m_page, u"reflectionEdit"_s);
    QVERIFY(edit->isVisible());
    edit->setFocus();
    QTest::keyClicks(edit, u"How much is left to hide behind?"_s);
    click(u"nextButton"_s); // no pause: what was typed last is kept all the same
    QCOMPARE(saved("data-parallel-wall").reflections.at("your-words"), std::string("How much is left to hide behind?"));
    click(u"backButton"_s);
    QCOMPARE(edit->toPlainText(), u"How much is left to hide behind?"_s);
    edit->setFocus();
    QTest::keyClicks(edit, u"Yes. "_s);
    QTRY_VERIFY(saved("data-parallel-wall").reflections.at("your-words").contains("Yes."));
}

void TestStudiesPage::anotherProjectGetsNothing()
{
    click(u"nextButton"_s);
    predict(u"slower"_s);
    click(u"nextButton"_s);
    auto *panel = part<QWidget>(*m_page->findChild<QWidget *>(u"study"_s), u"instrument/dp-wall"_s);
    QTest::keyClick(part<QSlider>(*panel, u"acceleratorsSlider"_s), Qt::Key_End);
    QVERIFY(m_workspace->createProject(m_folder->filePath(u"other.fleetwright"_s)).has_value());
    QCOMPARE(text(u"stepLabel"_s), u"Step 1 of 10"_s);
    QVERIFY(!m_workspace->studyProgress("data-parallel-wall")->has_value());
}

void TestStudiesPage::keysGoBackAndOn()
{
    QTest::keyClick(m_page.get(), Qt::Key_Right, Qt::AltModifier);
    QCOMPARE(text(u"stepLabel"_s), u"Step 2 of 10"_s);
    auto *first = m_page->findChildren<QRadioButton *>().front();
    first->setFocus();
    QTest::keyClick(first, Qt::Key_Space);
    QVERIFY(first->isChecked());
    QTest::keyClick(first, Qt::Key_Down);
    auto *button = part<QPushButton>(*m_page, u"predictButton"_s);
    button->setFocus();
    QTest::keyClick(button, Qt::Key_Space);
    QCOMPARE(saved("data-parallel-wall").answers.at("why-it-falls"), std::string("memory"));
    QTest::keyClick(m_page.get(), Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(text(u"stepLabel"_s), u"Step 1 of 10"_s);
}

void TestStudiesPage::startAgain()
{
    click(u"nextButton"_s);
    predict(u"memory"_s);
    m_prompts->confirmation = false;
    click(u"restartButton"_s);
    QCOMPARE(saved("data-parallel-wall").answers.size(), 1UZ);
    m_prompts->confirmation = true;
    click(u"restartButton"_s);
    QVERIFY(!m_workspace->studyProgress("data-parallel-wall")->has_value());
    QCOMPARE(text(u"stepLabel"_s), u"Step 1 of 10"_s);
    click(u"nextButton"_s);
    QVERIFY(part<QRadioButton>(*m_page, u"choice/memory"_s)->isEnabled());
    QVERIFY(!part<QRadioButton>(*m_page, u"choice/memory"_s)->isChecked());
}

/// What is quiet is so in the theme that was switched to, without a step in between.
void TestStudiesPage::themeIsTakenAtOnce()
{
    applyTheme(ThemeChoice::Light);
    click(u"nextButton"_s);
    auto *list = part<QTreeWidget>(*m_page, u"list"_s);
    for (const auto theme : {ThemeChoice::Dark, ThemeChoice::Light}) {
        applyTheme(theme);
        QCoreApplication::processEvents();
        const auto quiet = quietColour(theme == ThemeChoice::Dark ? darkPalette() : lightPalette());
        for (const auto &label : {u"madeLabel"_s, u"blockedLabel"_s, u"tierLabel"_s})
            QCOMPARE(part<QLabel>(*m_page, label)->palette().color(QPalette::WindowText), quiet);
        int coloured = 0;
        for (QTreeWidgetItemIterator item(list); *item; ++item)
            if (!(*item)->text(1).isEmpty()) {
                QCOMPARE((*item)->foreground(1).color(), quiet);
                ++coloured;
            }
        QVERIFY(coloured > 0);
    }
}

void TestStudiesPage::instrumentsStandOnTheirOwn()
{
    m_page->showEntry(u"cube"_s);
    auto *panel = part<QWidget>(*m_page->findChild<QWidget *>(u"instruments"_s), u"instrument/cube"_s);
    QVERIFY(panel->isVisible());
    QVERIFY(part<QSlider>(*panel, u"tpSlider"_s)->isEnabled());
    auto *combo = part<QComboBox>(*panel, u"machineCombo"_s);
    QCOMPARE(combo->count(), 1 + int(m_workspace->plans().size()));
    QVERIFY(!part<QPushButton>(*m_page, u"exportButton"_s)->isEnabled());
    m_page->copy();
    QVERIFY(QGuiApplication::clipboard()->text().contains(u"Published slip: activations grow with TP"_s));
}

void TestStudiesPage::ownStudy()
{
    // The export of a shipped study is a pattern for one's own.
    m_prompts->fileName = m_folder->filePath(u"mine"_s);
    click(u"exportButton"_s);
    QFile file(m_folder->filePath(u"mine.yaml"_s));
    QVERIFY(file.open(QIODevice::ReadOnly));
    auto yaml = file.readAll();
    QVERIFY(exchange::studyFromText(yaml.toStdString()).value() == storage::shippedStudies()->front());
    file.close();
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(
        yaml.replace("id: data-parallel-wall", "id: mine").replace("title: The data-parallel wall", "title: My wall"));
    file.close();
    m_prompts->fileName = file.fileName();
    click(u"importButton"_s);
    QVERIFY2(m_prompts->errors.empty(), m_prompts->errors.empty() ? "" : m_prompts->errors.front().message.c_str());
    QCOMPARE(m_workspace->studies().size(), 1UZ);
    QCOMPARE(text(u"studyTitle"_s), u"My wall"_s);
    click(u"nextButton"_s);
    QCOMPARE(saved("mine").currentStep, std::string("why-it-falls"));
    click(u"deleteButton"_s);
    QVERIFY(m_workspace->studies().empty());
    QCOMPARE(text(u"studyTitle"_s), u"The data-parallel wall"_s);
    m_workspace->undo();
    QCOMPARE(m_workspace->studies().size(), 1UZ);
    m_page->showEntry(u"mine"_s);
    QCOMPARE(text(u"stepLabel"_s), u"Step 2 of 10"_s);
    click(u"importButton"_s); // an id of one's own is taken, too
    QCOMPARE(m_prompts->errors.size(), 1UZ);
    QCOMPARE(m_workspace->studies().size(), 1UZ);
}

void TestStudiesPage::importRefuses()
{
    QFile file(m_folder->filePath(u"bad.yaml"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("fleetwright: 1\nid: bad\ntitle: Bad\nsummary: x\nsteps:\n  - {id: a, kind: story, title: t}\n");
    file.close();
    m_prompts->fileName = file.fileName();
    click(u"importButton"_s);
    QCOMPARE(m_prompts->errors.size(), 1UZ);
    QCOMPARE(m_prompts->errors.back().field, std::string("steps[0].kind"));
    QVERIFY(m_prompts->errors.back().message.contains("(line 6, column "));
    // An id that is taken would share its progress.
    m_prompts->fileName = m_folder->filePath(u"again.yaml"_s);
    click(u"exportButton"_s);
    click(u"importButton"_s);
    QCOMPARE(m_prompts->errors.size(), 2UZ);
    QVERIFY(m_prompts->errors.back().message.contains("already"));
    QVERIFY(m_workspace->studies().empty());
}

FLEETWRIGHT_TEST(TestStudiesPage)
#include "tst_studiespage.moc"
