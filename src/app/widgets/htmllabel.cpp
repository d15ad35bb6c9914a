// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/htmllabel.h"

#include <QLabel>

namespace fleetwright::app {

void showHtml(QLabel *label, const QString &html)
{
    label->setTextFormat(Qt::RichText);
    // Rich text takes a narrow gap for any blank and breaks lines there: "3 000 / 000".
    label->setText(QString(html).replace(u'\u202f', u'\u00a0'));
}

void showPlain(QLabel *label, const QString &text)
{
    label->setTextFormat(Qt::PlainText);
    label->setText(text);
}

} // namespace fleetwright::app
