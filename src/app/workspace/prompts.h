// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <QString>
#include <QStringList>

class QWidget;

namespace fleetwright::app {

/// Every question that the program asks and every error that it shows goes through here, so that tests can answer.
class Prompts {
public:
    virtual ~Prompts() = default;
    [[nodiscard]] virtual bool confirm(
        QWidget *parent, const QString &title, const QString &question, const QString &action) = 0;
    virtual void showError(QWidget *parent, const QString &title, const Error &error) = 0;
    /// Empty when the user cancelled. `suggestion` may be a folder or a file.
    [[nodiscard]] virtual QString openFileName(
        QWidget *parent, const QString &title, const QString &suggestion, const QString &filter) = 0;
    [[nodiscard]] virtual QString saveFileName(
        QWidget *parent, const QString &title, const QString &suggestion, const QString &filter) = 0;
    [[nodiscard]] virtual QString text(
        QWidget *parent, const QString &title, const QString &label, const QString &initial) = 0;
};

} // namespace fleetwright::app
