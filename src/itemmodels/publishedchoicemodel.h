// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "itemmodels/rowtable.h"
#include "solver/validation/publishedchoices.h"

#include <optional>

namespace fleetwright::itemmodels {

/// One published layout and where it stands. Shares are fractions.
struct PublishedChoiceRow {
    qint64 id = 0; ///< index into the scores
    QString run, layout, best;
    int accelerators = 0;
    double predicted = 0; ///< seconds
    std::optional<double> measured;
    quint64 feasible = 0, legal = 0, rank = 1;
    double share = 1;
    double gain = 0;
    QString toolTip;
    bool operator==(const PublishedChoiceRow &) const = default;
};
[[nodiscard]] std::vector<PublishedChoiceRow> publishedChoiceRows(
    const std::vector<validation::PublishedScore> &scores);

/// Under fileRole numbers are in full precision and headers are the names that `fleetwright-cli validate
/// --published-choices` uses.
class PublishedChoiceModel : public RowTable<PublishedChoiceRow> {
public:
    enum Column { Run, Accelerators, Chosen, Predicted, Measured, Feasible, Rank, Share, Best, Gain };
    explicit PublishedChoiceModel(QObject *parent = nullptr);
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
};

} // namespace fleetwright::itemmodels
