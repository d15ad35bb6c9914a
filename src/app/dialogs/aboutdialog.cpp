// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/aboutdialog.h"

#include "app/theme.h"
#include "app/widgets/htmllabel.h"
#include "app/wording.h"
#include "solver/models/costmodel.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QVBoxLayout>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

void openWithCloseButton(QDialog *dialog, QVBoxLayout *layout)
{
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    layout->addWidget(buttons);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

} // namespace

void showAboutDialog(QWidget *parent)
{
    auto *dialog = new QDialog(parent);
    dialog->setObjectName(u"aboutDialog"_s);
    dialog->setWindowTitle(tr("About Fleetwright"));
    auto *layout = new QVBoxLayout(dialog);
    layout->setSpacing(gridUnit);
    auto *title = new QLabel(tr("Fleetwright %1").arg(QCoreApplication::applicationVersion()), dialog);
    makeTitle(title);
    layout->addWidget(title);
    QString text = u"<p>%1</p><p>%2</p><p>"_s.arg(
        tr("Plans AI training fleets and shows its working."), tr("Cost models:"));
    for (const auto *model : costModels())
        text += u"%1 %2<br>"_s.arg(
            localizedHtmlEscaped(model->title()), QString::fromUtf8(model->version()).toHtmlEscaped());
    text += u"</p><p>%1</p><p>%2</p>"_s.arg(
        tr("Built with Qt %1 (running with %2).")
            .arg(QString::fromLatin1(QT_VERSION_STR), QString::fromLatin1(qVersion())),
        tr("Free software under the GNU General Public License, version 3 or later. It comes without any warranty; see "
           "the file LICENSE."));
    auto *body = new QLabel(dialog);
    showHtml(body, text);
    body->setWordWrap(true);
    body->setMinimumWidth(420);
    body->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    layout->addWidget(body);
    openWithCloseButton(dialog, layout);
}

void showShortcutsDialog(const std::vector<std::pair<QString, QString>> &shortcuts, QWidget *parent)
{
    auto *dialog = new QDialog(parent);
    dialog->setObjectName(u"shortcutsDialog"_s);
    dialog->setWindowTitle(tr("Keyboard shortcuts"));
    dialog->resize(440, 560);
    auto *layout = new QVBoxLayout(dialog);
    auto *table = new QTableWidget(int(shortcuts.size()), 2, dialog);
    table->setAccessibleName(tr("Keyboard shortcuts"));
    table->setHorizontalHeaderLabels({tr("Keys"), tr("Does")});
    table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    table->horizontalHeader()->setStretchLastSection(true);
    table->verticalHeader()->hide();
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    for (std::size_t row = 0; row < shortcuts.size(); ++row) {
        table->setItem(int(row), 0, new QTableWidgetItem(shortcuts[row].first));
        table->setItem(int(row), 1, new QTableWidgetItem(shortcuts[row].second));
    }
    layout->addWidget(table);
    openWithCloseButton(dialog, layout);
}

} // namespace fleetwright::app
