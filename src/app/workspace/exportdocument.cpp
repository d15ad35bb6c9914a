// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspace/exportdocument.h"

#include "app/wording.h"
#include "app/workspace/prompts.h"
#include "text/utf8.h"

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using exchange::TextFormat;

QString exportDocument(
    const exchange::Document &document, Prompts &prompts, QWidget *parent, const QString &title, const QString &failure)
{
    return prompts.saveFile(parent,
        {.title = title,
            .name = utf8(exchange::fileNameOf(document, TextFormat::YamlText)),
            .filter = tr("YAML (*.yaml *.yml);;JSON (*.json)"),
            .failure = failure},
        [&](const QString &path) {
            const bool json = path.endsWith(u".json"_s, Qt::CaseInsensitive);
            return QByteArray::fromStdString(
                exchange::toText(document, json ? TextFormat::JsonText : TextFormat::YamlText));
        });
}

} // namespace fleetwright::app
