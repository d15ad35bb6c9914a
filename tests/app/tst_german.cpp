// SPDX-License-Identifier: GPL-3.0-or-later
// The window in German: chosen in the menu, numbers as they are written and typed there, no page left in English.
#include "app/mainwindow.h"
#include "app/noticebar.h"
#include "app/theme.h"
#include "app/widgets/quantityedit.h"
#include "pagewalk.h"
#include "scriptedprompts.h"
#include "storage/shippedprojects.h"
#include "testing/registry.h"
#include "testing/shippednames.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "widgetchecks.h"

#include <QFile>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSet>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextDocument>
#include <QXmlStreamReader>

#include <set>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestGerman : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    ScriptedPrompts m_prompts;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<MainWindow> m_window;

    void openWindow()
    {
        m_window.reset();
        m_prompts = {};
        m_settings = std::make_unique<Settings>(m_folder.filePath(u"settings.ini"_s));
        m_settings->setFoldedPlanGroups({});
        applyTheme(ThemeChoice::Light);
        m_window = std::make_unique<MainWindow>(*m_settings, m_prompts);
        m_window->resize(1280, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }

    /// Words that English sentences hold and German ones do not.
    static bool isEnglish(const QString &text)
    {
        static const QRegularExpression words(
            u"\\b(the|of|and|is|are|with|from|to|not|this|that|which|by|at|than|each|it|its|for|one|no|per|when|where|"
            "their|has|have|below|above|between|within)\\b"_s,
            QRegularExpression::CaseInsensitiveOption);
        static const QRegularExpression sample(
            u"\u201c[^\u201d]*\u201d|\u201e[^\u201c]*\u201c|--[a-z-]+|\\bIT\\b|Out-of-Band|Mixture.of.Experts|"
            "\\(yes, no\\)"_s);
        return QString(text).remove(sample).contains(words);
    }

    /// A decimal point, a large count without gaps, a unit, a day or a mark of quotation as English has them.
    static bool isWronglyWritten(QString text)
    {
        static const QRegularExpression quotation(u"\u201e[^\u201c\u201d]*\u201c"_s),
            wrong(u"\u201d|(?<=[ (])0\\.\\d{2,}(?=[ ;,)]|$)|^[-\u2212]?\\d+\\.\\d{2}$|\\d\\.\\d+(?= \\*|-mal)|"
                  "(?<![\\w,.\\-/])\\d{5,}(?= Ziehungen)|tCO2e|abgerufen am \\d{4}-|\\(Beschleuniger h\\)"_s);
        return text.remove(quotation).contains(wrong);
    }

    /// The list's English texts that are no German ones of others: each is English that was left.
    static const QSet<QString> &englishTexts()
    {
        static const auto texts = [] {
            QSet<QString> english, german;
            QFile file(QStringLiteral(FLEETWRIGHT_SOURCES "/translations/fleetwright_de.ts"));
            QXmlStreamReader xml;
            if (file.open(QIODevice::ReadOnly))
                xml.setDevice(&file);
            while (!xml.atEnd()) {
                if (xml.readNext() != QXmlStreamReader::StartElement)
                    continue;
                if (xml.name() == u"source"_s)
                    english << withoutKeys(xml.readElementText());
                else if (xml.name() == u"translation"_s && !xml.attributes().hasAttribute(u"type"_s))
                    german << withoutKeys(xml.readElementText(QXmlStreamReader::IncludeChildElements));
            }
            return english - german;
        }();
        return texts;
    }
    static QString withoutKeys(QString text) { return text.remove(u'&').trimmed(); }

    /// What the view shows: rows enough to meet every column. Tool tips of cells quote sources.
    static QStringList cellsOf(const QAbstractItemView &view)
    {
        constexpr int rows = 40;
        QStringList texts;
        const auto *model = view.model();
        const auto *table = qobject_cast<const QTableView *>(&view);
        for (int column = 0; model && column < model->columnCount(view.rootIndex()); ++column)
            for (int row = 0; row < std::min(rows, model->rowCount(view.rootIndex())); ++row)
                if (!table || !table->isColumnHidden(column))
                    texts << model->index(row, column, view.rootIndex()).data().toString();
        texts.removeDuplicates();
        return texts;
    }

    /// What the widget says.
    static QStringList textsOf(const QWidget &widget)
    {
        if (widget.objectName().endsWith(u"PickerCombo"_s))
            return {}; // an item of the catalog with its sources
        QStringList texts{widget.toolTip(), widget.accessibleName()};
        if (const auto *view = qobject_cast<const QAbstractItemView *>(&widget))
            texts << cellsOf(*view);
        if (const auto *label = qobject_cast<const QLabel *>(&widget)) {
            QTextDocument document;
            document.setHtml(label->text());
            texts << document.toPlainText();
        } else if (const auto *button = qobject_cast<const QAbstractButton *>(&widget))
            texts << button->text();
        else if (const auto *group = qobject_cast<const QGroupBox *>(&widget))
            texts << group->title();
        else if (const auto *tabs = qobject_cast<const QTabBar *>(&widget))
            for (int i = 0; i < tabs->count(); ++i)
                texts << tabs->tabText(i) << tabs->tabToolTip(i);
        else if (const auto *view = qobject_cast<const QTableView *>(&widget); view && view->model())
            for (int column = 0; column < view->model()->columnCount(); ++column)
                for (const int role : {Qt::DisplayRole, Qt::ToolTipRole})
                    texts << view->model()->headerData(column, Qt::Horizontal, role).toString();
        return texts;
    }

private slots:
    void init() { useLanguage(Language::German); }
    void cleanup()
    {
        m_window.reset();
        QFile::remove(m_folder.filePath(u"settings.ini"_s));
        useLanguage(Language::English);
    }

    void languageIsChosenInTheMenu()
    {
        useLanguage(Language::English);
        openWindow();
        const auto action = [&](const char *name) { return m_window->findChild<QAction *>(QString::fromLatin1(name)); };
        QVERIFY(action("actionLanguageSystem")->isChecked());
        QVERIFY(!m_settings->language());
        action("actionLanguageGerman")->trigger();
        QCOMPARE(m_settings->language(), std::optional(Language::German));
        QCOMPARE(m_window->notices().open(), 1); // it waits for the next start
        action("actionLanguageEnglish")->trigger();
        QCOMPARE(m_window->notices().open(), 0);
        QCOMPARE(m_settings->language(), std::optional(Language::English));
        qputenv("FLEETWRIGHT_LANGUAGE", "de");
        QCOMPARE(languageAtStart(*m_settings), Language::German);
        qputenv("FLEETWRIGHT_LANGUAGE", "");
        QCOMPARE(languageAtStart(*m_settings), Language::English);
        action("actionLanguageGerman")->trigger();
        openWindow();
        QVERIFY(action("actionLanguageGerman")->isChecked());
        QCOMPARE(languageAtStart(*m_settings), Language::German);
    }

    void numbersAreShownAndTypedWithComma()
    {
        QuantityEdit edit;
        edit.setQuantity(units::Dimension::Fraction, u"%"_s);
        edit.setRange(0, 1);
        edit.setValue(0.125);
        QCOMPARE(edit.lineEdit()->text(), u"12,5\u00a0%"_s);
        edit.show();
        edit.lineEdit()->selectAll();
        QTest::keyClicks(edit.lineEdit(), u"7,25"_s);
        QTest::keyClick(edit.lineEdit(), Qt::Key_Return);
        QCOMPARE(edit.value(), std::optional(0.0725));
        QCOMPARE(edit.lineEdit()->text(), u"7,25\u00a0%"_s);
        QTest::keyClick(edit.lineEdit(), Qt::Key_Up);
        QVERIFY(edit.value() > 0.0725);
    }

    void everyPage_data()
    {
        QTest::addColumn<bool>("open");
        QTest::newRow("nothing open") << false;
        QTest::newRow("a project") << true;
    }
    /// Nothing is left in English, nothing is cut off, and no two things share a key.
    void everyPage()
    {
        QFETCH(bool, open);
        openWindow();
        if (open)
            QVERIFY(m_window->workspace().createSample(
                m_folder.filePath(u"sample.fleetwright"_s), storage::samples().front().project));
        QStringList names; // which people gave
        for (const auto &plan : m_window->workspace().plans())
            names << utf8(plan.document.name);
        QStringList left;
        std::set<QString> seen;
        QSet<QString> asked;
        // Names, and values that have no German yet where they stand alone.
        static const QStringList permitted{u"BY"_s, u"University of Bristol"_s, u"Silicon One G200"_s, u"auto"_s,
            u"none"_s, u"selective"_s, u"full"_s, u"server"_s, u"reference"_s,
            u"on-chip memory (HBM generation not stated)"_s, u"two newest semesters to 2025"_s, u"flop per image"_s,
            u"flop per inference"_s, u"flop per sequence of 128 Token"_s, u"flop per Token"_s,
            u"flop per denoising step"_s,
            u"TP 8, PP 1, DP 8, mb 12, Neuberechnung selective (per op)"_s}; // a run's, in its source's words
        static const testing::ShippedNames shipped(QStringLiteral(FLEETWRIGHT_SOURCES "/resources"));
        const auto note = [&](const QString &where, const QString &text) {
            if (seen.insert(text).second)
                left << u"%1: %2"_s.arg(where, text.simplified());
        };
        const auto noteEnglish = [&](const QString &where, QString text) {
            for (const auto &name : names)
                text.remove(name);
            if (asked.contains(text))
                return;
            asked << text;
            if (permitted.contains(text))
                return;
            if (isWronglyWritten(text) || englishTexts().contains(withoutKeys(text))
                || (isEnglish(text) && isEnglish(shipped.without(text))))
                note(where, text);
        };
        const auto look = [&](const QString &page, QWidget &shown) {
            QTest::qWait(250);
            auto faults = faultsIn(shown);
            for (int i = 0; i < 20 && !faults.empty(); ++i) { // what has just been shown is still being laid out
                QTest::qWait(50);
                faults = faultsIn(shown);
            }
            for (const auto &fault : faults)
                note(page, fault);
            const auto widgets = shown.findChildren<QWidget *>();
            for (const auto *widget : widgets)
                if (widget->isVisible())
                    for (const auto &text : textsOf(*widget))
                        noteEnglish(page + u", "_s + widget->objectName(), text);
        };
        const auto actions = m_window->findChildren<QAction *>();
        for (const auto *action : actions)
            for (const auto &text : {action->text(), action->toolTip()})
                noteEnglish(u"menu, "_s + action->objectName(), text);
        for (const auto *menu : m_window->findChildren<QMenu *>()) {
            QStringList faults;
            checkMnemonics(*menu, faults);
            for (const auto &fault : faults)
                note(u"menu"_s, fault);
        }
        look(u"first"_s, *m_window);
        if (open) {
            walkPages(*m_window, look);
            walkDialogs(*m_window, look);
        }
        for (const auto &text : left)
            qWarning().noquote() << text;
        QVERIFY2(left.isEmpty(), qPrintable(QString::number(left.size())));
    }
};

FLEETWRIGHT_TEST(TestGerman)
#include "tst_german.moc"
