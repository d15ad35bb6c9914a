// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/handbook/handbookwindow.h"

#include "app/handbook/handbookview.h"
#include "app/settings.h"
#include "app/theme.h"

#include <QAction>
#include <QDesktopServices>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int placeRole = Qt::UserRole, handbookZoomStep = 10;
constexpr int sideWidth = 300, readingWidth = 720, usualHeight = 760, hitsAtMost = 30, longestQuery = 200;
constexpr auto handbookSplitter = "handbook"_L1;

QString targetOf(const HandbookPlace &place)
{
    return place.anchor.isEmpty() ? place.page : place.page + u'#' + place.anchor;
}

} // namespace

HandbookWindow::HandbookWindow(const Handbook &handbook, Settings &settings, QWidget *parent)
    : QWidget(parent, Qt::Window), m_handbook(handbook), m_search(handbook), m_settings(settings)
{
    setObjectName(u"handbookWindow"_s);
    setWindowTitle(tr("Handbook"));
    setAttribute(Qt::WA_QuitOnClose, false); // the program ends with its own window
    makeActions();
    m_splitter = new QSplitter(this);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->addWidget(makeSide());
    m_splitter->addWidget(makeReading());
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setSizes({sideWidth, readingWidth});
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_splitter);
    fillContents();
    showFinder(false);
    zoom(settings.handbookZoom().value_or(HandbookView::usualZoom));
    resize(sideWidth + readingWidth, usualHeight);
    restoreGeometry(settings.handbookGeometry());
    m_splitter->restoreState(settings.splitterState(handbookSplitter));
}

void HandbookWindow::makeActions()
{
    const auto action = [this](const QString &name, const QString &text, const QList<QKeySequence> &keys, auto act) {
        auto *made = new QAction(text, this);
        made->setObjectName(name);
        made->setShortcuts(keys);
        made->setToolTip(u"%1 (%2)"_s.arg(QString(text).remove(u'&'), keys.front().toString(QKeySequence::NativeText)));
        connect(made, &QAction::triggered, this, act);
        addAction(made);
        return made;
    };
    using Keys = QList<QKeySequence>;
    m_back = action(u"handbookBack"_s, tr("&Back"), Keys{Qt::ALT | Qt::Key_Left}, [this] { step(-1); });
    m_forward = action(u"handbookForward"_s, tr("&Forward"), Keys{Qt::ALT | Qt::Key_Right}, [this] { step(1); });
    m_findHere = action(
        u"handbookFind"_s, tr("Find on this &page"), Keys{Qt::CTRL | Qt::Key_F}, [this] { showFinder(true); });
    m_findNext = action(u"handbookFindNext"_s, tr("&Next"), Keys{Qt::Key_F3}, [this] { find(false); });
    m_findPrevious = action(
        u"handbookFindPrevious"_s, tr("P&revious"), Keys{Qt::SHIFT | Qt::Key_F3}, [this] { find(true); });
    m_zoomIn = action(u"handbookZoomIn"_s, tr("Larger"), Keys{Qt::CTRL | Qt::Key_Plus, Qt::CTRL | Qt::Key_Equal},
        [this] { zoom(m_view->zoom() + handbookZoomStep); });
    m_zoomOut = action(u"handbookZoomOut"_s, tr("Smaller"), Keys{Qt::CTRL | Qt::Key_Minus},
        [this] { zoom(m_view->zoom() - handbookZoomStep); });
    m_zoomUsual = action(u"handbookZoomUsual"_s, tr("Usual size"), Keys{Qt::CTRL | Qt::Key_0},
        [this] { zoom(HandbookView::usualZoom); });
    action(u"handbookSearch"_s, tr("Search"), Keys{Qt::CTRL | Qt::Key_K}, [this] {
        m_edit->setFocus(Qt::ShortcutFocusReason);
        m_edit->selectAll();
    });
    action(u"handbookLeave"_s, tr("Leave"), Keys{Qt::Key_Escape}, [this] { leave(); });
}

QToolButton *HandbookWindow::addButton(QAction *action, QWidget *parent)
{
    auto *button = new QToolButton(parent);
    button->setDefaultAction(action);
    button->setObjectName(action->objectName() + u"Button"_s);
    button->setAutoRaise(true);
    return button;
}

QWidget *HandbookWindow::makeSide()
{
    auto *side = new QWidget(this);
    m_edit = new QLineEdit(side);
    m_edit->setObjectName(u"handbookSearchEdit"_s);
    m_edit->setAccessibleName(tr("Search the handbook"));
    m_edit->setPlaceholderText(tr("Search the handbook  Ctrl+K"));
    m_edit->setMaxLength(longestQuery);
    m_edit->setClearButtonEnabled(true);
    m_edit->installEventFilter(this);
    connect(m_edit, &QLineEdit::textChanged, this, &HandbookWindow::search);
    connect(m_edit, &QLineEdit::returnPressed, this, &HandbookWindow::openHit);

    m_contents = new QTreeWidget(side);
    m_contents->setObjectName(u"handbookContents"_s);
    m_contents->setAccessibleName(tr("Contents"));
    m_contents->setHeaderHidden(true);
    const auto open = [this](const QTreeWidgetItem *item) {
        if (const auto target = item->data(0, placeRole).toString(); !target.isEmpty())
            go(HandbookPlace::of(target));
    };
    connect(m_contents, &QTreeWidget::itemClicked, this, open);
    connect(m_contents, &QTreeWidget::itemActivated, this, open);

    m_hits = new QListWidget(side);
    m_hits->setObjectName(u"handbookHits"_s);
    m_hits->setAccessibleName(tr("Found"));
    m_hits->setWordWrap(true);
    m_hits->setAlternatingRowColors(true);
    m_hits->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(m_hits, &QListWidget::itemClicked, this, &HandbookWindow::openHit);
    connect(m_hits, &QListWidget::itemActivated, this, &HandbookWindow::openHit);

    m_nothing = new QLabel(side);
    m_nothing->setObjectName(u"handbookNothing"_s);
    m_nothing->setTextFormat(Qt::PlainText);
    m_nothing->setWordWrap(true);
    m_nothing->setAlignment(Qt::AlignTop);

    m_side = new QStackedWidget(side);
    for (auto *part : std::initializer_list<QWidget *>{m_contents, m_hits, m_nothing})
        m_side->addWidget(part);
    auto *layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_edit);
    layout->addWidget(m_side, 1);
    return side;
}

QWidget *HandbookWindow::makeReading()
{
    auto *reading = new QWidget(this);
    m_view = new HandbookView(reading);
    connect(m_view, &QTextBrowser::anchorClicked, this, &HandbookWindow::follow);
    connect(
        m_view, &HandbookView::zoomAsked, this, [this](int steps) { zoom(m_view->zoom() + steps * handbookZoomStep); });
    auto *bar = new QHBoxLayout;
    bar->addWidget(addButton(m_back, reading));
    bar->addWidget(addButton(m_forward, reading));
    bar->addStretch(1);
    bar->addWidget(addButton(m_findHere, reading));
    bar->addWidget(addButton(m_zoomOut, reading));
    m_zoomButton = addButton(m_zoomUsual, reading);
    bar->addWidget(m_zoomButton);
    bar->addWidget(addButton(m_zoomIn, reading));
    auto *layout = new QVBoxLayout(reading);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(bar);
    layout->addWidget(m_view, 1);
    layout->addWidget(makeFinder());
    return reading;
}

QWidget *HandbookWindow::makeFinder()
{
    m_finder = new QWidget(this);
    m_findEdit = new QLineEdit(m_finder);
    m_findEdit->setObjectName(u"handbookFindEdit"_s);
    m_findEdit->setAccessibleName(tr("Find on this page"));
    m_findEdit->setPlaceholderText(tr("Find on this page"));
    m_findEdit->setMaxLength(longestQuery);
    m_findEdit->setClearButtonEnabled(true);
    m_found = new QLabel(m_finder);
    m_found->setObjectName(u"handbookFound"_s);
    m_found->setTextFormat(Qt::PlainText);
    connect(m_findEdit, &QLineEdit::textChanged, this, [this] {
        auto cursor = m_view->textCursor(); // the same place again, while it is being typed
        cursor.setPosition(cursor.selectionStart());
        m_view->setTextCursor(cursor);
        find(false);
    });
    connect(m_findEdit, &QLineEdit::returnPressed, this, [this] { find(false); });
    auto *layout = new QHBoxLayout(m_finder);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_findEdit, 1);
    layout->addWidget(addButton(m_findPrevious, m_finder));
    layout->addWidget(addButton(m_findNext, m_finder));
    layout->addWidget(m_found);
    return m_finder;
}

void HandbookWindow::fillContents()
{
    for (const auto &group : Handbook::groups()) {
        QTreeWidgetItem *top = nullptr;
        for (const auto &id : group.pages) {
            const auto *page = m_handbook.page(id);
            if (!page)
                continue;
            if (!top) {
                top = new QTreeWidgetItem(m_contents, {group.title});
                auto bold = top->font(0);
                bold.setBold(true);
                top->setFont(0, bold);
            }
            auto *item = new QTreeWidgetItem(top, {page->title});
            item->setData(0, placeRole, id);
            item->setToolTip(0, page->title);
            for (const auto &section : page->sections)
                if (section.level == 2) {
                    auto *part = new QTreeWidgetItem(item, {section.heading});
                    part->setData(0, placeRole, targetOf({id, section.anchor}));
                    part->setToolTip(0, section.heading);
                }
        }
        if (top)
            top->setExpanded(true);
    }
}

void HandbookWindow::open(const HandbookPlace &place)
{
    go(place);
    QWidget::show();
    raise();
    activateWindow();
    m_edit->setFocus(Qt::OtherFocusReason);
    m_edit->selectAll();
}

HandbookPlace HandbookWindow::current() const { return m_visits.empty() ? HandbookPlace() : m_visits[m_at].place; }

void HandbookWindow::search()
{
    const auto query = m_edit->text().trimmed();
    m_hits->clear();
    if (query.isEmpty())
        return m_side->setCurrentWidget(m_contents);
    for (const auto &hit : m_search.find(m_edit->text())) {
        if (m_hits->count() == hitsAtMost)
            break;
        const auto where = hit.heading.isEmpty() ? hit.title : tr("%1 \u203a %2").arg(hit.title, hit.heading);
        auto *item = new QListWidgetItem(where + u'\n' + hit.context, m_hits);
        item->setData(placeRole, targetOf(hit.place));
    }
    m_nothing->setText(tr("No page has \u201c%1\u201d.").arg(query));
    m_hits->setCurrentRow(0);
    m_side->setCurrentWidget(m_hits->count() > 0 ? static_cast<QWidget *>(m_hits) : m_nothing);
}

void HandbookWindow::openHit()
{
    if (const auto *item = m_side->currentWidget() == m_hits ? m_hits->currentItem() : nullptr) {
        go(HandbookPlace::of(item->data(placeRole).toString()));
        m_view->setFocus(Qt::OtherFocusReason);
    }
}

void HandbookWindow::go(const HandbookPlace &place)
{
    if (!m_handbook.has(place))
        return;
    if (!m_visits.empty()) {
        m_visits[m_at].scrolled = m_view->verticalScrollBar()->value();
        if (m_visits[m_at].place != place) {
            m_visits.resize(m_at + 1);
            m_visits.push_back({place});
            ++m_at;
        }
    } else {
        m_visits.push_back({place});
    }
    show(m_visits[m_at], true);
}

void HandbookWindow::step(int by)
{
    m_visits[m_at].scrolled = m_view->verticalScrollBar()->value();
    m_at = std::size_t(std::ptrdiff_t(m_at) + by);
    show(m_visits[m_at], false);
}

void HandbookWindow::show(const Visit &visit, bool toHeading)
{
    const auto *page = m_handbook.page(visit.place.page);
    m_view->showPage(*page);
    if (toHeading)
        m_view->showHeading(visit.place.anchor);
    else
        m_view->verticalScrollBar()->setValue(visit.scrolled);
    setWindowTitle(tr("%1 - Handbook").arg(page->title));
    m_back->setEnabled(m_at > 0);
    m_forward->setEnabled(m_at + 1 < m_visits.size());
    const auto target = targetOf(visit.place);
    for (int group = 0; group < m_contents->topLevelItemCount(); ++group)
        for (int i = 0; i < m_contents->topLevelItem(group)->childCount(); ++i) {
            auto *item = m_contents->topLevelItem(group)->child(i);
            if (item->data(0, placeRole).toString() != page->id)
                continue;
            item->setExpanded(true);
            m_contents->setCurrentItem(item);
            for (int part = 0; part < item->childCount(); ++part)
                if (item->child(part)->data(0, placeRole).toString() == target)
                    m_contents->setCurrentItem(item->child(part));
        }
}

void HandbookWindow::follow(const QUrl &link)
{
    const auto text = link.toString();
    if (isExternalLink(text))
        QDesktopServices::openUrl(link);
    else if (const auto place = m_handbook.follow(current().page, text))
        go(*place);
}

void HandbookWindow::find(bool backwards)
{
    const auto text = m_findEdit->text();
    if (text.isEmpty() || m_finder->isHidden()) {
        m_found->clear();
        return;
    }
    const auto flags = backwards ? QTextDocument::FindBackward : QTextDocument::FindFlags();
    bool found = m_view->find(text, flags), again = false;
    if (!found) { // from the other end
        const auto before = m_view->textCursor();
        m_view->moveCursor(backwards ? QTextCursor::End : QTextCursor::Start);
        found = again = m_view->find(text, flags);
        if (!found)
            m_view->setTextCursor(before);
    }
    m_found->setText(!found ? tr("not on this page") : again ? tr("from the other end") : QString());
}

void HandbookWindow::showFinder(bool shown)
{
    m_finder->setVisible(shown);
    for (auto *action : {m_findNext, m_findPrevious})
        action->setEnabled(shown);
    if (shown) {
        m_findEdit->setFocus(Qt::ShortcutFocusReason);
        m_findEdit->selectAll();
    }
}

void HandbookWindow::zoom(int percent)
{
    m_view->setZoom(percent);
    m_zoomUsual->setIconText(tr("%1 %").arg(m_view->zoom()));
    m_zoomIn->setEnabled(m_view->zoom() < HandbookView::mostZoom);
    m_zoomOut->setEnabled(m_view->zoom() > HandbookView::leastZoom);
}

void HandbookWindow::leave()
{
    if (!m_finder->isHidden()) {
        showFinder(false);
        m_view->setFocus(Qt::OtherFocusReason);
    } else if (!m_edit->text().isEmpty()) {
        m_edit->clear();
        m_edit->setFocus(Qt::OtherFocusReason);
    } else {
        close();
    }
}

bool HandbookWindow::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_edit && event->type() == QEvent::KeyPress) {
        const int key = static_cast<const QKeyEvent *>(event)->key();
        const int by = key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : 0;
        if (by != 0 && m_side->currentWidget() == m_hits) {
            m_hits->setCurrentRow(std::clamp(m_hits->currentRow() + by, 0, m_hits->count() - 1));
            return true;
        }
        if (by > 0 && m_side->currentWidget() == m_contents) {
            m_contents->setFocus(Qt::OtherFocusReason);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void HandbookWindow::closeEvent(QCloseEvent *event)
{
    m_settings.setHandbookGeometry(saveGeometry());
    m_settings.setSplitterState(handbookSplitter, m_splitter->saveState());
    m_settings.setHandbookZoom(m_view->zoom());
    QWidget::closeEvent(event);
}

} // namespace fleetwright::app
