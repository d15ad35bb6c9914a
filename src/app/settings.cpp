// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings.h"

#include <QFileInfo>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int maximumRecentFiles = 10, maximumFilters = 20;

QString splitterKey(const QString &splitter) { return u"window/splitter/%1"_s.arg(splitter); }
QString columnsKey(const QString &catalog) { return u"catalog/columns/%1"_s.arg(catalog); }

QString tableKey(const QString &table) { return u"tables/%1"_s.arg(table); }
QString filtersKey(const QString &field) { return u"filters/%1"_s.arg(field); }

} // namespace

Settings::Settings() : m_store(QSettings::IniFormat, QSettings::UserScope, u"fleetwright"_s, u"fleetwright"_s) { }

Settings::Settings(const QString &iniFile) : m_store(iniFile, QSettings::IniFormat) { }

ThemeChoice Settings::theme() const
{
    const auto text = m_store.value(u"window/theme"_s).toString();
    return text == u"light" ? ThemeChoice::Light : text == u"dark" ? ThemeChoice::Dark : ThemeChoice::System;
}

void Settings::setTheme(ThemeChoice theme)
{
    m_store.setValue(u"window/theme"_s,
        theme == ThemeChoice::Light      ? u"light"_s
            : theme == ThemeChoice::Dark ? u"dark"_s
                                         : u"system"_s);
}

std::optional<Language> Settings::language() const
{
    return languageCalled(m_store.value(u"window/language"_s).toString());
}

void Settings::setLanguage(std::optional<Language> language)
{
    m_store.setValue(u"window/language"_s, language ? codeOf(*language) : u"system"_s);
}

QByteArray Settings::windowGeometry() const { return m_store.value(u"window/geometry"_s).toByteArray(); }

void Settings::setWindowGeometry(const QByteArray &geometry) { m_store.setValue(u"window/geometry"_s, geometry); }

QByteArray Settings::handbookGeometry() const { return m_store.value(u"handbook/geometry"_s).toByteArray(); }

void Settings::setHandbookGeometry(const QByteArray &geometry) { m_store.setValue(u"handbook/geometry"_s, geometry); }

int Settings::handbookZoom() const { return m_store.value(u"handbook/zoom"_s, 100).toInt(); }

void Settings::setHandbookZoom(int percent) { m_store.setValue(u"handbook/zoom"_s, percent); }

QByteArray Settings::splitterState(const QString &splitter) const
{
    return m_store.value(splitterKey(splitter)).toByteArray();
}

void Settings::setSplitterState(const QString &splitter, const QByteArray &state)
{
    m_store.setValue(splitterKey(splitter), state);
}

QStringList Settings::recentFiles() const { return m_store.value(u"files/recent"_s).toStringList(); }

void Settings::addRecentFile(const QString &path)
{
    auto files = recentFiles();
    const auto absolute = QFileInfo(path).absoluteFilePath();
    files.removeAll(absolute);
    files.prepend(absolute);
    m_store.setValue(u"files/recent"_s, QStringList(files.mid(0, maximumRecentFiles)));
}

void Settings::removeRecentFile(const QString &path)
{
    auto files = recentFiles();
    files.removeAll(path);
    m_store.setValue(u"files/recent"_s, files);
}

QString Settings::lastProject() const { return m_store.value(u"files/last"_s).toString(); }

void Settings::setLastProject(const QString &path) { m_store.setValue(u"files/last"_s, path); }

std::optional<QStringList> Settings::catalogColumns(const QString &catalog) const
{
    const auto key = columnsKey(catalog);
    return m_store.contains(key) ? std::optional(m_store.value(key).toStringList()) : std::nullopt;
}

void Settings::setCatalogColumns(const QString &catalog, const std::optional<QStringList> &columns)
{
    if (columns)
        m_store.setValue(columnsKey(catalog), *columns);
    else
        m_store.remove(columnsKey(catalog));
}

TableArrangement Settings::tableArrangement(const QString &table) const
{
    const auto kept = m_store.value(tableKey(table)).toMap();
    TableArrangement arrangement{.shown = kept.value(u"shown"_s).toMap(),
        .widths = kept.value(u"widths"_s).toMap(),
        .titles = kept.value(u"order"_s).toStringList()};
    if (const auto sorted = kept.constFind(u"sorted"_s); sorted != kept.cend())
        arrangement.sortedBy = sorted->toString();
    if (kept.value(u"descending"_s).toBool())
        arrangement.order = Qt::DescendingOrder;
    return arrangement;
}

void Settings::setTableArrangement(const QString &table, const TableArrangement &arrangement)
{
    QVariantMap kept;
    if (arrangement.sortedBy) {
        kept.insert(u"sorted"_s, *arrangement.sortedBy);
        kept.insert(u"descending"_s, arrangement.order == Qt::DescendingOrder);
    }
    if (!arrangement.shown.isEmpty())
        kept.insert(u"shown"_s, arrangement.shown);
    if (!arrangement.widths.isEmpty())
        kept.insert(u"widths"_s, arrangement.widths);
    if (!arrangement.titles.isEmpty())
        kept.insert(u"order"_s, arrangement.titles);
    if (kept.isEmpty())
        m_store.remove(tableKey(table));
    else
        m_store.setValue(tableKey(table), kept);
}

QStringList Settings::filters(const QString &field) const { return m_store.value(filtersKey(field)).toStringList(); }

void Settings::addFilter(const QString &field, const QString &filter)
{
    auto kept = filters(field);
    kept.removeAll(filter);
    kept << filter;
    m_store.setValue(filtersKey(field), QStringList(kept.last(std::min<qsizetype>(kept.size(), maximumFilters))));
}

void Settings::removeFilter(const QString &field, const QString &filter)
{
    auto kept = filters(field);
    kept.removeAll(filter);
    if (kept.isEmpty())
        m_store.remove(filtersKey(field));
    else
        m_store.setValue(filtersKey(field), kept);
}

std::optional<QStringList> Settings::foldedPlanGroups() const
{
    const auto key = u"plan/folded"_s;
    return m_store.contains(key) ? std::optional(m_store.value(key).toStringList()) : std::nullopt;
}

void Settings::setFoldedPlanGroups(const QStringList &groups) { m_store.setValue(u"plan/folded"_s, groups); }

QStringList Settings::foldedComparisonGroups() const { return m_store.value(u"compare/folded"_s).toStringList(); }

void Settings::setFoldedComparisonGroups(const QStringList &groups) { m_store.setValue(u"compare/folded"_s, groups); }

QStringList Settings::foldedNavigation() const { return m_store.value(u"navigation/folded"_s).toStringList(); }

void Settings::setFoldedNavigation(const QStringList &folded) { m_store.setValue(u"navigation/folded"_s, folded); }

Language languageAtStart(const Settings &settings)
{
    const bool isAsked = languageCalled(qEnvironmentVariable("FLEETWRIGHT_LANGUAGE")).has_value();
    return isAsked ? languageOfSystem() : settings.language().value_or(languageOfSystem());
}

} // namespace fleetwright::app
