// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/itemlistpicker.h"

#include "text/catalogtexts.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "units/format.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace fleetwright::app {

namespace {

constexpr int linesShown = 3;

constexpr int aboutGap = 8; // beside the box to tick
constexpr int aboutRole = Qt::UserRole + 1; // what stands behind a name

/// "2022, 8 × 80.0 GB": of a system its maker, unless the name has it, year and memory.
QString systemInWords(const CatalogRecord &record)
{
    QStringList about;
    if (const auto vendor = record.text("vendor"); vendor && !record.name.contains(*vendor))
        about << utf8(*vendor);
    if (const auto year = record.number("launch_year"))
        about << QString::number(int(*year));
    const auto all = record.number("accelerator_memory_total_bytes"), count = record.number("accelerators_per_node");
    if (all && count && *count > 0)
        about << QStringLiteral("%1 \u00d7 %2")
                     .arg(*count)
                     .arg(localized(units::format(*all / *count, units::Dimension::Information)));
    return about.join(QStringLiteral(", "));
}

class AboutDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        const auto words = index.data(aboutRole).toString();
        if (words.isEmpty())
            return;
        // The name is what systems are told apart by: it has the room first.
        const auto &metrics = option->fontMetrics;
        const int box = option->decorationSize.width() + 2 * aboutGap, room = option->rect.width() - box;
        option->text = metrics.elidedText(option->text, Qt::ElideMiddle, room);
        auto joint = QStringLiteral("  \u00b7  ");
        for (const auto &fact : words.split(QStringLiteral(", "))) { // whole ones, as many as there is room for
            if (metrics.horizontalAdvance(option->text + joint + fact) > room)
                break;
            option->text += std::exchange(joint, QStringLiteral(", ")) + fact;
        }
    }
};

/// Servers and racks of a data centre first, then what clouds rent out, then others, and old ones last; of each the
/// newest first.
std::pair<int, double> placeOf(const CatalogRecord &record, const Catalog &catalog)
{
    const auto *accelerator = catalog.find(
        CatalogKind::Accelerator, record.text("accelerator_id").value_or(std::string()));
    const bool isOfDesk = accelerator && accelerator->text("tier") != "cloud";
    const auto kind = record.text("kind").value_or(std::string());
    const int group = record.text("status") == "legacy" || isOfDesk ? 3
        : kind == "server" || kind == "rack_scale"                  ? 0
        : kind == "cloud_instance"                                  ? 1
                                                                    : 2;
    return {group, -record.number("launch_year").value_or(0)};
}

} // namespace

ItemListPicker::ItemListPicker(QWidget *parent)
    : QWidget(parent), m_filter(new QLineEdit(this)), m_list(new QListWidget(this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_filter);
    layout->addWidget(m_list);
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
    connect(m_list, &QListWidget::itemChanged, this, &ItemListPicker::countTicked);
    connect(m_list, &QListWidget::itemChanged, this, &ItemListPicker::tickedChanged);
    connect(m_list, &QListWidget::itemActivated, this, &ItemListPicker::activated);
    countTicked();
}

void ItemListPicker::setRoomy()
{
    m_isRoomy = true;
    m_list->setItemDelegate(new AboutDelegate(m_list));
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
    countTicked();
    emit tickedChanged();
}

void ItemListPicker::setNoneIsAll(const QString &saying)
{
    m_noneIsAll = saying;
    countTicked();
}

/// What is ticked may be out of sight.
void ItemListPicker::countTicked()
{
    const auto some = ticked().size();
    m_filter->setPlaceholderText(some == 0 && !m_noneIsAll.isEmpty() ? m_noneIsAll
            : m_list->count() == 0                                   ? tr("Narrow the list")
                                   : tr("%1 of %2 ticked; narrow").arg(some).arg(m_list->count()));
}

void ItemListPicker::setItems(const Catalog &catalog, CatalogKind kind, const std::vector<std::string> &ticked)
{
    const bool isOfSystems = m_isRoomy && kind == CatalogKind::Node;
    std::vector<const CatalogRecord *> records;
    for (const auto &record : catalog.records(kind))
        records.push_back(&record);
    if (isOfSystems)
        std::ranges::stable_sort(records, {}, [&](const CatalogRecord *record) { return placeOf(*record, catalog); });
    std::vector<Entry> entries;
    for (const auto *record : records)
        entries.push_back(
            {record->id, nameInWords(*record).toStdString(), isOfSystems ? systemInWords(*record) : QString()});
    setEntries(localizedWord(toString(kind)), entries, ticked);
}

void ItemListPicker::setEntries(
    const QString &name, const std::vector<Entry> &entries, const std::vector<std::string> &ticked)
{
    const QSignalBlocker quiet(m_list);
    m_list->clear();
    m_list->setAccessibleName(name);
    const auto add = [this](const Entry &entry, bool checked) {
        auto *item = new QListWidgetItem(utf8(entry.name), m_list);
        item->setData(Qt::UserRole, utf8(entry.id));
        item->setToolTip(entry.about.isEmpty() ? item->text() : item->text() + u'\n' + entry.about);
        item->setData(aboutRole, entry.about);
        item->setCheckState(checked ? Qt::Checked : Qt::Unchecked);
    };
    for (const auto &id : ticked) {
        const auto known = std::ranges::find(entries, id, &Entry::id);
        add(known == entries.end() ? Entry{id, id, {}} : *known, true);
    }
    for (const auto &entry : entries)
        if (std::ranges::find(ticked, entry.id) == ticked.end())
            add(entry, false);
    narrow(m_filter->text());
    countTicked();
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
