// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/instruments/instrumentview.h"

#include "app/wording.h"
#include "charts/instrumentcharts.h"
#include "units/format.h"

#include <QCoreApplication>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

QString number(double value) { return localized(units::threeDigits(value)); }

QStringList wallNotes(const DpWallSettings &settings, const dpwall::Inputs &inputs, const instruments::Machine &machine)
{
    QStringList notes;
    if (settings.variant == InstrumentVariant::Published) {
        notes << tr("Published slip: the peak of %1 counts structured sparsity; dense, the corrected formulas use %2.")
                     .arg(shown(inputs.setting.peak), shown(machine.wall.peak))
              << tr("Published slip: the scale-out fabric counts %1, but the product sold as \u201c200 Gb/s\u201d "
                    "moves 25 GB/s per port.")
                     .arg(shown(inputs.setting.scaleOut))
              << tr("Published slip: the microbatch counts samples, and no sequence length enters the compute time, so "
                    "communication looks far too heavy.");
    } else {
        notes << tr("Corrected: dense peak %1, %2 tokens per sample, %3 per accelerator scale-out, %4 scale-up, up to "
                    "%5 of the all-reduce behind the backward pass.")
                     .arg(shown(inputs.setting.peak), number(inputs.setting.tokensPerSample),
                         shown(inputs.setting.scaleOut), shown(inputs.setting.scaleUp),
                         percent(inputs.setting.overlap));
    }
    return notes << tr("Buckets: gradients of late layers travel, %1 at a time, while earlier layers still compute, so "
                       "the step takes the longer of the two; %2 to %3 of the all-reduce is typically hidden.")
                        .arg(shown(dpwall::bucketSize), percent(dpwall::typicalOverlapLow),
                            percent(dpwall::typicalOverlapHigh));
}

Expected<InstrumentView> wallView(const DpWallSettings &settings, const instruments::Machine &machine)
{
    const auto inputs = instruments::inputsOf(settings, machine);
    const auto figures = dpwall::price(inputs);
    if (!figures)
        return std::unexpected(figures.error());
    const auto with = [&](InstrumentVariant variant) {
        auto changed = settings;
        changed.variant = variant;
        return instruments::inputsOf(changed, machine);
    };
    auto chart = charts::wallChart(with(InstrumentVariant::Published), with(InstrumentVariant::Corrected), inputs);
    if (!chart)
        return std::unexpected(chart.error());
    InstrumentView view;
    view.chart = std::move(*chart);
    view.figures = {
        {u"mfu"_s, tr("MFU"), percent(figures->mfu),
            tr("Reference MFU %1 times T_compute / (T_compute + exposed all-reduce). Good from %2, watch from %3, else "
               "poor.")
                .arg(percent(inputs.setting.referenceMfu), percent(dpwall::greenMfu), percent(dpwall::amberMfu)),
            dpwall::mfuBand(figures->mfu)},
        {u"ratio"_s, tr("Communication to compute"), number(figures->ratio),
            tr("T_allreduce / T_compute, before overlap. Good up to %1, watch up to %2, else poor.")
                .arg(number(dpwall::greenRatio), number(dpwall::amberRatio)),
            dpwall::ratioBand(figures->ratio)},
        {u"compute"_s, tr("Compute"), shown(figures->computeTime),
            tr("6 P b / (peak x reference MFU), b in samples as published, in tokens corrected."), {}},
        {u"allReduce"_s, tr("All-reduce"), shown(figures->allReduceTime),
            tr("Gradient x 2 (N - 1)/N / bandwidth: a ring without latency."), {}},
        {u"exposed"_s, tr("of which exposed"), shown(figures->exposedTime),
            tr("What the step waits for; the rest hides behind the backward pass."), {}},
        {u"gradient"_s, tr("Gradient"), shown(figures->gradient), tr("2 bytes per parameter."), {}},
        {u"bandwidth"_s, tr("Bandwidth"), shown(figures->bandwidth),
            tr("Of the links that the all-reduce runs over, per accelerator."), {}},
    };
    if (figures->forcedScaleOut)
        view.warnings << tr("Scale-up was chosen, but %1 accelerators do not fit its domain of %2; the all-reduce runs "
                            "over the scale-out fabric.")
                             .arg(settings.accelerators)
                             .arg(inputs.setting.domainSize);
    view.notes = wallNotes(settings, inputs, machine);
    return view;
}

QString outOfMemory(const cube::Figures &figures, const cube::Setting &setting)
{
    const bool publishedActivations = setting.variant == cube::Variant::Published
        && figures.activations > figures.weights + figures.optimizer;
    return tr("Out of memory: weights %1 + optimizer %2 + activations %3 = %4 of %5. %6")
        .arg(shown(figures.weights), shown(figures.optimizer), shown(figures.activations), shown(figures.total),
            shown(setting.capacity),
            publishedActivations ? tr("Lower TP: as published, activations grow with it; raise PP instead.")
                : setting.variant == cube::Variant::Published ? tr("Raise PP, which divides weights and optimizer.")
                                                              : tr("Raise TP or PP."));
}

Expected<InstrumentView> cubeView(const CubeSettings &settings, const instruments::Machine &machine)
{
    const auto inputs = instruments::inputsOf(settings, machine);
    const auto figures = cube::price(inputs);
    if (!figures)
        return std::unexpected(figures.error());
    auto chart = charts::cubeChart(inputs);
    if (!chart)
        return std::unexpected(chart.error());
    const auto &setting = inputs.setting;
    const bool published = setting.variant == cube::Variant::Published;
    InstrumentView view;
    view.chart = std::move(*chart);
    view.figures = {
        {u"mfu"_s, tr("MFU"), percent(figures->mfu),
            tr("%1 (1 - 0.05 log2(TP) penalty)(1 - bubble)(1 - 0.02 log2(DP)): %2 x %3 x %4 x %1. Good from %5, watch "
               "from %6, else poor.")
                .arg(percent(setting.referenceMfu), number(figures->tpFactor), number(figures->bubbleFactor),
                    number(figures->dpFactor), percent(cube::greenMfu), percent(cube::amberMfu)),
            cube::mfuBand(figures->mfu)},
        {u"memory"_s, tr("Memory"), tr("%1 of %2").arg(shown(figures->total), shown(setting.capacity)),
            tr("Weights, optimizer and activations of one accelerator. Watch above %1 of the capacity, poor when it "
               "does not fit.")
                .arg(percent(cube::amberMemoryShare)),
            cube::memoryBand(figures->total, setting.capacity)},
        {u"bubble"_s, tr("Bubble"), percent(figures->bubble),
            tr("(PP - 1)/(PP m), the lab's own convention. Good up to %1, watch up to %2, else poor.")
                .arg(percent(cube::amberBubble), percent(cube::bubbleCeiling)),
            cube::bubbleBand(figures->bubble)},
        {u"dp"_s, tr("Data parallel (DP)"), figures->valid ? QString::number(figures->dp) : tr("none"),
            tr("%1 accelerators / (TP x PP).").arg(setting.accelerators), {}},
        {u"weights"_s, tr("Weights"), shown(figures->weights), tr("2 bytes per parameter / (TP x PP)."), {}},
        {u"optimizer"_s, tr("Optimizer"), shown(figures->optimizer), tr("8 bytes per parameter / (TP x PP)."), {}},
        {u"activations"_s, tr("Activations"), shown(figures->activations),
            published ? tr("8 GB x TP, as published.") : tr("8 GB / TP, with sequence parallelism."), {}},
    };
    if (!figures->valid)
        view.warnings << tr(
            "TP x PP = %1 does not divide the %2 accelerators; choose powers of two with a product of at most %2.")
                             .arg(settings.tp * settings.pp)
                             .arg(setting.accelerators);
    if (figures->outOfMemory)
        view.warnings << outOfMemory(*figures, setting);
    if (figures->bubbleOverCeiling)
        view.warnings << tr("The bubble of %1 is above the ceiling of %2; raise the microbatches or lower PP.")
                             .arg(percent(figures->bubble), percent(cube::bubbleCeiling));
    if (figures->tpCrossesNode)
        view.warnings << tr(
            "TP %1 crosses the node of %2 accelerators: its loss grows by the factor %3 (%4 inside over %5 outside).")
                             .arg(settings.tp)
                             .arg(setting.nodeSize)
                             .arg(number(figures->tpPenalty), shown(setting.scaleUp), shown(setting.scaleOut));
    if (published)
        view.notes << tr("Published slip: activations grow with TP, so the lab's own preferred answer (TP 8, PP 4, DP "
                         "32) is out of memory by its own formula, 119 GB of 80 GB.");
    else
        view.notes << tr("Corrected: activations are divided by TP, as tensor with sequence parallelism does; the MFU "
                         "keeps the published formula.");
    view.notes << tr("The bubble here is (PP - 1)/(PP m). Others count (PP - 1)/(m + PP - 1) of the whole interval or "
                     "(PP - 1)/(v m) of the ideal time; compare only like with like.");
    return view;
}

} // namespace

Expected<InstrumentView> viewOf(const InstrumentSettings &settings, const instruments::Machine &machine)
{
    if (const auto *wall = std::get_if<DpWallSettings>(&settings))
        return wallView(*wall, machine);
    return cubeView(std::get<CubeSettings>(settings), machine);
}

QString inWords(const InstrumentSettings &settings, const instruments::Reading &reading)
{
    const auto variant = [](InstrumentVariant chosen) {
        return chosen == InstrumentVariant::Published ? tr("as published") : tr("corrected");
    };
    if (const auto *wall = std::get_if<DpWallSettings>(&settings))
        return tr("%1 B parameters on %2 accelerators, microbatch %3, %4, %5")
            .arg(number(wall->parameterBillions))
            .arg(wall->accelerators)
            .arg(wall->microbatch)
            .arg(wall->fabric == WallFabric::ScaleUp ? tr("scale-up") : tr("scale-out"), variant(wall->variant));
    const auto &cubeSettings = std::get<CubeSettings>(settings);
    return tr("TP %1 x PP %2 x DP %3, %4 microbatches, %5")
        .arg(cubeSettings.tp)
        .arg(cubeSettings.pp)
        .arg(reading.dp ? QString::number(*reading.dp) : tr("none"))
        .arg(cubeSettings.microbatches)
        .arg(variant(cubeSettings.variant));
}

QString inWords(fleetwright::Band band)
{
    switch (band) {
    case fleetwright::Band::Green: return tr("good");
    case fleetwright::Band::Amber: return tr("watch");
    case fleetwright::Band::Red: return tr("poor");
    }
    return {};
}

} // namespace fleetwright::app
