// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/theme.h"
#include "app/widgets/elidedlabel.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAbstractTextDocumentLayout>
#include <QAccessible>
#include <QComboBox>
#include <QGroupBox>
#include <QHeaderView>
#include <QKeySequence>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QTabBar>
#include <QTableView>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextEdit>
#include <QToolButton>

#include <cmath>
#include <map>

/// What is wrong with a widget that somebody looks at or uses: cut off, unnamed, hard to read.
namespace fleetwright::app {

using namespace Qt::StringLiterals;

/// Relative luminance and contrast as WCAG 2 defines them.
inline double luminance(const QColor &colour)
{
    const auto linear = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

inline double contrast(const QColor &text, const QColor &ground)
{
    const double a = luminance(text), b = luminance(ground);
    return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

inline QString nameOf(const QWidget *widget)
{
    QStringList path;
    for (; widget && !widget->isWindow() && path.size() < 4; widget = widget->parentWidget())
        if (!widget->objectName().isEmpty())
            path.prepend(widget->objectName());
    return path.join(u'/');
}

/// Whether an ancestor scrolls it, so that what does not fit can be reached.
inline bool isScrolled(const QWidget *widget)
{
    for (const auto *at = widget->parentWidget(); at && !at->isWindow(); at = at->parentWidget())
        if (qobject_cast<const QAbstractScrollArea *>(at))
            return true;
    return false;
}

inline void checkNotCut(const QWidget &widget, QStringList &faults)
{
    if (const auto *label = qobject_cast<const QLabel *>(&widget)) {
        if (label->text().isEmpty())
            return;
        if (qobject_cast<const ElidedLabel *>(label)) { // its end may be cut, its letters not
            if (label->height() < label->fontMetrics().lineSpacing())
                faults << u"%1: “%2” is lower than its letters"_s.arg(nameOf(label), label->text().left(60));
            return;
        }
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
        const int frame = qobject_cast<const QPushButton *>(button) ? gridUnit : 0; // the first letter stands on it
        if (!isPicture && !button->text().isEmpty() && needed + frame > button->width())
            faults << u"%1: “%2” is cut off (%3 of %4)"_s.arg(nameOf(button), button->text())
                          .arg(button->width())
                          .arg(needed);
    }
    if (const auto *edit = qobject_cast<const QLineEdit *>(&widget);
        edit && edit->text().isEmpty() && edit->alignment() & Qt::AlignRight) // of a figure: that there is none
        if (const int needed = edit->fontMetrics().horizontalAdvance(edit->placeholderText()); needed > edit->width())
            faults << u"%1: “%2” is cut off (%3 of %4)"_s.arg(nameOf(edit), edit->placeholderText())
                          .arg(edit->width())
                          .arg(needed);
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
inline void checkTable(const QTableView &table, QStringList &faults)
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
        const bool wraps = header->defaultAlignment() & Qt::TextWordWrap
            || header->inherits("fleetwright::app::LinesHeader");
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
            // Nor is what stands in several lines cut off, as far as the row is high enough for them.
            const auto lines = table.fontMetrics().boundingRect(
                QRect(0, 0, table.columnWidth(column), 10000), Qt::TextWordWrap, index.data().toString());
            if (table.wordWrap() && lines.height() <= table.rowHeight(row)
                && lines.width() <= table.columnWidth(column))
                continue;
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

inline void checkNamed(QWidget &widget, QStringList &faults)
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

inline void checkReadable(const QWidget &widget, QStringList &faults)
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

/// What the style draws in colours of the palette: buttons, tabs, fields, lists and trees, menus.
inline void checkRolesReadable(const QWidget &widget, QStringList &faults)
{
    if (!widget.isEnabled())
        return;
    const auto check = [&](QPalette::ColorRole ink, QPalette::ColorRole ground, const QString &what) {
        const auto &palette = widget.palette();
        if (const double found = contrast(palette.color(ink), palette.color(ground)); found < 4.5)
            faults << u"%1 (%2): %3 has a contrast of %4"_s
                          .arg(nameOf(&widget), QString::fromLatin1(widget.metaObject()->className()), what)
                          .arg(found, 0, 'f', 1);
    };
    if (const auto *tool = qobject_cast<const QToolButton *>(&widget); tool && tool->autoRaise())
        check(QPalette::ButtonText, QPalette::Window, u"its text"_s);
    else if (qobject_cast<const QPushButton *>(&widget) || tool || qobject_cast<const QHeaderView *>(&widget))
        check(QPalette::ButtonText, QPalette::Button, u"its text"_s);
    else if (qobject_cast<const QAbstractButton *>(&widget) || qobject_cast<const QGroupBox *>(&widget)
        || qobject_cast<const QMenuBar *>(&widget))
        check(QPalette::WindowText, QPalette::Window, u"its text"_s);
    else if (qobject_cast<const QTabBar *>(&widget))
        for (const auto ground : {QPalette::Window, QPalette::Button, QPalette::Base})
            check(QPalette::WindowText, ground, u"a tab"_s);
    else if (const auto *combo = qobject_cast<const QComboBox *>(&widget); combo && !combo->isEditable())
        check(QPalette::ButtonText, QPalette::Button, u"its choice"_s);
    const auto *view = qobject_cast<const QAbstractItemView *>(&widget);
    const bool isField = qobject_cast<const QLineEdit *>(&widget) || qobject_cast<const QTextEdit *>(&widget)
        || qobject_cast<const QAbstractSpinBox *>(&widget);
    if ((!view && !isField) || qobject_cast<const QHeaderView *>(&widget))
        return;
    check(QPalette::Text, QPalette::Base, u"its text"_s);
    check(QPalette::HighlightedText, QPalette::Highlight, u"what is chosen"_s);
    if (view && view->alternatingRowColors())
        check(QPalette::Text, QPalette::AlternateBase, u"every other row"_s);
    if (isField)
        check(QPalette::PlaceholderText, QPalette::Base, u"what to type"_s);
}

/// Links and coloured words of texts in HTML.
inline void checkHtmlReadable(const QWidget &widget, QStringList &faults)
{
    const QTextDocument *document = nullptr;
    QColor ground;
    if (const auto *edit = qobject_cast<const QTextEdit *>(&widget)) {
        document = edit->document();
        ground = edit->viewport()->palette().color(edit->viewport()->backgroundRole());
    } else if (const auto *label = qobject_cast<const QLabel *>(&widget);
               label && label->textFormat() == Qt::RichText) {
        document = label->findChild<QTextDocument *>();
        const auto *holder = label->parentWidget();
        while (holder && !holder->autoFillBackground() && !holder->isWindow())
            holder = holder->parentWidget();
        ground = (holder ? holder : label)->palette().color(QPalette::Window);
    }
    if (!document || !widget.isEnabled())
        return;
    for (auto block = document->begin(); block.isValid(); block = block.next())
        for (auto at = block.begin(); !at.atEnd(); ++at) {
            const auto format = at.fragment().charFormat();
            if (format.foreground().style() == Qt::NoBrush)
                continue;
            const auto back = format.background().style() == Qt::NoBrush ? ground : format.background().color();
            if (const double found = contrast(format.foreground().color(), back); found < 4.5)
                faults << u"%1: “%2” has a contrast of %3 in its text"_s
                              .arg(nameOf(&widget), at.fragment().text().left(40))
                              .arg(found, 0, 'f', 1);
        }
}

/// Colours that a model gives its cells.
inline void checkCellsReadable(const QAbstractItemView &view, QStringList &faults)
{
    const auto *model = view.model();
    if (!model)
        return;
    for (int row = 0; row < std::min(model->rowCount(), 200); ++row)
        for (int column = 0; column < model->columnCount(); ++column) {
            const auto index = model->index(row, column);
            const auto ink = index.data(Qt::ForegroundRole), paint = index.data(Qt::BackgroundRole);
            if ((!ink.isValid() && !paint.isValid()) || index.data().toString().isEmpty())
                continue;
            const auto text = ink.isValid() ? ink.value<QBrush>().color() : view.palette().color(QPalette::Text);
            const auto back = paint.isValid() ? paint.value<QBrush>().color() : view.palette().color(QPalette::Base);
            if (const double found = contrast(text, back); found < 4.5) {
                faults << u"%1: the cell “%2” has a contrast of %3"_s
                              .arg(nameOf(&view), index.data().toString().left(40))
                              .arg(found, 0, 'f', 1);
                return;
            }
        }
}

/// The key that goes with Alt and stands underlined, and what it belongs to.
inline void collectMnemonics(const QWidget &root, std::map<QString, QStringList> &keys)
{
    const auto add = [&](const QString &text, const QString &name) {
        if (const auto key = QKeySequence::mnemonic(text); !key.isEmpty())
            keys[key.toString()] << u"%1 (%2)"_s.arg(text, name);
    };
    for (const auto *widget : root.findChildren<QWidget *>()) {
        if (!widget->isVisibleTo(&root) || widget->window() != root.window() || qobject_cast<const QMenu *>(widget))
            continue;
        if (const auto *button = qobject_cast<const QAbstractButton *>(widget))
            add(button->text(), nameOf(button));
        else if (const auto *label = qobject_cast<const QLabel *>(widget); label && label->buddy())
            add(label->text(), nameOf(label));
        else if (const auto *box = qobject_cast<const QGroupBox *>(widget))
            add(box->title(), nameOf(box));
        else if (const auto *tabs = qobject_cast<const QTabBar *>(widget))
            for (int i = 0; i < tabs->count(); ++i)
                add(tabs->tabText(i), nameOf(tabs));
        else if (const auto *bar = qobject_cast<const QMenuBar *>(widget))
            for (const auto *action : bar->actions())
                add(action->text(), u"menu bar"_s);
    }
}

inline void checkMnemonics(const QWidget &window, QStringList &faults)
{
    std::map<QString, QStringList> keys;
    collectMnemonics(window, keys);
    for (const auto &[key, names] : keys)
        if (names.size() > 1)
            faults << u"%1 stands for %2"_s.arg(key, names.join(u" and "_s));
}

inline void checkMnemonics(const QMenu &menu, QStringList &faults)
{
    std::map<QString, QStringList> keys;
    for (const auto *action : menu.actions())
        if (const auto key = QKeySequence::mnemonic(action->text()); action->isVisible() && !key.isEmpty())
            keys[key.toString()] << action->text();
    for (const auto &[key, names] : keys)
        if (names.size() > 1)
            faults << u"%1: %2 stands for %3"_s.arg(menu.title(), key, names.join(u" and "_s));
}

/// What is written for programs and not for people: keys of documents ("fleet.nodes", "usd_per_kwh", "(pue)"), JSON,
/// "us", digits that nobody measured. Symbols of formulas ("n_f", "y_1") are no keys.
inline QString rawWordsIn(QString text)
{
    // The name of a published project; software stacks are chosen by these names among the assumptions.
    static const QRegularExpression names(u"cs249r_book|\\(stack \\w+\\)"_s);
    text.remove(names);
    static const QRegularExpression raw(
        u"\\b[a-z][a-z0-9]+(?:_[a-z0-9]+)+\\b"
        u"|\\b(?:fleet|operations|training|parallelism|constraints|assumptions|workload|worksheet|details)"
        u"\\.[a-z_]+\\b|\\((?:pue|wue)\\)"
        u"|[{\\[]\\s*\"|\\b\\d+(?:\\.\\d+)? us\\b|\\d\\.\\d{7,}|\\d{12,}|\\d[eE][+-]?\\d{1,2}\\b"_s);
    return raw.match(text).captured();
}

/// `isData`: what stands in its rows is not written by the program.
inline void checkWords(const QWidget &widget, bool isData, QStringList &faults)
{
    const auto check = [&](QString text, const QString &where) {
        // What is called so in documents says that it is; where a file or page stands is no word of ours.
        static const QRegularExpression meant(u"[Ii]n documents: \\S+|/tmp/\\S+|https?://\\S+|Formula: [^\n]*"_s);
        text.remove(meant);
        if (text.contains(u'<'))
            text.remove(QRegularExpression(u"<[^>]*>"_s));
        if (const auto raw = rawWordsIn(text); !raw.isEmpty())
            faults << u"%1: “%2” in %3 “%4”"_s.arg(nameOf(&widget), raw, where, text.left(80).simplified());
    };
    if (!widget.objectName().endsWith(u"PickerCombo"_s)) // which shows the item of a catalog
        check(widget.toolTip(), u"the tooltip"_s);
    if (const auto *label = qobject_cast<const QLabel *>(&widget))
        check(label->text(), u"the label"_s);
    else if (const auto *button = qobject_cast<const QAbstractButton *>(&widget))
        check(button->text(), u"the button"_s);
    else if (const auto *combo = qobject_cast<const QComboBox *>(&widget); combo)
        for (int i = 0; i < combo->count(); ++i)
            check(combo->itemText(i), u"the choice"_s);
    else if (const auto *text = qobject_cast<const QTextEdit *>(&widget); text && !isData)
        check(text->toPlainText(), u"the text"_s);
    else if (const auto *view = qobject_cast<const QAbstractItemView *>(&widget);
             view && view->model() && !qobject_cast<const QHeaderView *>(view) && !isData)
        for (int column = 0; column < view->model()->columnCount(); ++column) {
            const auto *table = qobject_cast<const QTableView *>(view);
            if (table && table->isColumnHidden(column))
                continue;
            check(view->model()->headerData(column, Qt::Horizontal).toString(), u"the heading"_s);
            for (int row = 0; row < std::min(view->model()->rowCount(), 300); ++row) {
                const auto index = view->model()->index(row, column);
                check(index.data().toString(), u"the cell"_s);
                check(index.data(Qt::ToolTipRole).toString(), u"the tooltip of a cell"_s);
            }
        }
}

/// All of the above but the words, of everything in sight in the window or dialog.
inline QStringList faultsIn(const QWidget &window)
{
    QStringList faults;
    for (auto *widget : window.findChildren<QWidget *>()) {
        if (!widget->isVisible() || widget->window() != &window)
            continue;
        checkNotCut(*widget, faults);
        if (const auto *table = qobject_cast<const QTableView *>(widget))
            checkTable(*table, faults);
        if (const auto *view = qobject_cast<const QAbstractItemView *>(widget))
            checkCellsReadable(*view, faults);
        checkNamed(*widget, faults);
        checkReadable(*widget, faults);
        checkRolesReadable(*widget, faults);
        checkHtmlReadable(*widget, faults);
    }
    checkMnemonics(window, faults);
    return faults;
}

} // namespace fleetwright::app
