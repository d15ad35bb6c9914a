// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/handbook/handbookwindow.h"

#include "app/handbook/handbookhitdelegate.h"
#include "app/handbook/handbookview.h"
#include "app/settings.h"
#include "app/theme.h"

#include <QAction>
#include <QCloseEvent>
#include <QDesktopServices>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QScreen>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int placeRole = Qt::UserRole; ///< "page#anchor"
constexpr int sideWidth = 300, mostSteps = 200, mostTyped = 200;
constexpr auto splitterKey = "handbook"_L1;

QString targetOf(const HandbookPlace &place)
{
    return place.anchor.isEmpty() ? place.page : place.page + u'#' + place.anchor;
}

} // namespace

HandbookWindow::HandbookWindow(Settings &settings)
    : QWidget(nullptr, Qt::Window), m_settings(settings), m_splitter(new QSplitter(this)),
      m_view(new HandbookView(this)), m_search(new QLineEdit(this)), m_side(new QStackedWidget(this)),
      m_contents(new QTreeWidget(this)), m_hits(new QListWidget(this)), m_nothing(new QLabel(this)),
      m_findBar(new QWidget(this)), m_find(new QLineEdit(this)), m_found(new QLabel(this))
{
    setObjectName(u"handbookWindow"_s);
    setAttribute(Qt::WA_QuitOnClose, false); // the program ends with its main window
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(gridUnit, gridUnit, gridUnit, gridUnit);
    layout->addWidget(m_splitter);
    m_splitter->addWidget(makeSide());
    m_splitter->addWidget(makeText());
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setChildrenCollapsible(false);
    if (const auto geometry = m_settings.handbookGeometry(); geometry.isEmpty() || !restoreGeometry(geometry))
        resize(1160, 740);
    if (!isMaximized())
        resize(size().boundedTo(screen()->availableSize()));
    if (!m_splitter->restoreState(m_settings.splitterState(splitterKey)))
        m_splitter->setSizes({sideWidth, width() - sideWidth});
    m_view->setZoom(m_settings.handbookZoom());
    fillContents();
    open({u"introduction"_s, {}});
    m_search->setFocus();
}

QAction *HandbookWindow::action(const QString &text, const QList<QKeySequence> &keys, void (HandbookWindow::*act)())
{
    auto *made = new QAction(text, this);
    made->setShortcuts(keys);
    connect(made, &QAction::triggered, this, act);
    addAction(made);
    return made;
}

QToolButton *HandbookWindow::button(const QString &name, const QString &text, QAction *action)
{
    auto *made = new QToolButton(this);
    made->setDefaultAction(action);
    made->setObjectName(name);
    made->setText(text);
    made->setAccessibleName(action->text());
    made->setAutoRaise(true);
    made->setFocusPolicy(Qt::TabFocus);
    made->setToolTip(tr("%1 (%2)").arg(action->text(), action->shortcut().toString(QKeySequence::NativeText)));
    return made;
}

QWidget *HandbookWindow::makeSide()
{
    auto *side = new QWidget(this);
    auto *layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 0);
    m_search->setObjectName(u"handbookSearch"_s);
    m_search->setAccessibleName(tr("Search the handbook"));
    m_search->setPlaceholderText(tr("Search the handbook  (Ctrl+K)"));
    m_search->setClearButtonEnabled(true);
    m_search->setMaxLength(mostTyped);
    m_search->installEventFilter(this);
    connect(m_search, &QLineEdit::textChanged, this, &HandbookWindow::search);
    connect(m_search, &QLineEdit::returnPressed, this, &HandbookWindow::openHit);
    layout->addWidget(m_search);

    m_contents->setObjectName(u"handbookContents"_s);
    m_contents->setAccessibleName(tr("Contents"));
    m_contents->setHeaderHidden(true);
    m_contents->setTextElideMode(Qt::ElideRight);
    const auto openItem = [this](const QTreeWidgetItem *item) {
        if (const auto target = item->data(0, placeRole).toString(); !target.isEmpty())
            open(placeOf(target));
    };
    connect(m_contents, &QTreeWidget::itemClicked, this, openItem);
    connect(m_contents, &QTreeWidget::itemActivated, this, openItem);
    m_hits->setObjectName(u"handbookHits"_s);
    m_hits->setAccessibleName(tr("What the search finds"));
    m_hits->setWordWrap(true);
    m_hits->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_hits->setResizeMode(QListView::Adjust);
    m_hits->setItemDelegate(new HandbookHitDelegate(m_hits));
    connect(m_hits, &QListWidget::itemClicked, this, &HandbookWindow::openHit);
    connect(m_hits, &QListWidget::itemActivated, this, &HandbookWindow::openHit);
    m_nothing->setObjectName(u"handbookNothing"_s);
    m_nothing->setWordWrap(true);
    m_nothing->setAlignment(Qt::AlignTop);
    m_nothing->setContentsMargins(gridUnit, gridUnit, gridUnit, gridUnit);
    for (auto *widget : std::initializer_list<QWidget *>{m_contents, m_hits, m_nothing})
        m_side->addWidget(widget);
    layout->addWidget(m_side);
    action(tr("Search"), {QKeySequence(u"Ctrl+K"_s)}, &HandbookWindow::focusSearch);
    return side;
}

QWidget *HandbookWindow::makeText()
{
    auto *panel = new QWidget(this);
    auto *layout = new QVBoxLayout(panel);
    layout->setContentsMargins(0, 0, 0, 0);
    auto *bar = new QHBoxLayout;
    m_back = action(tr("Back"), {QKeySequence(u"Alt+Left"_s), Qt::Key_Back}, &HandbookWindow::back);
    m_forward = action(tr("Forward"), {QKeySequence(u"Alt+Right"_s), Qt::Key_Forward}, &HandbookWindow::forward);
    auto *find = action(tr("Find in page"), {QKeySequence(u"Ctrl+F"_s)}, &HandbookWindow::showFind);
    auto *smaller = action(tr("Smaller letters"), {QKeySequence(u"Ctrl+-"_s)}, &HandbookWindow::zoomOut);
    m_zoomReset = action(tr("Usual letters"), {QKeySequence(u"Ctrl+0"_s)}, &HandbookWindow::zoomReset);
    auto *larger = action(
        tr("Larger letters"), {QKeySequence(u"Ctrl++"_s), QKeySequence(u"Ctrl+="_s)}, &HandbookWindow::zoomIn);
    action(tr("Close"), {QKeySequence(u"Ctrl+W"_s)}, &HandbookWindow::leave);
    bar->addWidget(button(u"handbookBack"_s, tr("Back"), m_back));
    bar->addWidget(button(u"handbookForward"_s, tr("Forward"), m_forward));
    bar->addStretch();
    bar->addWidget(button(u"handbookFindButton"_s, tr("Find"), find));
    bar->addWidget(button(u"handbookSmaller"_s, tr("A\u2212"), smaller));
    auto *size = button(u"handbookZoom"_s, tr("100 %"), m_zoomReset);
    bar->addWidget(size);
    bar->addWidget(button(u"handbookLarger"_s, tr("A+"), larger));
    layout->addLayout(bar);
    layout->addWidget(m_view);
    connect(m_view, &HandbookView::linkFollowed, this, &HandbookWindow::follow);
    connect(m_view, &HandbookView::zoomed, this, [this, size](int percent) {
        size->setText(tr("%1 %").arg(percent));
        m_settings.setHandbookZoom(percent);
    });

    auto *row = new QHBoxLayout(m_findBar);
    row->setContentsMargins(0, 0, 0, 0);
    m_find->setObjectName(u"handbookFind"_s);
    m_find->setAccessibleName(tr("Find in page"));
    m_find->setPlaceholderText(tr("Find in page"));
    m_find->setMaxLength(mostTyped);
    m_find->installEventFilter(this);
    m_found->setObjectName(u"handbookFound"_s);
    connect(m_find, &QLineEdit::textChanged, this, [this] { this->find(false, true); });
    connect(m_find, &QLineEdit::returnPressed, this, &HandbookWindow::findNext);
    row->addWidget(m_find, 1);
    row->addWidget(m_found);
    row->addWidget(button(u"handbookFindPrevious"_s, tr("Previous"),
        action(tr("Previous place"), {QKeySequence(u"Shift+F3"_s)}, &HandbookWindow::findPrevious)));
    row->addWidget(button(u"handbookFindNext"_s, tr("Next"),
        action(tr("Next place"), {QKeySequence(u"F3"_s)}, &HandbookWindow::findNext)));
    m_findBar->hide();
    layout->addWidget(m_findBar);
    return panel;
}

void HandbookWindow::fillContents()
{
    QTreeWidgetItem *group = nullptr;
    const HandbookPage *before = nullptr;
    for (const auto &page : handbookPages()) {
        if (!before || before->group != page.group) {
            group = new QTreeWidgetItem(m_contents, {titleOf(page.group)});
            auto letters = group->font(0);
            letters.setBold(true);
            group->setFont(0, letters);
            group->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
            group->setExpanded(true);
        }
        before = &page;
        auto *item = new QTreeWidgetItem(group, {page.title()});
        item->setData(0, placeRole, page.id);
        item->setToolTip(0, page.title());
        for (const auto &section : page.sections) {
            if (section.level != 2)
                continue;
            auto *heading = new QTreeWidgetItem(item, {section.heading});
            heading->setData(0, placeRole, targetOf({page.id, section.anchor}));
            heading->setToolTip(0, section.heading);
        }
    }
}

void HandbookWindow::open(const HandbookPlace &place)
{
    auto to = place;
    if (!findHandbookPage(to.page))
        to = {u"introduction"_s, {}};
    if (!m_steps.empty()) {
        m_steps[m_at].scroll = m_view->verticalScrollBar()->value();
        m_steps.resize(m_at + 1); // what Forward led to
        if (m_steps.size() == mostSteps)
            m_steps.erase(m_steps.begin());
        if (m_steps.back().place == to) // asked for again: no step
            m_steps.pop_back();
    }
    m_steps.push_back({to, -1});
    m_at = m_steps.size() - 1;
    show(m_steps[m_at]);
}

HandbookPlace HandbookWindow::place() const { return m_steps[m_at].place; }

void HandbookWindow::show(const Step &step)
{
    const auto *page = findHandbookPage(step.place.page);
    if (!page)
        return;
    m_view->showPage(*page, step.place.anchor);
    if (step.scroll >= 0)
        m_view->verticalScrollBar()->setValue(step.scroll);
    setWindowTitle(tr("%1 \u2013 Fleetwright handbook").arg(page->title()));
    m_back->setEnabled(m_at > 0);
    m_forward->setEnabled(m_at + 1 < m_steps.size());
    selectInContents();
    if (!m_findBar->isHidden())
        find(false, true);
}

void HandbookWindow::selectInContents()
{
    const auto target = targetOf(place());
    QTreeWidgetItem *ofPage = nullptr, *ofHeading = nullptr;
    for (QTreeWidgetItemIterator at(m_contents); *at; ++at) {
        const auto found = (*at)->data(0, placeRole).toString();
        if (found == place().page)
            ofPage = *at;
        else if (found == target)
            ofHeading = *at;
    }
    auto *item = ofHeading ? ofHeading : ofPage;
    if (!item)
        return;
    if (ofHeading)
        ofPage->setExpanded(true);
    m_contents->setCurrentItem(item);
    m_contents->scrollToItem(item);
}

void HandbookWindow::go(int by)
{
    const auto to = std::ptrdiff_t(m_at) + by;
    if (to < 0 || to >= std::ssize(m_steps))
        return;
    m_steps[m_at].scroll = m_view->verticalScrollBar()->value();
    m_at = std::size_t(to);
    show(m_steps[m_at]);
}

void HandbookWindow::follow(const QString &link)
{
    if (const auto to = followLink(place().page, link); to && exists(*to))
        open(*to);
    else if (const QUrl outside(link); outside.scheme() == u"https" || outside.scheme() == u"http")
        QDesktopServices::openUrl(outside);
}

void HandbookWindow::focusSearch()
{
    m_search->setFocus();
    m_search->selectAll();
}

void HandbookWindow::search(const QString &query)
{
    m_hits->clear();
    if (query.trimmed().isEmpty()) {
        m_side->setCurrentWidget(m_contents);
        m_view->clearMarks();
        return;
    }
    for (const auto &hit : handbookIndex().find(query)) {
        auto *item = new QListWidgetItem(
            hit.context.isEmpty() ? hit.title() : hit.title() + u'\n' + hit.context, m_hits);
        item->setData(placeRole, targetOf(hit.place()));
        item->setToolTip(hit.title());
    }
    const bool any = m_hits->count() > 0;
    if (any)
        m_hits->setCurrentRow(0);
    else
        m_nothing->setText(tr("Nothing in the handbook has \u201c%1\u201d. Try another word for it, or fewer of them.")
                               .arg(query.trimmed()));
    m_side->setCurrentWidget(any ? static_cast<QWidget *>(m_hits) : m_nothing);
}

void HandbookWindow::openHit()
{
    const auto *item = m_hits->currentItem();
    if (!item)
        return;
    open(placeOf(item->data(placeRole).toString()));
    m_view->markWords(meaningfulWords(m_search->text()));
}

void HandbookWindow::showFind()
{
    m_findBar->show();
    m_find->setFocus();
    m_find->selectAll();
    find(false, true);
}

void HandbookWindow::hideFind()
{
    m_findBar->hide();
    m_view->clearMarks();
    m_view->setFocus();
}

void HandbookWindow::find(bool backwards, bool fromHere)
{
    if (m_findBar->isHidden())
        return showFind();
    const auto found = m_view->findText(m_find->text(), backwards, fromHere);
    m_found->setText(m_find->text().isEmpty() ? QString()
            : found.count == 0                ? tr("not on this page")
                                              : tr("%1 of %2").arg(found.selected).arg(found.count));
}

void HandbookWindow::zoomIn() { m_view->setZoom(m_view->zoom() + HandbookView::zoomStep); }

void HandbookWindow::zoomOut() { m_view->setZoom(m_view->zoom() - HandbookView::zoomStep); }

void HandbookWindow::zoomReset() { m_view->setZoom(100); }

bool HandbookWindow::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_search && event->type() == QEvent::KeyPress && m_hits->count() > 0) {
        const auto *key = static_cast<const QKeyEvent *>(event);
        const int step = key->key() == Qt::Key_Down ? 1
            : key->key() == Qt::Key_Up              ? -1
            : key->key() == Qt::Key_PageDown        ? 5
            : key->key() == Qt::Key_PageUp          ? -5
                                                    : 0;
        if (step != 0) {
            m_hits->setCurrentRow(std::clamp(m_hits->currentRow() + step, 0, m_hits->count() - 1));
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

/// Escape leaves what was entered last: the search within the page, the search, the window.
void HandbookWindow::keyPressEvent(QKeyEvent *event)
{
    if (event->key() != Qt::Key_Escape)
        return QWidget::keyPressEvent(event);
    if (!m_findBar->isHidden()) {
        hideFind();
    } else if (!m_search->text().isEmpty()) {
        m_search->clear();
        m_search->setFocus();
    } else {
        close();
    }
}

void HandbookWindow::closeEvent(QCloseEvent *event)
{
    m_settings.setHandbookGeometry(saveGeometry());
    m_settings.setSplitterState(splitterKey, m_splitter->saveState());
    QWidget::closeEvent(event);
}

} // namespace fleetwright::app
