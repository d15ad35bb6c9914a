// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/windowprompts.h"

#include "app/dialogs/approvedialog.h"
#include "app/noticebar.h"
#include "app/pages/page.h"
#include "text/localized.h"

#include <QFileDialog>
#include <QInputDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

/// What a page could not do, until something else is refused there or the next file is named; empty: of no page.
QString refusalOn(const QWidget *asking)
{
    return qobject_cast<const Page *>(asking)
        ? u"refused by "_s + QString::fromLatin1(asking->metaObject()->className())
        : QString();
}

} // namespace

bool WindowPrompts::confirm(
    QWidget *parent, const QString &title, const QString &question, const QString &action, Default byReturn)
{
    QMessageBox box(QMessageBox::Question, title, question, QMessageBox::Cancel, parent);
    box.setTextFormat(Qt::PlainText);
    auto *accept = box.addButton(action.contains(u'&') ? action : u'&' + action, QMessageBox::AcceptRole);
    if (byReturn == Default::Action)
        box.setDefaultButton(accept);
    else
        box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    return box.clickedButton() == accept;
}

std::optional<Approver> WindowPrompts::approver(QWidget *parent, const ApprovalQuestion &question)
{
    ApproveDialog dialog(question, parent);
    return dialog.exec() == QDialog::Accepted ? std::optional(dialog.approver()) : std::nullopt;
}

void WindowPrompts::showError(QWidget *parent, const QString &title, const Error &error)
{
    if (auto *notices = NoticeBar::of(parent)) { // what asks nothing stops nobody
        notices->tell({.kind = Notice::Kind::Warning,
            .title = title,
            .text = localized(error.message),
            .key = refusalOn(parent)});
        return;
    }
    QMessageBox box(QMessageBox::Warning, title, title, QMessageBox::Ok, parent);
    box.setTextFormat(Qt::PlainText);
    box.setInformativeText(localized(error.message));
    box.setStyleSheet(
        QStringLiteral("QLabel#qt_msgbox_informativelabel { min-width: 400px; }")); // a sentence is easier to read in
                                                                                    // two lines than in five
    box.exec();
}

QString WindowPrompts::openFileName(
    QWidget *parent, const QString &title, const QString &suggestion, const QString &filter)
{
    const auto named = QFileDialog::getOpenFileName(parent, title, suggestion, filter);
    if (auto *notices = NoticeBar::of(parent); notices && !named.isEmpty())
        notices->dismiss(refusalOn(parent));
    return named;
}

QString WindowPrompts::saveFileName(
    QWidget *parent, const QString &title, const QString &suggestion, const QString &filter)
{
    return QFileDialog::getSaveFileName(parent, title, suggestion, filter);
}

QString WindowPrompts::text(QWidget *parent, const QString &title, const QString &label, const QString &initial)
{
    QInputDialog dialog(parent);
    dialog.setWindowTitle(title);
    dialog.setLabelText(label);
    dialog.setTextValue(initial);
    if (auto *edit = dialog.findChild<QLineEdit *>())
        edit->setMaxLength(300);
    return dialog.exec() == QDialog::Accepted ? dialog.textValue().trimmed() : QString();
}

} // namespace fleetwright::app
