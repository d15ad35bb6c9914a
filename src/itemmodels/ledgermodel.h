// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ledgerentry.h"
#include "itemmodels/rowtable.h"

#include <QSortFilterProxyModel>

#include <optional>

namespace fleetwright::itemmodels {

struct LedgerRow {
    qint64 id = 0;
    LedgerEntry entry;
    QString toolTip;
    bool operator==(const LedgerRow &) const = default;
};

[[nodiscard]] LedgerRow ledgerRow(qint64 id, const LedgerEntry &entry);

/// Recorded decisions. Under fileRole the columns give plain numbers and the names of the ledger's documents.
class LedgerModel : public RowTable<LedgerRow> {
public:
    enum Column { When, Context, Title, Tp, Pp, Dp, Accelerators, Mfu, Memory, Constraint, Prediction, Held, Note };
    explicit LedgerModel(QObject *parent = nullptr);
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
};

/// A decision that was approved, in words. Empty: not known.
struct ApprovalRow {
    qint64 id = 0;
    QString when; ///< as recorded
    QString decision; ///< its name
    QString fleet; ///< that was approved
    QString predicted; ///< "25.1 days, 21.5 MUSD for the run"
    QString became; ///< the same as it turned out, and what was noted of it
    QString since; ///< what has changed of its inputs
    QString signedBy; ///< who approved it, and on what condition
    bool isWithdrawn = false;
    QString toolTip;
    bool operator==(const ApprovalRow &) const = default;
};

/// Withdrawn ones are struck through.
class ApprovalModel : public RowTable<ApprovalRow> {
public:
    enum Column { When, Decision, Fleet, Predicted, Became, Since, SignedBy };
    explicit ApprovalModel(QObject *parent = nullptr);
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
};

/// Entries of one context, or of all, with a text in any column. Sorts by sortRole.
class LedgerFilterProxy : public QSortFilterProxyModel {
public:
    explicit LedgerFilterProxy(QObject *parent = nullptr);
    void setContext(std::optional<LedgerContext> context);
    void setText(const QString &text);

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
    std::optional<LedgerContext> m_context;
    QString m_text;
};

} // namespace fleetwright::itemmodels
