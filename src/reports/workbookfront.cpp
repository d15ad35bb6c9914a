// SPDX-License-Identifier: GPL-3.0-or-later
// The sheets before the calculations: cover, inputs, constants.
#include "reports/workbookmaking.h"

#include "reports/wording.h"
#include "text/localizedparts.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace fleetwright::reports {

void WorkbookMaking::cover()
{
    m_writer.startBlock(u"Cover"_s, {30, 100}, 0, 0);
    m_writer.text(m_subject.title, CellStyle::Title);
    m_writer.nextRow();
    m_writer.nextRow();
    for (const auto &[label, value] :
        {std::pair{tr("Organisation"), m_subject.organisation}, {tr("Author"), m_subject.author},
            {tr("Date"), localized(m_subject.date.date().toString(Qt::ISODate))}, {tr("Versions"), m_subject.versions}})
        if (!value.isEmpty())
            line(label, value);
    for (qsizetype i = 0; i < m_subject.hashes.size(); ++i)
        line(tr("Input hash (SHA-256)"),
            i < m_subject.hashesOf.size() ? tr("%1 (%2)").arg(m_subject.hashes[i], m_subject.hashesOf[i])
                                          : m_subject.hashes[i]);
    for (qsizetype i = 0; i < m_subject.answer.size(); ++i)
        line(i == 0 ? tr("Recommendation") : QString(), m_subject.answer[i]);
    if (!m_subject.answer.isEmpty()) { // which no formula makes
        const auto yes = tr("yes: every figure is as written");
        m_writer.text(tr("Do these sentences hold?"), CellStyle::Total);
        m_writer.formula(
            u"=IF(Checks!$B$4,\"%1\",\"%2\")"_s.arg(yes,
                tr("no: inputs have changed, the sentences are of the values as written; see Results and Compare")),
            yes, CellStyle::Total);
        m_writer.nextRow();
    }
    m_writer.nextRow();
    for (std::size_t i = 0; i < fleets(); ++i)
        line(fleet(i).role.isEmpty() ? tr("Fleet %1").arg(utf8(columnName(i)))
                                     : tr("Fleet %1: %2").arg(utf8(columnName(i)), fleet(i).role),
            fleet(i).name);
    for (const auto &omission : m_subject.leftOut)
        line(tr("Left out"), leftOutText(omission));
    m_writer.nextRow();
    m_writer.text(tr("All checks hold"), CellStyle::Total);
    m_writer.formula(u"=Checks!$B$3"_s, allHold() ? u"TRUE"_s : u"FALSE"_s, CellStyle::Total);
    m_writer.nextRow();
    m_writer.text(tr("Ranges hold"), CellStyle::Total);
    m_writer.formula(u"=Checks!$B$4"_s, u"TRUE"_s, CellStyle::Total);
    m_writer.nextRow();
    m_writer.nextRow();
    m_writer.text(tr("Yellow, blue figures"), CellStyle::Input);
    m_writer.text(tr("Inputs: change them on the sheet Inputs, and everything follows. An empty one is computed, or "
                     "not known; a figure typed there takes the place of what is computed."),
        false, true);
    m_writer.nextRow();
    m_writer.text(tr("Grey"), CellStyle::Solver);
    m_writer.text(tr("Values of the program: step time, layout, switch and cable counts, spares. No formula follows "
                     "them. They hold for the nodes, batch and fabric that they were computed for; a check turns "
                     "FALSE where these are changed."),
        false, true);
    m_writer.nextRow();
    line(tr("none"), tr("No value: an input is missing, or the answer is never."));
    line(tr("Low, high"),
        tr("What Fleetwright computed from the inputs as they were written. Where a figure has moved since, the sheet "
           "Results says FALSE beside its range: ask Fleetwright for the range of the new inputs."));
    line(tr("Years and months"),
        tr("End-of-year payments; costs are positive, cash flows that are paid negative. The life may be changed "
           "up to %1 years.")
            .arg(m_layout.horizon()));
}

QString WorkbookMaking::kindOf(std::size_t index, std::size_t of) const
{
    if (m_layout.figure(of, index))
        return isSolversEntry(row(index).key) ? tr("program") : tr("entered");
    return m_layout.hasConstantDefault(index) ? tr("assumption")
        : row(index).formula                  ? tr("computed unless entered")
                                              : tr("not known");
}

void WorkbookMaking::inputs()
{
    std::vector<double> widths{labelWidth, keyWidth, unitWidth};
    widths.insert(widths.end(), fleets(), valueWidth);
    for (std::size_t i = 0; i < fleets(); ++i)
        widths.insert(widths.end(), {22, 14, 14, 40, 12, 14});
    m_writer.startBlock(u"Inputs"_s, widths, WorkbookLayout::headerLine, 3, startsOfFleets(6));
    top(tr("Inputs"), tr("Every entry of the worksheets. The ranges are for reading: no formula uses them."));
    for (const auto &title : {tr("Input"), tr("Row"), tr("Unit")})
        m_writer.text(title, CellStyle::Heading);
    names();
    for (std::size_t i = 0; i < fleets(); ++i) {
        const auto suffix = fleets() > 1 ? u" "_s + utf8(columnName(i)) : QString();
        for (const auto &title : {tr("Kind"), tr("Low"), tr("High"), tr("Source"), tr("Date"), tr("Confidence")})
            m_writer.text(title + suffix, CellStyle::Heading);
    }
    m_writer.nextRow();
    for (const auto block : allWorkbookBlocks) {
        bool isFirst = true;
        for (std::size_t i = 0; i < m_layout.sheet().rows().size(); ++i) {
            if (m_layout.inputLine(i) == 0 || blockOf(row(i).key) != block)
                continue;
            if (std::exchange(isFirst, false)) {
                m_writer.text(localized(titleOf(block)), CellStyle::Total);
                m_writer.nextRow();
            }
            input(i);
        }
    }
    m_writer.nextRow();
    m_writer.text(tr("What the program's values hold for"), CellStyle::Total);
    m_writer.nextRow();
    facts();
}

void WorkbookMaking::input(std::size_t index)
{
    const auto &of = row(index);
    m_writer.text(localized(of.label), CellStyle::Plain);
    m_writer.text(utf8(of.key), CellStyle::Muted);
    m_writer.text(localizedUnit(of.unit), CellStyle::Plain);
    for (std::size_t i = 0; i < fleets(); ++i)
        inputValue(index, i);
    for (std::size_t i = 0; i < fleets(); ++i) {
        const auto *figure = m_layout.figure(i, index);
        m_writer.text(kindOf(index, i), CellStyle::Plain);
        const bool hasRange = figure ? figure->low.has_value() : of.entry.low < of.entry.high;
        const auto format = formatOfUnit(of.unit);
        if (hasRange) {
            m_writer.number(figure ? *figure->low : of.entry.low, format);
            m_writer.number(figure ? *figure->high : of.entry.high, format);
        } else {
            m_writer.skip(2);
        }
        m_writer.text(plainWords(figure ? figure->source : of.source), CellStyle::Muted);
        m_writer.text(figure ? utf8(figure->date) : QString(), CellStyle::Muted);
        m_writer.text(figure ? localizedWord(inWords(figure->confidence)) : QString(), CellStyle::Muted);
    }
    m_writer.nextRow();
}

void WorkbookMaking::inputValue(std::size_t index, std::size_t of)
{
    const auto *figure = m_layout.figure(of, index);
    const auto &entry = row(index).entry;
    const auto style = figure && isSolversEntry(row(index).key) ? CellStyle::Solver : CellStyle::Input;
    const bool isConstant = m_layout.hasConstantDefault(index);
    if (figure && figure->likely.size() > 1)
        m_writer.blank(style); // by year: they stand among the years
    else if (!figure && !isConstant)
        m_writer.blank(style);
    else if (const double value = figure ? figure->likely.front() : row(index).formula->number; !entry.words.empty())
        m_writer.text(localizedWord(entry.words[std::size_t(value)]), style);
    else
        m_writer.number(value, formatOfUnit(row(index).unit), style);
    if (!entry.words.empty()) {
        QStringList words;
        for (const auto word : entry.words)
            words += localizedWord(word);
        m_writer.allowWords(words);
    } else {
        const bool isLife = row(index).key == "life_years";
        m_writer.allowNumbers(entry.least, isLife ? std::min(entry.most, double(m_layout.horizon())) : entry.most,
            entry.kind != SheetEntry::Kind::Value);
    }
}

void WorkbookMaking::facts()
{
    std::vector<std::pair<QString, bool>> labels{{tr("Fabric"), false}, {tr("Node"), false}}; // as the checks compare
    for (std::size_t i = 0; i < fleets(); ++i)
        for (const auto &fact : fleet(i).facts)
            if (std::ranges::find(labels, std::pair(fact.label, fact.isSolvers)) == labels.end())
                labels.emplace_back(fact.label, fact.isSolvers);
    for (std::size_t at = 0; at < labels.size(); ++at) {
        m_writer.text(labels[at].first, CellStyle::Plain);
        m_writer.skip(2);
        for (std::size_t i = 0; i < fleets(); ++i) {
            const auto &facts = fleet(i).facts;
            const auto found = std::ranges::find(facts, labels[at].first, &WorkbookFact::label);
            const auto words = at == 0 ? localizedAsWhole(fleet(i).fleet->fabric->name)
                : at == 1              ? localizedAsWhole(fleet(i).fleet->node->name)
                : found != facts.end() ? found->value
                                       : QString();
            m_writer.text(words, labels[at].second ? CellStyle::Solver : CellStyle::Input);
        }
        m_writer.nextRow();
    }
}

void WorkbookMaking::constants()
{
    m_writer.startBlock(u"Constants"_s, {48, 16, 24, wordsWidth}, WorkbookLayout::headerLine, 1);
    top(tr("Constants"), tr("Numbers of the formulas: units, published tables, tolerances."));
    for (const auto &title : {tr("Constant"), tr("Value"), tr("Unit"), tr("First used by")})
        m_writer.text(title, CellStyle::Heading);
    m_writer.nextRow();
    for (const auto &constant : m_layout.constants()) {
        const auto unit = constant.unit == rangeToleranceUnit ? tr("of the figure") : localizedUnit(constant.unit);
        m_writer.text(constant.number == roundingShare ? tr("Rounded up: what a quotient may exceed a whole number by")
                : std::ranges::find(lowRateGuesses, constant.number) != lowRateGuesses.end()
                ? tr("A further start of the search for a rate of return")
                : utf8(units::exact(constant.number)) + (unit.isEmpty() ? QString() : u" "_s + unit),
            CellStyle::Plain);
        m_writer.number(constant.number, CellFormat::General, CellStyle::Plain);
        m_writer.text(unit, CellStyle::Plain);
        m_writer.text(localized(row(constant.firstRow).label), CellStyle::Muted);
        m_writer.nextRow();
    }
}

} // namespace fleetwright::reports
