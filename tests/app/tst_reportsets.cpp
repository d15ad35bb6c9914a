// SPDX-License-Identifier: GPL-3.0-or-later
// Output sets as the Report page composes and writes them.
#include "app/pages/report/reportpage.h"
#include "app/scriptedprompts.h"
#include "app/workspace/workspace.h"
#include "testing/registry.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDateEdit>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestReportSets : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<Workspace> m_workspace;
    ScriptedPrompts m_prompts;
    std::unique_ptr<ReportPage> m_page;
    int m_files = 0;

    /// In a folder of its own, beside which its files are written.
    QString projectPath()
    {
        const QDir folder(m_folder.filePath(QString::number(++m_files)));
        folder.mkpath(u"."_s);
        return folder.filePath(u"sample.fleetwright"_s);
    }
    template <class T> T *widget(const QString &name) const { return m_page->findChild<T *>(name); }
    /// On the tab that holds it.
    void click(const QString &name) const
    {
        auto *button = widget<QPushButton>(name);
        auto *tabs = widget<QTabWidget>(u"tabs"_s);
        for (int tab = 0; tab < tabs->count(); ++tab)
            if (tabs->widget(tab)->isAncestorOf(button))
                tabs->setCurrentIndex(tab);
        QTest::mouseClick(button, Qt::LeftButton);
    }
    QListWidgetItem *section(ReportSection wanted) const
    {
        auto *list = widget<QListWidget>(u"sectionsList"_s);
        for (int row = 0; row < list->count(); ++row)
            if (list->item(row)->data(Qt::UserRole).toInt() == int(wanted))
                return list->item(row);
        return nullptr;
    }
    /// The set that is shown, as it is in the project.
    const OutputSet &saved(std::size_t index = 0) const { return m_workspace->outputSets().at(index).document; }
    QString folder() const { return QFileInfo(m_workspace->path()).absolutePath(); }
    void addSet(const OutputSet &set) const { QVERIFY(m_workspace->addOutputSet(set)); }
    static QByteArray start(const QString &path, qint64 bytes)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.read(bytes) : QByteArray();
    }

private slots:
    void init()
    {
        m_prompts = ScriptedPrompts();
        m_workspace = std::make_unique<Workspace>();
        QVERIFY(m_workspace->createSample(projectPath(), storage::ShippedProject::Tutorial));
        m_page = std::make_unique<ReportPage>(*m_workspace, m_prompts);
        m_page->resize(1100, 700);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    }
    void cleanup() { m_page.reset(); }

    void aProjectWithoutSetsShowsTheUsualOne()
    {
        auto *sets = widget<QComboBox>(u"setCombo"_s);
        QCOMPARE(sets->count(), 1);
        QVERIFY(sets->currentText().contains(u"not kept"_s));
        QCOMPARE(widget<QComboBox>(u"audienceCombo"_s)->currentData().toInt(), int(Audience::Technical));
        QCOMPARE(widget<QListWidget>(u"filesList"_s)->item(0)->text(), u"sample.pdf"_s);
        QVERIFY(!widget<QPushButton>(u"deleteSetButton"_s)->isEnabled());
        QTest::keyClicks(widget<QLineEdit>(u"titleEdit"_s), u"My fleet"_s);
        QVERIFY(m_workspace->outputSets().empty()); // until it is kept
        m_prompts.typed = u"For me"_s;
        click(u"addSetButton"_s);
        QCOMPARE(m_workspace->outputSets().size(), 1U);
        QCOMPARE(saved().name, std::string("For me"));
        QCOMPARE(saved().title, std::string("My fleet"));
        QCOMPARE(sets->currentText(), u"For me"_s);
    }

    void setsAreAddedDuplicatedRenamedAndDeleted()
    {
        addSet({.name = "First", .files = {"first.pdf"}});
        auto *sets = widget<QComboBox>(u"setCombo"_s);
        QCOMPARE(sets->currentText(), u"First"_s);
        m_prompts.typed = u"Second"_s;
        click(u"duplicateSetButton"_s);
        QCOMPARE(sets->count(), 2);
        QCOMPARE(sets->currentText(), u"Second"_s);
        QVERIFY(saved(1).files == saved(0).files);
        m_prompts.typed = u"First"_s; // which there is
        click(u"renameSetButton"_s);
        QCOMPARE(m_prompts.errors.size(), 1U);
        QCOMPARE(m_prompts.errors[0].field, std::string("name"));
        m_prompts.typed = u"Third"_s;
        click(u"renameSetButton"_s);
        QCOMPARE(sets->currentText(), u"Third"_s);
        sets->setFocus();
        QTest::keyClick(sets, Qt::Key_Up);
        QCOMPARE(sets->currentText(), u"First"_s);
        QCOMPARE(widget<QListWidget>(u"filesList"_s)->item(0)->text(), u"first.pdf"_s);
        click(u"deleteSetButton"_s);
        QCOMPARE(sets->count(), 1);
        QCOMPARE(sets->currentText(), u"Third"_s);
        m_workspace->undo();
        QCOMPARE(sets->currentText(), u"First"_s);
        m_prompts.typed.clear();
        click(u"addSetButton"_s); // nobody named it
        QCOMPARE(sets->count(), 2);
    }

    void sectionsAreTickedAndOrdered()
    {
        addSet({.name = "Board", .files = {"board.pdf"}});
        auto *list = widget<QListWidget>(u"sectionsList"_s);
        QCOMPARE(list->count(), int(allReportSections.size()));
        list->setFocus();
        list->setCurrentRow(0);
        QTest::keyClick(list, Qt::Key_Down, Qt::AltModifier);
        using enum ReportSection;
        QVERIFY((saved().sections == std::vector{Comparison, Answer, Sensitivity, Assumptions}));
        QCOMPARE(list->currentRow(), 1);
        QTest::keyClick(list, Qt::Key_Space);
        QVERIFY((saved().sections == std::vector{Comparison, Sensitivity, Assumptions}));
        click(u"upButton"_s);
        QTest::keyClick(list, Qt::Key_Space);
        QVERIFY(saved().sections.empty()); // as the audience usually has them
        section(Ledger)->setCheckState(Qt::Checked);
        QVERIFY((saved().sections == std::vector{Answer, Comparison, Sensitivity, Assumptions, Ledger}));
        m_workspace->undo();
        QCOMPARE(section(Ledger)->checkState(), Qt::Unchecked);
        section(Ledger)->setCheckState(Qt::Checked);
        click(u"usualButton"_s);
        QVERIFY(saved().sections.empty());
        auto *audience = widget<QComboBox>(u"audienceCombo"_s);
        audience->setFocus();
        QTest::keyClick(audience, Qt::Key_Down);
        QVERIFY(saved().audience == Audience::Finance);
        QCOMPARE(section(CashFlow)->checkState(), Qt::Checked);
    }

    void theLastSectionStays()
    {
        addSet({.name = "Board", .files = {"board.pdf"}, .sections = {ReportSection::Ledger}});
        section(ReportSection::Ledger)->setCheckState(Qt::Unchecked);
        QCOMPARE(section(ReportSection::Ledger)->checkState(), Qt::Checked);
        QVERIFY(widget<QLabel>(u"refusalLabel"_s)->text().contains(u"at least one section"_s));
    }

    void draggedSectionsAreKept()
    {
        addSet({.name = "Board", .files = {"board.pdf"}});
        auto *list = widget<QListWidget>(u"sectionsList"_s);
        QVERIFY(list->model()->moveRow({}, 2, {}, 0)); // what dropping does
        using enum ReportSection;
        QTRY_VERIFY((saved().sections == std::vector{Sensitivity, Answer, Comparison, Assumptions}));
    }

    void typedTextIsOneStep()
    {
        addSet({.name = "Board", .files = {"board.pdf"}});
        auto *title = widget<QLineEdit>(u"titleEdit"_s);
        QTest::keyClicks(title, u"Buying"_s);
        QCOMPARE(title->cursorPosition(), 6);
        title->setCursorPosition(0);
        QTest::keyClicks(title, u"On "_s);
        QCOMPARE(saved().title, std::string("On Buying"));
        QCOMPARE(title->cursorPosition(), 3);
        m_workspace->undo();
        QCOMPARE(saved().title, std::string());
        QCOMPARE(title->text(), QString());
        widget<QCheckBox>(u"dateCheck"_s)->setChecked(true);
        widget<QDateEdit>(u"dateEdit"_s)->setDate(QDate(2026, 12, 1));
        QVERIFY(saved().date == std::chrono::sys_days(std::chrono::year(2026) / 12 / 1));
        widget<QCheckBox>(u"dateCheck"_s)->setChecked(false);
        QVERIFY(!saved().date);
        auto *profile = widget<QComboBox>(u"profileCombo"_s);
        profile->setCurrentIndex(1);
        QVERIFY(saved().profile == PdfProfile::PdfA1b);
    }

    void logos()
    {
        addSet({.name = "Board", .files = {"board.pdf"}});
        QImage picture(40, 20, QImage::Format_RGB32);
        picture.fill(Qt::red);
        m_prompts.fileName = m_folder.filePath(u"logo.png"_s);
        QVERIFY(picture.save(m_prompts.fileName));
        click(u"logoButton"_s);
        QVERIFY(saved().logo.starts_with("iVBOR"));
        QCOMPARE(widget<QLabel>(u"logoPreview"_s)->pixmap().size(), QSize(40, 20));
        click(u"noLogoButton"_s);
        QVERIFY(saved().logo.empty());
        QVERIFY(picture.save(m_folder.filePath(u"logo.bmp"_s)));
        m_prompts.fileName = m_folder.filePath(u"logo.bmp"_s);
        click(u"logoButton"_s);
        QVERIFY(saved().logo.empty());
        QVERIFY(widget<QLabel>(u"refusalLabel"_s)->text().contains(u"PNG"_s));
    }

    void filesAreAddedNamedAndRemoved()
    {
        addSet({.name = "Board paper", .files = {"board.pdf"}});
        auto *list = widget<QListWidget>(u"filesList"_s);
        const auto formats = widget<QPushButton>(u"addFileButton"_s)->menu()->actions();
        QCOMPARE(formats.size(), qsizetype(allOutputFormats.size()));
        formats[2]->trigger();
        formats[3]->trigger();
        QVERIFY((saved().files == std::vector<std::string>{"board.pdf", "board-paper.html", "tables/"}));
        list->item(1)->setText(u"page.html"_s);
        QCOMPARE(saved().files[1], std::string("page.html"));
        list->item(1)->setText(u"page.doc"_s);
        QCOMPARE(saved().files[1], std::string("page.html"));
        QVERIFY(widget<QLabel>(u"refusalLabel"_s)->text().contains(u".pdf"_s));
        QTRY_COMPARE(list->item(1)->text(), u"page.html"_s);
        list->setCurrentRow(2);
        click(u"removeFileButton"_s);
        QTest::keyClick(list, Qt::Key_Delete);
        QCOMPARE(saved().files.size(), 1U);
        QVERIFY(!widget<QPushButton>(u"removeFileButton"_s)->isEnabled()); // a set writes something
    }

    void writesAllFilesOfTheSet()
    {
        addSet({.name = "Both",
            .files = {"paper.pdf", "page.html"},
            .audience = Audience::Board,
            .title = "On buying",
            .paper = Paper::Letter});
        QSignalSpy status(m_page.get(), &Page::statusMessage);
        click(u"writeButton"_s);
        QVERIFY(widget<QPushButton>(u"cancelButton"_s)->isVisible());
        QTRY_COMPARE(status.count(), 1);
        QVERIFY(m_prompts.errors.empty() && m_prompts.questions.isEmpty());
        QFile pdf(folder() + u"/paper.pdf"_s);
        QVERIFY(pdf.open(QIODevice::ReadOnly));
        QVERIFY(pdf.readAll().contains("/MediaBox [ 0 0 612"));
        QFile html(folder() + u"/page.html"_s);
        QVERIFY(html.open(QIODevice::ReadOnly));
        QVERIFY(html.readAll().contains("On buying"));
        click(u"writeButton"_s); // its own files are replaced unasked
        QTRY_COMPARE(status.count(), 2);
        QVERIFY(m_prompts.questions.isEmpty());
    }

    void othersFilesAreReplacedWhenAgreed()
    {
        addSet({.name = "One", .files = {"page.html"}});
        QFile taken(folder() + u"/page.html"_s);
        QVERIFY(taken.open(QIODevice::WriteOnly));
        taken.write("mine");
        taken.close();
        m_prompts.confirmation = false;
        click(u"writeButton"_s);
        QCOMPARE(m_prompts.questions.size(), 1);
        QCOMPARE(start(taken.fileName(), 10), QByteArray("mine"));
        m_prompts.confirmation = true;
        click(u"writeButton"_s);
        QTRY_VERIFY(start(taken.fileName(), 15).startsWith("<!DOCTYPE html>"));
        QTRY_VERIFY(widget<QPushButton>(u"writeButton"_s)->isEnabled());
    }

    void whatCannotBeWrittenIsToldFirst_data()
    {
        QTest::addColumn<QString>("file");
        QTest::newRow("no such folder") << u"gone/page.html"_s;
        QTest::newRow("twice") << u"./paper.pdf"_s;
    }
    void whatCannotBeWrittenIsToldFirst()
    {
        QFETCH(QString, file);
        addSet({.name = "Both", .files = {"paper.pdf", file.toStdString()}});
        click(u"writeButton"_s);
        QCOMPARE(m_prompts.errors.size(), 1U);
        QCOMPARE(m_prompts.errors[0].field, std::string("files[1]"));
        QVERIFY(!QFile::exists(folder() + u"/paper.pdf"_s));
    }

    /// A disk that fills up on the way.
    void aFailingFileEndsTheExport()
    {
        addSet({.name = "Three", .files = {"a.html", "b.html", "c.html"}});
        const QString first = folder() + u"/a.html"_s, second = folder() + u"/b.html"_s;
        QSignalSpy status(m_page.get(), &Page::statusMessage);
        click(u"writeButton"_s);
        QVERIFY(QDir(folder()).mkdir(u"b.html"_s)); // after the check, before it is written
        QTRY_COMPARE(m_prompts.errors.size(), 1U);
        QVERIFY(m_prompts.errors[0].code == ErrorCode::IoError);
        QVERIFY(m_prompts.errors[0].message.find("a.html") != std::string::npos);
        QVERIFY(start(first, 15).startsWith("<!DOCTYPE html>"));
        QVERIFY(QFileInfo(second).isDir());
        QVERIFY(!QFile::exists(folder() + u"/c.html"_s));
        QCOMPARE(status.count(), 0);
    }

    void cancelledBetweenFiles()
    {
        addSet({.name = "Three", .files = {"a.html", "b.html", "c.html"}});
        QSignalSpy status(m_page.get(), &Page::statusMessage);
        auto *bar = widget<QProgressBar>(u"progressBar"_s);
        bool cancelled = false;
        connect(bar, &QProgressBar::valueChanged, m_page.get(), [&](int value) {
            if (!cancelled && value > bar->maximum() * 2 / 3) { // the second file is being drawn
                cancelled = true;
                click(u"cancelButton"_s);
            }
        });
        click(u"writeButton"_s);
        QTRY_COMPARE(status.count(), 1);
        QVERIFY(status.front().front().toString().contains(u"a.html"_s));
        QVERIFY(QFile::exists(folder() + u"/a.html"_s));
        QVERIFY(!QFile::exists(folder() + u"/c.html"_s));
        QVERIFY(widget<QPushButton>(u"writeButton"_s)->isEnabled());
    }

    /// A workbook takes a while to make; until it is in its place it is not too late.
    void cancelledWhileTheLastIsMade()
    {
        addSet({.name = "Two", .files = {"a.html", "b.xlsx"}});
        QFile old(folder() + u"/b.xlsx"_s);
        QVERIFY(old.open(QIODevice::WriteOnly) && old.write("mine") == 4);
        old.close();
        QSignalSpy status(m_page.get(), &Page::statusMessage);
        click(u"writeButton"_s);
        QTRY_VERIFY(QFile::exists(folder() + u"/a.html"_s));
        auto *cancel = widget<QPushButton>(u"cancelButton"_s);
        QVERIFY(cancel->isEnabled());
        QElapsedTimer timer;
        timer.start();
        QTest::mouseClick(cancel, Qt::LeftButton);
        QVERIFY(status.count() > 0 || !cancel->isEnabled());
        QTRY_COMPARE(status.count(), 1);
        QVERIFY2(timer.elapsed() < 2000, qPrintable(QString::number(timer.elapsed()))); // 0.2 s where it runs alone
        QVERIFY(status.front().front().toString().contains(u"Cancelled"_s));
        QVERIFY(m_prompts.errors.empty());
        QCOMPARE(start(old.fileName(), 10), QByteArray("mine"));
        QTRY_VERIFY(widget<QPushButton>(u"writeButton"_s)->isEnabled());
    }

    void aSetWithAPlanThatIsGoneSaysSo()
    {
        addSet({.name = "Old", .files = {"old.pdf"}, .plans = {"Gone"}});
        auto *plans = widget<QListWidget>(u"plansList"_s);
        QCOMPARE(plans->count(), int(m_workspace->plans().size()) + 1);
        QVERIFY(plans->item(plans->count() - 1)->text().contains(u"not in the project"_s));
        QTRY_VERIFY(widget<QLabel>(u"contentsLabel"_s)->text().contains(u"no plan “Gone”"_s));
        plans->item(0)->setCheckState(Qt::Checked);
        plans->item(plans->count() - 1)->setCheckState(Qt::Unchecked);
        QCOMPARE(saved().plans.size(), 1U);
        QTRY_VERIFY(widget<QLabel>(u"contentsLabel"_s)->text().contains(u"Pages: "_s));
    }

    void setsFollowTheNamesOfTheirPlans()
    {
        const auto first = m_workspace->plans()[0], second = m_workspace->plans()[1];
        addSet({.name = "Two", .files = {"two.pdf"}, .plans = {first.document.name, second.document.name}});
        addSet({.name = "All", .files = {"all.pdf"}});
        const auto before = saved();
        auto renamed = first.document;
        for (const char *name : {"N", "Ne", "New"}) { // as somebody types
            renamed.name = name;
            QVERIFY(m_workspace->editPlan(first.id, renamed, u"name"_s));
        }
        QVERIFY((saved().plans == std::vector{std::string("New"), second.document.name}));
        QVERIFY(saved(1).plans.empty());
        m_workspace->undo(); // one step
        QVERIFY(m_workspace->plans()[0] == first);
        QVERIFY(saved() == before);
        m_workspace->redo();
        QCOMPARE(saved().plans[0], std::string("New"));
        QCOMPARE(widget<QListWidget>(u"plansList"_s)->count(), int(m_workspace->plans().size()));
        // In the file too.
        const auto path = m_workspace->path();
        m_page.reset();
        m_workspace = std::make_unique<Workspace>();
        QVERIFY(m_workspace->open(path));
        QCOMPARE(saved().plans[0], std::string("New"));
    }

    void namesakesAreNotTakenForEachOther()
    {
        const auto first = m_workspace->plans()[0], second = m_workspace->plans()[1];
        addSet({.name = "One", .files = {"one.pdf"}, .plans = {first.document.name}});
        addSet({.name = "Both", .files = {"both.pdf"}, .plans = {first.document.name, second.document.name}});
        auto renamed = first.document;
        renamed.name = second.document.name; // on the way to another name
        QVERIFY(m_workspace->editPlan(first.id, renamed, u"name"_s));
        renamed.name += " B";
        QVERIFY(m_workspace->editPlan(first.id, renamed, u"name"_s));
        QVERIFY((saved(1).plans == std::vector{renamed.name, second.document.name}));
        QVERIFY(std::ranges::find(saved(0).plans, renamed.name) != saved(0).plans.end());
        m_workspace->undo();
        QVERIFY((saved(0).plans == std::vector{first.document.name}));
    }

    void aPlanThatGoesIsTakenOutAndComesBack()
    {
        const auto first = m_workspace->plans()[0], second = m_workspace->plans()[1];
        addSet({.name = "Two", .files = {"two.pdf"}, .plans = {first.document.name, second.document.name}});
        addSet({.name = "One", .files = {"one.pdf"}, .plans = {first.document.name}});
        QSignalSpy told(m_workspace.get(), &Workspace::outputSetsFollowed);
        QVERIFY(m_workspace->removePlan(first.id));
        QVERIFY((saved().plans == std::vector{second.document.name}));
        QVERIFY((saved(1).plans == std::vector{first.document.name})); // all plans would be another report
        QCOMPARE(told.count(), 1);
        const auto words = told.front().front().toString();
        QVERIFY2(words.contains(u"“Two”"_s) && words.contains(QString::fromStdString(first.document.name)),
            qPrintable(words));
        m_workspace->undo();
        QVERIFY((saved().plans == std::vector{first.document.name, second.document.name}));
        QVERIFY(m_workspace->plans()[0] == first);
        m_workspace->redo();
        QVERIFY((saved().plans == std::vector{second.document.name}));
    }

    void plansAloneOrTheDecisionAlone()
    {
        m_page.reset();
        QVERIFY(m_workspace->createSample(projectPath(), storage::ShippedProject::Decision));
        while (m_workspace->outputSets().size() > 0)
            QVERIFY(m_workspace->removeOutputSet(m_workspace->outputSets().front().id));
        if (m_workspace->plans().empty())
            QVERIFY(m_workspace->addPlan(PlanDocument{.name = "By hand"}));
        addSet({.name = "Board", .files = {"board.pdf"}});
        m_page = std::make_unique<ReportPage>(*m_workspace, m_prompts);
        m_page->resize(1100, 700);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
        auto *decisions = widget<QComboBox>(u"decisionCombo"_s);
        auto *plans = widget<QListWidget>(u"plansList"_s);
        decisions->setFocus();
        QTest::keyClick(decisions, Qt::Key_End);
        QVERIFY(decisions->currentText().startsWith(u"No decision"_s));
        QVERIFY(saved().withoutDecision);
        click(u"noneButton"_s); // neither
        QVERIFY(!saved().withoutPlans);
        QVERIFY(!widget<QPushButton>(u"writeButton"_s)->isEnabled());
        QVERIFY(widget<QLabel>(u"contentsLabel"_s)->text().contains(u"Tick at least one"_s));
        decisions->setFocus();
        QTest::keyClick(decisions, Qt::Key_Home);
        QVERIFY(!saved().withoutDecision);
        click(u"noneButton"_s);
        QVERIFY(saved().withoutPlans && saved().plans.empty());
        QVERIFY(widget<QPushButton>(u"writeButton"_s)->isEnabled());
        for (int row = 0; row < plans->count(); ++row)
            QCOMPARE(plans->item(row)->checkState(), Qt::Unchecked);
        decisions->setFocus();
        QTest::keyClick(decisions, Qt::Key_End); // refused: neither would be left
        QVERIFY(!saved().withoutDecision);
        QVERIFY(widget<QLabel>(u"refusalLabel"_s)->text().contains(u"leave out one of them"_s));
        QTRY_COMPARE(decisions->currentIndex(), 0);
        m_workspace->undo();
        QVERIFY(!saved().withoutPlans);
        QCOMPARE(plans->item(0)->checkState(), Qt::Checked);
        // The name of its decision is followed.
        QTest::keyClick(decisions, Qt::Key_Down);
        auto decision = m_workspace->decisions().front();
        QCOMPARE(saved().decision, decision.document.name);
        decision.document.name = "Hall 2";
        QVERIFY(m_workspace->editDecision(decision.id, decision.document));
        QCOMPARE(saved().decision, std::string("Hall 2"));
        QCOMPARE(decisions->currentText(), u"Hall 2"_s);
        QVERIFY(m_workspace->removeDecision(decision.id));
        QCOMPARE(saved().decision, std::string("Hall 2")); // another decision would be another report
        QTRY_VERIFY(widget<QLabel>(u"contentsLabel"_s)->text().contains(u"no decision “Hall 2”"_s));
        m_workspace->undo();
        QCOMPARE(decisions->currentText(), u"Hall 2"_s);
    }
};

FLEETWRIGHT_TEST(TestReportSets)
#include "tst_reportsets.moc"
