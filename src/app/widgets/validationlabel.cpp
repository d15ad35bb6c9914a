// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/validationlabel.h"

#include "solver/worksheet/formulawords.h"
#include "text/utf8.h"

#include <QEvent>
#include <QPalette>

namespace fleetwright::app {

namespace {
/// Readable on light and on dark backgrounds (Okabe-Ito vermilion, lightened for dark).
QColor refusalColour(const QPalette &palette)
{
    return palette.color(QPalette::Window).lightness() > 127 ? QColor(0xB8, 0x3A, 0x00) : QColor(0xFF, 0x8A, 0x50);
}
} // namespace

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
    const auto sentence = utf8(withLabels(said.toStdString()));
    if (sentence == text())
        return;
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, refusalColour(colours));
    setPalette(colours);
    setText(sentence);
    setVisible(!sentence.isEmpty() && !m_standsAside);
    emit sentenceChanged(sentence);
}

void ValidationLabel::standAside()
{
    m_standsAside = true;
    hide();
}

void setRefusedLook(QWidget *editor, bool refused)
{
    const QString sheet = refused ? QStringLiteral("%1 { border: 1px solid %2; border-radius: 2px; padding: 1px; }")
                                        .arg(QString::fromLatin1(editor->metaObject()->className()).section(u':', -1),
                                            refusalColour(editor->palette()).name())
                                  : QString();
    if (editor->styleSheet() == sheet)
        return;
    // The outline is a little less high than the style's own frame, and all that is below would move by the difference.
    editor->setMinimumHeight(refused ? editor->sizeHint().height() : 0);
    editor->setStyleSheet(sheet);
}

} // namespace fleetwright::app
