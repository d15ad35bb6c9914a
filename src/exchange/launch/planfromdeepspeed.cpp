// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/launch/importedplan.h"

#include "exchange/launch/importparts.h"
#include "exchange/textreader.h"
#include "solver/models/detailed/configuration.h"
#include "units/visibletext.h"
#include "units/words.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace fleetwright::exchange {

namespace {

using DeepSpeedJson = nlohmann::ordered_json;

/// Names of other versions and of settings that this reader knows to be another layout.
struct FormerMember {
    std::string_view path, sentence;
};
constexpr auto formerMembers = std::to_array<FormerMember>({
    {"zero_optimization.cpu_offload", "DeepSpeed's cpu_offload is deprecated; write offload_optimizer.device."},
    {"zero_optimization.cpu_offload_param", "DeepSpeed's cpu_offload_param is deprecated; write offload_param.device."},
    {"zero_optimization.cpu_offload_params", "DeepSpeed has no cpu_offload_params; write offload_param.device."},
    {"zero_optimization.mics_shard_size",
        "A plan has no field for groups of MiCS (mics_shard_size); leave it out, or import the plan without it."},
    {"pipeline", "A pipeline is written in code (PipelineModule), so the JSON does not say the whole layout."},
});

class DeepSpeedReader {
public:
    DeepSpeedReader(const DeepSpeedJson &json, const LaunchImport &import, const Catalog &catalog)
        : m_json(json), m_import(import), m_catalog(catalog)
    {
    }

    Expected<ImportedPlan> read()
    {
        for (const auto &[path, sentence] : formerMembers)
            if (find(path))
                refuseMember(ErrorCode::UnsupportedValue, path, std::string(sentence));
        auto &plan = m_imported.plan;
        plan.name = m_import.name.empty() ? "From a DeepSpeed configuration" : m_import.name;
        plan.costModelId = "detailed";
        readLayout();
        readPrecision();
        if (m_error)
            return std::unexpected(*m_error);
        if (auto rest = readModel(); !rest)
            return std::unexpected(rest.error());
        readBatch();
        readSoftware();
        if (m_error)
            return std::unexpected(*m_error);
        tellUnread();
        return checkedImport(std::move(m_imported), LaunchFramework::DeepSpeed, m_catalog);
    }

private:
    void refuseMember(ErrorCode code, std::string_view path, std::string sentence)
    {
        if (!m_error)
            m_error = Error{code, std::string(path), std::move(sentence)};
    }
    void tell(std::string sentence) { m_imported.told.push_back(std::move(sentence)); }

    /// The member at the dotted path; nothing where it is absent.
    const DeepSpeedJson *find(std::string_view path) const
    {
        const auto *value = &m_json;
        while (!path.empty()) {
            const auto dot = path.find('.');
            const auto key = std::string(path.substr(0, dot));
            path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
            if (!value->is_object() || !value->contains(key))
                return nullptr;
            value = &value->at(key);
        }
        return value;
    }
    const DeepSpeedJson *use(std::string_view path)
    {
        m_read.emplace_back(path);
        const auto *value = find(path);
        if (value && value->is_string() && value->get_ref<const std::string &>() == "auto") {
            refuseMember(ErrorCode::MissingField, path,
                "The value of " + std::string(path)
                    + " is \"auto\", which a training program fills in; write the number out.");
            return nullptr;
        }
        return value;
    }
    std::optional<std::int64_t> number(std::string_view path, std::int64_t low)
    {
        const auto *value = use(path);
        if (!value)
            return std::nullopt;
        constexpr double most = 1e9;
        const double whole = value->is_number() ? value->get<double>() : -1;
        if (whole >= double(low) && whole <= most && whole == double(std::int64_t(whole)))
            return std::int64_t(whole);
        refuseMember(ErrorCode::OutOfRange, path,
            "The value of " + std::string(path) + " must be a whole number of at least " + std::to_string(low) + ".");
        return std::nullopt;
    }
    bool flag(std::string_view path, bool otherwise)
    {
        const auto *value = use(path);
        if (value && !value->is_boolean())
            refuseMember(
                ErrorCode::UnsupportedValue, path, "The value of " + std::string(path) + " must be true or false.");
        return value && value->is_boolean() ? value->get<bool>() : otherwise;
    }

    void readLayout()
    {
        auto &split = m_imported.plan.parallelism;
        const auto stage = number("zero_optimization.stage", 0);
        if (stage && *stage > 3)
            refuseMember(ErrorCode::OutOfRange, "zero_optimization.stage", "The ZeRO stage is 0, 1, 2 or 3.");
        split.zeroStage = int(std::clamp<std::int64_t>(stage.value_or(0), 0, 3));
        split.tp = int(number("tensor_parallel.autotp_size", 1).value_or(1));
        const bool experts = flag("expert_parallel.enabled", false);
        const auto size = number("expert_parallel.autoep_size", 1);
        split.ep = experts ? int(size.value_or(1)) : 1;
        if (number("sequence_parallel_size", 1).value_or(1) > 1)
            refuseMember(ErrorCode::UnsupportedValue, "sequence_parallel_size",
                "A plan has no field for attention heads that are split among ranks (Ulysses, sequence_parallel_size); "
                "set it to 1.");
        static_cast<void>(number("data_parallel_size", 1)); // what remains
        const auto *offload = use("zero_optimization.offload_param.device");
        if (offload && *offload != "none" && split.zeroStage != 3)
            refuseMember(ErrorCode::UnsupportedValue, "zero_optimization.offload_param.device",
                "DeepSpeed offloads parameters with ZeRO 3 only.");
        const auto *states = use("zero_optimization.offload_optimizer.device");
        if ((offload && *offload != "none") || (states && *states != "none"))
            tell("Offload to the host has no place in a plan, which keeps everything in device memory.");
    }

    void readPrecision()
    {
        // The member has a former name.
        const bool bf16 = flag(find("bf16") ? "bf16.enabled" : "bfloat16.enabled", false),
                   fp16 = flag("fp16.enabled", false);
        if (bf16 && fp16)
            refuseMember(ErrorCode::UnsupportedValue, "fp16.enabled", "bf16 and fp16 exclude each other.");
        auto &plan = m_imported.plan;
        plan.training.precision = bf16 ? Precision::Bf16 : fp16 ? Precision::Fp16 : Precision::Fp32;
        if (bf16 || fp16)
            return;
        plan.costModelId = "first-order";
        tell("Without bf16 or fp16 DeepSpeed trains in fp32, which the detailed cost model does not price; the plan is "
             "priced by first-order.");
    }

    Expected<void> readModel()
    {
        auto &plan = m_imported.plan;
        if (m_import.workload.empty())
            return refuse(ErrorCode::MissingField, "workload",
                "A configuration of DeepSpeed does not name its model; name a workload of the catalog.");
        if (const auto known = m_catalog.require(CatalogKind::Workload, m_import.workload, "workload"); !known)
            return std::unexpected(known.error());
        plan.workload = m_import.workload;
        if (!m_import.sequenceLength)
            return refuse(ErrorCode::MissingField, "training.seq_len",
                "A configuration of DeepSpeed does not say how long its sequences are; state their tokens.");
        plan.training.sequenceLength = *m_import.sequenceLength;
        auto fleet = fleetFrom({}, m_import, m_catalog);
        if (!fleet)
            return std::unexpected(fleet.error());
        plan.fleet = std::move(*fleet);
        const auto accelerators = acceleratorsOf(plan.fleet, m_catalog);
        if (!accelerators)
            return std::unexpected(accelerators.error());
        if (*accelerators % plan.parallelism.tp != 0)
            return refuse(ErrorCode::InfeasibleParallelism, "tensor_parallel.autotp_size",
                "autotp_size must divide the " + std::to_string(*accelerators) + " accelerators.");
        m_dp = *accelerators / plan.parallelism.tp;
        return {};
    }

    /// Two of three numbers give the third, and three must agree.
    void readBatch()
    {
        const auto batch = number("train_batch_size", 1), micro = number("train_micro_batch_size_per_gpu", 1),
                   steps = number("gradient_accumulation_steps", 1);
        if (m_error)
            return;
        auto &training = m_imported.plan.training;
        training.microbatchCount.reset();
        const auto whole = [this](std::int64_t value, std::int64_t divisor, std::string_view path) -> std::int64_t {
            if (value % divisor != 0)
                refuseMember(ErrorCode::InfeasibleParallelism, path,
                    "train_batch_size must be train_micro_batch_size_per_gpu \u00d7 gradient_accumulation_steps \u00d7 "
                    "the "
                        + std::to_string(m_dp) + " data-parallel ranks.");
            return std::max<std::int64_t>(1, value / divisor);
        };
        if (!batch && !micro)
            return refuseMember(ErrorCode::MissingField, "train_batch_size",
                "State train_batch_size or train_micro_batch_size_per_gpu; DeepSpeed derives the rest.");
        const auto size = micro ? *micro : whole(*batch, m_dp * steps.value_or(1), "train_batch_size");
        const double derived = double(size) * double(m_dp) * double(steps.value_or(1));
        const auto total = batch ? *batch : std::int64_t(std::min(derived, 1e12));
        if (steps ? double(total) != std::min(derived, 1e12) : total % (size * m_dp) != 0)
            static_cast<void>(whole(1, 2, "train_batch_size"));
        const auto global = planCount(total, "train_batch_size");
        if (!global)
            return refuseMember(global.error().code, global.error().field, global.error().message);
        training.globalBatch = *global;
        training.microbatchSize = int(size);
    }

    void readSoftware()
    {
        const auto &plan = m_imported.plan;
        const bool overlap = flag("zero_optimization.overlap_comm", plan.parallelism.zeroStage == 3);
        if (plan.costModelId != "detailed")
            return;
        const auto stack = detailed::Software::Fsdp;
        auto &edited = m_imported.plan.assumptions.edited;
        edited["software_stack"] = std::string(toString(stack));
        if (m_dp > 1 && overlap != detailed::defaultsOf(stack).dpOverlap)
            edited["dp_overlap"] = std::string(overlap ? "on" : "off");
        if (find("activation_checkpointing"))
            tell("activation_checkpointing configures what the model's code calls; whether it recomputes is not said, "
                 "and the plan does not.");
    }

    /// Members that nobody asked for.
    void tellUnread()
    {
        std::vector<std::string> left;
        const auto wasRead = [this](const std::string &path) {
            return std::ranges::any_of(
                m_read, [&path](const std::string &read) { return read == path || read.starts_with(path + "."); });
        };
        const auto add = [&left](const std::string &path) {
            if (left.size() < 50)
                left.push_back(inQuotes(visibleText(path, TextShape::OneLine)));
        };
        for (const auto &[key, value] : m_json.items()) {
            if (key == "fleetwright_launch" || key == "activation_checkpointing")
                continue;
            if (!wasRead(key)) {
                add(key);
                continue;
            }
            if (value.is_object())
                for (const auto &[inner, content] : value.items())
                    if (!wasRead(key + "." + inner))
                        add(key + "." + inner);
        }
        if (!left.empty())
            tell("Without a place in a plan, or not known here: " + listed(left) + ".");
    }

    const DeepSpeedJson &m_json;
    const LaunchImport &m_import;
    const Catalog &m_catalog;
    ImportedPlan m_imported;
    std::vector<std::string> m_read;
    std::int64_t m_dp = 1;
    std::optional<Error> m_error;
};

} // namespace

Expected<ImportedPlan> planFromDeepSpeed(std::string_view text, const LaunchImport &import, const Catalog &catalog)
{
    const auto json = readJson(text);
    if (!json)
        return std::unexpected(json.error());
    if (!json->is_object())
        return refuse(ErrorCode::ParseError, "", "A configuration of DeepSpeed is a JSON object.");
    return DeepSpeedReader(*json, import, catalog).read();
}

} // namespace fleetwright::exchange
