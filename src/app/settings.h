// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/theme.h"
#include "text/localized.h"

#include <QByteArray>
#include <QSettings>
#include <QStringList>
#include <QVariantMap>

#include <optional>
#include <utility>

namespace fleetwright::app {

/// What somebody did to the columns of a table, by their titles.
struct TableArrangement {
    std::optional<QString> sortedBy; ///< none: as its page sorts it; empty: not at all
    Qt::SortOrder order = Qt::AscendingOrder;
    QVariantMap shown; ///< whether a column is shown, of those that were chosen or taken away
    QVariantMap widths; ///< in pixels, of those that were dragged
    QStringList titles; ///< in their order; empty: the usual one
};

/// What the program remembers between runs, each value with its type and default in one place. Nothing here belongs to
/// a project.
class Settings {
public:
    /// The user's own settings.
    Settings();
    /// Settings in a file of their own, for tests.
    explicit Settings(const QString &iniFile);

    [[nodiscard]] ThemeChoice theme() const;
    void setTheme(ThemeChoice theme);

    /// None: that of the system.
    [[nodiscard]] std::optional<Language> language() const;
    void setLanguage(std::optional<Language> language);

    [[nodiscard]] QByteArray windowGeometry() const;
    void setWindowGeometry(const QByteArray &geometry);
    [[nodiscard]] QByteArray handbookGeometry() const;
    void setHandbookGeometry(const QByteArray &geometry);
    /// In percent.
    [[nodiscard]] int handbookZoom() const;
    void setHandbookZoom(int percent);
    [[nodiscard]] QByteArray splitterState(const QString &splitter) const;
    void setSplitterState(const QString &splitter, const QByteArray &state);

    /// Newest first, at most ten.
    [[nodiscard]] QStringList recentFiles() const;
    void addRecentFile(const QString &path);
    void removeRecentFile(const QString &path);
    /// Opened again when the program starts without a file; empty when the last one was closed.
    [[nodiscard]] QString lastProject() const;
    void setLastProject(const QString &path);

    /// Keys of the columns that the user chose for a catalog; absent: the usual ones.
    [[nodiscard]] std::optional<QStringList> catalogColumns(const QString &catalog) const;
    void setCatalogColumns(const QString &catalog, const std::optional<QStringList> &columns);

    [[nodiscard]] TableArrangement tableArrangement(const QString &table) const;
    void setTableArrangement(const QString &table, const TableArrangement &arrangement);

    /// Filters that were saved for a field, by their words; at most twenty, the newest last.
    [[nodiscard]] QStringList filters(const QString &field) const;
    void addFilter(const QString &field, const QString &filter);
    void removeFilter(const QString &field, const QString &filter);

    /// Groups of the plan's form that are folded to a line; absent: the usual ones.
    [[nodiscard]] std::optional<QStringList> foldedPlanGroups() const;
    void setFoldedPlanGroups(const QStringList &groups);

    /// Groups of the comparison that are folded to their heading.
    [[nodiscard]] QStringList foldedComparisonGroups() const;
    void setFoldedComparisonGroups(const QStringList &groups);

    /// Branches of the navigation that are folded.
    [[nodiscard]] QStringList foldedNavigation() const;
    void setFoldedNavigation(const QStringList &folded);

private:
    QSettings m_store;
};

/// What FLEETWRIGHT_LANGUAGE asks for, else what was chosen, else the system's.
[[nodiscard]] Language languageAtStart(const Settings &settings);

} // namespace fleetwright::app
