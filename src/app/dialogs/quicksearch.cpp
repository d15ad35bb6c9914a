// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/quicksearch.h"

#include "app/theme.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPointer>
#include <QRegularExpression>
#include <QSortFilterProxyModel>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int maximumLength = 200;
constexpr int entryRole = Qt::UserRole;

/// A pattern that every typed word must match somewhere.
QRegularExpression everyWord(const QString &text)
{
    QString pattern;
    for (const auto &word : text.split(u' ', Qt::SkipEmptyParts))
        pattern += u"(?=.*%1)"_s.arg(QRegularExpression::escape(word).replace(
            u"co2"_s, u"CO[2\u2082]"_s, Qt::CaseInsensitive)); // as it is typed
    return QRegularExpression(u"^"_s + pattern, QRegularExpression::CaseInsensitiveOption);
}

/// Rows as wide as the list: what is longer is cut in its middle, not scrolled to.
class RowDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        return {1, QStyledItemDelegate::sizeHint(option, index).height()};
    }
};

} // namespace

/// Entries that have every word, best first.
class MatchesByName : public QSortFilterProxyModel {
public:
    MatchesByName(const std::vector<SearchEntry> &entries, QObject *parent)
        : QSortFilterProxyModel(parent), m_entries(entries)
    {
    }
    void look(const QString &text)
    {
        m_text = text.simplified();
        setFilterRegularExpression(everyWord(text));
        sort(-1); // which sorts anew
        sort(0);
    }

protected:
    [[nodiscard]] bool lessThan(const QModelIndex &left, const QModelIndex &right) const override
    {
        const int one = rankOf(left), other = rankOf(right);
        return one != other ? one < other : left.row() < right.row();
    }

private:
    [[nodiscard]] int rankOf(const QModelIndex &index) const
    {
        const auto &entry = m_entries[std::size_t(index.row())];
        if (m_text.isEmpty())
            return 0;
        const bool begins = entry.title.startsWith(m_text, Qt::CaseInsensitive);
        return begins ? (entry.isCommand ? 0 : 1) : entry.title.contains(u' ' + m_text, Qt::CaseInsensitive) ? 2 : 3;
    }

    const std::vector<SearchEntry> &m_entries;
    QString m_text;
};

QuickSearch::QuickSearch(std::vector<SearchEntry> entries, QWidget *parent)
    : QDialog(parent), m_entries(std::move(entries)), m_proxy(new MatchesByName(m_entries, this)),
      m_edit(new QLineEdit(this)), m_list(new QListView(this)), m_nothing(new QLabel(this))
{
    setWindowTitle(tr("Search", "of everything"));
    setObjectName(u"quickSearch"_s);
    resize(560, 420);
    m_edit->setObjectName(u"quickSearchEdit"_s);
    m_edit->setMaxLength(maximumLength);
    m_edit->setPlaceholderText(tr("Action, page, tab, plan, fleet, catalog item or page of the handbook"));
    m_edit->setAccessibleName(tr("Search", "of everything"));
    m_edit->setClearButtonEnabled(true);
    m_edit->installEventFilter(this);
    m_list->setObjectName(u"quickSearchList"_s);
    m_list->setAccessibleName(tr("Matches"));
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setUniformItemSizes(true);
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setItemDelegate(new RowDelegate(m_list));
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(gridUnit);
    layout->addWidget(m_edit);
    layout->addWidget(m_list);
    m_nothing->setObjectName(u"quickSearchNothing"_s);
    m_nothing->setTextFormat(Qt::PlainText);
    m_nothing->setWordWrap(true);
    m_nothing->setAlignment(Qt::AlignTop);
    m_nothing->hide();
    layout->addWidget(m_nothing, 1);

    auto *model = new QStandardItemModel(this);
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        auto *item = new QStandardItem(tr("%1   (%2)").arg(m_entries[i].title, m_entries[i].what));
        item->setData(int(i), entryRole);
        item->setToolTip(item->text());
        model->appendRow(item);
    }
    m_proxy->setSourceModel(model);
    m_list->setModel(m_proxy);
    m_list->setCurrentIndex(m_proxy->index(0, 0));
    connect(m_edit, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_proxy->look(text);
        m_list->setCurrentIndex(m_proxy->index(0, 0));
        m_nothing->setText(
            tr("Nothing is called \u201c%1\u201d. Every word is looked for in the names of actions, "
               "pages and their tabs, plans, fleets, sweeps, offers, catalog items and pages of the handbook.")
                .arg(text.trimmed()));
        const bool any = m_proxy->rowCount() > 0;
        m_list->setVisible(any);
        m_nothing->setVisible(!any);
    });
    connect(m_edit, &QLineEdit::returnPressed, this, &QuickSearch::go);
    connect(m_list, &QListView::activated, this, &QuickSearch::go);
    connect(m_list, &QListView::clicked, this, &QuickSearch::go);
    m_edit->setFocus();
}

bool QuickSearch::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_edit && event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<const QKeyEvent *>(event);
        const int step = key->key() == Qt::Key_Down ? 1
            : key->key() == Qt::Key_Up              ? -1
            : key->key() == Qt::Key_PageDown        ? 10
            : key->key() == Qt::Key_PageUp          ? -10
                                                    : 0;
        if (step != 0 && m_proxy->rowCount() > 0) {
            const int row = std::clamp(m_list->currentIndex().row() + step, 0, m_proxy->rowCount() - 1);
            m_list->setCurrentIndex(m_proxy->index(row, 0));
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

void QuickSearch::go()
{
    const auto index = m_list->currentIndex();
    if (!index.isValid())
        return;
    const auto action = m_entries[std::size_t(index.data(entryRole).toInt())].go;
    // What the action asks turns the event loop while the key that began it is still in the hands of the field.
    setAttribute(Qt::WA_DeleteOnClose, false);
    const QPointer self(this);
    accept();
    action();
    if (self)
        self->deleteLater();
}

} // namespace fleetwright::app
