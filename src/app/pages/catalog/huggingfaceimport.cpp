// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/catalog/huggingfaceimport.h"

#include "app/workspace/prompts.h"
#include "app/workspace/workspace.h"
#include "text/localized.h"
#include "text/utf8.h"

#include <QCoreApplication>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

class ModelTexts {
    Q_DECLARE_TR_FUNCTIONS(HuggingFaceImport)
};

QString underTitle(const QString &title, const std::vector<std::string> &sentences)
{
    QStringList lines{title};
    for (const auto &sentence : sentences)
        lines << u"\u2022 "_s + localized(sentence);
    return lines.join(u'\n');
}

QString inWords(const exchange::HuggingFaceModel &model)
{
    QStringList parts{underTitle(ModelTexts::tr("\u201c%1\u201d becomes the workload \u201c%2\u201d:")
                                     .arg(utf8(model.record().name), utf8(model.record().id)),
        model.understood)};
    if (!model.assumed.empty())
        parts << underTitle(ModelTexts::tr("Assumed:"), model.assumed);
    if (!model.notMapped.empty())
        parts << underTitle(ModelTexts::tr("Not mapped:"), model.notMapped);
    return parts.join(u"\n\n"_s);
}

} // namespace

std::optional<ImportedItems> importHuggingFaceModel(QWidget *parent, Prompts &prompts, Workspace &workspace,
    const HuggingFaceFile &file, Expected<exchange::HuggingFaceModel> model)
{
    if (model && !model->named) {
        const auto name = prompts.text(parent, ModelTexts::tr("Import a model"),
            ModelTexts::tr("The file states no name. Name of the model:"), utf8(model->record().name));
        if (name.isEmpty())
            return {};
        model = exchange::modelFromHuggingFace(file.text, {.name = name.toStdString(), .id = {}});
    }
    if (!model)
        return importCatalogItems(parent, prompts, workspace, file.name, std::unexpected(model.error()));
    const auto words = inWords(*model);
    return importCatalogItems(
        parent, prompts, workspace, file.name, exchange::CatalogFile{std::move(model->items), {}}, words);
}

} // namespace fleetwright::app
