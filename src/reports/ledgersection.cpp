// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/sections.h"
#include "reports/wording.h"
#include "text/localized.h"
#include "text/utf8.h"

using namespace Qt::StringLiterals;

namespace fleetwright::reports {

namespace {

QString layoutOf(const LedgerEntry &entry)
{
    QStringList parts;
    for (const auto &[name, value] :
        {std::pair(u"TP"_s, entry.tp), std::pair(u"PP"_s, entry.pp), std::pair(u"DP"_s, entry.dp)})
        if (value)
            parts << u"%1 %2"_s.arg(name).arg(*value);
    return parts.isEmpty() ? absent() : parts.join(u", "_s);
}

/// What a table's narrow columns cannot hold.
QString wordsOf(const LedgerEntry &entry)
{
    QStringList sentences;
    if (!entry.constraintHit.empty())
        sentences << tr("Constraint hit: %1").arg(utf8(entry.constraintHit));
    if (!entry.prediction.empty())
        sentences << tr("Prediction: %1").arg(utf8(entry.prediction));
    if (entry.predictionHeld)
        sentences << (*entry.predictionHeld ? tr("The prediction held.") : tr("The prediction did not hold."));
    if (!entry.note.empty())
        sentences << tr("Note: %1").arg(utf8(entry.note));
    return sentences.join(u' ').simplified();
}

} // namespace

void appendLedger(Elements &elements, const std::vector<LedgerEntry> &ledger)
{
    if (ledger.empty())
        return;
    elements.push_back(Heading{1, tr("Ledger")});
    elements.push_back(Paragraph{ledger.size() == 1
            ? tr("One decision is recorded in this project, with its figures at that time.")
            : tr("%1 decisions are recorded in this project, with their figures at that time.").arg(ledger.size())});
    Table table{tr("Recorded decisions"),
        {tr("No."), tr("When (UTC)"), tr("Context"), tr("Decision"), tr("Layout"), tr("Accelerators"), tr("MFU"),
            tr("Memory fits")},
        {}, {true, false, false, false, false, true, true, false}};
    BulletList words;
    for (std::size_t i = 0; i < ledger.size(); ++i) {
        const auto &entry = ledger[i];
        table.rows.push_back({QString::number(i + 1), localized(utf8(entry.when).left(16).replace(u'T', u' ')),
            localized(title(entry.context)), utf8(entry.title), layoutOf(entry),
            entry.accelerators ? QString::number(*entry.accelerators) : absent(),
            entry.mfu ? localized(units::formatPercent(*entry.mfu)) : absent(),
            entry.memoryFeasible ? yesNo(*entry.memoryFeasible) : absent()});
        if (const auto text = wordsOf(entry); !text.isEmpty())
            words.items << tr("No. %1: %2").arg(QString::number(i + 1), text);
    }
    elements.push_back(std::move(table));
    if (!words.items.isEmpty())
        elements.push_back(std::move(words));
}

} // namespace fleetwright::reports
