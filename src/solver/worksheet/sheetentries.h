// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provenance.h"
#include "solver/worksheet/worksheet.h"

namespace fleetwright {

/// What stands in an entry: a value, or low, likely and high, with where it is from. In the row's unit; of a row of
/// years one number for every year, or one for each from year 1.
struct SheetFigure {
    SheetFigure() = default;
    SheetFigure(double value) : likely{value} { } // NOLINT: a number is the plainest figure
    explicit SheetFigure(std::vector<double> years) : likely(std::move(years)) { }

    std::vector<double> likely;
    std::optional<double> low, high; ///< of a row of one cell; both or neither
    struct Measured {
        double low = 0, middle = 0, high = 0;
        bool operator==(const Measured &) const = default;
    };
    std::optional<Measured> measured; ///< where measured runs put it: draws lie there, `likely` stays what is computed
    bool rangeIsAssumed = false; ///< see withAssumedRange()
    std::string source, date;
    std::string vendor; ///< of a price: those of one vendor move together; empty: not known
    Confidence confidence = Confidence::User;
};

/// A figure of one value with a range for a quote that states none: a tenth to either side, a fifth where it is older
/// than a year. A figure that has a range keeps it.
[[nodiscard]] SheetFigure withAssumedRange(SheetFigure figure, bool olderThanAYear);

/// Entries of one sheet, each checked as it is entered. The sheet must outlive them.
class SheetEntries {
public:
    explicit SheetEntries(const Worksheet &sheet) : m_sheet(&sheet), m_figures(sheet.rows().size()) { }

    /// Error::field is the key. UnknownReference: no such row; UnsupportedValue: a row that takes no entry, or several
    /// numbers for one cell; OutOfRange: outside the entry's range (low and high too), not whole, not finite, or low,
    /// likely, high out of order.
    Expected<void> enter(std::string_view key, SheetFigure figure);
    /// A typed quantity, converted to the row's unit: per node, per accelerator... is the caller's to know.
    /// UnsupportedValue too where the row measures something else.
    template <class Unit>
    Expected<void> enter(
        std::string_view key, const boost::units::quantity<Unit, double> &quantity, std::string source = {})
    {
        return enterBase(
            key, quantity.value(), units::DimensionOf<boost::units::quantity<Unit, double>>::value, std::move(source));
    }
    /// One of the entry's words. UnsupportedValue: another.
    Expected<void> enterWord(std::string_view key, std::string_view word, std::string source = {});

    [[nodiscard]] const Worksheet &sheet() const { return *m_sheet; }
    [[nodiscard]] const std::optional<SheetFigure> &figure(std::size_t row) const { return m_figures[row]; }
    [[nodiscard]] bool has(std::string_view key) const;
    /// The number that is entered or, without an entry, a default that is a constant; 0 for neither.
    [[nodiscard]] double single(std::string_view key) const;
    /// For each row, whether something is entered.
    [[nodiscard]] std::vector<bool> entered() const;

private:
    Expected<void> enterBase(std::string_view key, double value, units::Dimension dimension, std::string source);

    const Worksheet *m_sheet;
    std::vector<std::optional<SheetFigure>> m_figures;
};

} // namespace fleetwright
