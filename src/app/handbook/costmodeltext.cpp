// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/handbook/costmodeltext.h"

#include "app/handbook/handbooktext.h"
#include "app/wording.h"
#include "domain/plandocument.h"
#include "solver/models/costmodel.h"
#include "storage/project.h"
#include "text/localized.h"
#include "units/format.h"

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

QString tableRow(const QStringList &cells) { return u"| "_s + cells.join(u" | "_s) + u" |\n"_s; }

/// What the models show their formulas with.
PlanDocument exampleDocument()
{
    PlanDocument document{.name = "Llama 3.1 70B on 256 H100, TP 8, PP 4, 16 microbatches", .workload = "llama3_1_70b"};
    document.fleet.node = "nvidia_dgx_h100";
    document.fleet.nodes = 32;
    document.fleet.fabric = "ib_ndr";
    document.parallelism.tp = 8;
    document.parallelism.pp = 4;
    document.parallelism.sequenceParallel = true;
    document.parallelism.zeroStage = 1;
    document.training.globalBatch = 256;
    document.training.microbatchCount = 16;
    document.training.sequenceLength = 2048;
    return document;
}

/// How the model comes to every figure of the plan, inputs before what uses them; nothing where it does not price it.
std::vector<ExplainedFigure> explainedBy(const CostModel &model, const Expected<Plan> &plan)
{
    if (!plan)
        return {};
    const auto &facts = **plan;
    const auto evaluator = model.prepare(facts.workload, facts.fleet, facts.training, facts.assumptions);
    auto figures = evaluator ? (*evaluator)->explain(facts.parallelism)
                             : Expected<std::vector<ExplainedFigure>>(std::unexpected(evaluator.error()));
    return figures ? std::move(*figures) : std::vector<ExplainedFigure>();
}

QString figureInMarkdown(const ExplainedFigure &figure)
{
    auto text = u"- **%1** = %2 = %3."_s.arg(plainInMarkdown(figure.label), plainInMarkdown(figure.formula),
        plainInMarkdown(units::format(figure.value, figure.dimension)));
    QStringList symbols;
    for (const auto &input : figure.inputs)
        symbols << u"%1: %2, %3"_s.arg(plainInMarkdown(input.symbol), plainInMarkdown(input.meaning),
            plainInMarkdown(units::format(input.value, input.dimension)));
    if (!symbols.isEmpty())
        text += QChar::LineSeparator + symbols.join(u"; "_s) + u'.';
    if (!figure.source.empty())
        text += QChar::LineSeparator + tr(QT_TRANSLATE_NOOP("app", "Source: %1.")).arg(plainInMarkdown(figure.source));
    return text + u'\n';
}

} // namespace

QString costModelsInMarkdown()
{
    const auto catalog = storage::shippedCatalog();
    const auto plan = catalog ? resolve(exampleDocument(), *catalog) : Expected<Plan>(std::unexpected(catalog.error()));
    QString text;
    for (const auto *model : costModels()) {
        auto literature = plainInMarkdown(model->literature());
        if (literature.endsWith(u'.'))
            literature.chop(1);
        text += u"\n## %1\n\n"_s.arg(plainInMarkdown(model->title()))
            + tr(QT_TRANSLATE_NOOP("app", "In documents `%1`, version %2. Literature: %3."))
                  .arg(utf8(model->id()), utf8(model->version()), literature)
            + u"\n\n"_s + tr(QT_TRANSLATE_NOOP("app", "What it leaves out:")) + u"\n\n"_s;
        for (const auto &limitation : model->limitations())
            text += u"- %1\n"_s.arg(plainInMarkdown(limitation.text));
        if (!model->details().empty()) {
            text += u"\n"_s + tr(QT_TRANSLATE_NOOP("app", "Figures that it alone gives:")) + u"\n\n"_s
                + tableRow({tr(QT_TRANSLATE_NOOP("app", "Figure")), tr(QT_TRANSLATE_NOOP("app", "How it is computed"))})
                + tableRow({u"---"_s, u"---"_s});
            for (const auto &detail : model->details())
                text += tableRow({plainInMarkdown(detail.label), plainInMarkdown(detail.formula)});
        }
        if (!model->assumptions().empty()) {
            text += u"\n"_s + tr(QT_TRANSLATE_NOOP("app", "Constants, each of which a plan can change:")) + u"\n\n"_s
                + tableRow({tr(QT_TRANSLATE_NOOP("app", "Constant")), tr(QT_TRANSLATE_NOOP("app", "Key")),
                    tr(QT_TRANSLATE_NOOP("app", "Default")), tr(QT_TRANSLATE_NOOP("app", "Source of the default"))})
                + tableRow({u"---"_s, u"---"_s, u"---"_s, u"---"_s});
            for (const auto &item : model->assumptions())
                text += tableRow({plainInMarkdown(item.label), u"`%1`"_s.arg(utf8(item.key)),
                    plainInMarkdown(display(item, item.defaultValue)), plainInMarkdown(item.source)});
        }
        if (const auto figures = explainedBy(*model, plan); !figures.empty()) {
            text += u"\n### "_s
                + tr(QT_TRANSLATE_NOOP("app", "How %1 comes to its figures")).arg(plainInMarkdown(model->title()))
                + u"\n\n"_s
                + tr(QT_TRANSLATE_NOOP("app", "As Explain shows it, with the values of the plan \u201c%1\u201d."))
                      .arg(utf8(exampleDocument().name))
                + u"\n\n"_s;
            for (const auto &figure : figures)
                if (!figure.formula.empty())
                    text += figureInMarkdown(figure);
        }
    }
    return text;
}

} // namespace fleetwright::app
