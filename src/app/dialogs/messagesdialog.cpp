// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/messagesdialog.h"

#include "app/noticebar.h"
#include "app/theme.h"

#include <QPlainTextEdit>
#include <QVBoxLayout>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

MessagesDialog::MessagesDialog(const NoticeBar &notices, QWidget *parent)
    : QDialog(parent), m_notices(notices), m_text(new QPlainTextEdit(this))
{
    setWindowTitle(tr("Messages"));
    setObjectName(u"messagesDialog"_s);
    resize(80 * gridUnit, 40 * gridUnit);
    m_text->setObjectName(u"messagesText"_s);
    m_text->setAccessibleName(tr("Messages, the last first"));
    m_text->setReadOnly(true);
    m_text->setPlaceholderText(
        tr("Nothing was said yet. What was done, saved or refused is listed here with its time."));
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_text);
    connect(&notices, &NoticeBar::noted, this, &MessagesDialog::refill);
    refill();
}

void MessagesDialog::refill() { m_text->setPlainText(m_notices.said().join(u'\n')); }

} // namespace fleetwright::app
