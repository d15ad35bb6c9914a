// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/numberedit.h"

#include "app/widgets/validationlabel.h"
#include "text/localized.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QVBoxLayout>

#include <utility>

namespace fleetwright::app {

namespace {
// Longer than any text that parseIn reads, so that a cut paste is refused as too long and never read as something else.
constexpr int longestText = 250;
constexpr int pauseMilliseconds = 200;
} // namespace

NumberEdit::NumberEdit(QWidget *parent)
    : QWidget(parent), m_edit(new QLineEdit(this)), m_sentence(new ValidationLabel(this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_edit);
    layout->addWidget(m_sentence);
    m_edit->setMaxLength(longestText);
    m_edit->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_edit->setMinimumWidth(60);
    m_edit->installEventFilter(this);
    setFocusProxy(m_edit);
    setFocusPolicy(Qt::StrongFocus); // or the key of its label would not lead to it
    connect(m_edit, &QLineEdit::textEdited, this, &NumberEdit::textEdited);
    m_pause.setSingleShot(true);
    m_pause.setInterval(pauseMilliseconds);
    connect(&m_pause, &QTimer::timeout, this, &NumberEdit::acceptTyped);
    connect(m_edit, &QLineEdit::editingFinished, this, [this] {
        acceptTyped();
        if (isAcceptable())
            display(m_value);
    });
}

NumberEdit::~NumberEdit()
{
    m_edit->disconnect(this); // the line edit loses the focus when it is deleted, after all that could read its text
}

void NumberEdit::setLabel(const QString &label)
{
    m_label = label;
    m_edit->setAccessibleName(label);
    m_edit->setObjectName(objectName() + QStringLiteral("Text"));
    m_sentence->setObjectName(objectName() + QStringLiteral("Sentence"));
}

void NumberEdit::setExplanation(const QString &text)
{
    m_explanation = text;
    refreshToolTip();
}

void NumberEdit::setOptional(const QString &placeholder)
{
    m_optional = true;
    m_edit->setPlaceholderText(placeholder);
}

void NumberEdit::setRequired()
{
    m_optional = false;
    m_edit->setPlaceholderText({});
}

void NumberEdit::setReadOnly(bool readOnly, const QString &reason)
{
    m_edit->setReadOnly(readOnly);
    m_edit->setEnabled(!readOnly);
    m_readOnlyReason = readOnly ? reason : QString();
    refreshToolTip();
}

void NumberEdit::refreshToolTip()
{
    QStringList lines;
    if (!m_readOnlyReason.isEmpty())
        lines << m_readOnlyReason;
    if (!m_explanation.isEmpty())
        lines << m_explanation;
    lines << range();
    m_edit->setToolTip(lines.join(u'\n'));
    m_edit->setAccessibleDescription(lines.join(u' '));
}

void NumberEdit::setSentenceLabel(ValidationLabel *label)
{
    m_sentence->setSentence({});
    m_sentence = label;
}

void NumberEdit::setRefusal(const QString &sentence)
{
    const QString before = std::exchange(m_refusal, sentence);
    if (!sentence.isEmpty() || m_sentence->sentence() == before) // a shared label may speak for another field by now
        m_sentence->setSentence(sentence);
    setRefusedLook(m_edit, !sentence.isEmpty());
}

NumberEdit::Reading NumberEdit::required() const
{
    if (m_optional)
        return std::optional<double>();
    return refuse(ErrorCode::MissingField, {}, tr("%1: a number is needed here.").arg(m_label).toStdString());
}

void NumberEdit::setNumber(std::optional<double> value)
{
    if (value == m_value && m_edit->isModified() && (m_pause.isActive() || !isAcceptable()))
        return;
    m_pause.stop();
    m_value = value;
    setRefusal({});
    const auto shown = read(m_edit->text());
    if (!shown || *shown != value || !m_edit->hasFocus())
        display(value);
}

void NumberEdit::restore()
{
    m_pause.stop();
    setRefusal({});
    display(m_value);
}

void NumberEdit::display(std::optional<double> value)
{
    const QString text = value ? write(*value) : QString();
    if (text != m_edit->text())
        m_edit->setText(text);
    m_edit->setModified(false);
    if (!m_edit->hasFocus())
        m_edit->setCursorPosition(0);
}

void NumberEdit::textEdited(const QString &text)
{
    const auto reading = read(text);
    setRefusal(reading ? QString() : localized(reading.error().message));
    if (reading && *reading != m_value)
        m_pause.start();
    else
        m_pause.stop();
}

void NumberEdit::acceptTyped()
{
    m_pause.stop();
    const auto reading = read(m_edit->text());
    if (!m_edit->isModified() || !reading || *reading == m_value)
        return;
    m_value = *reading;
    m_edit->setModified(false); // accepted: Ctrl+Z now takes back the edit, not the letters
    announce();
}

void NumberEdit::step(int direction, Qt::KeyboardModifiers modifiers)
{
    if (m_edit->isReadOnly() || !m_value)
        return;
    acceptTyped();
    const auto next = stepped(*m_value, direction, modifiers);
    if (!next || *next == *m_value)
        return;
    m_value = next;
    setRefusal({});
    display(m_value);
    m_edit->selectAll();
    announce();
}

bool NumberEdit::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_Escape && (m_edit->isModified() || !isAcceptable())) {
            restore();
            emit cancelled();
            return true;
        }
        if (key->key() == Qt::Key_Up || key->key() == Qt::Key_Down) {
            step(key->key() == Qt::Key_Up ? 1 : -1, key->modifiers());
            return true;
        }
    }
    if (event->type() == QEvent::ContextMenu && !m_offered.isEmpty()) {
        auto *menu = m_edit->createStandardContextMenu();
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addSeparator();
        menu->addActions(m_offered);
        menu->popup(static_cast<const QContextMenuEvent *>(event)->globalPos());
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace fleetwright::app
