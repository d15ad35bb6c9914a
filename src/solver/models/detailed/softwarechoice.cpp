// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/softwarechoice.h"

#include "units/words.h"

#include <algorithm>

namespace fleetwright::detailed {

namespace {

constexpr std::array<std::string_view, allSoftwareClasses.size()> classIds{"tuned", "framework", "research"};

/// What a word in the name of a framework says.
struct NamedFramework {
    std::string_view word; ///< lower case
    std::optional<SoftwareClass> softwareClass{};
    std::optional<Software> stack{}; ///< where the name alone says it
    std::string_view shownAs{}; ///< among the members of its class; empty: not shown
};
using enum SoftwareClass;
/// The first that fits is asked: research codes; JAX, PyTorch and DeepSpeed frameworks, ports of Megatron to other
/// vendors and what runs on ROCm; NVIDIA's Megatron family; names that no run of ours has and that stand for software
/// whose runs we have.
constexpr std::array namedFrameworks{
    NamedFramework{"nanotron", Research, Software::Research, "nanotron"},
    NamedFramework{.word = "litgpt", .softwareClass = Research, .shownAs = "LitGPT"},
    NamedFramework{"picotron", Research},
    NamedFramework{"sailor", Research},
    NamedFramework{"(cpu)", Research},
    NamedFramework{.word = "torchtitan", .softwareClass = Framework, .shownAs = "torchtitan"},
    NamedFramework{.word = "fsdp", .softwareClass = Framework, .shownAs = "FSDP"},
    NamedFramework{.word = "deepspeed", .softwareClass = Framework, .shownAs = "DeepSpeed"},
    NamedFramework{.word = "maxtext", .softwareClass = Framework, .shownAs = "MaxText"},
    NamedFramework{"pax", Framework},
    NamedFramework{"jax", Framework},
    NamedFramework{"composer", Framework},
    NamedFramework{"neox", Framework},
    NamedFramework{"internevo", Framework},
    NamedFramework{"oneflow", Framework},
    NamedFramework{"modellink", Framework, Software::MegatronCore},
    NamedFramework{"mindspeed", Framework, Software::MegatronCore},
    NamedFramework{"nxd", Framework},
    NamedFramework{"rocm", Framework},
    NamedFramework{"primus", Framework, Software::MegatronCore},
    NamedFramework{"llmboost", Framework},
    NamedFramework{.word = "megatron", .softwareClass = Tuned, .shownAs = "Megatron-Core, Megatron-Bridge"},
    NamedFramework{.word = "nemo", .softwareClass = Tuned, .shownAs = "NeMo"},
    NamedFramework{"megascale", Tuned},
    NamedFramework{.word = "mlperf", .softwareClass = Tuned, .shownAs = "MLPerf submissions"},
    NamedFramework{"t5x", {}, Software::Xla},
    NamedFramework{"levanter", {}, Software::Xla},
    NamedFramework{"easylm", {}, Software::Xla},
    NamedFramework{"alpa ", {}, Software::Xla},
    NamedFramework{"flax", {}, Software::Xla},
    NamedFramework{"pytorch/xla", {}, Software::Xla},
    NamedFramework{"torch_xla", {}, Software::Xla},
    NamedFramework{"hai-llm", {}, Software::MegatronCore},
    NamedFramework{"hugging face", {}, Software::Fsdp},
    NamedFramework{"transformers", {}, Software::Fsdp},
    NamedFramework{"lightning", {}, Software::Fsdp},
    NamedFramework{"axolotl", {}, Software::Fsdp},
    NamedFramework{"llama-factory", {}, Software::Fsdp},
    NamedFramework{"colossal", {}, Software::Fsdp},
    NamedFramework{"fairscale", {}, Software::Fsdp},
    NamedFramework{"fairseq", {}, Software::Fsdp},
    NamedFramework{"metaseq", {}, Software::Fsdp},
    NamedFramework{"torchtune", {}, Software::Fsdp},
};

} // namespace

std::string_view toString(SoftwareClass softwareClass) { return classIds[static_cast<std::size_t>(softwareClass)]; }

std::string membersOf(SoftwareClass softwareClass)
{
    std::string members;
    for (const auto &framework : namedFrameworks)
        if (framework.softwareClass == softwareClass && !framework.shownAs.empty())
            members.append(members.empty() ? "" : ", ").append(framework.shownAs);
    return members;
}

std::optional<SoftwareClass> classNamed(std::string_view frameworkInLowerCase)
{
    for (const auto &framework : namedFrameworks)
        if (framework.softwareClass && frameworkInLowerCase.contains(framework.word))
            return framework.softwareClass;
    return std::nullopt;
}

std::optional<Software> stackNamed(std::string_view frameworkInLowerCase)
{
    for (const auto &framework : namedFrameworks)
        if (framework.stack && frameworkInLowerCase.contains(framework.word))
            return framework.stack;
    return std::nullopt;
}

Expected<SoftwareClass> parseSoftwareClass(std::string_view text, std::string_view field)
{
    const auto found = std::ranges::find(classIds, text);
    if (found != classIds.end())
        return static_cast<SoftwareClass>(found - classIds.begin());
    return refuse(ErrorCode::UnsupportedValue, std::string(field),
        "The software class " + inQuotes(text) + " is not known; use tuned, framework or research.");
}

Software stackOf(SoftwareClass softwareClass, Family family)
{
    if (isTpu(family))
        return Software::Xla;
    switch (softwareClass) {
    case SoftwareClass::Tuned: break;
    case SoftwareClass::Framework: return Software::FsdpCompiled;
    case SoftwareClass::Research: return Software::Research;
    }
    return Software::MegatronCore;
}

SoftwareClass classOf(Software software)
{
    switch (software) {
    case Software::MegatronV2:
    case Software::MegatronCore: return SoftwareClass::Tuned;
    case Software::Research: return SoftwareClass::Research;
    case Software::MegatronDeepSpeed:
    case Software::Fsdp:
    case Software::FsdpCompiled:
    case Software::Xla: break;
    }
    return SoftwareClass::Framework;
}

int attentionKernelOf(Software software, Family family)
{
    if (family == Family::V100)
        return 0;
    const bool second = software == Software::Fsdp || software == Software::FsdpCompiled
        || software == Software::Research;
    return second ? 2 : 3;
}

} // namespace fleetwright::detailed
