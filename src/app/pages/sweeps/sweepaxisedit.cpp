// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/sweeps/sweepaxisedit.h"

#include "app/pages/sweeps/axistext.h"
#include "app/widgets/itemlistpicker.h"
#include "app/widgets/validationlabel.h"
#include "solver/models/assumptionwords.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "units/unitsymbol.h"

#include <QComboBox>
#include <QCompleter>
#include <QEvent>
#include <QFocusEvent>
#include <QFrame>
#include <QGridLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScreen>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

const QString noAxis = u"none"_s;
const QString configurations = u"points"_s;

/// The one key that all points set alone; empty for configurations.
QString keyOf(const SweepAxis &axis)
{
    if (axis.points.empty())
        return configurations;
    for (const auto &point : axis.points)
        if (point.settings.size() != 1 || !point.label.empty()
            || point.settings.front().key != axis.points.front().settings.front().key)
            return configurations;
    return utf8(axis.points.front().settings.front().key);
}

constexpr int searchedRole = Qt::UserRole + 1; ///< of what can vary: title, key and meaning

/// Finds entries by any part of their title, key or meaning, and leaves the title where one is chosen.
class KeyCompleter : public QCompleter {
public:
    KeyCompleter(QAbstractItemModel *keys, QObject *parent) : QCompleter(keys, parent)
    {
        setCompletionRole(searchedRole);
        setFilterMode(Qt::MatchContains);
        setCompletionMode(QCompleter::PopupCompletion);
        setCaseSensitivity(Qt::CaseInsensitive);
    }
    [[nodiscard]] QString pathFromIndex(const QModelIndex &index) const override
    {
        return index.data(Qt::DisplayRole).toString();
    }
};

} // namespace

SweepAxisEdit::SweepAxisEdit(QWidget *parent)
    : QWidget(parent), m_key(new QComboBox(this)), m_values(new QLineEdit(this)), m_points(new QPlainTextEdit(this)),
      m_choose(new QToolButton(this)), m_choices(new QFrame(this, Qt::Popup)), m_picker(new ItemListPicker(m_choices)),
      m_sentence(new ValidationLabel(this))
{
    auto *layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_key, 0, 0);
    layout->addWidget(m_values, 0, 1);
    layout->addWidget(m_choose, 0, 2);
    layout->addWidget(m_points, 1, 0, 1, 3);
    layout->addWidget(m_sentence, 2, 0, 1, 3);
    layout->setColumnStretch(0, 2);
    layout->setColumnStretch(1, 3);
    m_key->setEditable(true);
    m_key->setInsertPolicy(QComboBox::NoInsert);
    m_key->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_key->setMinimumContentsLength(16);
    m_key->setCompleter(new KeyCompleter(m_key->model(), m_key));
    m_values->setMaxLength(20000);
    m_points->setTabChangesFocus(true);
    m_points->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_points->setFixedHeight(6 * fontMetrics().lineSpacing());
    m_points->installEventFilter(this);
    m_choose->setText(tr("Choose\u2026"));
    m_choices->setFrameShape(QFrame::StyledPanel);
    auto *inside = new QVBoxLayout(m_choices);
    inside->setContentsMargins(4, 4, 4, 4);
    inside->addWidget(m_picker);
    m_picker->setRoomy();
    connect(m_choose, &QToolButton::clicked, this, &SweepAxisEdit::openChoices);
    connect(m_picker, &ItemListPicker::tickedChanged, this, &SweepAxisEdit::takeChoices);
    connect(m_picker, &ItemListPicker::activated, m_choices, &QWidget::close);
    connect(m_key, &QComboBox::activated, this, &SweepAxisEdit::chooseKey);
    connect(m_key->lineEdit(), &QLineEdit::editingFinished, this, &SweepAxisEdit::acceptKey);
    connect(m_values, &QLineEdit::textEdited, this, &SweepAxisEdit::validate);
    connect(m_values, &QLineEdit::editingFinished, this, &SweepAxisEdit::accept);
    connect(m_points, &QPlainTextEdit::textChanged, this, &SweepAxisEdit::validate);
}

void SweepAxisEdit::setUp(const QString &name, const QString &label, bool optional)
{
    m_optional = optional;
    m_key->setObjectName(name + u"Key"_s);
    m_values->setObjectName(name + u"Values"_s);
    m_points->setObjectName(name + u"Points"_s);
    m_choose->setObjectName(name + u"Choose"_s);
    m_choices->setObjectName(name + u"Choices"_s);
    m_sentence->setObjectName(name + u"Sentence"_s);
    m_key->setAccessibleName(tr("%1: what varies").arg(label));
    m_values->setAccessibleName(tr("%1: values").arg(label));
    m_points->setAccessibleName(tr("%1: configurations").arg(label));
    m_points->setPlaceholderText(tr("One per line: TP 8, PP 4: TP = 8, PP = 4"));
    m_choose->setAccessibleName(tr("%1: choose values").arg(label));
}

void SweepAxisEdit::setSources(
    std::shared_ptr<const Catalog> catalog, std::span<const AssumptionDescriptor> assumptions)
{
    m_catalog = std::move(catalog);
    m_assumptions.assign(assumptions.begin(), assumptions.end());
    fillKeys();
}

void SweepAxisEdit::fillKeys()
{
    const QSignalBlocker blocker(m_key);
    const auto current = m_key->currentData();
    m_key->clear();
    const auto addEntry = [this](const QString &title, const QString &name, const QString &help) {
        m_key->addItem(title, name);
        m_key->setItemData(m_key->count() - 1, help, Qt::ToolTipRole);
        m_key->setItemData(m_key->count() - 1, QStringList{title, name, help}.join(u' '), searchedRole);
    };
    const auto add = [&](const SweepKey &key) { addEntry(axisTitle(key), utf8(key.key), axisHelp(key)); };
    if (m_optional)
        addEntry(tr("none"), noAxis, tr("One thing varies alone"));
    for (const auto &key : sweepKeys())
        add(key);
    for (const auto &assumption : m_assumptions)
        add(sweepKeyOf(assumption));
    addEntry(tr("Named configurations"), configurations, tr("Several settings at once, each set of them under a name"));
    m_key->setCurrentIndex(m_key->findData(current));
}

std::optional<SweepKey> SweepAxisEdit::currentKey() const
{
    const auto name = m_key->currentData().toString().toStdString();
    if (const auto *key = findSweepKey(name))
        return *key;
    if (isAssumptionKey(name))
        if (const auto *assumption = findAssumption(m_assumptions, std::string_view(name).substr(name.find('.') + 1)))
            return sweepKeyOf(*assumption);
    return std::nullopt;
}

void SweepAxisEdit::forgetUnfinished()
{
    m_isUnfinished = false;
    m_values->setModified(false);
    m_points->document()->setModified(false);
}

void SweepAxisEdit::setAxis(const std::optional<SweepAxis> &axis)
{
    if (m_isUnfinished && axis == m_axis && m_key->currentIndex() >= 0) {
        showKey();
        validate();
        return;
    }
    m_isUnfinished = false;
    m_sentence->setSentence({});
    setRefusedLook(m_values, false);
    setRefusedLook(m_points, false);
    const bool typed = m_axis && axis == m_axis && m_values->isModified();
    m_axis = axis;
    const QString key = axis ? keyOf(*axis) : noAxis;
    int index = m_key->findData(key);
    if (index < 0) { // an assumption of another cost model
        m_key->addItem(key, key);
        m_key->setItemData(m_key->count() - 1, key, searchedRole);
        index = m_key->count() - 1;
    }
    m_key->setCurrentIndex(index);
    m_key->lineEdit()->setCursorPosition(0);
    showKey();
    const QSignalBlocker blocker(m_points);
    if (key == configurations) {
        // What is typed as keys stays so while it means the same.
        const auto shown = read();
        if (const QString text = axis ? axisPoints(*axis, m_assumptions, *m_catalog) : QString();
            m_points->toPlainText() != text && !(shown && *shown && axis && (*shown)->points == axis->points))
            m_points->setPlainText(text);
    } else if (!typed) {
        const auto known = currentKey();
        m_values->setText(!axis ? QString()
                : known         ? axisValues(*axis, *known, *m_catalog)
                                : utf8(valuesToText(*axis)));
        if (!m_values->hasFocus())
            m_values->setCursorPosition(0);
    }
}

void SweepAxisEdit::showKey()
{
    const QString chosenKey = m_key->currentData().toString();
    const auto key = currentKey();
    m_points->setVisible(chosenKey == configurations);
    m_values->setVisible(chosenKey != configurations);
    m_values->setEnabled(chosenKey != noAxis && m_key->isEnabled());
    m_choose->setVisible(key
        && (key->type == SweepValueType::Reference || key->type == SweepValueType::Choice
            || key->type == SweepValueType::Flag));
    const bool numeric = key && (key->type == SweepValueType::Integer || key->type == SweepValueType::Real);
    QString example = tr("names or ids with commas between");
    if (chosenKey == noAxis)
        example.clear();
    else if (numeric && key->unit.empty())
        example = tr("1, 2, 4 or 1..64:x2 or 1..64:+1");
    else if (numeric)
        example = tr("values in %1: 1, 2, 4 or 1..64:x2").arg(localized(units::shownSymbol(key->unit)));
    m_values->setPlaceholderText(example);
    const auto help = m_key->currentData(Qt::ToolTipRole).toString();
    m_key->setToolTip(help + (help.isEmpty() ? QString() : u"\n"_s)
        + tr("Type part of a name to search: plan fields, limits, assumptions, and numbers of the plan's catalog "
             "items."));
    const auto whole = m_values->text().isEmpty() ? QString() : m_values->text() + u"\n"_s;
    m_values->setToolTip(
        whole + (numeric ? tr("%1\nA list (1, 2, 4), doubling (1..64:x2) or steps (1..64:+1)").arg(help) : help));
}

/// A title or a key; a text that is neither shows the current one again.
void SweepAxisEdit::acceptKey()
{
    int found = m_key->findText(m_key->currentText(), Qt::MatchFixedString);
    if (found < 0)
        found = m_key->findData(m_key->currentText().trimmed());
    if (found >= 0 && found != m_key->currentIndex()) {
        m_key->setCurrentIndex(found);
        chooseKey();
    } else {
        m_key->setEditText(m_key->itemText(m_key->currentIndex()));
    }
}

void SweepAxisEdit::chooseKey()
{
    const QString chosenKey = m_key->currentData().toString();
    const QString before = m_axis ? keyOf(*m_axis) : noAxis;
    if (chosenKey == before) {
        forgetUnfinished();
        setAxis(m_axis);
        return;
    }
    if (chosenKey == configurations && m_axis
        && before != noAxis) { // what was there becomes configurations, to be extended
        auto named = *m_axis;
        for (auto &point : named.points)
            if (point.label.empty())
                point.label = describe(point, *m_catalog, m_assumptions);
        const QSignalBlocker blocker(m_points);
        m_points->setPlainText(axisPoints(named, m_assumptions, *m_catalog));
    }
    m_values->clear();
    showKey();
    if (chosenKey == noAxis || chosenKey == configurations)
        accept();
    else if (const auto key = currentKey(); key && key->type == SweepValueType::Flag) {
        m_values->setText(u"no, yes"_s);
        accept();
    } else {
        m_isUnfinished = true;
        m_values->setFocus();
        validate();
    }
}

Expected<std::optional<SweepAxis>> SweepAxisEdit::read() const
{
    const QString chosenKey = m_key->currentData().toString();
    if (chosenKey == noAxis)
        return std::nullopt;
    SweepAxis axis;
    if (chosenKey == configurations) {
        auto points = parsePoints(
            withKeys(m_points->toPlainText(), m_assumptions).toStdString(), m_assumptions, *m_catalog, "axes");
        if (!points)
            return std::unexpected(points.error());
        axis.points = std::move(*points);
        if (m_axis && keyOf(*m_axis) == configurations)
            axis.label = m_axis->label;
        else
            axis.label = tr("Configuration").toStdString();
        return axis;
    }
    const auto key = currentKey();
    if (!key)
        return fleetwright::refuse(ErrorCode::UnknownReference, "axes",
            tr("The cost model has no \u201c%1\u201d; choose something else to vary.").arg(chosenKey).toStdString());
    const auto values = parseValues(*key, m_values->text().toStdString(), *m_catalog, "axes");
    if (!values)
        return std::unexpected(values.error());
    axis = axisOf(key->key, *values);
    if (m_axis && keyOf(*m_axis) == chosenKey)
        axis.label = m_axis->label;
    return axis;
}

void SweepAxisEdit::acceptTyped()
{
    if (m_key->lineEdit()->isModified())
        acceptKey();
    if (m_values->isModified() || m_points->document()->isModified()) {
        m_points->document()->setModified(false);
        accept();
    }
}

bool SweepAxisEdit::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_points && event->type() == QEvent::FocusOut && m_points->document()->isModified()) {
        m_points->document()->setModified(false);
        accept();
    }
    return QWidget::eventFilter(watched, event);
}

void SweepAxisEdit::validate()
{
    const auto axis = read();
    setRefusal(axis ? QString() : localized(axis.error().message));
}

Expected<void> SweepAxisEdit::readable() const
{
    if (const auto axis = read(); !axis)
        return std::unexpected(axis.error());
    return {};
}

void SweepAxisEdit::accept()
{
    validate();
    auto axis = read();
    m_isUnfinished = !axis;
    if (axis && *axis != m_axis)
        emit edited(*axis);
}

void SweepAxisEdit::setRefusal(const QString &sentence)
{
    m_sentence->setSentence(sentence);
    const bool points = m_points->isVisibleTo(this);
    setRefusedLook(m_values, !points && !sentence.isEmpty());
    setRefusedLook(m_points, points && !sentence.isEmpty());
}

void SweepAxisEdit::setReadOnly(bool readOnly)
{
    m_key->setEnabled(!readOnly);
    m_values->setReadOnly(readOnly);
    m_points->setReadOnly(readOnly);
    m_choose->setEnabled(!readOnly);
    showKey();
}

void SweepAxisEdit::openChoices()
{
    const auto key = currentKey();
    if (!key)
        return;
    std::vector<ItemListPicker::Entry> entries;
    if (key->reference) {
        for (const auto *record : offeredItems(*m_catalog, *key->reference))
            entries.push_back({record->id, record->name});
    } else if (key->type == SweepValueType::Flag) {
        entries = {{"no", tr("no").toStdString()}, {"yes", tr("yes").toStdString()}};
    } else {
        for (const auto &choice : key->choices)
            entries.push_back({choice, choiceInWords(key->key, choice)});
    }
    std::vector<std::string> ticked;
    const auto words = m_values->text().split(u',', Qt::SkipEmptyParts);
    for (const auto &part : words) {
        const auto word = part.trimmed().toStdString();
        const auto known = std::ranges::find_if(
            entries, [&](const ItemListPicker::Entry &entry) { return entry.id == word || entry.name == word; });
        if (known != entries.end())
            ticked.push_back(known->id);
    }
    m_picker->setEntries(axisTitle(*key), entries, ticked);
    constexpr int lettersWide = 52, linesHigh = 18;
    m_choices->resize(lettersWide * fontMetrics().averageCharWidth(), linesHigh * fontMetrics().lineSpacing());
    const QRect room = screen()->availableGeometry();
    const QPoint below = m_choose->mapToGlobal(QPoint(0, m_choose->height()));
    const int left = std::clamp(below.x(), room.left(), std::max(room.left(), room.right() - m_choices->width()));
    const bool fits = below.y() + m_choices->height() <= room.bottom();
    m_choices->move(left, fits ? below.y() : m_choose->mapToGlobal(QPoint()).y() - m_choices->height());
    m_choices->show();
    m_picker->setFocus();
}

/// What was typed keeps its place; what is new goes to the end.
void SweepAxisEdit::takeChoices()
{
    const auto key = currentKey();
    if (!key)
        return;
    const auto shown = [&](const std::string &id) {
        const auto *record = key->reference ? m_catalog->find(*key->reference, id) : nullptr;
        const auto name = utf8(record ? record->name : id);
        return name.contains(u',') ? utf8(id) : name;
    };
    QStringList ticked;
    for (const auto &id : m_picker->ticked())
        ticked << shown(id);
    QStringList words;
    const auto parts = m_values->text().split(u',', Qt::SkipEmptyParts);
    for (const auto &part : parts) {
        const auto word = part.trimmed();
        const auto name = shown(word.toStdString());
        if (ticked.contains(word) || ticked.contains(name))
            words << word;
    }
    for (const auto &word : std::as_const(ticked))
        if (!words.contains(word)
            && std::ranges::none_of(words, [&](const QString &kept) { return shown(kept.toStdString()) == word; }))
            words << word;
    m_values->setText(words.join(u", "_s));
    accept();
}

} // namespace fleetwright::app
