// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ledgerentry.h"

#include <QDialog>

#include <functional>
#include <memory>
#include <optional>

namespace Ui {
class LedgerEntryDialog;
}

namespace fleetwright::app {

class Workspace;

/// Asks for a decision to be recorded, or for another note to a recorded one, whose facts stay as they are.
class LedgerEntryDialog : public QDialog {
    Q_OBJECT
public:
    enum class Mode { Record, EditNote };
    /// `keep` stores the entry; the dialog shows what it refuses and stays open.
    LedgerEntryDialog(const LedgerEntry &entry, Mode mode, std::function<Expected<void>(const LedgerEntry &)> keep,
        QWidget *parent = nullptr);
    ~LedgerEntryDialog() override;

    void accept() override;

signals:
    void kept();

protected:
    /// Escape says first that what was typed would be lost.
    void keyPressEvent(QKeyEvent *event) override;

private:
    void fill();
    [[nodiscard]] Expected<LedgerEntry> typed() const;

    std::unique_ptr<Ui::LedgerEntryDialog> m_ui;
    LedgerEntry m_entry;
    Mode m_mode;
    std::optional<double> m_shownMfu; ///< of the entry, in as many digits as are read
    bool m_isTyped = false, m_isWarned = false;
    std::function<Expected<void>(const LedgerEntry &)> m_keep;
};

/// Opens the dialog that records the entry in the project's ledger; it deletes itself when it closes and says `kept`
/// when it has recorded.
LedgerEntryDialog *recordInLedger(const LedgerEntry &entry, Workspace &workspace, QWidget *parent);

/// The time now as ledger entries hold it.
[[nodiscard]] std::string ledgerTime();

} // namespace fleetwright::app
