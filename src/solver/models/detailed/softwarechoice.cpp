// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/softwarechoice.h"

#include "units/words.h"

#include <algorithm>

namespace fleetwright::detailed {

namespace {

struct ClassWords {
    std::string_view id, members;
};
constexpr std::array<ClassWords, allSoftwareClasses.size()> classWords{{
    {"tuned", "Megatron-Core, Megatron-Bridge, NeMo, MLPerf submissions"},
    {"framework", "torchtitan, FSDP, DeepSpeed, MaxText"},
    {"research", "nanotron, LitGPT"},
}};

} // namespace

std::string_view toString(SoftwareClass softwareClass)
{
    return classWords[static_cast<std::size_t>(softwareClass)].id;
}

std::string_view membersOf(SoftwareClass softwareClass)
{
    return classWords[static_cast<std::size_t>(softwareClass)].members;
}

Expected<SoftwareClass> parseSoftwareClass(std::string_view text, std::string_view field)
{
    const auto found = std::ranges::find(classWords, text, &ClassWords::id);
    if (found != classWords.end())
        return static_cast<SoftwareClass>(found - classWords.begin());
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
