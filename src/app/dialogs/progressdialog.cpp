// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/progressdialog.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fleetwright::app {

ProgressDialog::ProgressDialog(const QString &title, const QString &what, QWidget *parent) : QDialog(parent)
{
    constexpr int narrowest = 420;
    setObjectName(u"progressDialog"_s);
    setWindowTitle(title);
    setWindowModality(Qt::WindowModal);
    auto *label = new QLabel(what, this);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    m_bar = new QProgressBar(this);
    m_bar->setRange(0, 100);
    m_bar->setMinimumWidth(narrowest);
    m_bar->setAccessibleName(title);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_cancelButton = buttons->button(QDialogButtonBox::Cancel);
    m_cancelButton->setObjectName(u"cancelButton"_s);
    connect(buttons, &QDialogButtonBox::rejected, this, &ProgressDialog::reject);
    auto *layout = new QVBoxLayout(this);
    for (auto *widget : {static_cast<QWidget *>(label), static_cast<QWidget *>(m_bar)})
        layout->addWidget(widget);
    layout->addWidget(buttons);
}

void ProgressDialog::setPercent(int percent) { m_bar->setValue(percent); }

void ProgressDialog::offerNoCancel()
{
    m_cancelButton->setEnabled(false);
    m_cancelButton->hide();
}

void ProgressDialog::reject()
{
    if (!m_cancelButton->isEnabled())
        return;
    m_cancelButton->setEnabled(false); // it ends when the work has heard of it
    emit cancelled();
}

} // namespace fleetwright::app
