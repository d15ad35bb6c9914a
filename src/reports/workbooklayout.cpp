// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/workbooklayout.h"

#include "solver/worksheet/rowlists.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace fleetwright::reports {

namespace {

constexpr unsigned firstBlockLine = 5, firstColumnsLine = 9, firstInputLine = 5;
constexpr int leastHorizon = 10, mostHorizon = 40;
constexpr std::string_view lifeRow = "life_years";

constexpr auto solversEntries = std::to_array<std::string_view>(
    {"network_is_reachable", "switches", "spine_switches", "core_switches", "transceivers", "node_transceivers",
        "storage_switches", "in_band_switches", "out_of_band_switches", "spare_switches", "spare_transceivers",
        "spare_node_transceivers", "cables", "service_transceivers", "service_node_transceivers", "service_cables",
        "network_is_priced", "owned_switches", "owned_service_switches", "owned_out_of_band_switches",
        "owned_transceivers", "owned_node_transceivers", "owned_cables", "step_time_s"});

bool isNetworks(std::string_view key)
{
    constexpr auto words = std::to_array<std::string_view>({"switch", "transceiver", "cable", "network"});
    return std::ranges::any_of(
        words, [key](std::string_view word) { return key.find(word) != std::string_view::npos; });
}

/// The value of a formula from the values of the rows: what viewers show of a row that no worksheet has.
class TermValue {
public:
    TermValue(const WorkbookLayout &layout, std::size_t fleet) : m_layout(layout), m_fleet(fleet) { }

    [[nodiscard]] double at(const SheetFormula &formula, std::size_t column) const
    {
        using enum SheetOperation;
        const auto part = [&](std::size_t i) { return at(formula.arguments[i], column); };
        switch (formula.operation) {
        case Number: return formula.number;
        case Word: return formula.number;
        case Row:
        case Previous: {
            const bool single = m_layout.sheet().row(formula.row).shape == SheetShape::Single;
            return m_layout.value(m_fleet, formula.row, single ? 0 : column - (formula.operation == Previous ? 1 : 0))
                .value_or(none);
        }
        case Year:
        case Month: return double(column);
        case Negate: return -part(0);
        case Add: return part(0) + part(1);
        case Subtract: return part(0) - part(1);
        case Multiply: return part(0) * part(1);
        case Divide: return part(0) / part(1);
        case Power: return std::pow(part(0), part(1));
        case Less: return part(0) < part(1);
        case LessEqual: return part(0) <= part(1);
        case Greater: return part(0) > part(1);
        case GreaterEqual: return part(0) >= part(1);
        case Equal: return part(0) == part(1);
        case And: return part(0) != 0 && part(1) != 0;
        case Or: return part(0) != 0 || part(1) != 0;
        case If: return part(0) != 0 ? part(1) : part(2);
        case Minimum: return std::min(part(0), part(1));
        case Maximum: return std::max(part(0), part(1));
        case Sum: {
            double sum = 0;
            const auto shape = m_layout.shapeOf(formula.arguments[0]);
            const auto years = std::size_t(m_layout.fleets()[m_fleet].sheet.sheet().years());
            for (std::size_t i = 0; i <= years * (shape == SheetShape::Months ? 12 : 1); ++i)
                sum += at(formula.arguments[0], i);
            return sum;
        }
        case Last: return at(formula.arguments[0], std::size_t(m_layout.fleets()[m_fleet].sheet.sheet().years()));
        default: return none; // no term of a worksheet has more
        }
    }

private:
    static constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const WorkbookLayout &m_layout;
    std::size_t m_fleet;
};

} // namespace

std::string_view titleOf(WorkbookBlock block)
{
    constexpr std::array titles{
        "Network", "Power", "Capital", "Running", "Finance", "Rent", "Goodput", "Calendar", "RunCost"};
    return titles[std::size_t(block)];
}

WorkbookBlock blockOf(std::string_view key)
{
    const auto isIn = [key](std::span<const SheetRow> rows) {
        return std::ranges::find(rows, key, &SheetRow::key) != rows.end();
    };
    const bool isRun = isIn(rowlists::run()) || isIn(rowlists::calendar());
    if (!isRun && isNetworks(key))
        return WorkbookBlock::Network;
    if (isIn(rowlists::power()) || isIn(rowlists::powerContract()))
        return WorkbookBlock::Power;
    if (isIn(rowlists::capital()))
        return WorkbookBlock::Capital;
    if (isIn(rowlists::running()))
        return WorkbookBlock::Running;
    if (isIn(rowlists::rent()))
        return WorkbookBlock::Rent;
    if (isIn(rowlists::goodput()))
        return WorkbookBlock::Goodput;
    if (isIn(rowlists::calendar()))
        return WorkbookBlock::Calendar;
    return isRun ? WorkbookBlock::RunCost : WorkbookBlock::Finance;
}

bool isSolversEntry(std::string_view key) { return std::ranges::find(solversEntries, key) != solversEntries.end(); }

std::string columnName(std::size_t column)
{
    constexpr std::size_t letters = 26;
    std::string name(1, char('A' + column % letters));
    for (column /= letters; column > 0; column = (column - 1) / letters)
        name.insert(name.begin(), char('A' + (column - 1) % letters));
    return name;
}

Expected<WorkbookLayout> WorkbookLayout::of(std::span<const WorkbookSheet> sheets)
{
    if (sheets.empty())
        return refuse(ErrorCode::OutOfRange, "sheets", "There is no fleet and no plan that has a worksheet.");
    WorkbookLayout layout;
    layout.m_fleets = sheets;
    for (const auto &one : sheets)
        if (const auto &rows = one.sheet.sheet().sheet();
            !layout.m_sheet || rows.rows().size() > layout.m_sheet->rows().size())
            layout.m_sheet = &rows;
    int life = 1;
    for (const auto &one : sheets) {
        life = std::max(life, one.sheet.sheet().years());
        for (const auto &row : one.sheet.sheet().sheet().rows())
            if (!layout.m_sheet->find(row.key))
                return refuse(ErrorCode::UnsupportedValue, "sheets",
                    "The sheets of \u201c" + one.name.toStdString() + "\u201d and of the others have different rows.");
    }
    layout.m_horizon = std::max(life, std::min(mostHorizon, std::max(leastHorizon, 2 * life)));
    layout.place();
    return layout;
}

void WorkbookLayout::place()
{
    const auto rows = m_sheet->rows();
    m_lines.resize(rows.size());
    m_inputLines.resize(rows.size());
    m_lacks.resize(rows.size());
    m_absent.resize(rows.size());
    std::array<unsigned, allWorkbookBlocks.size()> next{};
    next.fill(firstBlockLine);
    m_nextYears = m_nextMonths = firstColumnsLine;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        auto &line = rows[i].shape == SheetShape::Single ? next[std::size_t(blockOf(rows[i].key))]
            : rows[i].shape == SheetShape::Years         ? m_nextYears
                                                         : m_nextMonths;
        m_lines[i] = line++;
        for (std::size_t fleet = 0; fleet < m_fleets.size(); ++fleet) {
            for (std::size_t column = 0; column < (rows[i].shape == SheetShape::Single ? 1U : 2U); ++column)
                m_lacks[i] = m_lacks[i] || !value(fleet, i, column);
            const auto &evaluated = m_fleets[fleet].sheet.sheet();
            const auto own = evaluated.sheet().find(rows[i].key);
            m_absent[i] = m_absent[i] || !own || !evaluated.program()->isPresent(*own);
        }
    }
    auto input = firstInputLine;
    for (const auto block : allWorkbookBlocks) {
        bool isFirst = true;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (!rows[i].isEntry() || blockOf(rows[i].key) != block)
                continue;
            input += std::exchange(isFirst, false) ? 1 : 0; // the block's title
            m_inputLines[i] = input++;
        }
    }
    m_factLine = input + 2;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].atStart)
            note(*rows[i].atStart, i);
        if (rows[i].formula && !hasConstantDefault(i))
            note(*rows[i].formula, i);
    }
    SheetFormula months{.operation = SheetOperation::Number, .number = 12, .text = "month/year"};
    note(months, m_sheet->find(lifeRow).value_or(0));
}

void WorkbookLayout::noteConstant(double number, const std::string &unit, std::size_t user)
{
    if (number == 0 || number == 1)
        return;
    const auto same = [&](const Constant &known) { return known.number == number && known.unit == unit; };
    if (std::ranges::none_of(m_constants, same))
        m_constants.push_back({number, unit, user});
}

void WorkbookLayout::noteHelper(Helper::Kind kind, const SheetFormula &formula, std::size_t user)
{
    if (helper(kind, formula))
        return;
    const auto shape = shapeOf(formula);
    m_helpers.push_back({kind, formula, shape, user, shape == SheetShape::Years ? m_nextYears++ : m_nextMonths++});
}

void WorkbookLayout::note(const SheetFormula &formula, std::size_t user)
{
    using enum SheetOperation;
    visitFormula(formula, [&](const SheetFormula &part) {
        switch (part.operation) {
        case Number: return noteConstant(part.number, part.text, user);
        case RoundUp: return noteConstant(roundingShare, {}, user);
        case Sum:
        case Last:
            if (part.arguments[0].operation != Row)
                noteHelper(Helper::Kind::Term, part.arguments[0], user);
            return;
        case First:
            noteHelper(Helper::Kind::Term, part.arguments[0], user);
            return noteHelper(Helper::Kind::Guarded, part, user);
        case Irr:
            for (const double guess : lowRateGuesses)
                noteConstant(guess, {}, user);
            [[fallthrough]];
        case IrrStatus:
            noteHelper(Helper::Kind::Sign, part.arguments[0], user);
            return noteHelper(Helper::Kind::Change, part.arguments[0], user);
        default: return;
        }
    });
}

void WorkbookLayout::adopt(SheetFormula &formula, std::size_t user)
{
    const std::function<void(SheetFormula &)> find = [&](SheetFormula &part) {
        if (part.operation == SheetOperation::Row || part.operation == SheetOperation::Previous)
            part.row = m_sheet->find(part.text).value_or(0);
        for (auto &argument : part.arguments)
            find(argument);
    };
    find(formula);
    note(formula, user);
}

std::size_t WorkbookLayout::columns(SheetShape shape) const
{
    return shape == SheetShape::Single ? 1 : std::size_t(m_horizon) * (shape == SheetShape::Years ? 1 : 12) + 1;
}

std::vector<std::size_t> WorkbookLayout::rowsOf(WorkbookBlock block) const
{
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < m_sheet->rows().size(); ++i)
        if (m_sheet->row(i).shape == SheetShape::Single && blockOf(m_sheet->row(i).key) == block)
            found.push_back(i);
    return found;
}

std::vector<std::size_t> WorkbookLayout::rowsOf(SheetShape shape) const
{
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < m_sheet->rows().size(); ++i)
        if (m_sheet->row(i).shape == shape)
            found.push_back(i);
    return found;
}

std::string WorkbookLayout::sheetName(SheetShape shape, std::size_t fleet) const
{
    std::string name = shape == SheetShape::Years ? "CashFlow" : "BuyOrRent";
    if (m_fleets.size() > 1)
        name.append(" ").append(columnName(fleet));
    return name;
}

std::optional<double> WorkbookLayout::value(std::size_t fleet, std::size_t row, std::size_t column) const
{
    const auto &sheet = m_fleets[fleet].sheet;
    const auto &of = m_sheet->row(row);
    if (!sheet.sheet().sheet().find(of.key) && hasConstantDefault(row))
        return of.formula->number; // of a fleet beside runs: an assumption all the same
    const auto last = std::size_t(sheet.sheet().years()) * (of.shape == SheetShape::Months ? 12 : 1);
    if (of.shape != SheetShape::Single && column > last && sheet.value(of.key, last))
        return 0.0;
    return sheet.value(of.key, column);
}

double WorkbookLayout::termValue(std::size_t fleet, const SheetFormula &formula) const
{
    return TermValue(*this, fleet).at(formula, 0);
}

double WorkbookLayout::helperValue(std::size_t fleet, const Helper &helper, std::size_t column) const
{
    const TermValue values(*this, fleet);
    const auto years = std::size_t(m_fleets[fleet].sheet.sheet().years());
    if (column > years * (helper.shape == SheetShape::Months ? 12 : 1))
        return helper.kind == Helper::Kind::Sign ? helperValue(fleet, helper, column - 1) : 0;
    switch (helper.kind) {
    case Helper::Kind::Term: return values.at(helper.formula, column);
    case Helper::Kind::Guarded:
        return values.at(helper.formula.arguments[0], column) != 0 ? values.at(helper.formula.arguments[1], column) : 0;
    case Helper::Kind::Sign: {
        const double flow = values.at(helper.formula, column);
        return flow != 0 ? (flow > 0 ? 1 : -1) : column > 0 ? helperValue(fleet, helper, column - 1) : 0;
    }
    case Helper::Kind::Change: {
        const auto *signs = this->helper(Helper::Kind::Sign, helper.formula);
        return column > 0 && helperValue(fleet, *signs, column) * helperValue(fleet, *signs, column - 1) < 0 ? 1 : 0;
    }
    }
    return 0;
}

const SheetFigure *WorkbookLayout::figure(std::size_t fleet, std::size_t row) const
{
    const auto &entries = m_fleets[fleet].sheet.sheet().entries();
    const auto own = entries.sheet().find(m_sheet->row(row).key);
    return own && entries.figure(*own) ? &*entries.figure(*own) : nullptr;
}

bool WorkbookLayout::hasConstantDefault(std::size_t row) const
{
    const auto &of = m_sheet->row(row);
    return of.isEntry() && of.shape == SheetShape::Single && of.formula
        && of.formula->operation == SheetOperation::Number;
}

std::string WorkbookLayout::singleCell(std::size_t row, std::size_t fleet) const
{
    return std::string(titleOf(blockOf(m_sheet->row(row).key))) + "!$" + columnName(firstValue + fleet) + "$"
        + std::to_string(m_lines[row]);
}

std::string WorkbookLayout::inputCell(std::size_t row, std::size_t fleet) const
{
    return "Inputs!" + columnName(firstValue + fleet) + std::to_string(m_inputLines[row]);
}

std::string WorkbookLayout::constantCell(double number, const std::string &unit) const
{
    const auto found = std::ranges::find_if(
        m_constants, [&](const Constant &known) { return known.number == number && known.unit == unit; });
    return "Constants!$B$" + std::to_string(std::size_t(found - m_constants.begin()) + firstBlockLine);
}

const WorkbookLayout::Helper *WorkbookLayout::helper(Helper::Kind kind, const SheetFormula &formula) const
{
    const auto found = std::ranges::find_if(
        m_helpers, [&](const Helper &known) { return known.kind == kind && known.formula == formula; });
    return found == m_helpers.end() ? nullptr : &*found;
}

SheetShape WorkbookLayout::shapeOf(const SheetFormula &formula) const
{
    auto shape = SheetShape::Single;
    visitFormula(formula, [&](const SheetFormula &part) {
        const auto one = part.operation == SheetOperation::Row || part.operation == SheetOperation::Previous
            ? m_sheet->row(part.row).shape
            : part.operation == SheetOperation::Year  ? SheetShape::Years
            : part.operation == SheetOperation::Month ? SheetShape::Months
                                                      : SheetShape::Single;
        shape = shape == SheetShape::Single ? one : shape;
    });
    return shape;
}

std::string CellPlaces::here(unsigned line, int back) const
{
    return columnName(WorkbookLayout::firstColumn + m_column - std::size_t(back)) + std::to_string(line);
}

std::string CellPlaces::lineRange(SheetShape shape, unsigned line) const
{
    const auto text = std::to_string(line);
    const auto cells = "$" + columnName(WorkbookLayout::firstColumn) + "$" + text + ":$"
        + columnName(WorkbookLayout::firstColumn + m_layout.columns(shape) - 1) + "$" + text;
    return shape == m_shape ? cells : "'" + m_layout.sheetName(shape, m_fleet) + "'!" + cells;
}

std::string CellPlaces::cell(std::size_t row, bool previous) const
{
    const auto &of = m_layout.sheet().row(row);
    if (of.shape != SheetShape::Single)
        return here(m_layout.line(row), previous ? 1 : 0);
    if (m_block && blockOf(of.key) == *m_block)
        return columnName(WorkbookLayout::firstValue + m_fleet) + std::to_string(m_layout.line(row));
    if (m_shape != SheetShape::Single)
        return m_layout.singleCell(row, m_fleet);
    return std::string(titleOf(blockOf(of.key))) + "!" + columnName(WorkbookLayout::firstValue + m_fleet)
        + std::to_string(m_layout.line(row));
}

std::string CellPlaces::constant(double number, const std::string &unit) const
{
    return m_layout.constantCell(number, unit);
}

std::string CellPlaces::columnNumber(bool) const { return here(WorkbookLayout::numberLine); }

std::string CellPlaces::range(const SheetFormula &term) const
{
    if (term.operation == SheetOperation::Row)
        return lineRange(m_layout.sheet().row(term.row).shape, m_layout.line(term.row));
    const auto *helper = m_layout.helper(WorkbookLayout::Helper::Kind::Term, term);
    return lineRange(helper->shape, helper->line);
}

std::string CellPlaces::guardedRange(const SheetFormula &first) const
{
    const auto *helper = m_layout.helper(WorkbookLayout::Helper::Kind::Guarded, first);
    return lineRange(helper->shape, helper->line);
}

std::string CellPlaces::signChanges(const SheetFormula &flows) const
{
    const auto *helper = m_layout.helper(WorkbookLayout::Helper::Kind::Change, flows);
    return "SUM(" + lineRange(helper->shape, helper->line) + ")";
}

std::string CellPlaces::lastColumn(const SheetFormula &term) const
{
    return "SUM(" + lineRange(m_layout.shapeOf(term), WorkbookLayout::paymentLine) + ")";
}

std::string CellPlaces::yearOfMonth() const { return here(WorkbookLayout::yearLine); }

bool CellPlaces::mayBeNone(std::size_t row) const
{
    return m_layout.sheet().row(row).mayBeNone || m_layout.lacksValue(row);
}

} // namespace fleetwright::reports
