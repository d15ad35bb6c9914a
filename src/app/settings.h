// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/theme.h"

#include <QByteArray>
#include <QSettings>
#include <QStringList>

#include <optional>

namespace fleetwright::app {

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

    [[nodiscard]] QByteArray windowGeometry() const;
    void setWindowGeometry(const QByteArray &geometry);
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

private:
    QSettings m_store;
};

} // namespace fleetwright::app
