// SPDX-License-Identifier: GPL-3.0-or-later
// Every page of every sample as somebody sees it: nothing is cut off, everything that takes keys or clicks has a name,
// what is read stands out from its ground, and says no key of a document. With FLEETWRIGHT_SCREENSHOTS=FOLDER each page
// is kept there as a picture, in the size FLEETWRIGHT_SCREEN (1280x800): packaging/screenshots.sh.
#include "app/mainwindow.h"
#include "app/theme.h"
#include "pagewalk.h"
#include "plainwords.h"
#include "scriptedprompts.h"
#include "storage/shippedprojects.h"
#include "testing/registry.h"
#include "text/utf8.h"
#include "widgetchecks.h"

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QPainter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

#include <set>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestEveryPage : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    ScriptedPrompts m_prompts;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<MainWindow> m_window;
    QString m_pictures = qEnvironmentVariable("FLEETWRIGHT_SCREENSHOTS");

    QSize screen() const
    {
        const auto sides = qEnvironmentVariable("FLEETWRIGHT_SCREEN", u"1280x800"_s).split(u'x');
        return {sides.value(0).toInt(), sides.value(1).toInt()};
    }

    void openWindow(ThemeChoice theme)
    {
        m_prompts = {};
        m_settings = std::make_unique<Settings>(m_folder.filePath(u"settings.ini"_s));
        m_settings->setTheme(theme);
        applyTheme(theme);
        m_window = std::make_unique<MainWindow>(*m_settings, m_prompts);
        m_window->resize(screen());
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }

    /// What is worked out beside the window is shown when a page has been left alone for a moment.
    void settle() const
    {
        QTest::qWait(m_pictures.isEmpty() ? 250 : 1500);
        QApplication::sendPostedEvents(); // of what was shown a moment ago
    }

    /// The pictures of one sample and theme on one sheet, each with the page's name.
    struct Picture {
        QString page;
        QImage image;
    };
    static QImage sheetOf(const std::vector<Picture> &pictures)
    {
        constexpr int across = 4, width = 480, gap = 8, caption = 20;
        const int height = width * pictures.front().image.height() / pictures.front().image.width();
        const int rows = (int(pictures.size()) + across - 1) / across;
        QImage sheet(across * (width + gap) + gap, rows * (height + caption + gap) + gap, QImage::Format_RGB32);
        sheet.fill(Qt::gray);
        QPainter painter(&sheet);
        painter.setRenderHint(QPainter::SmoothPixmapTransform);
        for (int i = 0; i < int(pictures.size()); ++i) {
            const QPoint at(gap + i % across * (width + gap), gap + i / across * (height + caption + gap));
            painter.drawText(at + QPoint(0, caption - 6), pictures[std::size_t(i)].page);
            painter.drawImage(QRect(at + QPoint(0, caption), QSize(width, height)),
                pictures[std::size_t(i)].image.scaledToWidth(width, Qt::SmoothTransformation));
        }
        return sheet;
    }

private slots:
    void cleanup() { m_window.reset(); }

    void pages_data()
    {
        QTest::addColumn<QString>("sample");
        QTest::addColumn<bool>("dark");
        QTest::addRow("nothing open, light") << QString() << false;
        QTest::addRow("nothing open, dark") << QString() << true;
        for (const auto &sample : storage::samples())
            for (const bool dark : {false, true})
                if (!dark || !m_pictures.isEmpty() || &sample == &storage::samples().front())
                    QTest::addRow("%s, %s", std::string(sample.name).c_str(), dark ? "dark" : "light")
                        << utf8(sample.name) << dark;
    }
    void pages()
    {
        QFETCH(QString, sample);
        QFETCH(bool, dark);
        openWindow(dark ? ThemeChoice::Dark : ThemeChoice::Light);
        if (!sample.isEmpty())
            for (const auto &one : storage::samples())
                if (utf8(one.name) == sample)
                    QVERIFY(m_window->workspace().createSample(
                        m_folder.filePath(sample + (dark ? u" dark.fleetwright"_s : u".fleetwright"_s)), one.project));
        const auto fileOf = [&](const QString &page) {
            return QDir(m_pictures)
                .filePath(u"%1 %2x%3 at %4 %, %5, %6.png"_s.arg(sample.isEmpty() ? u"nothing open"_s : sample)
                              .arg(screen().width())
                              .arg(screen().height())
                              .arg(qRound(100 * m_window->devicePixelRatio()))
                              .arg(dark ? u"dark"_s : u"light"_s, page));
        };
        QStringList faults;
        std::set<QString> seen;
        std::vector<Picture> pictures;
        const auto look = [&](const QString &page) {
            settle();
            if (!m_pictures.isEmpty()) {
                pictures.push_back({page, m_window->grab().toImage()});
                const auto file = fileOf(QString(page).replace(u'/', u'-'));
                QVERIFY2(pictures.back().image.save(file), qPrintable(file));
            }
            auto found = faultsIn(*m_window);
            for (int i = 0; i < 20 && !found.empty(); ++i) { // what has just been shown is still being laid out
                QTest::qWait(50);
                found = faultsIn(*m_window);
            }
            found << documentKeysIn(*m_window);
            for (const auto &fault : found)
                if (seen.insert(fault).second)
                    faults << page + u": "_s + fault;
            const auto *focus = QApplication::focusWidget();
            if (!focus || !focus->isVisible())
                faults << page + u": nothing has the focus"_s;
        };
        if (sample.isEmpty()) {
            look(u"welcome"_s);
        } else {
            walkPages(*m_window, [&](const QString &page, QWidget &) { look(page); });
        }
        if (!pictures.empty())
            QVERIFY(sheetOf(pictures).save(fileOf(u"all"_s)));
        for (const auto &fault : faults) // a failure's own text is cut off
            qWarning().noquote() << fault;
        QVERIFY2(faults.isEmpty(), qPrintable(QString::number(faults.size())));
    }
};

FLEETWRIGHT_TEST(TestEveryPage)
#include "tst_everypage.moc"
