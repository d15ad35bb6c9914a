// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/itempicker.h"

#include "app/widgets/validationlabel.h"
#include "itemmodels/catalogwords.h"
#include "itemmodels/tooltip.h"
#include "text/catalogtexts.h"
#include "text/localized.h"
#include "text/utf8.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QKeyEvent>
#include <QLineEdit>
#include <QStandardItemModel>
#include <QTimer>
#include <QVBoxLayout>

#include <utility>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

/// What an item is stands in its tooltip, and is put into words when that is asked for: hundreds of items stand in
/// every list of a form.
class ExplainedItems : public QStandardItemModel {
public:
    using QStandardItemModel::QStandardItemModel;
    std::shared_ptr<const Catalog> catalog;
    CatalogKind kind = CatalogKind::Node;

    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override
    {
        if (role != Qt::ToolTipRole || !catalog)
            return QStandardItemModel::data(index, role);
        const auto *record = catalog->find(kind, index.data(Qt::UserRole).toString().toStdString());
        return record ? describeItem(*record, *catalog) : QVariant();
    }
};

} // namespace

ItemPicker::ItemPicker(QWidget *parent)
    : QWidget(parent), m_combo(new QComboBox(this)), m_sentence(new ValidationLabel(this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_combo);
    layout->addWidget(m_sentence);
    m_combo->setModel(new ExplainedItems(m_combo));
    m_combo->setEditable(true);
    m_combo->setInsertPolicy(QComboBox::NoInsert);
    m_combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_combo->setMinimumContentsLength(7);
    m_combo->setMaxVisibleItems(20);
    m_combo->lineEdit()->setMaxLength(300);
    m_combo->completer()->setFilterMode(Qt::MatchContains);
    m_combo->completer()->setCompletionMode(QCompleter::PopupCompletion);
    m_combo->completer()->setCaseSensitivity(Qt::CaseInsensitive);
    m_combo->installEventFilter(this);
    m_combo->lineEdit()->installEventFilter(this);
    m_combo->completer()->popup()->installEventFilter(this);
    setFocusProxy(m_combo);
    setFocusPolicy(Qt::StrongFocus); // or the key of its label would not lead to it
    connect(m_combo, &QComboBox::activated, this, &ItemPicker::accept);
    connect(m_combo->lineEdit(), &QLineEdit::editingFinished, this, &ItemPicker::acceptText);
    connect(m_combo->lineEdit(), &QLineEdit::returnPressed, this, [this] {
        if (!m_combo->completer()->popup()->currentIndex().isValid()) // else that one is taken
            acceptTyped();
    });
    connect(m_combo->lineEdit(), &QLineEdit::textEdited, this, [this] { setRefusal({}); });
}

ItemPicker::~ItemPicker()
{
    m_combo->lineEdit()->disconnect(this); // which loses the focus when it is deleted
    m_combo->disconnect(this);
}

void ItemPicker::setKind(CatalogKind kind, const QString &label, Filter filter)
{
    m_kind = kind;
    m_label = label;
    m_filter = std::move(filter);
    m_combo->setAccessibleName(label);
    m_combo->setObjectName(objectName() + u"Combo"_s);
    m_combo->lineEdit()->setObjectName(objectName() + u"Text"_s);
    m_sentence->setObjectName(objectName() + u"Sentence"_s);
}

void ItemPicker::setOptional(const QString &text) { m_none = text; }

void ItemPicker::setCatalog(std::shared_ptr<const Catalog> catalog)
{
    m_catalog = std::move(catalog);
    fill();
}

void ItemPicker::fill()
{
    const QSignalBlocker quiet(m_combo);
    m_combo->clear();
    auto *items = static_cast<ExplainedItems *>(m_combo->model());
    items->catalog = m_catalog;
    items->kind = m_kind;
    if (!m_none.isEmpty())
        m_combo->addItem(m_none, QString());
    if (m_catalog)
        for (const auto &record : m_catalog->records(m_kind)) {
            if (m_filter && !m_filter(record))
                continue;
            m_combo->addItem(nameInWords(record), QString::fromStdString(record.id));
        }
    showCurrent();
}

void ItemPicker::setReference(const ItemReference &reference)
{
    const bool typing = m_combo->lineEdit()->isModified() && m_reference == reference;
    m_reference = reference;
    const auto *id = std::get_if<std::string>(&reference);
    m_id = id ? QString::fromStdString(*id) : QString::fromStdString(std::get<CatalogRecord>(reference).id);
    if (!typing)
        showCurrent();
}

void ItemPicker::showCurrent()
{
    const QSignalBlocker quiet(m_combo);
    const bool named = std::holds_alternative<std::string>(m_reference);
    const int index = named ? m_combo->findData(m_id) : -1;
    m_combo->setCurrentIndex(index);
    QString text = m_combo->itemText(index);
    QString tip = index < 0 ? QString() : m_combo->itemData(index, Qt::ToolTipRole).toString();
    if (const auto *inlined = std::get_if<CatalogRecord>(&m_reference)) {
        text = tr("%1 (in this plan only)").arg(QString::fromStdString(inlined->name));
        if (m_catalog)
            tip = describeItem(*inlined, *m_catalog);
    } else if (index < 0 && !m_id.isEmpty() && m_catalog) {
        text = nameInWords(m_reference, m_kind, *m_catalog);
    }
    m_combo->setEditText(text);
    m_combo->lineEdit()->setModified(false);
    m_combo->lineEdit()->setCursorPosition(0);
    m_combo->setToolTip(m_readOnlyReason.isEmpty() ? tip : m_readOnlyReason);
    setRefusal({});
}

void ItemPicker::accept(int index)
{
    const QString id = m_combo->itemData(index).toString();
    m_combo->lineEdit()->setModified(false);
    if (id == m_id && std::holds_alternative<std::string>(m_reference)) {
        showCurrent();
        return;
    }
    setReference(id.toStdString());
    emit picked(id);
}

void ItemPicker::acceptTyped()
{
    m_combo->completer()->popup()->hide();
    acceptText();
}

void ItemPicker::acceptText()
{
    if (!m_combo->lineEdit()->isModified() || m_combo->completer()->popup()->isVisible())
        return;
    const QString text = m_combo->currentText().trimmed();
    int index = m_combo->findText(text, Qt::MatchFixedString);
    if (index < 0)
        index = m_combo->findData(text, Qt::UserRole, Qt::MatchFixedString);
    if (index < 0)
        index = onlyWith(text);
    if (index >= 0) {
        accept(index);
        return;
    }
    const auto item = itemName(m_kind);
    setRefusal(tr("There is no %1 \u201c%2\u201d in this list; choose one or add it under Catalogs.")
                   .arg(utf8(item), text.left(60)));
}

/// The one item whose name has this text; -1: none, or several.
int ItemPicker::onlyWith(const QString &text) const
{
    int found = -1;
    for (int i = 0; i < m_combo->count() && !text.isEmpty(); ++i)
        if (m_combo->itemText(i).contains(text, Qt::CaseInsensitive))
            found = found < 0 ? i : m_combo->count();
    return found < m_combo->count() ? found : -1;
}

void ItemPicker::setReadOnly(bool readOnly, const QString &reason)
{
    const auto why = readOnly ? reason : QString();
    if (m_readOnlyReason == why && m_combo->isEnabledTo(this) != readOnly)
        return; // what is being typed stays
    m_readOnlyReason = why;
    m_combo->setEnabled(!readOnly);
    showCurrent();
}

void ItemPicker::setSentenceLabel(ValidationLabel *label)
{
    m_sentence->setSentence({});
    m_sentence = label;
}

void ItemPicker::selectText() { m_combo->lineEdit()->selectAll(); }

void ItemPicker::setRefusal(const QString &sentence)
{
    const QString before = std::exchange(m_refusal, sentence);
    if (!sentence.isEmpty() || m_sentence->sentence() == before) // a shared label may speak for another field by now
        m_sentence->setSentence(sentence);
    setRefusedLook(m_combo->lineEdit(), !sentence.isEmpty());
}

bool ItemPicker::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Wheel && watched == m_combo) {
        event->ignore(); // the wheel scrolls the form; it must not change a plan in passing
        return true;
    }
    // While names are offered the completer keeps it to itself that the field is left.
    if (event->type() == QEvent::Hide && watched == m_combo->completer()->popup())
        QTimer::singleShot(0, this, [this] {
            if (!m_combo->lineEdit()->hasFocus())
                acceptText();
        });
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape
        && m_combo->lineEdit()->isModified()) {
        showCurrent();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

QString describeItem(const CatalogRecord &record, const Catalog &catalog)
{
    QStringList lines{nameInWords(record)};
    QString source;
    for (const auto &field : fields(record.kind)) {
        const auto *value = field.column ? record.find(field.key) : nullptr;
        if (!value)
            continue;
        const auto words = itemmodels::inWords(field, *value, record, catalog);
        lines << u"%1: %2"_s.arg(localized(field.label), words ? *words : localized(display(field, *value)));
        if (source.isEmpty() && std::holds_alternative<double>(*value) && !field.unit.empty())
            source = localized(catalog.provenanceText(record, field.key));
    }
    if (!source.isEmpty())
        lines << source;
    for (const auto &trap : record.knownConfusions)
        lines << u"\u26a0 "_s + saidBy(record, trap);
    return itemmodels::toolTip(lines);
}

} // namespace fleetwright::app
