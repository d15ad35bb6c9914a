// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/documents.h"

#include <QString>

class QWidget;

namespace fleetwright::app {

class Prompts;

/// Asks for a file, YAML or JSON, and writes the document there; a refusal is shown under `failure`. What to tell in
/// the status bar; empty when nothing was written.
[[nodiscard]] QString exportDocument(const exchange::Document &document, Prompts &prompts, QWidget *parent,
    const QString &title, const QString &failure);

} // namespace fleetwright::app
