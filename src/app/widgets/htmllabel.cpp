// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/htmllabel.h"

#include <QLabel>

namespace fleetwright::app {

void showHtml(QLabel *label, const QString &html)
{
    label->setTextFormat(Qt::RichText);
    label->setText(html);
}

void showPlain(QLabel *label, const QString &text)
{
    label->setTextFormat(Qt::PlainText);
    label->setText(text);
}

} // namespace fleetwright::app
