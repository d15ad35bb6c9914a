// SPDX-License-Identifier: GPL-3.0-or-later
// A run as a plan, and what a run keeps of the plan that it was made from.
#include "solver/validation/runconfiguration.h"

#include "solver/validation/asplanned.h"
#include "solver/validation/parametercounts.h"
#include "units/words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

namespace fleetwright::validation {

namespace {

constexpr double largestInt = std::numeric_limits<int>::max();

std::optional<int> positive(std::int64_t count)
{
    return count > 0 ? std::optional(static_cast<int>(count)) : std::nullopt;
}

/// Domain values count in int; a run beyond that is no run.
bool fitsInt(std::initializer_list<std::int64_t> counts)
{
    return std::ranges::all_of(counts, [](std::int64_t count) { return double(count) <= largestInt; });
}

Expected<Workload> workloadOf(const MeasuredRun &run, const detailed::Architecture &model, std::int64_t sequenceLength)
{
    WorkloadFacts facts;
    facts.id = run.id;
    facts.name = run.model.name.empty() ? run.id : run.model.name.string();
    facts.family = model.experts > 0 ? WorkloadFamily::MixtureOfExperts : WorkloadFamily::Transformer;
    facts.parameters = run.model.parameters && *run.model.parameters > 0 ? *run.model.parameters
                                                                         : ParameterCounts::total(model);
    const double active = run.model.activeParameters && *run.model.activeParameters > 0 ? *run.model.activeParameters
        : model.experts > 0                                                             ? ParameterCounts::active(model)
                                                                                        : facts.parameters;
    facts.activeParameters = std::min(active, facts.parameters);
    facts.layers = positive(model.layers);
    facts.hiddenSize = positive(model.hidden);
    facts.attentionHeads = positive(model.heads);
    facts.kvHeads = positive(model.kvHeads);
    facts.headDim = positive(model.headDim);
    facts.ffnHiddenSize = positive(
        model.experts > 0 && model.expertLayers == model.layers ? model.expertFfn : model.ffn);
    facts.gatedFfn = model.gated;
    facts.tiedEmbeddings = model.tiedEmbeddings;
    facts.hybrid = model.workScale != 1;
    facts.vocabSize = positive(model.vocabulary);
    facts.maxSequenceLength = positive(sequenceLength);
    facts.experts = positive(model.experts);
    if (model.experts > 0) {
        facts.expertsPerToken = positive(model.expertsPerToken);
        facts.expertFfnHiddenSize = positive(model.expertFfn);
        facts.sharedExperts = static_cast<int>(model.sharedExperts);
        facts.firstDenseLayers = static_cast<int>(model.layers - model.expertLayers);
    }
    if (model.latentAttention) {
        constexpr int queryRank = 1536, valueRank = 512, rotaryDim = 64; // DeepSeek-V2 and V3
        facts.attentionType = "mla";
        facts.queryLoraRank = queryRank;
        facts.kvLoraRank = valueRank;
        facts.qkRopeHeadDim = rotaryDim;
    }
    return Workload::create(std::move(facts));
}

/// As the catalog writes it, so that the plan's accelerator is recognised as what the run used.
std::string_view architectureName(detailed::Family family)
{
    switch (family) {
    case detailed::Family::V100: return "Volta";
    case detailed::Family::A100: return "Ampere";
    case detailed::Family::Hopper: return "Hopper";
    case detailed::Family::Blackwell: return "Blackwell";
    case detailed::Family::BlackwellUltra: return "Blackwell Ultra";
    case detailed::Family::Tpu: return "TPU v5";
    case detailed::Family::TpuV6e: return "TPU v6";
    case detailed::Family::Cdna: return "CDNA 3";
    }
    return {};
}

Expected<Accelerator> acceleratorOf(const MeasuredRun &run, const detailed::Machine &machine)
{
    AcceleratorFacts facts;
    facts.id = run.accelerator;
    facts.name = run.accelerator;
    facts.vendor = "as the run states";
    facts.tier = "cloud";
    facts.architecture = architectureName(machine.family);
    const auto set = [&facts](Precision precision, FlopRate peak) {
        facts.peaks[static_cast<std::size_t>(precision)] = peak;
    };
    set(Precision::Fp16, machine.peak16);
    if (machine.family != detailed::Family::V100)
        set(Precision::Bf16, machine.peak16);
    if (machine.peak8 > machine.peak16)
        set(Precision::Fp8, machine.peak8);
    if (machine.peak4 > machine.peak8)
        set(Precision::Fp4, machine.peak4);
    facts.memoryCapacity = machine.capacity;
    facts.memoryBandwidth = machine.memoryBandwidth;
    facts.scaleUpBandwidth = machine.scaleUp;
    return Accelerator::create(std::move(facts));
}

Expected<Fleet> fleetOf(const MeasuredRun &run, const RunConfiguration &configuration)
{
    const auto &machine = configuration.setting.machine;
    const auto n = configuration.setting.accelerators;
    auto accelerator = acceleratorOf(run, machine);
    if (!accelerator)
        return std::unexpected(accelerator.error());
    const auto stated = run.acceleratorsPerNode && *run.acceleratorsPerNode > 0
        ? *run.acceleratorsPerNode
        : std::min<std::int64_t>(machine.domain, 8);
    const auto perNode = std::gcd(n, stated); // partly used nodes count as smaller ones
    auto node = Node::create({.id = run.accelerator + " node",
        .name = run.accelerator + " node",
        .accelerator = std::move(*accelerator),
        .acceleratorsPerNode = static_cast<int>(perNode),
        .scaleUpDomainSize = static_cast<int>(std::max(perNode, std::min(machine.domain, n))),
        .scaleUpBandwidth = machine.scaleUp,
        .scaleUpLatency = std::nullopt,
        .nicCount = static_cast<int>(perNode),
        .nicRate = machine.scaleOut,
        .hostMemory = std::nullopt,
        .maxPower = std::nullopt,
        .psuCount = std::nullopt,
        .rackUnits = std::nullopt});
    if (!node)
        return std::unexpected(node.error());
    FabricFacts fabric;
    fabric.id = "stated";
    fabric.name = run.scaleOutText.empty() ? "scale-out network" : run.scaleOutText;
    fabric.portBandwidth = machine.scaleOut;
    auto network = Fabric::create(std::move(fabric));
    if (!network)
        return std::unexpected(network.error());
    return Fleet::create({.name = run.accelerator,
        .node = std::move(*node),
        .nodeCount = static_cast<int>(n / perNode),
        .fabric = std::move(*network),
        .site = {}});
}

} // namespace

Expected<Plan> planFrom(const MeasuredRun &run, const RunConfiguration &configuration, std::string_view costModelId)
{
    const auto &setting = configuration.setting;
    const auto &layout = configuration.layout;
    const auto &model = setting.architecture;
    if (!fitsInt({setting.accelerators, setting.sequenceLength, setting.globalBatch, layout.tp, layout.pp, layout.cp,
            layout.ep, layout.microbatch, model.layers, model.hidden, model.heads, model.kvHeads, model.headDim,
            model.ffn, model.vocabulary, model.experts, model.expertFfn}))
        return refuse(ErrorCode::OutOfRange, "run", "counts beyond a plan's range");
    auto workload = workloadOf(run, model, setting.sequenceLength);
    if (!workload)
        return std::unexpected(workload.error());
    auto fleet = fleetOf(run, configuration);
    if (!fleet)
        return std::unexpected(fleet.error());
    const bool half = run.precision.starts_with("fp16") || setting.machine.family == detailed::Family::V100;
    Training training;
    training.globalBatch = static_cast<int>(setting.globalBatch);
    training.microbatchCount.reset();
    training.microbatchSize = static_cast<int>(layout.microbatch);
    training.sequenceLength = static_cast<int>(setting.sequenceLength);
    constexpr int wholeWord = 16, byteWide = 8;
    training.precision = setting.precisionBits == wholeWord ? (half ? Precision::Fp16 : Precision::Bf16)
        : setting.precisionBits == byteWide                 ? Precision::Fp8
                                                            : Precision::Fp4;
    training.recompute = layout.recompute;
    training.lora = setting.lora;
    return Plan::create({.name = run.id,
        .workload = std::move(*workload),
        .fleet = std::move(*fleet),
        .parallelism = {.tp = static_cast<int>(layout.tp),
            .pp = static_cast<int>(layout.pp),
            .cp = static_cast<int>(layout.cp),
            .ep = static_cast<int>(layout.ep),
            .virtualStages = static_cast<int>(layout.virtualStages),
            .zeroStage = layout.zeroStage,
            .sequenceParallel = layout.sequenceParallel},
        .training = training,
        .assumptions = {},
        .constraints = {},
        .costModelId = std::string(costModelId)});
}

Assumptions assumptionsFrom(const RunConfiguration &configuration)
{
    const auto &setting = configuration.setting;
    const auto &layout = configuration.layout;
    const auto &stack = setting.stack;
    const auto usual = detailed::defaultsOf(stack.software);
    Assumptions assumptions;
    auto &edited = assumptions.edited;
    edited["software_stack"] = std::string(detailed::toString(stack.software));
    edited["attention_kernel"] = setting.attentionKernel == 0 ? std::string("none")
                                                              : std::to_string(setting.attentionKernel);
    const auto flag = [&edited](const char *key, bool value, bool byDefault) {
        if (value != byDefault)
            edited[key] = std::string(value ? "on" : "off");
    };
    flag("dp_overlap", stack.dpOverlap, usual.dpOverlap);
    flag("tp_overlap", stack.tpOverlap, usual.tpOverlap);
    flag("pp_overlap", stack.ppOverlap, usual.ppOverlap);
    flag("ep_overlap", stack.epOverlap, usual.epOverlap);
    flag("dropout", stack.dropout, usual.dropout);
    flag("compiled_loss", stack.compiledLoss, usual.compiledLoss);
    if (stack.gradientBytes != usual.gradientBytes)
        edited["gradient_precision"] = std::to_string(stack.gradientBytes) + " bytes";
    if (stack.graphs)
        edited["cuda_graphs"] = true;
    if (setting.loraBaseBytes > 0)
        edited["lora_base_4bit"] = true;
    if (setting.bubbleShare != 1)
        edited["pipeline_schedule"] = std::string(setting.bubbleShare > 0 ? "zero_bubble_1p" : "zero_bubble_2p");
    if (layout.expertTp != detailed::expertTpOf(0, layout.tp, layout.ep))
        edited["expert_tensor_parallel"] = double(layout.expertTp);
    if (setting.straggler != 1)
        edited["straggler_factor"] = setting.straggler;
    if (setting.imbalance != 1)
        edited["moe_imbalance_factor"] = setting.imbalance;
    if (!setting.causal)
        edited["causal_attention"] = false;
    if (layout.recomputeShare)
        edited["recompute_share"] = *layout.recomputeShare;
    if (layout.shardGroup > 0)
        edited["shard_group"] = double(layout.shardGroup);
    return assumptions;
}

namespace {

using detailed::FamilyMatch;
using detailed::Machine;

constexpr std::string_view familiesKey = "families", nearWord = "near ", domainKey = "scale_up_domain",
                           kernelKey = "attention_kernel", recomputeKey = "recompute_share";

/// A figure of the machine in SI units.
struct Figure {
    std::string_view key;
    double (*of)(const Machine &);
    void (*put)(Machine &, double);
};

template <auto member> constexpr Figure quantity(std::string_view key)
{
    using Quantity = std::remove_cvref_t<decltype(Machine().*member)>;
    return {key, [](const Machine &machine) { return (machine.*member).value(); },
        [](Machine &machine, double value) { machine.*member = Quantity::from_value(value); }};
}

constexpr std::array machineFigures{quantity<&Machine::peak16>("peak_16"), quantity<&Machine::peak8>("peak_8"),
    quantity<&Machine::peak4>("peak_4"), quantity<&Machine::memoryBandwidth>("memory_bandwidth"),
    quantity<&Machine::capacity>("memory"), quantity<&Machine::scaleUp>("scale_up"),
    Figure{domainKey, [](const Machine &machine) { return double(machine.domain); },
        [](Machine &machine, double value) { machine.domain = std::int64_t(value); }},
    quantity<&Machine::scaleOut>("scale_out")};

std::unexpected<Error> notUnderstood(ErrorCode code, const std::string &what)
{
    return refuse(code, "as_planned", "\u201cas_planned\u201d " + what + ".");
}

/// Calls take(key, value, part) for every part; false where one is no "key=value".
template <class Take> bool eachPart(std::string_view text, Take &&take)
{
    while (!text.empty()) {
        const auto end = std::min(text.find(';'), text.size());
        auto part = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
        if (part.empty())
            continue;
        const auto equals = part.find('=');
        if (equals == std::string_view::npos || equals == 0)
            return false;
        take(part.substr(0, equals), part.substr(equals + 1), part);
    }
    return true;
}

/// As short as it can be and the same number again.
std::string shortest(double value)
{
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    return {digits.data(), end};
}

std::optional<double> numberOf(std::string_view text)
{
    double value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool isNumber = problem == std::errc() && end == text.data() + text.size() && std::isfinite(value);
    return isNumber ? std::optional(value) : std::nullopt;
}

/// "Blackwell", or "near Hopper, A100" for what no run was measured on.
std::string familiesText(const FamilyMatch &match)
{
    std::string text(match.isNearest() ? nearWord : std::string_view());
    for (const auto &share : match.shares())
        text.append(text.size() > (match.isNearest() ? nearWord.size() : 0) ? ", " : "").append(toString(share.family));
    return text;
}

std::optional<FamilyMatch> familiesOf(std::string_view text)
{
    const bool isNear = text.starts_with(nearWord);
    if (isNear)
        text.remove_prefix(nearWord.size());
    std::vector<detailed::Family> families;
    while (!text.empty()) {
        constexpr std::string_view comma = ", ";
        const auto end = std::min(text.find(comma), text.size());
        const auto family = detailed::parseFamily(text.substr(0, end), {});
        if (!family)
            return std::nullopt;
        families.push_back(*family);
        text.remove_prefix(std::min(end + comma.size(), text.size()));
    }
    constexpr std::size_t two = 2, three = 3;
    if (!isNear)
        return families.size() == 1 ? std::optional(FamilyMatch::measured(families[0])) : std::nullopt;
    if (families.size() == 1)
        return FamilyMatch::nearestOf({families[0]});
    if (families.size() == two)
        return FamilyMatch::nearestOf({families[0], families[1]});
    if (families.size() == three)
        return FamilyMatch::nearestOf({families[0], families[1], families[2]});
    return std::nullopt;
}

/// Of the cost model's choices; its constants are what runs are there to learn, and no part of one.
const AssumptionDescriptor *choiceNamed(std::string_view key)
{
    return detailed::findConstant(key) ? nullptr : findAssumption(detailed::assumptionDescriptors(), key);
}

std::string valueText(const AssumptionValue &value)
{
    if (const auto *flag = std::get_if<bool>(&value))
        return *flag ? "yes" : "no";
    const auto *number = std::get_if<double>(&value);
    return number ? shortest(*number) : std::get<std::string>(value);
}

std::optional<AssumptionValue> choiceOf(const AssumptionDescriptor &descriptor, std::string_view text)
{
    if (std::holds_alternative<bool>(descriptor.defaultValue))
        return text == "yes" || text == "no" ? std::optional<AssumptionValue>(text == "yes") : std::nullopt;
    if (!std::holds_alternative<double>(descriptor.defaultValue))
        return std::string(text);
    const auto number = numberOf(text);
    return number ? std::optional<AssumptionValue>(*number) : std::nullopt;
}

bool isOfSoftware(std::string_view key)
{
    const auto *choice = choiceNamed(key), *stack = choiceNamed(detailed::softwareStackKey);
    return choice && stack && choice->group == stack->group;
}

} // namespace

Expected<AsPlanned> AsPlanned::fromText(std::string_view text)
{
    if (text.empty()) // as of a million runs
        return AsPlanned();
    constexpr std::size_t longest = 4000;
    if (text.size() > longest)
        return notUnderstood(ErrorCode::OutOfRange, "is longer than 4000 characters");
    AsPlanned planned;
    Assumptions choices;
    std::string unread;
    const bool isList = eachPart(text, [&](std::string_view key, std::string_view value, std::string_view part) {
        bool isRead = false;
        if (const auto figure = std::ranges::find(machineFigures, key, &Figure::key); figure != machineFigures.end()) {
            constexpr double most = 1e30;
            const auto number = numberOf(value);
            const bool isWhole = key != domainKey || (number && *number == std::trunc(*number) && *number <= 1e9);
            isRead = number && *number > 0 && *number < most && isWhole;
            if (isRead)
                planned.m_figures.insert_or_assign(figure->key, *number);
        } else if (key == familiesKey) {
            const auto families = familiesOf(value);
            isRead = families.has_value();
            planned.m_families = families.value_or(FamilyMatch());
        } else if (const auto *choice = choiceNamed(key)) {
            const auto chosen = choiceOf(*choice, value);
            isRead = chosen.has_value();
            if (isRead)
                choices.edited.insert_or_assign(std::string(key), *chosen);
        }
        if (!isRead && unread.empty())
            unread = part;
    });
    if (!isList)
        return notUnderstood(
            ErrorCode::UnsupportedValue, "is a list such as \u201cpeak_16=2.5e15; tp_overlap=on\u201d");
    if (!unread.empty())
        return notUnderstood(ErrorCode::UnsupportedValue, "cannot be read where it says " + inQuotes(unread));
    auto chosen = detailed::choicesFrom(choices);
    if (!chosen)
        return std::unexpected(Error{chosen.error().code, "as_planned", chosen.error().message});
    planned.m_choices = std::move(*chosen);
    return planned;
}

std::string AsPlanned::textOf(const RunConfiguration &plan)
{
    std::string text = std::string(familiesKey) + "=" + familiesText(plan.setting.families);
    for (const auto &figure : machineFigures)
        text.append("; ").append(figure.key).append("=").append(shortest(figure.of(plan.setting.machine)));
    for (const auto &[key, value] : assumptionsFrom(plan).edited)
        text.append("; ").append(key).append("=").append(valueText(value));
    return text;
}

bool AsPlanned::describesMachine() const
{
    return m_figures.size() == machineFigures.size() && !m_families.shares().empty();
}

void AsPlanned::describe(detailed::Setting &setting) const
{
    for (const auto &figure : machineFigures)
        if (const auto stated = m_figures.find(figure.key); stated != m_figures.end())
            figure.put(setting.machine, stated->second);
    if (m_families.shares().empty())
        return;
    setting.families = m_families;
    setting.machine.family = m_families.family();
}

std::string without(std::string_view asPlanned, PlannedPart part)
{
    std::string kept;
    eachPart(asPlanned, [&](std::string_view key, std::string_view, std::string_view text) {
        const bool isFigure = std::ranges::find(machineFigures, key, &Figure::key) != machineFigures.end()
            || key == familiesKey;
        const bool goes = part == PlannedPart::Hardware ? isFigure
            : part == PlannedPart::Domain               ? key == domainKey
            : part == PlannedPart::Software             ? isOfSoftware(key)
            : part == PlannedPart::AttentionKernel      ? key == kernelKey
                                                        : key == recomputeKey;
        if (!goes)
            kept.append(kept.empty() ? "" : "; ").append(text);
    });
    return kept;
}

} // namespace fleetwright::validation
