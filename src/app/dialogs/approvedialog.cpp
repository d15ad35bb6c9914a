// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/approvedialog.h"

#include "app/theme.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int longestApprover = 100, longestApproval = 500;
constexpr int approvalWidth = 76 * gridUnit;

} // namespace

ApproveDialog::ApproveDialog(const ApprovalQuestion &question, QWidget *parent) : QDialog(parent)
{
    setWindowTitle(tr("Approve"));
    auto *layout = new QVBoxLayout(this);
    const auto say = [&](const QString &name, const QString &text, bool heading = false) {
        auto *label = new QLabel(text, this);
        label->setObjectName(name);
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setMinimumWidth(approvalWidth);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        if (heading)
            makeHeading(label);
        layout->addWidget(label);
    };
    say(u"approvedName"_s, tr("Approve: %1").arg(question.name), true);
    say(u"approvedWords"_s, question.sentences.join(u"\n"_s));
    if (!question.risks.isEmpty()) {
        say(u"risksTitle"_s, tr("What is signed for"), true);
        say(u"risksWords"_s, u"\u2022 "_s + question.risks.join(u"\n\u2022 "_s));
    }
    auto *form = new QFormLayout;
    const auto ask = [&](const QString &name, const QString &title, const QString &text, const QString &hint,
                         int most) {
        auto *edit = new QLineEdit(text, this);
        edit->setObjectName(name);
        edit->setAccessibleName(title);
        edit->setPlaceholderText(hint);
        edit->setMaxLength(most);
        form->addRow(title, edit);
        return edit;
    };
    const auto &proposed = question.proposed;
    m_name = ask(u"approverName"_s, tr("Approved by"), proposed.name, tr("Name"), longestApprover);
    m_role = ask(u"approverRole"_s, tr("Role"), proposed.role, tr("Such as head of infrastructure"), longestApprover);
    m_reason = ask(
        u"approverReason"_s, tr("Why, on what condition"), proposed.reason, tr("May stay empty"), longestApproval);
    layout->addLayout(form);
    say(u"frozenWords"_s, tr("Question, answer and the prices behind it are frozen as they are now."));
    auto *missing = new QLabel(this); // keeps its line when it has nothing to say: the buttons stay where they are
    missing->setObjectName(u"approverMissing"_s);
    missing->setTextFormat(Qt::PlainText);
    layout->addWidget(missing);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    auto *accept = buttons->addButton(tr("&Approve"), QDialogButtonBox::AcceptRole);
    accept->setDefault(true);
    accept->setObjectName(u"acceptApproval"_s);
    const auto followName = [this, accept, missing] {
        const bool isNamed = !m_name->text().trimmed().isEmpty();
        accept->setEnabled(isNamed);
        missing->setText(isNamed ? QString() : tr("Say who approves: an approval without a name is nobody\u2019s."));
        accept->setToolTip(missing->text());
    };
    connect(m_name, &QLineEdit::textChanged, this, followName);
    followName();
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(buttons);
    (m_name->text().isEmpty() ? m_name : m_reason)->setFocus();
}

Approver ApproveDialog::approver() const
{
    return {.name = m_name->text().trimmed(), .role = m_role->text().trimmed(), .reason = m_reason->text().trimmed()};
}

} // namespace fleetwright::app
