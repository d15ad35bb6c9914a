// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// A reader of something that may come from anywhere, with what must hold whatever comes. Each target is one source;
/// two builds take it. With GCC all are one program that replays the corpus and tries a few seeded mutations
/// (driver.cpp), as ordinary tests. With Clang and FLEETWRIGHT_FUZZ each is a program of libFuzzer with the same
/// mutators.
namespace fleetwright::fuzz {

/// How inputs are changed (mutators.h).
enum class Form { Text, Pages, Bytes };

struct Target {
    const char *name; ///< of its ctest, its program and its folder in tests/fuzz/corpus
    bool (*take)(std::string_view input); ///< true: accepted; ends the process where a property does not hold
    std::vector<std::string> (*seeds)(); ///< beside the files of the corpus
    Form form;
    int tries; ///< seeded mutations in the suite
};

struct Registration {
    explicit Registration(const Target &target);
};

/// What must hold. Prints the sentence and ends the process, which both builds report with the input.
void require(bool holds, const char *sentence);

/// For libFuzzer.
int takeBytes(const Target &target, const std::uint8_t *data, std::size_t size);
std::size_t mutateBytes(
    const Target &target, std::uint8_t *data, std::size_t size, std::size_t longest, unsigned int seed);
int initialise(int *count, char ***arguments);

} // namespace fleetwright::fuzz

#ifdef FLEETWRIGHT_LIBFUZZER
#define FLEETWRIGHT_FUZZ_TARGET(name, ...)                                                                             \
    static const fleetwright::fuzz::Target name##Target{#name, __VA_ARGS__};                                           \
    extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)                                  \
    {                                                                                                                  \
        return fleetwright::fuzz::takeBytes(name##Target, data, size);                                                 \
    }                                                                                                                  \
    extern "C" std::size_t LLVMFuzzerCustomMutator(                                                                    \
        std::uint8_t *data, std::size_t size, std::size_t longest, unsigned int seed)                                  \
    {                                                                                                                  \
        return fleetwright::fuzz::mutateBytes(name##Target, data, size, longest, seed);                                \
    }                                                                                                                  \
    extern "C" int LLVMFuzzerInitialize(int *count, char ***arguments)                                                 \
    {                                                                                                                  \
        return fleetwright::fuzz::initialise(count, arguments);                                                        \
    }
#else
/// At the end of each source: name, take, seeds, form, tries.
#define FLEETWRIGHT_FUZZ_TARGET(name, ...)                                                                             \
    static const fleetwright::fuzz::Registration name##Registration(fleetwright::fuzz::Target{#name, __VA_ARGS__});
#endif
