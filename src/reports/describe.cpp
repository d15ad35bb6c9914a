// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/reportdocument.h"

#include "domain/schemaversion.h"
#include "reports/sections.h"
#include "reports/wording.h"
#include "solver/size/questionname.h"
#include "solver/size/sizewords.h"
#include "text/localized.h"
#include "text/utf8.h"

#include <QLocale>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fleetwright::reports {

namespace {

/// With the time of day, unless only the day was stated.
QString day(const QDateTime &time)
{
    const bool isDay = time.toUTC().time() == QTime(0, 0);
    return writtenDay(time.toUTC(), !isDay) + (isDay ? QString() : u" UTC"_s);
}

QString reproducibilityLine(const QString &producer, const ReportSubject &subject)
{
    const auto &plans = subject.plans;
    QStringList parts{producer};
    for (const auto *model : usedModels(plans))
        parts << tr("cost model %1 %2").arg(utf8(model->id()), utf8(model->version()));
    parts << tr("project schema %1").arg(projectSchemaVersion);
    QStringList hashes;
    for (const auto &plan : plans)
        if (!plan.inputHash.empty() && !hashes.contains(utf8(plan.inputHash)))
            hashes << utf8(plan.inputHash);
    if (subject.decision) {
        const auto &result = *subject.decision->result;
        if (usedModels(plans).empty())
            parts << tr("cost model %1 %2").arg(utf8(result.costModelId), utf8(result.costModelVersion));
        if (!subject.decision->inputHash.empty())
            parts << tr("decision %1").arg(utf8(subject.decision->inputHash));
    }
    if (hashes.size() == 1)
        parts << tr("input hash %1").arg(hashes.first());
    else if (hashes.size() > 1 && subject.set.audience == Audience::Technical)
        parts << tr("%1 input hashes, listed in the appendix").arg(hashes.size());
    else if (hashes.size() > 1 && !subject.decision) // of a decision its own hash is enough
        parts << tr("input hashes %1").arg(hashes.join(u", "_s));
    parts << day(subject.created);
    return parts.join(u"; "_s);
}

/// People compare the beginning of a hash; the whole one is in the file's own description.
QString withShortHashes(QString line)
{
    static const QRegularExpression hash(u"\\b([0-9a-f]{12})[0-9a-f]{52}\\b"_s);
    return line.replace(hash, u"\\1\u2026"_s);
}

} // namespace

QString noteMark(std::size_t index)
{
    static const QString digits = u"\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"_s;
    QString mark;
    for (const QChar digit : QString::number(index + 1))
        mark += digits[digit.digitValue()];
    return mark;
}

QString withNote(const QString &text, const QString &note, QStringList &notes)
{
    if (note.isEmpty())
        return text;
    auto index = notes.indexOf(note);
    if (index < 0) {
        index = notes.size();
        notes << note;
    }
    return text + u' ' + noteMark(std::size_t(index));
}

BulletList bulletsOf(const std::vector<std::string> &sentences)
{
    BulletList list;
    for (const auto &sentence : sentences)
        list.items << plainWords(sentence);
    return list;
}

QString sizedText(size::SizeLimit limit, double value, const std::optional<Seconds> &deadline)
{
    if (limit == size::SizeLimit::Deadline && deadline && std::isfinite(value))
        return localized(size::daysBeside(value, deadline->value() / (1.0 * fleetwright::day).value()) + " days");
    return std::isnan(value) ? absent() : localized(size::valueInWords(limit, value));
}

QString plotLabel(const ReportPlan &plan, std::size_t index)
{
    return u"%1  %2"_s.arg(index + 1).arg(utf8(plan.document.name));
}

std::vector<const CostModel *> usedModels(const std::vector<ReportPlan> &plans)
{
    std::vector<const CostModel *> models;
    for (const auto &plan : plans)
        if (const auto model = findCostModel(plan.document.costModelId);
            model && std::ranges::find(models, *model) == models.end())
            models.push_back(*model);
    return models;
}

namespace {

class Describing {
public:
    Describing(const ReportSubject &subject, const Catalog &catalog) : m_subject(subject), m_catalog(catalog) { }

    ReportDocument all()
    {
        head();
        if (!m_subject.decision && m_subject.plans.empty()) {
            nothing();
            return std::move(m_report);
        }
        const auto sections = m_subject.set.sectionsOrUsual();
        const bool hasContents = m_subject.set.audience == Audience::Technical;
        const bool startsWithAnswer = sections.front() == ReportSection::Answer; // whose page comes before everything
        if (hasContents && !startsWithAnswer)
            m_report.elements.push_back(Contents{});
        for (std::size_t i = 0; i < sections.size(); ++i) {
            add(sections[i]);
            if (hasContents && startsWithAnswer && i == 0)
                m_report.elements.push_back(Contents{});
        }
        if (m_subject.set.audience != Audience::Technical)
            appendApproval(m_report.elements, m_subject);
        if (m_subject.set.audience == Audience::Technical)
            appendReproducibility(m_report.elements, m_subject.plans, m_report.reproducibility);
        else
            m_report.elements.push_back(Paragraph{withShortHashes(m_report.reproducibility)});
        return std::move(m_report);
    }

private:
    /// The decision's name; what is asked with it where it only names the workload.
    [[nodiscard]] QString questionOf(const DecisionDocument &document) const
    {
        auto name = utf8(document.name);
        if (const auto deadline = size::deadlineBesideName(document); !deadline.empty())
            name += tr(" (%1)").arg(localized(deadline));
        const bool isWorkload = std::ranges::any_of(document.jobs, [&](const DecisionJob &job) {
            return document.name == job.name || document.name == nameOf(job.workload, CatalogKind::Workload, m_catalog);
        });
        if (!isWorkload)
            return name;
        const auto &paying = document.candidates.paying;
        const auto any = [&](Paying way) {
            return std::ranges::find(paying, way, &DecisionPaying::paying) != paying.end();
        };
        const bool buys = paying.empty() || any(Paying::Own), rents = any(Paying::Rent);
        return buys && rents ? tr("%1: what to buy or rent?").arg(name)
            : buys           ? tr("%1: what to buy?").arg(name)
                             : tr("%1: what to rent?").arg(name);
    }

    void head()
    {
        const auto &set = m_subject.set;
        auto &report = m_report;
        report.producer = u"Fleetwright %1"_s.arg(QStringLiteral(FLEETWRIGHT_VERSION));
        report.author = set.author.empty() ? u"Fleetwright"_s : utf8(set.author);
        report.organisation = utf8(set.organisation);
        report.logo = QByteArray::fromBase64(QByteArray::fromStdString(set.logo));
        report.language = codeOf(language()); // of its texts
        report.mostPages = m_subject.set.audience == Audience::Board ? mostBoardPages : 0;
        report.title = !set.title.empty()     ? utf8(set.title)
            : m_subject.decision              ? questionOf(m_subject.decision->document)
            : m_subject.projectName.isEmpty() ? tr("Training plans")
                                              : tr("Training plans: %1").arg(m_subject.projectName);
        report.subtitle = tr("%1. Made with %2.").arg(day(m_subject.created), report.producer);
        if (!set.author.empty())
            report.subtitle.prepend(utf8(set.author) + u". "_s);
        report.created = m_subject.created;
        report.attachments = m_subject.attachments;
        report.reproducibility = reproducibilityLine(report.producer, m_subject);
        QStringList names;
        if (m_subject.decision)
            names << utf8(m_subject.decision->document.name).left(80);
        for (const auto &plan : m_subject.plans)
            names << utf8(plan.document.name).left(80);
        report.subject = names.isEmpty() ? tr("No plans") : names.mid(0, 5).join(u"; "_s);
        if (m_subject.decision && m_subject.set.audience != Audience::Technical)
            report.subject += u"; "_s + report.reproducibility; // which paper shortens
    }

    void nothing()
    {
        auto &elements = m_report.elements;
        elements.push_back(Heading{1, tr("Nothing to report")});
        elements.push_back(
            Paragraph{tr("No decision and no plan was chosen for this report, so there are no results to show.")});
        elements.push_back(Paragraph{tr(
            "In the window, add a plan on the Plans page or tick at least one on the Report page. On the command "
            "line, give a project that has plans; \u201cfleetwright-cli project new FILE --sample\u201d makes one.")});
        appendLedger(elements, m_subject.ledger);
    }

    void add(ReportSection section)
    {
        auto &elements = m_report.elements;
        const auto &plans = m_subject.plans;
        switch (section) {
        case ReportSection::Answer: appendAnswer(elements, m_subject, m_catalog); break;
        case ReportSection::Comparison: appendComparison(elements, m_subject, m_catalog); break;
        case ReportSection::Sizing: appendSizing(elements, m_subject); break;
        case ReportSection::Sensitivity: appendSensitivity(elements, m_subject); break;
        case ReportSection::Offers: appendOffers(elements, m_subject, m_catalog); break;
        case ReportSection::Fleets:
        case ReportSection::Cost:
        case ReportSection::Energy:
        case ReportSection::Failures: titled(section, [&] { appendFleetFigures(elements, section, fleets()); }); break;
        case ReportSection::CashFlow: titled(section, [&] { appendCashFlow(elements, fleets()); }); break;
        case ReportSection::BillOfMaterials: titled(section, [&] { appendBill(elements, fleets()); }); break;
        case ReportSection::Performance: titled(section, [&] { appendPlans(elements, plans, m_catalog); }); break;
        case ReportSection::Memory: titled(section, [&] { appendMemory(elements, plans); }); break;
        case ReportSection::Sweeps: titled(section, [&] { appendSweeps(elements, m_subject, m_catalog); }); break;
        case ReportSection::Validation:
            if (m_subject.scored)
                appendValidation(elements, plans, *m_subject.scored);
            break;
        case ReportSection::Ledger: appendLedger(elements, m_subject.ledger); break;
        case ReportSection::Assumptions:
            appendDecisiveAssumptions(elements, m_subject, fleets());
            if (m_subject.set.audience == Audience::Technical || !m_subject.decision) {
                appendAssumptions(elements, plans);
                appendLimitations(elements, plans);
            }
            break;
        case ReportSection::Provenance:
            if (plans.empty())
                break;
            elements.push_back(PageBreak{});
            elements.push_back(Heading{1, tr("Appendix: where the numbers come from")});
            appendProvenance(elements, plans, m_catalog);
            break;
        }
    }

    /// A section under its title; neither where it has nothing to say.
    template <class Fill> void titled(ReportSection section, const Fill &fill)
    {
        auto &elements = m_report.elements;
        elements.push_back(Heading{1, localized(titleOf(section))});
        const auto before = elements.size();
        fill();
        if (elements.size() == before)
            elements.pop_back();
    }

    const std::vector<PricedFleet> &fleets()
    {
        if (!m_fleets)
            m_fleets = pricedFleets(m_subject, m_catalog);
        return *m_fleets;
    }

    const ReportSubject &m_subject;
    const Catalog &m_catalog;
    ReportDocument m_report;
    std::optional<std::vector<PricedFleet>> m_fleets;
};

} // namespace

ReportDocument describe(const ReportSubject &subject, const Catalog &catalog)
{
    return Describing(subject, catalog).all();
}

} // namespace fleetwright::reports
