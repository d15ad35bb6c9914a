// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/itemlistpicker.h"

#include "text/utf8.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace fleetwright::app {

namespace {

constexpr int linesShown = 4;

} // namespace

ItemListPicker::ItemListPicker(QWidget *parent)
    : QWidget(parent), m_filter(new QLineEdit(this)), m_list(new QListWidget(this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_filter);
    layout->addWidget(m_list);
    m_filter->setPlaceholderText(tr("Narrow the list"));
    m_filter->setAccessibleName(tr("Narrow the list"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMaxLength(100);
    m_list->setFixedHeight(linesShown * (fontMetrics().height() + 4) + 2 * m_list->frameWidth());
    m_list->setUniformItemSizes(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusProxy(m_filter);
    setFocusPolicy(Qt::StrongFocus); // or the key of its label would not lead to it
    m_filter->installEventFilter(this);
    connect(m_filter, &QLineEdit::textChanged, this, &ItemListPicker::narrow);
    connect(m_list, &QListWidget::itemChanged, this, &ItemListPicker::tickedChanged);
}

void ItemListPicker::setRoomy()
{
    m_list->setMinimumHeight(m_list->height());
    m_list->setMaximumHeight(QWIDGETSIZE_MAX);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
    auto *row = new QHBoxLayout;
    const auto add = [&](const QString &text, const QString &name, const QString &toolTip, bool on) {
        auto *button = new QPushButton(text, this);
        button->setObjectName(name);
        button->setToolTip(toolTip);
        connect(button, &QPushButton::clicked, this, [this, on] { tickAll(on); });
        row->addWidget(button);
    };
    row->addWidget(m_filter, 1);
    add(tr("All"), QStringLiteral("allButton"), tr("Ticks everything that the list shows"), true);
    add(tr("None"), QStringLiteral("noneButton"), tr("Unticks everything that the list shows"), false);
    static_cast<QVBoxLayout *>(layout())->insertLayout(0, row);
}

void ItemListPicker::tickAll(bool on)
{
    {
        const QSignalBlocker quiet(m_list);
        for (int row = 0; row < m_list->count(); ++row)
            if (auto *item = m_list->item(row); !item->isHidden())
                item->setCheckState(on ? Qt::Checked : Qt::Unchecked);
    }
    emit tickedChanged();
}

void ItemListPicker::setItems(const Catalog &catalog, CatalogKind kind, const std::vector<std::string> &ticked)
{
    const QSignalBlocker quiet(m_list);
    m_list->clear();
    m_list->setAccessibleName(utf8(toString(kind)));
    const auto add = [this](const std::string &id, const std::string &name, bool checked) {
        auto *item = new QListWidgetItem(utf8(name), m_list);
        item->setData(Qt::UserRole, utf8(id));
        item->setToolTip(utf8(id));
        item->setCheckState(checked ? Qt::Checked : Qt::Unchecked);
    };
    for (const auto &id : ticked) {
        const auto *item = catalog.find(kind, id);
        add(id, item ? item->name : id, true);
    }
    for (const auto &record : catalog.records(kind))
        if (std::ranges::find(ticked, record.id) == ticked.end())
            add(record.id, record.name, false);
}

std::vector<std::string> ItemListPicker::ticked() const
{
    std::vector<std::string> ids;
    for (int row = 0; row < m_list->count(); ++row)
        if (const auto *item = m_list->item(row); item->checkState() == Qt::Checked)
            ids.push_back(item->data(Qt::UserRole).toString().toStdString());
    return ids;
}

void ItemListPicker::narrow(const QString &text)
{
    for (int row = 0; row < m_list->count(); ++row)
        m_list->item(row)->setHidden(!m_list->item(row)->text().contains(text.trimmed(), Qt::CaseInsensitive));
}

/// Down leads from what narrows the list to its first line.
bool ItemListPicker::eventFilter(QObject *watched, QEvent *event)
{
    if (watched != m_filter || event->type() != QEvent::KeyPress
        || static_cast<QKeyEvent *>(event)->key() != Qt::Key_Down)
        return QWidget::eventFilter(watched, event);
    for (int row = 0; row < m_list->count(); ++row)
        if (!m_list->item(row)->isHidden()) {
            m_list->setCurrentRow(row);
            m_list->setFocus(Qt::TabFocusReason);
            break;
        }
    return true;
}

} // namespace fleetwright::app
