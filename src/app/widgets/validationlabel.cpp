// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/validationlabel.h"

#include "app/theme.h"
#include "solver/worksheet/formulawords.h"
#include "text/localized.h"

#include <QEvent>
#include <QPalette>

namespace fleetwright::app {

ValidationLabel::ValidationLabel(QWidget *parent) : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    setAccessibleName(tr("What is wrong with this field"));
    hide();
}

void ValidationLabel::setSentence(const QString &said) { tell(said, false); }

void ValidationLabel::setNote(const QString &said) { tell(said, true); }

void ValidationLabel::tell(const QString &said, bool isNote)
{
    const auto sentence = localized(withLabels(said.toStdString()));
    m_isNote = isNote;
    if (sentence == text())
        return;
    colour();
    setText(sentence);
    setVisible(!sentence.isEmpty() && !m_standsAside);
    emit sentenceChanged(sentence);
}

void ValidationLabel::standAside()
{
    m_standsAside = true;
    hide();
}

void ValidationLabel::colour()
{
    auto colours = palette();
    colours.setColor(QPalette::WindowText, ownColour());
    setPalette(colours);
}

QColor ValidationLabel::ownColour() const { return m_isNote ? quietColour(palette()) : errorColour(palette()); }

void ValidationLabel::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange && palette().color(QPalette::WindowText) != ownColour())
        colour();
    QLabel::changeEvent(event);
}

void setRefusedLook(QWidget *editor, bool refused)
{
    if (editor->property(refusedProperty).toBool() == refused)
        return;
    editor->setProperty(refusedProperty, refused);
    editor->update();
}

} // namespace fleetwright::app
