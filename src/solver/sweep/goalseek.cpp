// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/sweep/goalseek.h"

#include "solver/models/estimate.h"
#include "units/format.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace fleetwright {

namespace {

constexpr std::size_t mostTried = 4000; ///< values; a gap wider than that is not crossed
constexpr int mostHalvings = 200, significantDigits = 6, linearSteps = 16;
constexpr double narrow = 16; ///< a range whose ends differ by no greater factor is walked in equal steps
constexpr std::size_t mostBeyond = 256; ///< whole numbers tried for a feasible one
constexpr double walked = 256; ///< whole numbers looked at one by one
constexpr std::size_t sideBySide = 32; ///< of these

/// The plan priced at one value after another, each once.
class Seeker {
public:
    Seeker(const SeekQuestion &question, const Catalog &catalog, const SeekOptions &options, SweepKey key,
        ChosenFigure figure)
        : m_catalog(catalog), m_options(options), m_key(std::move(key)), m_figure(std::move(figure)),
          m_target(question.target)
    {
        m_document.name = "seek";
        m_document.plan = question.plan;
        m_document.figure = m_figure.key;
    }

    [[nodiscard]] bool isWhole() const { return m_key.type == SweepValueType::Integer; }
    [[nodiscard]] const std::map<double, SeekPoint> &tried() const { return m_tried; }
    [[nodiscard]] const std::optional<Error> &stopped() const { return m_stopped; }
    [[nodiscard]] bool isExhausted() const { return m_stopped || m_tried.size() >= mostTried; }

    /// Nothing when the work has to stop.
    const SeekPoint *at(double value)
    {
        const std::array values{value};
        return price(values) ? &m_tried.at(value) : nullptr;
    }
    /// Those that are not known yet, side by side.
    bool price(std::span<const double> values)
    {
        std::vector<SettingValue> asked;
        for (const double value : values)
            if (!m_tried.contains(value) && std::ranges::find(asked, SettingValue(value)) == asked.end())
                asked.emplace_back(value);
        if (asked.empty())
            return !m_stopped;
        m_document.axes = {axisOf(m_key.key, asked)};
        const auto result = runSweep(m_document, m_catalog,
            {.stop = m_options.stop,
                .threads = m_options.threads,
                .solver = m_options.solver,
                .rangeOf = m_options.rangeOf});
        if (!result) {
            m_stopped = result.error();
            return false;
        }
        for (const auto &cell : result->cells)
            m_tried.emplace(
                std::get<double>(asked[cell.row]), pointOf(*result, cell, std::get<double>(asked[cell.row])));
        if (m_options.progress)
            m_options.progress(m_tried.size());
        return true;
    }
    [[nodiscard]] bool reaches(double figure) const
    {
        return m_figure.better == Better::Higher ? figure >= m_target : figure <= m_target;
    }
    [[nodiscard]] bool reaches(const SeekPoint &point) const { return point.figure && reaches(*point.figure); }

private:
    [[nodiscard]] SeekPoint pointOf(const SweepResult &result, const SweepCell &cell, double value) const
    {
        SeekPoint point{.value = value, .refused = cell.refused};
        if (cell.refused)
            return point;
        point.figure = result.figure(cell, m_figure.key);
        point.feasible = cell.feasibility();
        point.onlyLikely = cell.onlyLikely;
        point.missed = cell.missed;
        const std::string split(sentence(Notice::SequenceSplit));
        if (std::ranges::find(cell.notices, split) != cell.notices.end())
            point.warning = split;
        point.layout = cell.layout;
        return point;
    }

    const Catalog &m_catalog;
    const SeekOptions &m_options;
    SweepKey m_key;
    ChosenFigure m_figure;
    double m_target;
    SweepDocument m_document;
    std::map<double, SeekPoint> m_tried;
    std::optional<Error> m_stopped;
};

/// Two values that were priced, one of which reaches the target.
struct Bracket {
    double reaching = 0, failing = 0;
};

/// Where it is looked for.
struct Span {
    double from = 0, to = 0;
};

/// The value as people would type it, not beyond the end that reaches the target.
double rounded(double value, double towards)
{
    if (value == 0)
        return value;
    const double step = std::pow(10, std::floor(std::log10(std::abs(value))) - (significantDigits - 1));
    const double whole = towards > value ? std::ceil(value / step) : std::floor(value / step);
    return std::strtod(units::exact(whole * step).c_str(), nullptr);
}

/// A priced whole number strictly between, the nearest to the middle; nothing where all are refused.
std::optional<double> pricedBetween(Seeker &seeker, double low, double high)
{
    const double middle = std::floor((low + high) / 2);
    for (double away = 0; middle - away > low || middle + away < high; ++away) {
        for (const double value : {middle - away, middle + away}) {
            if (value <= low || value >= high || seeker.isExhausted())
                continue;
            if (const auto *point = seeker.at(value); point && point->figure)
                return value;
        }
        if (seeker.isExhausted())
            return std::nullopt;
    }
    return std::nullopt;
}

double distance(double value, double start)
{
    return value > 0 && start > 0 ? std::abs(std::log(value / start)) : std::abs(value - start);
}

/// Halves the bracket until it can be walked, and walks it from the end that is nearer to the start to the first value
/// on the other side of the target: numbers of nodes that divide badly make figures jump.
Bracket narrowedWhole(Seeker &seeker, Bracket bracket, double start)
{
    const auto width = [&] { return std::abs(bracket.failing - bracket.reaching); };
    while (width() > walked) {
        const auto middle = pricedBetween(
            seeker, std::min(bracket.reaching, bracket.failing), std::max(bracket.reaching, bracket.failing));
        if (!middle)
            return bracket;
        (seeker.reaches(seeker.tried().at(*middle)) ? bracket.reaching : bracket.failing) = *middle;
    }
    const bool fromReaching = distance(bracket.reaching, start) < distance(bracket.failing, start);
    double last = fromReaching ? bracket.reaching : bracket.failing;
    const double end = fromReaching ? bracket.failing : bracket.reaching, step = end > last ? 1 : -1;
    for (double from = last + step; (end - from) * step > 0 && !seeker.isExhausted();) {
        std::vector<double> stretch;
        for (; stretch.size() < sideBySide && (end - from) * step > 0; from += step)
            stretch.push_back(from);
        if (!seeker.price(stretch))
            return bracket;
        for (const double value : stretch) {
            const auto &point = seeker.tried().at(value);
            if (!point.figure)
                continue;
            if (seeker.reaches(point) != fromReaching)
                return fromReaching ? Bracket{last, value} : Bracket{value, last};
            last = value;
        }
    }
    return fromReaching ? Bracket{last, end} : Bracket{end, last};
}

/// Halves the interval, and asks where the straight line through its ends meets the target every other time, until the
/// ends agree in more digits than are shown.
Bracket narrowed(Seeker &seeker, Bracket bracket, double target, const Span &span)
{
    constexpr double enough = 1e-10;
    for (int i = 0; i < mostHalvings && !seeker.isExhausted(); ++i) {
        const double width = std::abs(bracket.failing - bracket.reaching);
        if (width <= enough * std::max(std::abs(bracket.failing), std::abs(bracket.reaching)))
            break;
        const double above = *seeker.tried().at(bracket.failing).figure,
                     below = *seeker.tried().at(bracket.reaching).figure;
        double value = (bracket.failing + bracket.reaching) / 2;
        if (i % 2 == 0 && above != below) {
            const double line = bracket.reaching
                + (bracket.failing - bracket.reaching) * (target - below) / (above - below);
            const double low = std::min(bracket.failing, bracket.reaching), high = low + width;
            if (line > low && line < high)
                value = line;
        }
        const auto *point = seeker.at(value);
        if (!point)
            break;
        if (!point->figure) { // a gap within: what lies between cannot be priced
            break;
        }
        (seeker.reaches(*point) ? bracket.reaching : bracket.failing) = value;
    }
    const double typed = rounded(bracket.reaching, bracket.reaching > bracket.failing ? INFINITY : -INFINITY);
    if (typed < span.from || typed > span.to)
        return bracket;
    if (const auto *point = seeker.at(typed); point && seeker.reaches(*point))
        bracket.reaching = typed;
    return bracket;
}

/// Values outwards from a start: the first upwards, the second downwards, each ending with its bound.
struct Ladders {
    std::vector<double> up, down;
};

Ladders laddersFrom(double start, double from, double to, bool isWhole)
{
    Ladders ladders;
    const bool isLinear = from <= 0 || to / from <= narrow || start <= 0;
    const double step = (to - from) / linearSteps;
    const auto next = [&](double value, bool up) {
        const double away = isLinear ? (up ? value + step : value - step) : (up ? value * 2 : value / 2);
        return isWhole ? (up ? std::max(value + 1, std::ceil(away)) : std::min(value - 1, std::floor(away))) : away;
    };
    for (double value = start; value < to;) {
        value = std::min(next(value, true), to);
        ladders.up.push_back(value);
    }
    for (double value = start; value > from;) {
        value = std::max(next(value, false), from);
        ladders.down.push_back(value);
    }
    return ladders;
}

/// The nearest places on both sides where the figure passes the target, those that are equally many steps away.
std::vector<Bracket> brackets(Seeker &seeker, double start, const Ladders &ladders)
{
    struct Side {
        const std::vector<double> *ladder;
        std::optional<double> last; ///< that was priced
    };
    std::vector<Bracket> found;
    const auto *first = seeker.at(start);
    if (!first)
        return {};
    const auto begin = first->figure ? std::optional(start) : std::nullopt;
    std::array sides{Side{&ladders.up, begin}, Side{&ladders.down, begin}};
    for (std::size_t i = 0; found.empty() && !seeker.isExhausted(); ++i) {
        std::vector<double> values;
        for (const auto &side : sides)
            if (i < side.ladder->size())
                values.push_back((*side.ladder)[i]);
        if (values.empty() || !seeker.price(values))
            break;
        for (auto &side : sides) {
            if (i >= side.ladder->size())
                continue;
            const auto &point = seeker.tried().at((*side.ladder)[i]);
            if (!point.figure)
                continue;
            // The first priced value of one side meets that of the other where the start itself is refused.
            auto before = side.last;
            if (!before)
                for (const auto &other : sides)
                    if (&other != &side && other.last)
                        before = other.last;
            if (before && seeker.reaches(point) != seeker.reaches(seeker.tried().at(*before)))
                found.push_back(seeker.reaches(point) ? Bracket{point.value, *before} : Bracket{*before, point.value});
            side.last = point.value;
        }
    }
    return found;
}

bool isMonotone(const std::map<double, SeekPoint> &tried)
{
    constexpr double noise = 1e-12;
    bool rises = false, falls = false;
    std::optional<double> last;
    for (const auto &[value, point] : tried) {
        if (!point.figure)
            continue;
        if (last) {
            const double change = *point.figure - *last, least = noise * std::abs(*last);
            rises = rises || change > least;
            falls = falls || change < -least;
        }
        last = point.figure;
    }
    return !(rises && falls);
}

/// Whether whole numbers strictly between the two were not tried.
bool hasGap(const std::map<double, SeekPoint> &tried, double one, double other)
{
    const auto [low, high] = std::minmax(one, other);
    return double(std::distance(tried.upper_bound(low), tried.lower_bound(high))) < high - low - 1;
}

bool keepsAllWithoutWarning(const SeekPoint &point) { return point.feasible == true && point.warning.empty(); }

/// A whole number beyond `found`, away from the one that fails, that reaches the target and keeps every limit; with a
/// warning only where all that do have one, and `found` does not.
std::optional<SeekPoint> feasibleBeyond(Seeker &seeker, const SeekPoint &found, double failing, double from, double to)
{
    const double step = found.value > failing ? 1 : -1;
    double value = found.value;
    std::optional<SeekPoint> warned;
    for (std::size_t i = 0; i < mostBeyond && !seeker.isExhausted(); ++i) {
        value += step;
        if (value < from || value > to)
            break;
        const auto *point = seeker.at(value);
        if (!point || !seeker.reaches(*point))
            continue;
        if (keepsAllWithoutWarning(*point))
            return *point;
        if (point->feasible == true && found.feasible == false && !warned)
            warned = *point;
    }
    return warned;
}

/// The nearest that keeps every limit without a warning: of whole numbers looked for towards the one that fails, else
/// of what was tried.
std::optional<SeekPoint> nearestUnwarned(Seeker &seeker, double value, double failing, const Span &span)
{
    const double step = failing < value ? -1 : 1;
    double next = value + step;
    for (std::size_t i = 0; seeker.isWhole() && i < mostBeyond && next >= span.from && next <= span.to;
         ++i, next += step)
        if (const auto *point = seeker.at(next); !point || keepsAllWithoutWarning(*point))
            break;
    const SeekPoint *nearest = nullptr;
    for (const auto &[at, point] : seeker.tried())
        if (point.figure && keepsAllWithoutWarning(point)
            && (!nearest || distance(at, value) < distance(nearest->value, value)))
            nearest = &point;
    return nearest ? std::optional(*nearest) : std::nullopt;
}

/// Whether another whole number is to be looked for.
bool isToBeBettered(const SeekPoint &point) { return point.feasible == false || !point.warning.empty(); }

Expected<Span> spanOf(const SeekQuestion &question, const SweepKey &key, std::optional<double> own)
{
    constexpr double smallest = 1e-6, largest = 1e12;
    const double least = key.minimum.value_or(own && *own < 0 ? -largest : smallest);
    const double most = key.maximum.value_or(largest);
    Span span{least, most};
    if (own && *own > 0) {
        span.from = std::max(least, *own / usualSpan);
        span.to = std::min(most, *own * usualSpan);
    }
    if (key.type == SweepValueType::Integer)
        span = {std::ceil(span.from), std::floor(span.to)};
    for (const auto &[bound, name, into] :
        {std::tuple(question.from, "from", &span.from), std::tuple(question.to, "to", &span.to)}) {
        if (!bound)
            continue;
        if (auto ok = check(SweepSetting{key.key, *bound}, name); !ok)
            return std::unexpected(ok.error());
        if (*bound < least || *bound > most)
            return refuse(ErrorCode::OutOfRange, name,
                key.label + " lies between " + units::asTyped(least, key.unit) + " and "
                    + units::asTyped(most, key.unit) + ".");
        *into = *bound;
    }
    if (!(span.from <= span.to))
        return refuse(ErrorCode::OutOfRange, "from",
            "Look from the smaller to the greater value, not from " + units::asTyped(span.from, key.unit) + " to "
                + units::asTyped(span.to, key.unit) + ".");
    return span;
}

/// Where the figure is the same everywhere, what matters is whether the limits can be kept.
const SeekPoint &feasibleOrFirst(const std::map<double, SeekPoint> &tried, const SeekPoint &first)
{
    for (const auto &[value, point] : tried)
        if (point.figure && point.feasible == true)
            return point;
    return first;
}

Error nothingPriced(const Seeker &seeker, const ChosenFigure &figure, double start)
{
    const SeekPoint *nearest = nullptr;
    for (const auto &[value, point] : seeker.tried())
        if (!nearest || distance(value, start) < distance(nearest->value, start))
            nearest = &point;
    if (nearest && nearest->refused)
        return *nearest->refused;
    return {ErrorCode::UnsupportedValue, "figure",
        "This plan has no \u201c" + figure.label + "\u201d by its cost model; choose another figure."};
}

} // namespace

Expected<SeekAnswer> seek(const SeekQuestion &question, const Catalog &catalog, const SeekOptions &options)
{
    auto key = seekableKey(question.plan, question.key);
    if (!key)
        return std::unexpected(std::move(key.error()));
    auto figure = chooseFigure(question.figure);
    if (!figure)
        return std::unexpected(std::move(figure.error()));
    if (!std::isfinite(question.target))
        return refuse(ErrorCode::OutOfRange, "target", "The target must be a finite number.");
    const auto own = ownValue(question.plan, *key, catalog);
    const auto span = spanOf(question, *key, own);
    if (!span)
        return std::unexpected(span.error());
    const bool isWhole = key->type == SweepValueType::Integer;
    double start = own.value_or(span->from > 0 ? std::sqrt(span->from * std::min(span->to, span->from * usualSpan))
                                               : (span->from + span->to) / 2);
    start = std::clamp(isWhole ? std::round(start) : start, span->from, span->to);

    Seeker seeker(question, catalog, options, *key, *figure);
    const auto ladders = laddersFrom(start, span->from, span->to, isWhole);
    auto found = brackets(seeker, start, ladders);
    SeekAnswer answer{.key = *key,
        .figure = *figure,
        .target = question.target,
        .outcome = {},
        .from = span->from,
        .to = span->to,
        .now = {},
        .found = {},
        .neighbour = {},
        .feasible = {},
        .unwarned = {},
        .tried = {}};
    if (own && *own == start && seeker.tried().contains(start))
        answer.now = seeker.tried().at(start);
    for (auto &bracket : found)
        bracket = isWhole ? narrowedWhole(seeker, bracket, start) : narrowed(seeker, bracket, question.target, *span);
    if (seeker.stopped())
        return std::unexpected(*seeker.stopped());
    if (!found.empty()) {
        const auto nearest = std::ranges::min_element(
            found, {}, [&](const Bracket &bracket) { return distance(bracket.reaching, start); });
        answer.outcome = SeekOutcome::Reached;
        answer.found = seeker.tried().at(nearest->reaching);
        answer.neighbour = seeker.tried().at(nearest->failing);
        answer.hasGap = isWhole && hasGap(seeker.tried(), nearest->reaching, nearest->failing);
        if (isWhole && isToBeBettered(answer.found))
            answer.feasible = feasibleBeyond(seeker, answer.found, nearest->failing, span->from, span->to);
    } else {
        const SeekPoint *closest = nullptr;
        bool isConstant = true;
        std::size_t priced = 0;
        for (const auto &[value, point] : seeker.tried()) {
            if (!point.figure)
                continue;
            ++priced;
            isConstant = isConstant && (!closest || *point.figure == *closest->figure);
            const auto off = [&](const SeekPoint &p) { return std::abs(*p.figure - question.target); };
            if (!closest || off(point) < off(*closest))
                closest = &point;
        }
        if (!closest)
            return std::unexpected(nothingPriced(seeker, *figure, start));
        answer.found = *closest;
        answer.outcome = isConstant && priced > 1 ? SeekOutcome::NoEffect
            : seeker.reaches(*closest)            ? SeekOutcome::ReachedAlways
                                                  : SeekOutcome::NotReached;
        if (answer.outcome == SeekOutcome::ReachedAlways && isWhole && isToBeBettered(answer.found))
            for (const double side : {-1.0, 1.0})
                if (!answer.feasible)
                    answer.feasible = feasibleBeyond(
                        seeker, answer.found, answer.found.value + side, span->from, span->to);
        if (answer.outcome == SeekOutcome::NoEffect)
            answer.found = answer.now && answer.now->figure ? *answer.now : feasibleOrFirst(seeker.tried(), *closest);
    }
    if (seeker.stopped())
        return std::unexpected(*seeker.stopped());
    if (const auto &proposed = answer.feasible ? *answer.feasible : answer.found; !proposed.warning.empty())
        answer.unwarned = nearestUnwarned(
            seeker, proposed.value, answer.neighbour ? answer.neighbour->value : start, *span);
    if (seeker.stopped())
        return std::unexpected(*seeker.stopped());
    answer.isMonotone = isMonotone(seeker.tried());
    for (const auto &[value, point] : seeker.tried())
        answer.tried.push_back(point);
    return answer;
}

} // namespace fleetwright
