// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/noticebar.h"
#include "app/pages/report/reportpage.h"
#include "app/pages/report/reportpreview.h"
#include "app/scriptedprompts.h"
#include "app/workspace/workspace.h"
#include "testing/registry.h"

#include <QClipboard>
#include <QComboBox>
#include <QDesktopServices>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QGuiApplication>
#include <QLabel>
#include <QListWidget>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestReportPage : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<Workspace> m_workspace;
    ScriptedPrompts m_prompts;
    std::unique_ptr<ReportPage> m_page;
    int m_files = 0;
    QUrl m_opened;

    /// In a folder of its own, beside which its files are written.
    QString projectPath()
    {
        const QDir folder(m_folder.filePath(QString::number(++m_files)));
        folder.mkpath(u"."_s);
        return folder.filePath(u"sample.fleetwright"_s);
    }
    template <class T> T *widget(const QString &name) const { return m_page->findChild<T *>(name); }
    void click(const QString &button) const { QTest::mouseClick(widget<QPushButton>(button), Qt::LeftButton); }
    QListWidgetItem *section(ReportSection wanted) const
    {
        auto *list = widget<QListWidget>(u"sectionsList"_s);
        for (int row = 0; row < list->count(); ++row)
            if (list->item(row)->data(Qt::UserRole).toInt() == int(wanted))
                return list->item(row);
        return nullptr;
    }
    /// Its pages come whenever the runs are scored.
    void leaveValidationOut() const { section(ReportSection::Validation)->setCheckState(Qt::Unchecked); }
    int pages() const { return widget<ReportPreview>(u"preview"_s)->pageCount(); }
    static QByteArray start(const QString &path, qint64 bytes)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.read(bytes) : QByteArray();
    }

    /// The page over a solver that waits for a pass for each plan.
    void openSlowly(QSemaphore &pass)
    {
        m_page = std::make_unique<ReportPage>(
            *m_workspace, m_prompts,
            [&pass](const PlanDocument &document, const Catalog &catalog, const validation::OwnSite *site) {
                pass.acquire();
                return reports::solveOne(document, catalog, site);
            },
            nullptr);
        m_page->resize(1100, 700);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    }

public:
    Q_INVOKABLE void opened(const QUrl &url) { m_opened = url; }

private slots:
    void init()
    {
        m_prompts = ScriptedPrompts();
        m_workspace = std::make_unique<Workspace>();
        QVERIFY(m_workspace->createSample(

            projectPath(), storage::ShippedProject::Tutorial));
        m_page = std::make_unique<ReportPage>(*m_workspace, m_prompts);
        m_page->resize(1100, 700);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    }
    void cleanup() { m_page.reset(); }

    void showsEveryPlan()
    {
        auto *plans = widget<QListWidget>(u"plansList"_s);
        QCOMPARE(plans->count(), int(m_workspace->plans().size()));
        for (int row = 0; row < plans->count(); ++row)
            QCOMPARE(plans->item(row)->checkState(), Qt::Checked);
        QTRY_VERIFY(pages() > plans->count());
        QVERIFY(widget<QLabel>(u"contentsLabel"_s)->text().contains(u"Pages: "_s));
    }

    void tickingChoosesPlans()
    {
        leaveValidationOut();
        QTRY_VERIFY(pages() > 1);
        const int before = pages();
        click(u"noneButton"_s);
        QTRY_COMPARE(pages(), 1);
        QVERIFY(!widget<QPushButton>(u"exportPdfButton"_s)->isEnabled());
        QVERIFY(widget<QLabel>(u"contentsLabel"_s)->text().contains(u"Tick at least one"_s));
        auto *plans = widget<QListWidget>(u"plansList"_s);
        plans->setCurrentRow(1);
        QTest::keyClick(plans, Qt::Key_Space);
        QCOMPARE(plans->item(1)->checkState(), Qt::Checked);
        QVERIFY(widget<QPushButton>(u"exportPdfButton"_s)->isEnabled());
        QTRY_VERIFY(pages() > 1 && pages() < before);
        click(u"allButton"_s);
        QTRY_COMPARE(pages(), before);
    }

    void choicesOutliveEdits()
    {
        auto *plans = widget<QListWidget>(u"plansList"_s);
        plans->item(0)->setCheckState(Qt::Unchecked);
        auto document = m_workspace->plans().at(1).document;
        document.name = "Renamed";
        QVERIFY(m_workspace->editPlan(m_workspace->plans().at(1).id, document));
        QCOMPARE(plans->item(1)->text(), u"Renamed"_s);
        QCOMPARE(plans->item(0)->checkState(), Qt::Unchecked);
        QCOMPARE(plans->item(1)->checkState(), Qt::Checked);
        QVERIFY(m_workspace->removePlan(m_workspace->plans().at(1).id));
        QCOMPARE(plans->count(), int(m_workspace->plans().size()));
    }

    void exportsPdf()
    {
        m_prompts.fileName = m_folder.filePath(u"out.pdf"_s);
        QSignalSpy status(m_page.get(), &Page::statusMessage);
        click(u"exportPdfButton"_s);
        QVERIFY(!widget<QPushButton>(u"exportPdfButton"_s)->isEnabled()); // one at a time
        QTRY_COMPARE(status.count(), 1);
        QVERIFY(m_prompts.errors.empty());
        QCOMPARE(start(m_prompts.fileName, 5), QByteArray("%PDF-"));
        QVERIFY(widget<QPushButton>(u"exportPdfButton"_s)->isEnabled());
        QVERIFY(!widget<QPushButton>(u"cancelButton"_s)->isVisible());
    }

    /// Where it is, and a button that opens it.
    void whatWasWrittenCanBeOpened()
    {
        auto *notices = new NoticeBar(m_page.get());
        m_prompts.fileName = m_folder.filePath(u"opened.pdf"_s);
        click(u"exportPdfButton"_s);
        QTRY_COMPARE(notices->open(), 1);
        QVERIFY(notices->said().front().contains(u"opened.pdf"_s));
        m_opened.clear();
        QDesktopServices::setUrlHandler(u"file"_s, this, "opened");
        auto *open = notices->findChild<QPushButton *>(u"noticeActionButton"_s);
        QVERIFY(open->isVisibleTo(notices));
        open->click();
        QDesktopServices::unsetUrlHandler(u"file"_s);
        QCOMPARE(m_opened, QUrl::fromLocalFile(m_prompts.fileName));
    }

    void exportsHtml()
    {
        m_prompts.fileName = m_folder.filePath(u"page"_s); // the suffix is added
        click(u"exportHtmlButton"_s);
        QTRY_VERIFY(start(m_folder.filePath(u"page.html"_s), 15).startsWith("<!DOCTYPE html>"));
        QTRY_VERIFY(widget<QPushButton>(u"exportHtmlButton"_s)->isEnabled());
        m_prompts.confirmation = false;
        m_prompts.questions.clear();
        QFile::remove(m_folder.filePath(u"page.html"_s));
        QFile taken(m_folder.filePath(u"page.html"_s));
        QVERIFY(taken.open(QIODevice::WriteOnly));
        taken.write("mine");
        taken.close();
        click(u"exportHtmlButton"_s);
        QCOMPARE(m_prompts.questions.size(), 2); // which file, and whether to replace it
        QCOMPARE(start(taken.fileName(), 10), QByteArray("mine"));
    }

    void exportsTheWorkbook()
    {
        m_prompts.fileName = m_folder.filePath(u"page.xlsx"_s);
        click(u"exportExcelButton"_s);
        QTRY_VERIFY(widget<QPushButton>(u"exportExcelButton"_s)->isEnabled());
        QVERIFY2(
            m_prompts.suggested.endsWith(m_workspace->projectName() + u".xlsx"_s), qPrintable(m_prompts.suggested));
        QVERIFY(m_prompts.errors.empty());
        QCOMPARE(start(m_prompts.fileName, 2), QByteArray("PK"));
    }

    void cancelledExportWritesNothing()
    {
        m_prompts.fileName.clear();
        click(u"exportPdfButton"_s);
        QCOMPARE(m_prompts.questions.size(), 1);
        QVERIFY(m_prompts.errors.empty());
    }

    void theWindowStaysInUseWhilePlansAreSolved()
    {
        QSemaphore pass;
        openSlowly(pass);
        m_prompts.fileName = m_folder.filePath(u"slow.pdf"_s);
        QSignalSpy status(m_page.get(), &Page::statusMessage);
        QElapsedTimer clock;
        clock.start();
        click(u"exportPdfButton"_s);
        QVERIFY(clock.elapsed() < 2000); // the solver has not answered yet, and nobody waits for it
        QVERIFY(widget<QProgressBar>(u"progressBar"_s)->isVisible());
        QVERIFY(widget<QPushButton>(u"cancelButton"_s)->isEnabled());
        QVERIFY(!QFile::exists(m_prompts.fileName));
        pass.release(1000);
        QTRY_COMPARE(status.count(), 1);
        QCOMPARE(start(m_prompts.fileName, 5), QByteArray("%PDF-"));
        QVERIFY(!widget<QProgressBar>(u"progressBar"_s)->isVisible());
        m_page.reset(); // before what its solver refers to
    }

    void aPreviewThatTakesLongHasAProgressAndIsCancelled()
    {
        QSemaphore pass;
        openSlowly(pass);
        auto *bar = widget<QProgressBar>(u"progressBar"_s);
        auto *cancel = widget<QPushButton>(u"cancelButton"_s);
        const auto *words = widget<QLabel>(u"contentsLabel"_s);
        QTRY_VERIFY(bar->isVisible() && cancel->isVisible());
        QVERIFY(widget<QPushButton>(u"exportPdfButton"_s)->isEnabled()); // nothing is being written
        pass.release(1);
        QTRY_VERIFY(bar->value() > 0 && bar->value() < bar->maximum()); // plans done, and those to come
        QVERIFY(cancel->isEnabled());
        click(u"cancelButton"_s);
        QVERIFY(!bar->isVisible() && !cancel->isVisible());
        QVERIFY2(words->text().startsWith(u"Cancelled. The report is made"_s), qPrintable(words->text()));
        pass.release(1000);
        auto document = m_workspace->plans().at(1).document;
        document.name = "Renamed";
        QVERIFY(m_workspace->editPlan(m_workspace->plans().at(1).id, document));
        QTRY_VERIFY(words->text().startsWith(u"Pages: "_s));
        m_page.reset(); // before what its solver refers to
    }

    void aNameThatNobodyTypedFollowsTheAudience()
    {
        m_prompts.typed = u"Technical report"_s; // as it is proposed
        click(u"addSetButton"_s);
        auto *audience = widget<QComboBox>(u"audienceCombo"_s);
        const auto choose = [&](Audience wanted) {
            audience->setFocus();
            while (audience->currentData().toInt() != int(wanted))
                QTest::keyClick(audience, audience->currentData().toInt() < int(wanted) ? Qt::Key_Down : Qt::Key_Up);
        };
        choose(Audience::Finance);
        QCOMPARE(m_workspace->outputSets().at(0).document.name, std::string("Finance paper"));
        QCOMPARE(widget<QComboBox>(u"setCombo"_s)->currentText(), u"Finance paper"_s);
        m_prompts.typed = u"For Ann"_s;
        click(u"renameSetButton"_s);
        choose(Audience::Board);
        QCOMPARE(m_workspace->outputSets().at(0).document.name, std::string("For Ann"));
        QVERIFY(m_prompts.errors.empty());
    }

    void cancelLeavesTheFileAsItWas_data()
    {
        QTest::addColumn<QString>("button");
        QTest::addColumn<bool>("drawing");
        QTest::newRow("PDF, solving") << u"exportPdfButton"_s << false;
        QTest::newRow("PDF, drawing") << u"exportPdfButton"_s << true;
        QTest::newRow("HTML, solving") << u"exportHtmlButton"_s << false;
        QTest::newRow("HTML, drawing") << u"exportHtmlButton"_s << true;
    }
    void cancelLeavesTheFileAsItWas()
    {
        QFETCH(QString, button);
        QFETCH(bool, drawing);
        QSemaphore pass;
        openSlowly(pass);
        leaveValidationOut();
        QFile file(m_folder.filePath(u"report.pdf"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("as it was");
        file.close();
        m_prompts.fileName = file.fileName();
        QSignalSpy status(m_page.get(), &Page::statusMessage);
        auto *bar = widget<QProgressBar>(u"progressBar"_s);
        bool cancelled = false;
        connect(bar, &QProgressBar::valueChanged, m_page.get(), [&](int value) {
            if (drawing && !cancelled && value > bar->maximum() / 2) { // the first page is drawn
                cancelled = true;
                click(u"cancelButton"_s);
            }
        });
        click(button);
        if (!drawing) {
            pass.release(1);
            cancelled = true;
            click(u"cancelButton"_s);
        }
        pass.release(1000);
        QTRY_VERIFY(cancelled);
        QTest::qWait(100); // time for what must not happen
        QCOMPARE(status.count(), 1);
        QVERIFY(status.front().front().toString().startsWith(u"Cancelled"_s));
        QCOMPARE(start(file.fileName(), 20), QByteArray("as it was"));
        QVERIFY(m_prompts.errors.empty());
        QVERIFY(widget<QPushButton>(button)->isEnabled());
        QTRY_VERIFY(!bar->isVisible()); // the preview may still be made
        click(button); // and it can be asked for again
        QTRY_COMPARE(status.count(), 2);
        QVERIFY(start(file.fileName(), 20) != QByteArray("as it was"));
        m_page.reset();
    }

    void closedWhileExporting()
    {
        QSemaphore pass;
        openSlowly(pass);
        m_prompts.fileName = m_folder.filePath(u"closed.pdf"_s);
        click(u"exportPdfButton"_s);
        pass.release(1);
        pass.release(1000);
        m_page.reset();
        QCoreApplication::processEvents();
        QVERIFY(!QFile::exists(m_prompts.fileName));
    }

    void failedExportSaysWhy()
    {
        m_prompts.fileName = u"/no/such/folder/report.pdf"_s;
        click(u"exportPdfButton"_s);
        QTRY_COMPARE(m_prompts.errors.size(), 1U);
        QVERIFY(m_prompts.errors[0].code == ErrorCode::IoError);
    }

    void exportWithoutPlansSaysWhatToDo()
    {
        click(u"noneButton"_s);
        m_page->exportPdf(); // as the menu does
        QCOMPARE(m_prompts.errors.size(), 1U);
        QVERIFY(m_prompts.questions.isEmpty());
    }

    void copies()
    {
        QSignalSpy status(m_page.get(), &Page::statusMessage);
        click(u"copyButton"_s);
        QTRY_COMPARE(status.count(), 1);
        const auto *content = QGuiApplication::clipboard()->mimeData();
        QVERIFY(content->hasHtml());
        QVERIFY(content->text().contains(QString::fromStdString(m_workspace->plans().front().document.name)));
    }

    void paper()
    {
        auto *paper = widget<QComboBox>(u"paperCombo"_s);
        QCOMPARE(paper->count(), 2);
        paper->setCurrentIndex(paper->findText(u"US Letter"_s));
        m_prompts.fileName = m_folder.filePath(u"letter.pdf"_s);
        click(u"exportPdfButton"_s);
        QTRY_VERIFY(widget<QPushButton>(u"exportPdfButton"_s)->isEnabled());
        QFile file(m_prompts.fileName);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().contains("/MediaBox [ 0 0 612"));
    }

    void emptyProject()
    {
        QVERIFY(m_workspace->createProject(m_folder.filePath(u"empty %1.fleetwright"_s.arg(++m_files))));
        QCOMPARE(widget<QListWidget>(u"plansList"_s)->count(), 0);
        QTRY_VERIFY(widget<QLabel>(u"contentsLabel"_s)->text().contains(u"no plans yet"_s));
        QVERIFY(!widget<QPushButton>(u"exportPdfButton"_s)->isEnabled());
    }

    void noProject()
    {
        m_workspace->close();
        QCOMPARE(widget<QListWidget>(u"plansList"_s)->count(), 0);
        QVERIFY(!widget<QPushButton>(u"copyButton"_s)->isEnabled());
        m_page->exportPdf();
        QVERIFY(m_prompts.questions.isEmpty());
    }
};

FLEETWRIGHT_TEST(TestReportPage)
#include "tst_reportpage.moc"
