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

void ValidationLabel::setSentence(const QString &said)
{
    const auto sentence = localized(withLabels(said.toStdString()));
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
    colours.setColor(QPalette::WindowText, errorColour(colours));
    setPalette(colours);
}

void ValidationLabel::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange && palette().color(QPalette::WindowText) != errorColour(palette()))
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
