// SPDX-License-Identifier: GPL-3.0-or-later
// Every page of every sample as somebody sees it: nothing is cut off, everything that takes keys or clicks has a name,
// what is read stands out from its ground. With FLEETWRIGHT_SCREENSHOTS=FOLDER each page is kept there as a picture, in
// the size FLEETWRIGHT_SCREEN (1280x800): packaging/screenshots.sh.
#include "app/mainwindow.h"
#include "app/theme.h"
#include "app/widgets/elidedlabel.h"
#include "scriptedprompts.h"
#include "storage/shippedprojects.h"
#include "testing/registry.h"
#include "text/utf8.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QRegularExpression>
#include <QStackedWidget>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextEdit>
#include <QToolButton>

#include <cmath>
#include <set>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

namespace {

/// Relative luminance and contrast as WCAG 2 defines them.
double luminance(const QColor &colour)
{
    const auto linear = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

double contrast(const QColor &text, const QColor &ground)
{
    const double a = luminance(text), b = luminance(ground);
    return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

QString nameOf(const QWidget *widget)
{
    QStringList path;
    for (; widget && !widget->isWindow() && path.size() < 4; widget = widget->parentWidget())
        if (!widget->objectName().isEmpty())
            path.prepend(widget->objectName());
    return path.join(u'/');
}

/// Whether an ancestor scrolls it, so that what does not fit can be reached.
bool isScrolled(const QWidget *widget)
{
    for (const auto *at = widget->parentWidget(); at && !at->isWindow(); at = at->parentWidget())
        if (qobject_cast<const QAbstractScrollArea *>(at))
            return true;
    return false;
}

void checkNotCut(const QWidget &widget, QStringList &faults)
{
    if (const auto *label = qobject_cast<const QLabel *>(&widget)) {
        if (label->text().isEmpty() || qobject_cast<const ElidedLabel *>(label))
            return;
        if (!label->wordWrap() && label->minimumSizeHint().width() > label->width())
            faults << u"%1: “%2” is cut off (%3 of %4)"_s.arg(nameOf(label), label->text().left(60))
                          .arg(label->width())
                          .arg(label->minimumSizeHint().width());
        if (label->wordWrap() && label->heightForWidth(label->width()) > label->height())
            faults << u"%1: “%2” loses lines (%3 of %4)"_s.arg(nameOf(label), label->text().left(60))
                          .arg(label->height())
                          .arg(label->heightForWidth(label->width()));
    } else if (const auto *button = qobject_cast<const QAbstractButton *>(&widget)) {
        const int needed = button->fontMetrics().size(Qt::TextShowMnemonic, button->text()).width();
        const auto *tool = qobject_cast<const QToolButton *>(button);
        const bool isPicture = tool && tool->toolButtonStyle() == Qt::ToolButtonIconOnly && !tool->icon().isNull();
        if (!isPicture && !button->text().isEmpty() && needed > button->width())
            faults << u"%1: “%2” is cut off (%3 of %4)"_s.arg(nameOf(button), button->text())
                          .arg(button->width())
                          .arg(needed);
    }
    if (const auto *combo = qobject_cast<const QComboBox *>(&widget); combo && !combo->isEditable()) {
        QStyleOptionComboBox option;
        option.initFrom(combo);
        option.subControls = QStyle::SC_All;
        const int room =
            combo->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, combo).width();
        if (combo->fontMetrics().horizontalAdvance(combo->currentText()) > room && combo->toolTip().isEmpty())
            faults << u"%1: “%2” is cut off and has no tooltip"_s.arg(nameOf(combo), combo->currentText());
    }
    // Beyond the window's edge, where nothing scrolls it in.
    const QRect inWindow(widget.mapTo(widget.window(), QPoint()), widget.size());
    if (!isScrolled(&widget) && !widget.window()->rect().contains(inWindow) && !widget.size().isEmpty())
        faults << u"%1 reaches beyond the window"_s.arg(nameOf(&widget));
}

/// Names are whole while other columns stand empty; headings always are.
void checkTable(const QTableView &table, QStringList &faults)
{
    const auto *model = table.model();
    const auto *header = table.horizontalHeader();
    if (!model || model->rowCount() == 0)
        return;
    int spare = 0;
    QString worst;
    int missing = 0;
    for (int column = 0; column < model->columnCount(); ++column) {
        if (table.isColumnHidden(column))
            continue;
        const auto title = model->headerData(column, Qt::Horizontal).toString();
        // A heading may stand in several lines, as far as the header is high enough for them.
        int needed = 0;
        const bool wraps = header->defaultAlignment() & Qt::TextWordWrap;
        for (const auto &word : title.split(QRegularExpression(wraps ? u"\\s"_s : u"\n"_s)))
            needed = std::max(needed, header->fontMetrics().horizontalAdvance(word));
        const auto wrapped = header->fontMetrics().boundingRect(
            QRect(0, 0, header->sectionSize(column), 1000), Qt::TextWordWrap, title);
        if (header->isVisible() && (needed > header->sectionSize(column) || wrapped.height() > header->height()))
            faults << u"%1: the heading “%2” is cut off"_s.arg(nameOf(&table), title);
        int widest = header->isVisible() ? needed : 0;
        for (int row = 0; row < model->rowCount(); ++row) {
            const auto index = model->index(row, column);
            if (table.columnSpan(row, column) > 1)
                continue;
            const int advance = table.fontMetrics().horizontalAdvance(index.data().toString());
            widest = std::max(widest, advance);
            const bool inSight = table.viewport()->rect().intersects(table.visualRect(index));
            if (inSight && advance - table.columnWidth(column) > missing) {
                missing = advance - table.columnWidth(column);
                worst = index.data().toString();
            }
        }
        if (const int idle = table.columnWidth(column) - widest; idle > 4 * gridUnit) // more than margins
            spare += idle;
    }
    if (missing > 0 && spare >= missing + gridUnit)
        faults << u"%1: “%2” lacks %3 pixels while other columns have %4 to spare"_s.arg(nameOf(&table), worst.left(60))
                      .arg(missing)
                      .arg(spare);
}

void checkNamed(QWidget &widget, QStringList &faults)
{
    const bool used = qobject_cast<QAbstractButton *>(&widget) || qobject_cast<QLineEdit *>(&widget)
        || qobject_cast<QComboBox *>(&widget) || qobject_cast<QAbstractSpinBox *>(&widget)
        || qobject_cast<QAbstractItemView *>(&widget) || qobject_cast<QTextEdit *>(&widget);
    const bool part = qobject_cast<QComboBox *>(widget.parentWidget())
        || qobject_cast<QAbstractSpinBox *>(widget.parentWidget()) || qobject_cast<QHeaderView *>(&widget)
        || widget.objectName().startsWith(u"qt_") || widget.focusPolicy() == Qt::NoFocus;
    if (!used || part)
        return;
    const auto *accessible = QAccessible::queryAccessibleInterface(&widget);
    if (!accessible || accessible->text(QAccessible::Name).isEmpty())
        faults << u"%1 (%2) has no name for assistive technology"_s.arg(
            nameOf(&widget), QString::fromLatin1(widget.metaObject()->className()));
}

void checkReadable(const QWidget &widget, QStringList &faults)
{
    const auto *label = qobject_cast<const QLabel *>(&widget);
    if (!label || label->text().isEmpty() || !label->isEnabled())
        return;
    const auto *ground = label->parentWidget();
    while (ground && !ground->autoFillBackground() && !ground->isWindow())
        ground = ground->parentWidget();
    const auto back = (label->autoFillBackground() ? label : ground)->palette().color(QPalette::Window);
    const auto text = label->palette().color(label->foregroundRole());
    if (contrast(text, back) < 4.5)
        faults << u"%1: “%2” has a contrast of %3"_s.arg(nameOf(label), label->text().left(40))
                      .arg(contrast(text, back), 0, 'f', 1);
}

} // namespace

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

    QStringList faultsOfPage() const
    {
        QStringList faults;
        const auto widgets = m_window->findChildren<QWidget *>();
        for (auto *widget : widgets) {
            if (!widget->isVisible() || widget->window() != m_window.get())
                continue;
            checkNotCut(*widget, faults);
            if (const auto *table = qobject_cast<const QTableView *>(widget))
                checkTable(*table, faults);
            checkNamed(*widget, faults);
            checkReadable(*widget, faults);
        }
        return faults;
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
            auto found = faultsOfPage();
            for (int i = 0; i < 20 && !found.empty(); ++i) { // what has just been shown is still being laid out
                QTest::qWait(50);
                found = faultsOfPage();
            }
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
            const auto actions = m_window->findChildren<QAction *>();
            for (auto *action : actions) {
                if (!action->objectName().startsWith(u"goTo/"))
                    continue;
                action->trigger();
                const auto page = action->objectName().sliced(5);
                look(page);
                const auto *shown = m_window->findChild<QStackedWidget *>(u"pages"_s)->currentWidget();
                for (auto *tabs : shown->findChildren<QTabWidget *>())
                    for (int i = 1; tabs->isVisible() && i < tabs->count(); ++i) {
                        tabs->setCurrentIndex(i);
                        look(u"%1-%2-%3"_s.arg(page, tabs->objectName()).arg(i));
                    }
            }
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
