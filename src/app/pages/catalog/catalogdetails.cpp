// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/catalog/catalogdetails.h"

#include "app/pages/catalog/catalogpage.h"
#include "app/theme.h"
#include "app/widgets/tablecolumns.h"
#include "app/wording.h"
#include "domain/price.h"
#include "exchange/jsonwords.h"
#include "itemmodels/catalogfilterproxy.h"
#include "itemmodels/catalogtablemodel.h"
#include "itemmodels/catalogwords.h"
#include "solver/explain/planninguse.h"
#include "text/catalogtexts.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "ui_catalogpage.h"
#include "units/grouping.h"

#include <QCoreApplication>
#include <QDate>
#include <QDesktopServices>
#include <QItemSelection>
#include <QStringList>
#include <QUrl>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

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
        return itemmodels::recordedInWords(localized(exchange::jsonInWords(*json)), catalog)
            .left(longestValue)
            .toHtmlEscaped();
    auto exact = itemmodels::exactText(field, value);
    const auto number = exact.section(u'\u00a0', 0, 0); // before the unit
    if (std::holds_alternative<double>(value) && !field.key.ends_with("year") && !number.contains(u'e'))
        exact = localized(units::grouped(number.toStdString())) + exact.sliced(number.size());
    QString text = exact.left(longestValue).toHtmlEscaped();
    if (field.key.ends_with("_bytes"))
        text = u"%1<br>(%2)"_s.arg(localizedHtmlEscaped(display(field, value)), text);
    return text;
}

QString sourceText(const CatalogRecord &record, std::string_view key, Footnotes &footnotes)
{
    const auto *attribution = record.attribution(key);
    if (!attribution)
        return record.shipped ? QString() : tr("entered by you");
    QString text = localizedHtmlEscaped(inWords(attribution->confidence)) + u", "_s
        + localizedHtmlEscaped(inWords(attribution->verification));
    if (!attribution->sourceId.empty())
        text += u" [%1]"_s.arg(footnotes.number(QString::fromStdString(attribution->sourceId)));
    return text;
}

QString sourceEntry(int number, const QString &id, const CatalogRecord &record, const Catalog &catalog)
{
    const auto *source = catalog.source(record.kind, id.toStdString());
    if (!source)
        return u"<p>[%1] %2</p>"_s.arg(number).arg(id.toHtmlEscaped());
    const auto title = localizedAsWhole(source->title).toHtmlEscaped(); // our own is said in words of ours
    const bool isLink = source->url.starts_with("https://") || source->url.starts_with("http://");
    QString text = u"<p>[%1] %2"_s.arg(number).arg(
        isLink ? u"<a href=\"%1\">%2</a>"_s.arg(htmlEscaped(source->url), title) : title);
    QStringList facts;
    if (!source->publisher.empty())
        facts << htmlEscaped(source->publisher);
    if (!source->published.empty())
        facts << localizedHtmlEscaped(source->published);
    if (!source->accessed.empty())
        facts << tr("accessed %1").arg(localizedHtmlEscaped(source->accessed));
    if (!facts.isEmpty())
        text += u". "_s + facts.join(u", "_s);
    return text + u"</p>"_s;
}

/// "Used by", with a link to each.
QString usersText(const std::vector<itemmodels::PriceUser> &users)
{
    if (users.empty())
        return u"<p>%1 %2</p>"_s.arg(
            tr("No plan, fleet or decision of the project uses it."), itemmodels::priceRule().toHtmlEscaped());
    QString text = u"<p><b>%1</b>"_s.arg(tr("Used by"));
    for (const auto &user : users) {
        const auto scheme = user.kind == itemmodels::PriceUser::Kind::Plan ? u"plan"_s
            : user.kind == itemmodels::PriceUser::Kind::Fleet              ? u"fleet"_s
                                                                           : u"decision"_s;
        text += u"<br><a href=\"%1:%2\">%3</a>: %4"_s.arg(scheme).arg(user.id).arg(
            itemmodels::userInWords(user).toHtmlEscaped(), user.entries.join(u", "_s).toHtmlEscaped());
    }
    return text + u"</p>"_s;
}

} // namespace

QString describeRecord(const CatalogRecord &record, const Catalog &catalog,
    const std::vector<itemmodels::PriceUser> &users, const QPalette &palette)
{
    const auto quiet = quietColour(palette).name();
    QString known, upstream;
    QStringList unknown;
    Footnotes footnotes;
    const bool statesUnit = std::ranges::any_of(fields(record.kind), [&](const FieldDescriptor &field) {
        return record.find(field.key) && !itemmodels::statedUnitOf(field, record).isEmpty();
    });
    for (const auto &field : fields(record.kind)) {
        const auto *value = record.find(field.key);
        if (!value || display(field, *value).empty()) {
            if (!itemmodels::isUpstream(field))
                unknown << localizedHtmlEscaped(field.label);
            continue;
        }
        if (statesUnit && field.key == "unit")
            continue; // it stands with the values
        auto shown = valueText(field, *value, record, catalog);
        if (const auto unit = itemmodels::statedUnitOf(field, record); !unit.isEmpty())
            shown += u' ' + unit.toHtmlEscaped();
        const auto source = sourceText(record, field.key, footnotes);
        constexpr int shortText = 28; // fits beside the label
        const bool aside = std::holds_alternative<double>(*value) || shown.size() <= shortText;
        auto &rows = itemmodels::isUpstream(field) ? upstream : known;
        rows += u"<tr><td%1 style=\"padding:2px 8px 2px 0\">%2%3%4</td>"_s.arg(aside ? QString() : u" colspan=\"2\""_s,
            localizedHtmlEscaped(field.label), aside ? QString() : u": "_s + shown,
            source.isEmpty() ? QString() : u"<br><span style=\"color:%1\">%2</span>"_s.arg(quiet, source));
        rows += aside ? u"<td align=\"right\" style=\"padding:2px 0\">%1</td></tr>"_s.arg(shown) : u"</tr>"_s;
    }

    QString text = u"<p><b>%1</b><br><span style=\"color:%2\">%3 &middot; %4</span></p>"_s.arg(
        nameInWords(record).toHtmlEscaped(), quiet, tr("in documents: %1").arg(htmlEscaped(record.id)),
        record.shipped ? tr("shipped, read-only") : tr("your own item"));
    if (record.kind == CatalogKind::PlanningDefault)
        text += u"<p>%1</p>"_s.arg(localizedHtmlEscaped(planningUse(record, catalog)));
    if (record.kind == CatalogKind::Price) {
        if (const auto notice = priceNotice(record, itemmodels::sysDays(QDate::currentDate())); !notice.empty())
            text += u"<p style=\"color:%1\">%2</p>"_s.arg(warningColour(palette).name(), localizedHtmlEscaped(notice));
        text += usersText(users);
    }
    for (const auto &confusion : record.knownConfusions)
        text += u"<p style=\"color:%1\"><b>%2</b> %3</p>"_s.arg(
            warningColour(palette).name(), tr("Beware:"), saidBy(record, confusion).toHtmlEscaped());
    if (!record.notes.empty())
        text += u"<p><b>%1</b><br>%2</p>"_s.arg(tr("Notes"), saidBy(record, record.notes).toHtmlEscaped());
    // Prices have the width of the page, across which no value would be found again.
    const auto width = record.kind == CatalogKind::Price ? u"560"_s : u"100%"_s;
    text += u"<p><b>%1</b></p><table width=\"%2\" cellspacing=\"0\">%3</table>"_s.arg(tr("Known values"), width, known);
    if (!unknown.isEmpty())
        text += u"<p><b>%1</b><br><span style=\"color:%2\">%3</span></p>"_s.arg(
            tr("Unknown, not published or not applicable"), quiet, unknown.join(u", "_s));
    if (!upstream.isEmpty())
        text += u"<p><b>%1</b></p><table width=\"%2\" cellspacing=\"0\">%3</table>"_s.arg(
            tr("For comparison: what the catalog came from"), width, upstream);
    if (!footnotes.ids().isEmpty())
        text += u"<p><b>%1</b></p>"_s.arg(tr("Sources"));
    int number = 0;
    for (const auto &id : footnotes.ids())
        text += sourceEntry(++number, id, record, catalog);
    return text;
}

/// Of a source, or of what uses a price.
void CatalogPage::openLink(const QUrl &link)
{
    const auto id = link.path().toLongLong();
    if (link.scheme() == u"plan")
        emit planRequested(id);
    else if (link.scheme() == u"fleet")
        emit fleetRequested(id);
    else if (link.scheme() == u"decision")
        emit decisionRequested(id);
    else
        QDesktopServices::openUrl(link);
}

void CatalogPage::showRecord(const std::string &id)
{
    const int row = m_model->rowOf(QString::fromStdString(id));
    if (row < 0)
        return;
    if (!m_proxy->mapFromSource(m_model->index(row, 0)).isValid())
        clearFilters();
    const auto index = m_proxy->mapFromSource(m_model->index(row, 0));
    chooseRow(*m_ui->table, index.row());
    m_ui->table->scrollTo(index, QAbstractItemView::PositionAtCenter);
    m_ui->table->setFocus();
}

void CatalogPage::showRecords(const QStringList &ids)
{
    std::vector<QModelIndex> asked;
    for (const auto &id : ids)
        if (const int row = m_model->rowOf(id); row >= 0)
            asked.push_back(m_model->index(row, 0));
    if (asked.empty())
        return;
    if (std::ranges::any_of(asked, [this](const auto &index) { return !m_proxy->mapFromSource(index).isValid(); }))
        clearFilters();
    showRecord(m_model->record(asked.front())->id);
    QItemSelection chosen;
    for (const auto &index : asked)
        chosen.append(QItemSelectionRange(m_proxy->mapFromSource(index)));
    m_ui->table->selectionModel()->select(chosen, QItemSelectionModel::Select | QItemSelectionModel::Rows);
}

} // namespace fleetwright::app
