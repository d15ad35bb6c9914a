// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include <map>
#include <string>
#include <vector>

namespace fleetwright::itemmodels {

/// What takes a price of the catalog, and for which figures.
struct PriceUser {
    enum class Kind { Plan, Fleet, Decision };
    Kind kind = Kind::Plan;
    qint64 id = 0; ///< in the project
    QString name;
    QStringList entries; ///< "Price of a node", as worksheets call them
    bool operator==(const PriceUser &) const = default;
};

/// By the id of the price; those that nobody takes are absent.
using PriceUsers = std::map<std::string, std::vector<PriceUser>, std::less<>>;

[[nodiscard]] QString userInWords(const PriceUser &user); ///< "plan ‘70B’"
/// How many there are, in few words: "2 plans, 1 more"; empty for none.
[[nodiscard]] QString usersInWords(const std::vector<PriceUser> &users);

/// Which price a plan takes that names none, in a sentence or two.
[[nodiscard]] QString priceRule();

} // namespace fleetwright::itemmodels
