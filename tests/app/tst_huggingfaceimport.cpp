// SPDX-License-Identifier: GPL-3.0-or-later
// A model's config.json comes in as a file, dropped, and pasted.
#include "../exchange/huggingfacesamples.h"
#include "mainwindowtesting.h"
#include "testing/registry.h"

#include <QClipboard>
#include <QDropEvent>
#include <QGuiApplication>
#include <QLineEdit>
#include <QMimeData>
#include <QTableView>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestHuggingFaceImport : public QObject, private MainWindowFixture {
    Q_OBJECT

    [[nodiscard]] const CatalogRecord *workload(const char *id) const
    {
        return m_window->workspace().catalog()->find(CatalogKind::Workload, id);
    }
    QString put(const QByteArray &content) { return putFile(m_folder.filePath(u"config.json"_s), content); }
    static void copyElsewhere(const char *text) { QGuiApplication::clipboard()->setText(QString::fromUtf8(text)); }

private slots:
    void init()
    {
        start();
        createProject();
        m_prompts.questions.clear();
        m_prompts.errors.clear();
    }

    /// Shown first, taken in one step, gone with one undo.
    void aFileIsShownAndTaken()
    {
        m_prompts.fileName = put(huggingfacesamples::llama);
        m_prompts.confirmation = false;
        action(u"actionImport"_s)->trigger();
        QCOMPARE(m_prompts.questions.size(), 2); // which file, and whether
        const auto question = m_prompts.questions.back();
        for (const auto &words :
            {u"Llama-3.1-70B"_s, u"80 layers"_s, u"parameters"_s, u"Not mapped"_s, u"rope_scaling"_s})
            QVERIFY2(question.contains(words), qPrintable(question));
        QVERIFY(!workload("llama_3_1_70b_hf"));
        m_prompts.confirmation = true;
        action(u"actionImport"_s)->trigger();
        QVERIFY(workload("llama_3_1_70b_hf"));
        QCOMPARE(workload("llama_3_1_70b_hf")->number("params_total"), std::optional(70'553'706'496.0));
        QCOMPARE(m_window->currentPage(), u"catalog/workloads"_s);
        const auto shown = [this] { // among many
            for (const auto *table : m_window->findChildren<QTableView *>())
                if (table->isVisible())
                    return table->currentIndex().siblingAtColumn(0).data().toString();
            return QString();
        };
        QCOMPARE(shown(), u"Llama-3.1-70B"_s);
        QVERIFY(m_prompts.errors.empty());

        m_prompts.questions.clear(); // the same again is no edit
        action(u"actionImport"_s)->trigger();
        QCOMPARE(m_prompts.questions.size(), 1);
        m_window->workspace().undo();
        QVERIFY(!workload("llama_3_1_70b_hf"));
        m_window->workspace().redo();
        QVERIFY(workload("llama_3_1_70b_hf"));
    }

    void aFileIsDropped()
    {
        auto mime = std::make_unique<QMimeData>();
        mime->setUrls({QUrl::fromLocalFile(put(huggingfacesamples::llama))});
        QDragEnterEvent enter(QPoint(40, 40), Qt::CopyAction, mime.get(), Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(40, 40), Qt::CopyAction, mime.get(), Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &drop);
        QTRY_VERIFY(workload("llama_3_1_70b_hf"));
        QVERIFY(m_prompts.errors.empty());
    }

    void textIsPasted()
    {
        copyElsewhere(huggingfacesamples::llama);
        m_window->showPage(u"catalog/workloads"_s);
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTest::keyClick(m_window.get(), Qt::Key_V, Qt::ControlModifier);
        QTRY_VERIFY(workload("llama_3_1_70b_hf"));
        QCOMPARE(m_prompts.questions.size(), 1);
        QVERIFY(m_prompts.errors.empty());

        if (auto *focus = m_window->focusWidget())
            focus->clearFocus(); // which a field of words would be for
        copyElsewhere("neither a document nor a model");
        QTest::keyClick(m_window.get(), Qt::Key_V, Qt::ControlModifier);
        QTRY_COMPARE(m_prompts.errors.size(), 1UZ);
        m_prompts.errors.clear();
        copyElsewhere(R"({"model_type": "bert"})");
        action(u"actionPaste"_s)->trigger();
        QCOMPARE(m_prompts.errors.size(), 1UZ);
        QCOMPARE(m_prompts.errors.front().field, std::string("model_type"));
        copyElsewhere("");
        action(u"actionPaste"_s)->trigger();
        QCOMPARE(m_prompts.errors.size(), 1UZ);
    }

    /// A field with the focus takes what is pasted, by key and by menu.
    void aFieldTakesWhatIsPasted()
    {
        copyElsewhere("70B");
        m_window->showPage(u"catalog/workloads"_s);
        QLineEdit *field = nullptr;
        for (auto *edit : m_window->findChildren<QLineEdit *>())
            if (edit->isVisible() && edit->isEnabled())
                field = edit;
        QVERIFY(field);
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        field->clear();
        field->setFocus();
        QTest::keyClick(field, Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(field->text(), u"70B"_s);
        action(u"actionPaste"_s)->trigger();
        QCOMPARE(field->text(), u"70B70B"_s);
        QVERIFY(m_prompts.questions.isEmpty() && m_prompts.errors.empty());
        copyElsewhere(huggingfacesamples::llama); // which no field of one line is for
        QTest::keyClick(field, Qt::Key_V, Qt::ControlModifier);
        QTRY_VERIFY(workload("llama_3_1_70b_hf"));
        QVERIFY2(field->text().isEmpty(), qPrintable(field->text())); // so that the new item is not filtered out
    }

    void aModelWithoutANameIsAskedForOne()
    {
        m_prompts.fileName = put(huggingfacesamples::gptOss);
        m_prompts.typed.clear();
        action(u"actionImport"_s)->trigger();
        QCOMPARE(m_prompts.questions.size(), 2); // which file, and the name, which was not given
        m_prompts.typed = u"Our own"_s;
        action(u"actionImport"_s)->trigger();
        QVERIFY(workload("our_own_hf"));
        QCOMPARE(workload("our_own_hf")->name, std::string("Our own"));
    }

    void anotherFileOfTheNameReplacesIt()
    {
        m_prompts.fileName = put(huggingfacesamples::llama);
        action(u"actionImport"_s)->trigger();
        put(QByteArray(huggingfacesamples::llama).replace("\"num_hidden_layers\": 80", "\"num_hidden_layers\": 40"));
        action(u"actionImport"_s)->trigger();
        QVERIFY2(m_prompts.questions.back().contains(u"Items of your own take the values of the file"_s),
            qPrintable(m_prompts.questions.back()));
        QCOMPARE(workload("llama_3_1_70b_hf")->number("layers"), std::optional(40.0));
        m_window->workspace().undo();
        QCOMPARE(workload("llama_3_1_70b_hf")->number("layers"), std::optional(80.0));
    }

    void refusedFilesAreToldByName()
    {
        m_prompts.fileName = put(R"({"version": "1.0", "added_tokens": [], "model": {"vocab": {}}})");
        action(u"actionImport"_s)->trigger();
        QCOMPARE(m_prompts.errors.size(), 1UZ);
        QVERIFY2(m_prompts.errors.front().message.contains("tokenizer.json"), m_prompts.errors.front().message.c_str());
        QCOMPARE(m_prompts.questions.size(), 1);
    }
};

FLEETWRIGHT_TEST(TestHuggingFaceImport)
#include "tst_huggingfaceimport.moc"
