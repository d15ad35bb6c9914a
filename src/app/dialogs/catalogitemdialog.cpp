// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/catalogitemdialog.h"

#include "app/theme.h"
#include "app/widgets/itemlistpicker.h"
#include "domain/price.h"
#include "itemmodels/catalogtablemodel.h"
#include "itemmodels/catalogwords.h"
#include "itemmodels/priceuser.h"
#include "text/catalogtexts.h"
#include "text/localizedparts.h"
#include "text/utf8.h"
#include "ui_catalogitemdialog.h"
#include "units/calculation.h"
#include "units/unitsymbol.h"

#include <QComboBox>
#include <QCompleter>
#include <QDate>
#include <QPushButton>

#include <algorithm>
#include <map>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int maximumNumberLength = 60;
constexpr int maximumTextLength = 10000;
constexpr std::size_t currencyCodeLength = 3; // ISO 4217

/// "cloud | workstation | edge" in a description lists the values that the field takes.
bool isReference(const FieldDescriptor &field)
{
    return field.type == FieldType::Text && (field.reference || !field.referenceKindField.empty());
}

/// What the table shows, what must be stated, and the catalog from which an item among these is picked.
bool isMain(CatalogKind kind, const FieldDescriptor &field)
{
    return field.required || field.column || std::ranges::any_of(fields(kind), [&](const FieldDescriptor &other) {
        return other.column && other.referenceKindField == field.key;
    });
}

bool isPriceUnit(CatalogKind kind, const FieldDescriptor &field)
{
    return kind == CatalogKind::Price && field.key == "unit";
}

bool isCurrencyCode(const FieldDescriptor &field)
{
    return field.key == "currency" || field.key == "electricity_currency";
}

bool isLong(const FieldDescriptor &field) { return field.type == FieldType::Text || field.type == FieldType::TextList; }

QString editText(const FieldDescriptor &field, const FieldValue *value)
{
    if (!value)
        return {};
    if (std::holds_alternative<double>(*value))
        return localizedNumber(itemmodels::exactText(field, *value).section(u'\u00a0', 0, 0));
    return QString::fromStdString(display(field, *value));
}

} // namespace

QString proposedId(const QString &name, const std::function<bool(const QString &)> &taken)
{
    QString id, written = name.toLower();
    for (const auto &[letter, letters] : {std::pair(u'\u00e4', u"ae"_s), std::pair(u'\u00f6', u"oe"_s),
             std::pair(u'\u00fc', u"ue"_s), std::pair(u'\u00df', u"ss"_s)})
        written.replace(letter, letters);
    for (const auto c : written) {
        const bool usable = (c >= u'a' && c <= u'z') || (c >= u'0' && c <= u'9');
        if (usable)
            id += c;
        else if (!id.isEmpty() && !id.endsWith(u'_'))
            id += u'_';
    }
    while (id.endsWith(u'_'))
        id.chop(1);
    const auto item = CatalogItemDialog::tr("item", "as an id");
    if (id.isEmpty())
        id = item;
    else if (id.front().isDigit())
        id.prepend(item + u'_');
    id = id.left(90);
    QString free = id;
    for (int i = 2; taken(free); ++i)
        free = u"%1_%2"_s.arg(id).arg(i);
    return free;
}

CatalogItemDialog::CatalogItemDialog(
    CatalogRecord initial, bool isNew, std::shared_ptr<const Catalog> catalog, Save save, QWidget *parent)
    : QDialog(parent), m_ui(std::make_unique<Ui::CatalogItemDialog>()), m_initial(std::move(initial)), m_isNew(isNew),
      m_catalog(std::move(catalog)), m_save(std::move(save))
{
    m_ui->setupUi(this);
    const auto what = localizedWord(itemName(m_initial.kind));
    setWindowTitle(isNew ? tr("New %1").arg(what) : tr("Edit %1").arg(what));
    m_ui->errorLabel->hide();
    m_ui->nameEdit->setText(QString::fromStdString(m_initial.name));
    m_ui->notesEdit->setText(QString::fromStdString(m_initial.notes));
    m_ui->notesEdit->setCursorPosition(0);
    m_ui->idEdit->setText(QString::fromStdString(m_initial.id));
    m_ui->idEdit->setEnabled(isNew); // plans and other items refer to it
    for (const auto &field : fields(m_initial.kind))
        if (field.type != FieldType::Json)
            makeEditor(field);
    joinUnitAndCurrency();
    setColours();
    showNotice();
    if (m_ui->furtherLayout->rowCount() == 0)
        m_ui->furtherGroup->hide();
    if (isNew)
        proposeId();
    connect(m_ui->nameEdit, &QLineEdit::textChanged, this, &CatalogItemDialog::proposeId);
    connect(m_ui->nameEdit, &QLineEdit::textChanged, this, &CatalogItemDialog::showNotice);
    connect(m_ui->idEdit, &QLineEdit::textEdited, this, [this] { m_idTyped = true; });
    connect(m_ui->buttons, &QDialogButtonBox::accepted, this, &CatalogItemDialog::trySave);
    m_ui->nameEdit->setFocus();
    m_ui->nameEdit->selectAll();
}

void CatalogItemDialog::setColours()
{
    const auto colour = [](QLabel &label, const QColor &text) {
        auto palette = label.palette();
        palette.setColor(QPalette::WindowText, text);
        label.setPalette(palette);
    };
    colour(*m_ui->confidenceLabel, quietColour(palette()));
    colour(*m_ui->noticeLabel, warningColour(palette()));
    colour(*m_ui->errorLabel, errorColour(palette()));
    for (const auto &editor : m_editors)
        colour(*editor.error, errorColour(palette()));
}

void CatalogItemDialog::changeEvent(QEvent *event)
{
    QDialog::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        setColours();
}

CatalogItemDialog::~CatalogItemDialog() = default;

QWidget *CatalogItemDialog::makeWidget(const FieldDescriptor &field, Editor &editor)
{
    const auto initial = editText(field, m_initial.find(field.key));
    if (field.type == FieldType::TextList && field.reference)
        return makeListPicker(field, editor);
    const bool isPicked = field.type == FieldType::Boolean || isReference(field) || isPriceUnit(m_initial.kind, field)
        || isCurrencyCode(field) || !choicesOf(field).isEmpty();
    if (!isPicked) {
        auto *edit = new QLineEdit(initial, this);
        edit->setMaxLength(isLong(field) ? maximumTextLength : maximumNumberLength);
        edit->setCursorPosition(0);
        if (!isLong(field))
            edit->setPlaceholderText(tr("unknown"));
        connect(edit, &QLineEdit::textChanged, this, [this, key = field.key] { validateKey(key); });
        // What was typed in another unit stands in the field's own, which is written beside it.
        if (!field.unit.empty())
            connect(edit, &QLineEdit::editingFinished, this, [edit, &field] {
                if (const auto typed = parseField(field, units::calculated(typedNumber(edit->text()).toStdString()));
                    typed && std::holds_alternative<double>(*typed))
                    edit->setText(editText(field, &*typed));
            });
        const bool isNumber = field.type == FieldType::Integer || field.type == FieldType::Real;
        editor.text = [edit, isNumber] {
            return isNumber ? utf8(units::calculated(typedNumber(edit->text()).toStdString())) : edit->text();
        };
        return edit;
    }
    auto *combo = new QComboBox(this);
    fillChoices(*combo, field);
    if (field.type != FieldType::Boolean) {
        combo->setEditable(true);
        combo->setInsertPolicy(QComboBox::NoInsert);
        combo->lineEdit()->setMaxLength(maximumTextLength);
        combo->completer()->setFilterMode(Qt::MatchContains);
        combo->completer()->setCompletionMode(QCompleter::PopupCompletion);
    }
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    combo->setMinimumContentsLength(16);
    const int byData = combo->findData(initial);
    if (const int index = byData >= 0 ? byData : combo->findText(initial); index >= 0)
        combo->setCurrentIndex(index);
    else
        combo->setEditText(initial);
    connect(combo, &QComboBox::currentTextChanged, this, [this, key = field.key] { validateKey(key); });
    if (!field.referenceKindField.empty())
        follow(*combo, field.referenceKindField, [this, combo, key = field.referenceKindField](const QString &text) {
            const auto kind = parseCatalogKind(text.toStdString(), key);
            combo->clear(); // a choice from the catalog before is dropped
            combo->addItem({});
            addItemsOf(*combo, kind ? std::optional(*kind) : std::nullopt);
        });
    // A typed name counts as the item of that name; anything else is taken as it is and judged by validate().
    editor.text = [combo] {
        const bool chosen = combo->currentIndex() > 0 && combo->itemText(combo->currentIndex()) == combo->currentText();
        const int index = chosen ? combo->currentIndex() : combo->findText(combo->currentText(), Qt::MatchFixedString);
        return index > 0 && combo->itemData(index).isValid() ? combo->itemData(index).toString() : combo->currentText();
    };
    return combo;
}

QWidget *CatalogItemDialog::makeListPicker(const FieldDescriptor &field, Editor &editor)
{
    auto *picker = new ItemListPicker(this);
    const auto *value = m_initial.find(field.key);
    const auto *ids = value ? std::get_if<std::vector<std::string>>(value) : nullptr;
    picker->setItems(*m_catalog, *field.reference, ids ? *ids : std::vector<std::string>());
    connect(picker, &ItemListPicker::tickedChanged, this, [this, key = field.key] { validateKey(key); });
    editor.ids = [picker] { return picker->ticked(); };
    return picker;
}

void CatalogItemDialog::fillChoices(QComboBox &combo, const FieldDescriptor &field) const
{
    combo.addItem({});
    if (field.type == FieldType::Boolean)
        combo.addItems({u"yes"_s, u"no"_s});
    else if (isReference(field))
        addItemsOf(combo, referenceOf(field, m_initial));
    else if (isPriceUnit(m_initial.kind, field))
        addPriceUnits(combo, m_initial.text("currency").value_or("USD"));
    else if (isCurrencyCode(field))
        for (const auto &currency : m_catalog->records(CatalogKind::Currency))
            combo.addItem(utf8(currency.text("code").value_or(currency.id)));
    else
        for (const auto &choice : choicesOf(field))
            combo.addItem(localizedWord(choiceInWords(choice)), choice);
}

/// Two items may have one name; their ids tell them apart.
void CatalogItemDialog::addItemsOf(QComboBox &combo, std::optional<CatalogKind> kind) const
{
    if (!kind)
        return;
    std::map<std::string_view, int> named;
    for (const auto &item : m_catalog->records(*kind))
        ++named[item.name];
    for (const auto &item : m_catalog->records(*kind))
        combo.addItem(named[item.name] > 1 ? u"%1 (%2)"_s.arg(nameInWords(item), utf8(item.id)) : nameInWords(item),
            utf8(item.id));
}

void CatalogItemDialog::addPriceUnits(QComboBox &combo, const std::string &currency) const
{
    for (const auto &unit :
        currency.size() == currencyCodeLength ? knownPriceUnits(currency) : std::vector<std::string>())
        combo.addItem(localized(unitInWords(unit, currency)), utf8(unit));
}

void CatalogItemDialog::follow(QComboBox &combo, std::string_view other, std::function<void(const QString &)> refill)
{
    const auto editor = std::ranges::find(m_editors, other, [](const Editor &e) { return e.field->key; });
    if (editor != m_editors.end())
        if (auto *leader = qobject_cast<QComboBox *>(editor->widget))
            connect(leader, &QComboBox::currentTextChanged, &combo, std::move(refill));
}

/// The unit of a price is one of its currency, whichever of the two is chosen first.
void CatalogItemDialog::joinUnitAndCurrency()
{
    const auto comboOf = [this](std::string_view key) -> QComboBox * {
        const auto editor = std::ranges::find(m_editors, key, [](const Editor &e) { return e.field->key; });
        return editor == m_editors.end() ? nullptr : qobject_cast<QComboBox *>(editor->widget);
    };
    auto *unit = m_initial.kind == CatalogKind::Price ? comboOf("unit") : nullptr;
    auto *currency = unit ? comboOf("currency") : nullptr;
    if (!currency)
        return;
    connect(currency, &QComboBox::currentTextChanged, unit, [this, unit](const QString &code) {
        if (code.trimmed().size() != qsizetype(currencyCodeLength))
            return; // still being typed
        const auto text = unit->currentText();
        const int chosen = unit->findText(text, Qt::MatchFixedString);
        unit->clear();
        unit->addItem({});
        addPriceUnits(*unit, code.trimmed().toStdString());
        if (chosen > 0 && chosen < unit->count())
            unit->setCurrentIndex(chosen); // the same unit in the other currency
        else
            unit->setEditText(text);
    });
}

void CatalogItemDialog::validateKey(std::string_view key)
{
    const auto found = std::ranges::find(m_editors, key, [](const Editor &e) { return e.field->key; });
    if (found == m_editors.end())
        return;
    validate(*found);
    showNotice();
}

/// An old, expired or textbook price may be saved; the form says what it is.
void CatalogItemDialog::showNotice()
{
    const bool isPrice = m_initial.kind == CatalogKind::Price;
    const auto notice = isPrice ? priceNotice(record(), itemmodels::sysDays(QDate::currentDate())) : std::string();
    m_ui->useLabel->setText(itemmodels::priceRule());
    m_ui->useLabel->setVisible(isPrice && m_isNew);
    m_ui->noticeLabel->setText(localized(notice));
    m_ui->noticeLabel->setVisible(!notice.empty());
}

void CatalogItemDialog::makeEditor(const FieldDescriptor &field)
{
    Editor editor{&field, nullptr, new QLabel(this), {}};
    editor.widget = makeWidget(field, editor);
    const auto label = localized(field.label);
    editor.widget->setObjectName(utf8(field.key));
    editor.widget->setAccessibleName(label);
    editor.widget->setToolTip(itemmodels::helpInWords(field));
    editor.error->setObjectName(utf8(field.key) + u"/error"_s);
    editor.error->setWordWrap(true);
    editor.error->hide();

    auto *column = new QVBoxLayout;
    column->setSpacing(2);
    auto *line = new QHBoxLayout;
    line->setSpacing(gridUnit);
    line->addWidget(editor.widget, 1);
    if (!field.unit.empty()) {
        auto *unit = new QLabel(localized(units::shownSymbol(field.unit)), this);
        unit->setMinimumWidth(72);
        line->addWidget(unit);
    }
    column->addLayout(line);
    column->addWidget(editor.error);
    auto *caption = new QLabel(field.required ? label + u" *"_s : label, this);
    caption->setBuddy(editor.widget);
    caption->setToolTip(itemmodels::helpInWords(field));
    (isMain(m_initial.kind, field) ? m_ui->mainLayout : m_ui->furtherLayout)->addRow(caption, column);
    m_editors.push_back(std::move(editor));
}

void CatalogItemDialog::proposeId()
{
    if (!m_isNew || m_idTyped)
        return;
    m_ui->idEdit->setText(proposedId(m_ui->nameEdit->text(),
        [this](const QString &id) { return m_catalog->find(m_initial.kind, id.toStdString()) != nullptr; }));
}

Expected<FieldValue> CatalogItemDialog::value(const Editor &editor) const
{
    if (editor.ids) {
        auto ids = editor.ids();
        return ids.empty() ? FieldValue() : FieldValue(std::move(ids));
    }
    const auto text = editor.text();
    const auto *before = m_initial.find(editor.field->key);
    // Text that was not touched keeps every digit and every comma of the original.
    if (before && text == editText(*editor.field, before))
        return *before;
    const bool isText = isLong(*editor.field);
    auto parsed = parseField(*editor.field, (isText ? text : typedNumber(text)).toStdString());
    if (parsed && isReference(*editor.field) && std::holds_alternative<std::string>(*parsed)) {
        CatalogRecord typed = m_initial; // whose other fields say which catalog it is
        if (const auto &leader = editor.field->referenceKindField; !leader.empty())
            for (const auto &other : m_editors)
                if (other.field->key == leader)
                    typed.values.insert_or_assign(std::string(leader), other.text().toStdString());
        const auto kind = referenceOf(*editor.field, typed);
        if (kind && !m_catalog->find(*kind, std::get<std::string>(*parsed)))
            return refuse(ErrorCode::UnknownReference, std::string(editor.field->key),
                tr("There is no %1 \u201c%2\u201d in this list; choose one, or add it to its catalog first.")
                    .arg(localized(itemName(*kind)), text.left(60))
                    .toStdString());
    }
    return parsed;
}

bool CatalogItemDialog::validate(const Editor &editor)
{
    const auto parsed = value(editor);
    editor.error->setVisible(!parsed);
    editor.error->setText(parsed ? QString() : localized(parsed.error().message));
    return parsed.has_value();
}

CatalogRecord CatalogItemDialog::record() const
{
    CatalogRecord record = m_initial;
    record.shipped = false;
    record.id = m_ui->idEdit->text().trimmed().toStdString();
    record.name = m_ui->nameEdit->text().trimmed().toStdString();
    record.notes = m_ui->notesEdit->text().trimmed().toStdString();
    for (const auto &editor : m_editors) {
        auto parsed = value(editor);
        if (parsed && !std::holds_alternative<std::monostate>(*parsed))
            record.values.insert_or_assign(std::string(editor.field->key), std::move(*parsed));
        else
            record.values.erase(std::string(editor.field->key));
    }
    record.attributions = remainingAttributions(m_initial, record);
    return record;
}

void CatalogItemDialog::showError(const Error &error)
{
    m_ui->errorLabel->setText(localized(error.message));
    m_ui->errorLabel->show();
    if (error.field == "name") {
        m_ui->nameEdit->setFocus();
    } else if (error.field == "id") {
        m_ui->idEdit->setFocus();
    } else if (const auto found = std::ranges::find(
                   m_editors, error.field, [](const Editor &e) { return std::string(e.field->key); });
               found != m_editors.end()) {
        found->error->setText(localized(error.message));
        found->error->show();
        found->widget->setFocus();
        m_ui->fieldArea->ensureWidgetVisible(found->widget);
    }
}

void CatalogItemDialog::trySave()
{
    m_ui->errorLabel->hide();
    for (const auto &editor : m_editors)
        if (!validate(editor)) {
            showError(value(editor).error());
            return;
        }
    const auto edited = record();
    if (m_isNew && m_catalog->find(edited.kind, edited.id)) {
        showError({ErrorCode::OutOfRange, "id",
            tr("There is already an item with this id; choose another one.").toStdString()});
        return;
    }
    if (const auto done = m_save(edited); !done) {
        showError(done.error());
        return;
    }
    accept();
    emit saved(QString::fromStdString(edited.id));
}

} // namespace fleetwright::app
