// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/ledgerentrydialog.h"

#include "app/widgets/countedit.h"
#include "app/widgets/flagcombo.h"
#include "app/widgets/quantityedit.h"
#include "app/widgets/typedentries.h"
#include "app/widgets/validationlabel.h"
#include "app/workspace/workspace.h"
#include "domain/parallelism.h"
#include "text/localized.h"
#include "ui_ledgerentrydialog.h"
#include "units/format.h"
#include "units/parse.h"

#include <QComboBox>
#include <QDateTime>
#include <QKeyEvent>
#include <QPushButton>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostAccelerators = 1000000000;

} // namespace

LedgerEntryDialog::LedgerEntryDialog(
    const LedgerEntry &entry, Mode mode, std::function<Expected<void>(const LedgerEntry &)> keep, QWidget *parent)
    : QDialog(parent), m_ui(std::make_unique<Ui::LedgerEntryDialog>()), m_entry(entry), m_mode(mode),
      m_keep(std::move(keep))
{
    m_ui->setupUi(this);
    setWindowTitle(mode == Mode::Record ? tr("Record decision") : tr("Edit note"));
    m_ui->buttons->button(QDialogButtonBox::Save)->setText(mode == Mode::Record ? tr("Record") : tr("Save note"));
    for (const auto context : allLedgerContexts)
        m_ui->contextCombo->addItem(QString::fromUtf8(title(context)), int(context));
    for (const auto &[field, label, most] : {std::tuple(m_ui->tpEdit, tr("Tensor parallelism (TP)"), mostRanks),
             std::tuple(m_ui->ppEdit, tr("Pipeline parallelism (PP)"), mostRanks),
             std::tuple(m_ui->dpEdit, tr("Data parallelism (DP)"), mostRanks),
             std::tuple(m_ui->acceleratorsEdit, tr("Accelerators"), mostAccelerators)}) {
        field->setLabel(label);
        field->setRange(1, most);
        field->setOptional(tr("not known"));
        field->setSentenceLabel(m_ui->sentence);
    }
    m_ui->mfuEdit->setLabel(tr("MFU"));
    m_ui->mfuEdit->setQuantity(units::Dimension::Fraction, u"%"_s);
    m_ui->mfuEdit->setRange(0, 1);
    m_ui->mfuEdit->setOptional(tr("not known"));
    m_ui->mfuEdit->setSentenceLabel(m_ui->sentence);
    m_ui->facts->setEnabled(mode == Mode::Record);
    fill();
    const auto forget = [this] { m_ui->sentence->setSentence({}); }; // it was about what is changed now
    for (auto *line : {m_ui->titleEdit, m_ui->constraintEdit, m_ui->predictionEdit})
        connect(line, &QLineEdit::textChanged, this, forget);
    connect(m_ui->noteEdit, &QPlainTextEdit::textChanged, this, forget);
    const auto typed = [this] {
        m_isTyped = true;
        m_isWarned = false;
    };
    for (auto *line : findChildren<QLineEdit *>())
        connect(line, &QLineEdit::textEdited, this, typed);
    connect(m_ui->noteEdit, &QPlainTextEdit::textChanged, this, typed);
    connect(m_ui->heldCombo, &QComboBox::currentIndexChanged, this, forget);
    if (m_entry.title.empty())
        m_ui->titleEdit->setFocus();
    else
        m_ui->noteEdit->setFocus();
}

LedgerEntryDialog::~LedgerEntryDialog() = default;

void LedgerEntryDialog::fill()
{
    m_ui->contextCombo->setCurrentIndex(m_ui->contextCombo->findData(int(m_entry.context)));
    m_ui->titleEdit->setText(QString::fromStdString(m_entry.title));
    m_ui->tpEdit->setValue(m_entry.tp);
    m_ui->ppEdit->setValue(m_entry.pp);
    m_ui->dpEdit->setValue(m_entry.dp);
    m_ui->acceleratorsEdit->setValue(m_entry.accelerators);
    if (m_entry.mfu)
        m_shownMfu =
            units::parseIn(units::formatPercent(*m_entry.mfu), units::Dimension::Fraction, "%").value_or(*m_entry.mfu);
    m_ui->mfuEdit->setValue(m_shownMfu);
    showFlag(m_ui->memoryCombo, m_entry.memoryFeasible);
    m_ui->constraintEdit->setText(QString::fromStdString(m_entry.constraintHit));
    m_ui->predictionEdit->setText(QString::fromStdString(m_entry.prediction));
    showFlag(m_ui->heldCombo, m_entry.predictionHeld);
    m_ui->noteEdit->setPlainText(QString::fromStdString(m_entry.note));
    for (auto *line : {m_ui->titleEdit, m_ui->constraintEdit, m_ui->predictionEdit})
        line->setCursorPosition(0); // a long text is shown from its beginning
}

Expected<LedgerEntry> LedgerEntryDialog::typed() const
{
    LedgerEntry entry = m_entry;
    entry.note = m_ui->noteEdit->toPlainText().trimmed().toStdString();
    if (m_mode == Mode::EditNote) {
        if (auto ok = check(entry); !ok)
            return std::unexpected(ok.error());
        return entry;
    }
    for (const NumberEdit *field : {static_cast<const NumberEdit *>(m_ui->tpEdit),
             static_cast<const NumberEdit *>(m_ui->ppEdit), static_cast<const NumberEdit *>(m_ui->dpEdit),
             static_cast<const NumberEdit *>(m_ui->acceleratorsEdit), static_cast<const NumberEdit *>(m_ui->mfuEdit)})
        if (!field->isAcceptable())
            return refuse(
                ErrorCode::UnsupportedValue, field->objectName().toStdString(), field->refusal().toStdString());
    entry.context = LedgerContext(m_ui->contextCombo->currentData().toInt());
    entry.title = m_ui->titleEdit->text().trimmed().toStdString();
    entry.tp = m_ui->tpEdit->value();
    entry.pp = m_ui->ppEdit->value();
    entry.dp = m_ui->dpEdit->value();
    entry.accelerators = m_ui->acceleratorsEdit->value();
    if (m_ui->mfuEdit->value() != m_shownMfu)
        entry.mfu = m_ui->mfuEdit->value();
    entry.memoryFeasible = flagOf(m_ui->memoryCombo);
    entry.constraintHit = m_ui->constraintEdit->text().trimmed().toStdString();
    entry.prediction = m_ui->predictionEdit->text().trimmed().toStdString();
    entry.predictionHeld = flagOf(m_ui->heldCombo);
    if (auto ok = check(entry); !ok)
        return std::unexpected(ok.error());
    return entry;
}

void LedgerEntryDialog::accept()
{
    acceptTyped(*this); // what was typed last is an entry too
    const auto entry = typed();
    const auto done = entry ? m_keep(*entry) : Expected<void>(std::unexpected(entry.error()));
    if (!done) {
        const auto &error = done.error();
        const bool isUntitled = error.code == ErrorCode::MissingField && error.field == "title";
        m_ui->sentence->setSentence(
            isUntitled ? tr("\u201cDecision\u201d is empty; say what was decided about.") : localized(error.message));
        if (isUntitled)
            m_ui->titleEdit->setFocus();
        return;
    }
    emit kept();
    QDialog::accept();
}

void LedgerEntryDialog::keyPressEvent(QKeyEvent *event)
{
    if (event->key() != Qt::Key_Escape || !m_isTyped || m_isWarned) {
        QDialog::keyPressEvent(event);
        return;
    }
    m_isWarned = true;
    m_ui->sentence->setSentence(m_mode == Mode::Record
            ? tr("Nothing is recorded yet. Escape once more throws away what was typed.")
            : tr("The note is not saved yet. Escape once more throws away what was typed."));
}

std::string ledgerTime() { return QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString(); }

LedgerEntryDialog *recordInLedger(const LedgerEntry &entry, Workspace &workspace, QWidget *parent)
{
    const auto keep = [&workspace](const LedgerEntry &typed) -> Expected<void> {
        if (auto added = workspace.addLedgerEntry(typed); !added)
            return std::unexpected(added.error());
        return {};
    };
    auto *dialog = new LedgerEntryDialog(entry, LedgerEntryDialog::Mode::Record, keep, parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
    return dialog;
}

} // namespace fleetwright::app
