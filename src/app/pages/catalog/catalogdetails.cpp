// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/catalog/catalogdetails.h"

#include "app/theme.h"
#include "app/wording.h"
#include "domain/price.h"
#include "exchange/jsonwords.h"
#include "itemmodels/catalogtablemodel.h"
#include "itemmodels/catalogwords.h"
#include "solver/explain/planninguse.h"
#include "text/utf8.h"
#include "units/grouping.h"

#include <QCoreApplication>
#include <QDate>
#include <QStringList>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

QString verificationText(Verification verification)
{
    switch (verification) {
    case Verification::Read: return tr("source read");
    case Verification::NotReread: return tr("source not re-read");
    case Verification::Derived: return tr("derived");
    }
    return {};
}

/// Numbers the sources in the order in which values mention them.
class Footnotes {
public:
    int number(const QString &sourceId)
    {
        if (!m_ids.contains(sourceId))
            m_ids << sourceId;
        return int(m_ids.indexOf(sourceId)) + 1;
    }
    [[nodiscard]] const QStringList &ids() const { return m_ids; }

private:
    QStringList m_ids;
};

constexpr int longestValue = 600;

QString valueText(
    const FieldDescriptor &field, const FieldValue &value, const CatalogRecord &record, const Catalog &catalog)
{
    if (const auto words = itemmodels::inWords(field, value, record, catalog))
        return words->left(longestValue).toHtmlEscaped();
    if (const auto *json = field.type == FieldType::Json ? std::get_if<std::string>(&value) : nullptr)
        return utf8(exchange::jsonInWords(*json)).left(longestValue).toHtmlEscaped();
    auto exact = itemmodels::exactText(field, value);
    const auto number = exact.section(u'\u00a0', 0, 0); // before the unit
    if (std::holds_alternative<double>(value) && !field.key.ends_with("year") && !number.contains(u'e'))
        exact = utf8(units::grouped(number.toStdString())) + exact.sliced(number.size());
    QString text = exact.left(longestValue).toHtmlEscaped();
    if (field.key.ends_with("_bytes"))
        text = u"%1<br>(%2)"_s.arg(htmlEscaped(display(field, value)), text);
    return text;
}

QString sourceText(const CatalogRecord &record, std::string_view key, Footnotes &footnotes)
{
    const auto *attribution = record.attribution(key);
    if (!attribution)
        return record.shipped ? QString() : tr("entered by you");
    QString text = htmlEscaped(toString(attribution->confidence)) + u", "_s
        + verificationText(attribution->verification);
    if (!attribution->sourceId.empty())
        text += u" [%1]"_s.arg(footnotes.number(QString::fromStdString(attribution->sourceId)));
    return text;
}

QString sourceEntry(int number, const QString &id, const CatalogRecord &record, const Catalog &catalog)
{
    const auto *source = catalog.source(record.kind, id.toStdString());
    if (!source)
        return u"<p>[%1] %2</p>"_s.arg(number).arg(id.toHtmlEscaped());
    const auto title = htmlEscaped(source->title);
    const bool isLink = source->url.starts_with("https://") || source->url.starts_with("http://");
    QString text = u"<p>[%1] %2"_s.arg(number).arg(
        isLink ? u"<a href=\"%1\">%2</a>"_s.arg(htmlEscaped(source->url), title) : title);
    QStringList facts;
    if (!source->publisher.empty())
        facts << htmlEscaped(source->publisher);
    if (!source->published.empty())
        facts << htmlEscaped(source->published);
    if (!source->accessed.empty())
        facts << tr("accessed %1").arg(htmlEscaped(source->accessed));
    if (!facts.isEmpty())
        text += u". "_s + facts.join(u", "_s);
    return text + u"</p>"_s;
}

} // namespace

QString describeRecord(const CatalogRecord &record, const Catalog &catalog, const QPalette &palette)
{
    const auto quiet = quietColour(palette).name();
    QString known;
    QStringList unknown;
    Footnotes footnotes;
    for (const auto &field : fields(record.kind)) {
        const auto *value = record.find(field.key);
        if (!value || display(field, *value).empty()) {
            unknown << htmlEscaped(field.label);
            continue;
        }
        const auto shown = valueText(field, *value, record, catalog);
        const auto source = sourceText(record, field.key, footnotes);
        constexpr int shortText = 28; // fits beside the label
        const bool aside = std::holds_alternative<double>(*value) || shown.size() <= shortText;
        known += u"<tr><td%1 style=\"padding:2px 8px 2px 0\">%2%3%4</td>"_s.arg(aside ? QString() : u" colspan=\"2\""_s,
            htmlEscaped(field.label), aside ? QString() : u": "_s + shown,
            source.isEmpty() ? QString() : u"<br><span style=\"color:%1\">%2</span>"_s.arg(quiet, source));
        known += aside ? u"<td align=\"right\" style=\"padding:2px 0\">%1</td></tr>"_s.arg(shown) : u"</tr>"_s;
    }

    QString text = u"<p><b>%1</b><br><span style=\"color:%2\">%3 &middot; %4</span></p>"_s.arg(htmlEscaped(record.name),
        quiet, tr("in documents: %1").arg(htmlEscaped(record.id)),
        record.shipped ? tr("shipped, read-only") : tr("your own item"));
    if (record.kind == CatalogKind::PlanningDefault)
        text += u"<p>%1</p>"_s.arg(htmlEscaped(planningUse(record, catalog)));
    if (record.kind == CatalogKind::Price)
        if (const auto notice = priceNotice(record, itemmodels::sysDays(QDate::currentDate())); !notice.empty())
            text += u"<p style=\"color:%1\">%2</p>"_s.arg(warningColour(palette).name(), htmlEscaped(notice));
    for (const auto &confusion : record.knownConfusions)
        text += u"<p style=\"color:%1\"><b>%2</b> %3</p>"_s.arg(
            warningColour(palette).name(), tr("Beware:"), htmlEscaped(confusion));
    if (!record.notes.empty())
        text += u"<p><b>%1</b><br>%2</p>"_s.arg(tr("Notes"), htmlEscaped(record.notes));
    text += u"<p><b>%1</b></p><table width=\"100%\" cellspacing=\"0\">%2</table>"_s.arg(tr("Known values"), known);
    if (!unknown.isEmpty())
        text += u"<p><b>%1</b><br><span style=\"color:%2\">%3</span></p>"_s.arg(
            tr("Unknown, not published or not applicable"), quiet, unknown.join(u", "_s));
    if (!footnotes.ids().isEmpty())
        text += u"<p><b>%1</b></p>"_s.arg(tr("Sources"));
    int number = 0;
    for (const auto &id : footnotes.ids())
        text += sourceEntry(++number, id, record, catalog);
    return text;
}

} // namespace fleetwright::app
