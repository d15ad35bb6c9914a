// SPDX-License-Identifier: GPL-3.0-or-later
// Replays the corpus of a target and tries seeded mutations: `tests-fuzz TARGET [TRIES [SEED]]`. `tests-fuzz TARGET
// FILE` takes one input.
#include "fuzzsupport.h"
#include "mutators.h"
#include "testing/processortime.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#ifdef __unix__
#include <csignal>
#include <unistd.h>
#endif

namespace fleetwright::fuzz {

namespace {

std::vector<Target> &targets()
{
    static std::vector<Target> all;
    return all;
}

constexpr double mostSeconds = 1; ///< of the processor for one input, on the machine that the goals are stated for
/// A busy one takes longer; quadratic work takes far longer.
constexpr double slowMachine = 4 * testing::sanitizerSlowdown;

std::string current; ///< input, for whoever looks into a failure

/// Leaves the input that ended the process where the tests run.
void keepInput(int)
{
#ifdef __unix__
    std::FILE *file = std::fopen("fuzz-finding", "wb");
    if (file) {
        std::fwrite(current.data(), 1, current.size(), file);
        std::fclose(file);
        constexpr std::string_view note = "The input is in the file fuzz-finding.\n";
        static_cast<void>(!::write(STDERR_FILENO, note.data(), note.size()));
    }
    _exit(3);
#endif
}

struct Tally {
    int inputs = 0, accepted = 0;
    double slowest = 0;
};

void take(const Target &target, std::string input, Tally &tally)
{
    current = std::move(input);
    const double before = testing::processorSeconds();
    tally.accepted += target.take(current);
    const double used = testing::processorSeconds() - before;
    ++tally.inputs;
    tally.slowest = std::max(tally.slowest, used);
    require(used < mostSeconds * slowMachine, "one input takes no more than its time");
}

int run(const Target &target, int tries, unsigned int seed)
{
    const auto &inputs = inputsOf(target); // what all inputs share is read before the clock runs
    current = inputs.front();
    static_cast<void>(target.take(current));
    Tally corpus, mutations;
    for (const auto &input : inputs)
        take(target, input, corpus);
    require(corpus.accepted > 0, "some input of the corpus is accepted");
    Random random(seed);
    for (int i = 0; i < tries; ++i)
        take(target, mutated(random.oneOf(inputs), target, random), mutations);
    std::printf("fuzz %s: corpus %d (%d accepted), mutations %d (%d accepted), slowest %.3f s, 0 findings\n",
        target.name, corpus.inputs, corpus.accepted, mutations.inputs, mutations.accepted,
        std::max(corpus.slowest, mutations.slowest));
    return 0;
}

int runFile(const Target &target, const char *path)
{
    std::ifstream file(path, std::ios::binary);
    static_cast<void>(target.take(inputsOf(target).front())); // what all inputs share is read before the clock runs
    Tally tally;
    take(target, {std::istreambuf_iterator<char>(file), {}}, tally);
    std::printf("fuzz %s: %s, %.3f s\n", target.name, tally.accepted > 0 ? "accepted" : "refused", tally.slowest);
    return 0;
}

} // namespace

Registration::Registration(const Target &target) { targets().push_back(target); }

} // namespace fleetwright::fuzz

int main(int argc, char **argv)
{
    using namespace fleetwright::fuzz;
    const auto target = std::ranges::find_if(
        targets(), [&](const Target &known) { return argc > 1 && std::string_view(argv[1]) == known.name; });
    if (target == targets().end()) {
        std::fputs("usage: tests-fuzz TARGET [TRIES [SEED] | FILE]; the targets are", stderr);
        for (const auto &known : targets())
            std::fprintf(stderr, " %s", known.name);
        std::fputs(".\n", stderr);
        return 2;
    }
#ifdef __unix__
    for (const int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGBUS, SIGILL})
        std::signal(signal, keepInput);
#endif
    char *end = nullptr;
    const auto tries = argc > 2 ? std::strtol(argv[2], &end, 10) : target->tries;
    if (argc > 2 && *end != '\0')
        return runFile(*target, argv[2]);
    return run(*target, static_cast<int>(tries), argc > 3 ? unsigned(std::strtoul(argv[3], nullptr, 10)) : 1);
}
