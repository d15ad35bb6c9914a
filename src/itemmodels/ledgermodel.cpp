// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/ledgermodel.h"

#include "itemmodels/tabletext.h"
#include "itemmodels/tooltip.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "units/format.h"

#include <QFont>

#include <array>

namespace fleetwright::itemmodels {

using namespace Qt::StringLiterals;

namespace {

/// "2025-03-01 09:30" of the stored "2025-03-01T09:30:00Z".
QString shownTime(const std::string &when) { return localized(utf8(when).left(16).replace(u'T', u' ')); }

/// A cell shows one line.
QString oneLine(const std::string &text) { return localized(text).simplified(); }

QString count(const std::optional<int> &value) { return value ? QString::number(*value) : QString(); }

template <class Value> QVariant known(const std::optional<Value> &value)
{
    return value ? QVariant::fromValue(*value) : QVariant();
}

QString flag(const std::optional<bool> &value, const char *yes, const char *no)
{
    return value ? QCoreApplication::translate("Table", *value ? yes : no) : QString();
}

constexpr std::array<RowColumn<LedgerRow>, 13> ledgerColumns{{
    {QT_TRANSLATE_NOOP("Table", "When (UTC)"), QT_TRANSLATE_NOOP("Table", "When the decision was recorded"), false,
        [](const LedgerRow &r) { return shownTime(r.entry.when); },
        [](const LedgerRow &r) { return QVariant(utf8(r.entry.when)); }},
    {QT_TRANSLATE_NOOP("Table", "Context"), QT_TRANSLATE_NOOP("Table", "Where the decision was made"), false,
        [](const LedgerRow &r) { return QString::fromUtf8(title(r.entry.context)); },
        [](const LedgerRow &r) { return QVariant(int(r.entry.context)); }},
    {QT_TRANSLATE_NOOP("Table", "Decision"), QT_TRANSLATE_NOOP("Table", "What was decided about"), false,
        [](const LedgerRow &r) { return oneLine(r.entry.title); },
        [](const LedgerRow &r) { return QVariant(utf8(r.entry.title).toCaseFolded()); }},
    {QT_TRANSLATE_NOOP("Table", "TP"), QT_TRANSLATE_NOOP("Table", "Tensor parallelism"), true,
        [](const LedgerRow &r) { return count(r.entry.tp); }, [](const LedgerRow &r) { return known(r.entry.tp); }},
    {QT_TRANSLATE_NOOP("Table", "PP"), QT_TRANSLATE_NOOP("Table", "Pipeline parallelism"), true,
        [](const LedgerRow &r) { return count(r.entry.pp); }, [](const LedgerRow &r) { return known(r.entry.pp); }},
    {QT_TRANSLATE_NOOP("Table", "DP"), QT_TRANSLATE_NOOP("Table", "Data parallelism"), true,
        [](const LedgerRow &r) { return count(r.entry.dp); }, [](const LedgerRow &r) { return known(r.entry.dp); }},
    {QT_TRANSLATE_NOOP("Table", "Accel."), QT_TRANSLATE_NOOP("Table", "Number of accelerators"), true,
        [](const LedgerRow &r) { return count(r.entry.accelerators); },
        [](const LedgerRow &r) { return known(r.entry.accelerators); }},
    {QT_TRANSLATE_NOOP("Table", "MFU"), QT_TRANSLATE_NOOP("Table", "Model FLOP utilisation when the decision was made"),
        true,
        [](const LedgerRow &r) { return r.entry.mfu ? localized(units::formatPercent(*r.entry.mfu)) : QString(); },
        [](const LedgerRow &r) { return known(r.entry.mfu); }},
    {QT_TRANSLATE_NOOP("Table", "Memory"), QT_TRANSLATE_NOOP("Table", "Whether the configuration fits memory"), false,
        [](const LedgerRow &r) {
            return flag(
                r.entry.memoryFeasible, QT_TRANSLATE_NOOP("Table", "fits"), QT_TRANSLATE_NOOP("Table", "too large"));
        },
        [](const LedgerRow &r) { return known(r.entry.memoryFeasible); }},
    {QT_TRANSLATE_NOOP("Table", "Constraint hit"),
        QT_TRANSLATE_NOOP("Table", "The first constraint that the configuration breaks"), false,
        [](const LedgerRow &r) { return oneLine(r.entry.constraintHit); },
        [](const LedgerRow &r) { return QVariant(utf8(r.entry.constraintHit).toCaseFolded()); }},
    {QT_TRANSLATE_NOOP("Table", "Prediction"), QT_TRANSLATE_NOOP("Table", "What was expected"), false,
        [](const LedgerRow &r) { return oneLine(r.entry.prediction); },
        [](const LedgerRow &r) { return QVariant(utf8(r.entry.prediction).toCaseFolded()); }},
    {QT_TRANSLATE_NOOP("Table", "Held"), QT_TRANSLATE_NOOP("Table", "Whether the prediction held"), false,
        [](const LedgerRow &r) {
            return flag(r.entry.predictionHeld, QT_TRANSLATE_NOOP("Table", "yes"), QT_TRANSLATE_NOOP("Table", "no"));
        },
        [](const LedgerRow &r) { return known(r.entry.predictionHeld); }},
    {QT_TRANSLATE_NOOP("Table", "Note"), QT_TRANSLATE_NOOP("Table", "Why it was decided so"), false,
        [](const LedgerRow &r) { return oneLine(r.entry.note); },
        [](const LedgerRow &r) { return QVariant(utf8(r.entry.note).toCaseFolded()); }},
}};

QVariant folded(const QString &text) { return QVariant(text.toCaseFolded()); }

constexpr std::array<RowColumn<ApprovalRow>, 7> approvalColumns{{
    {QT_TRANSLATE_NOOP("Table", "When (UTC)"), QT_TRANSLATE_NOOP("Table", "When the decision was approved"), false,
        [](const ApprovalRow &r) { return shownTime(r.when.toStdString()); },
        [](const ApprovalRow &r) { return QVariant(r.when); }},
    {QT_TRANSLATE_NOOP("Table", "Decision"), QT_TRANSLATE_NOOP("Table", "Its name when it was approved"), false,
        [](const ApprovalRow &r) { return r.decision; }, [](const ApprovalRow &r) { return folded(r.decision); }},
    {QT_TRANSLATE_NOOP("Table", "Approved fleet"),
        QT_TRANSLATE_NOOP("Table", "The fleet that was to be bought or rented"), false,
        [](const ApprovalRow &r) { return r.fleet; }, [](const ApprovalRow &r) { return folded(r.fleet); }},
    {QT_TRANSLATE_NOOP("Table", "Predicted"),
        QT_TRANSLATE_NOOP("Table",
            "Days and cost of the run as they were predicted then, with the chance of the deadline and of being the "
            "best that were signed for"),
        false, [](const ApprovalRow &r) { return r.predicted; },
        [](const ApprovalRow &r) { return folded(r.predicted); }},
    {QT_TRANSLATE_NOOP("Table", "Became"),
        QT_TRANSLATE_NOOP(
            "Table", "What it turned out to be and what was noted; entered on the Decide page, under Approved"),
        false, [](const ApprovalRow &r) { return r.became; }, [](const ApprovalRow &r) { return folded(r.became); }},
    {QT_TRANSLATE_NOOP("Table", "Inputs since"),
        QT_TRANSLATE_NOOP(
            "Table", "Whether the question, the prices, constants and measured runs behind it are still the same"),
        false, [](const ApprovalRow &r) { return r.since; }, [](const ApprovalRow &r) { return folded(r.since); }},
    {QT_TRANSLATE_NOOP("Table", "By whom, and why"),
        QT_TRANSLATE_NOOP("Table", "Who approved it, and on what condition; frozen with the approval"), false,
        [](const ApprovalRow &r) { return r.signedBy.simplified(); },
        [](const ApprovalRow &r) { return folded(r.signedBy); }},
}};

/// The names of the ledger's documents.
constexpr std::array fileNames{"when", "context", "title", "tp", "pp", "dp", "accelerators", "mfu", "memory_feasible",
    "constraint_hit", "prediction", "prediction_held", "note"};
static_assert(fileNames.size() == ledgerColumns.size());

QVariant fileValue(const LedgerEntry &entry, int column)
{
    const auto flagText = [](const std::optional<bool> &value) {
        return value ? QVariant(*value ? u"true"_s : u"false"_s) : QVariant(QString());
    };
    switch (column) {
    case LedgerModel::When: return utf8(entry.when);
    case LedgerModel::Context: return QString::fromUtf8(toString(entry.context));
    case LedgerModel::Title: return utf8(entry.title);
    case LedgerModel::Tp: return known(entry.tp);
    case LedgerModel::Pp: return known(entry.pp);
    case LedgerModel::Dp: return known(entry.dp);
    case LedgerModel::Accelerators: return known(entry.accelerators);
    case LedgerModel::Mfu: return known(entry.mfu);
    case LedgerModel::Memory: return flagText(entry.memoryFeasible);
    case LedgerModel::Constraint: return utf8(entry.constraintHit);
    case LedgerModel::Prediction: return utf8(entry.prediction);
    case LedgerModel::Held: return flagText(entry.predictionHeld);
    case LedgerModel::Note: return utf8(entry.note);
    default: return {};
    }
}

} // namespace

LedgerRow ledgerRow(qint64 id, const LedgerEntry &entry)
{
    QStringList lines{utf8(entry.title)};
    if (!entry.constraintHit.empty())
        lines << QCoreApplication::translate("Table", "Constraint hit: %1").arg(utf8(entry.constraintHit));
    if (!entry.prediction.empty())
        lines << QCoreApplication::translate("Table", "Prediction: %1").arg(utf8(entry.prediction));
    if (!entry.note.empty())
        lines << utf8(entry.note);
    return {id, entry, toolTip(lines)};
}

LedgerModel::LedgerModel(QObject *parent) : RowTable(ledgerColumns, parent) { }

QVariant LedgerModel::data(const QModelIndex &index, int role) const
{
    if (role == fileRole && checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return fileValue(row(index.row()).entry, index.column());
    return RowTable::data(index, role);
}

QVariant LedgerModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role == fileRole && orientation == Qt::Horizontal && section >= 0 && section < columnCount())
        return QString::fromLatin1(fileNames.at(std::size_t(section)));
    return RowTable::headerData(section, orientation, role);
}

ApprovalModel::ApprovalModel(QObject *parent) : RowTable(approvalColumns, parent) { }

QVariant ApprovalModel::data(const QModelIndex &index, int role) const
{
    // The column that says since when, and why, is read as it stands.
    if (role == Qt::FontRole && index.isValid() && index.column() != Since && row(index.row()).isWithdrawn) {
        QFont struck;
        struck.setStrikeOut(true);
        return struck;
    }
    return RowTable::data(index, role);
}

LedgerFilterProxy::LedgerFilterProxy(QObject *parent) : QSortFilterProxyModel(parent)
{
    setSortRole(itemmodels::sortRole);
}

void LedgerFilterProxy::setContext(std::optional<LedgerContext> context)
{
    m_context = context;
    invalidateFilter();
}

void LedgerFilterProxy::setText(const QString &text)
{
    m_text = text.trimmed();
    invalidateFilter();
}

bool LedgerFilterProxy::filterAcceptsRow(int row, const QModelIndex &parent) const
{
    const auto *model = sourceModel();
    if (m_context
        && model->index(row, LedgerModel::Context, parent).data(itemmodels::sortRole).toInt() != int(*m_context))
        return false;
    for (int column = 0; !m_text.isEmpty() && column < model->columnCount(parent); ++column)
        if (model->index(row, column, parent).data().toString().contains(m_text, Qt::CaseInsensitive))
            return true;
    return m_text.isEmpty();
}

} // namespace fleetwright::itemmodels
