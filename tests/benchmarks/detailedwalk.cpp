// SPDX-License-Identifier: GPL-3.0-or-later
// Walks the search space of the detailed model once, for tools that count instructions (count-instructions.sh).
#include "benchmarks/detailedspace.h"

#include <cstdio>
#include <cstring>

int main(int argc, char *argv[])
{
    using namespace detailedspace;
    const auto pricer = Pricer::make(setting()).value();
    const auto space = layouts(pricer);
    double sum = 0;
    if (argc < 2 || std::strcmp(argv[1], "--enumerate-only") != 0)
        for (const auto &layout : space)
            sum += pricer.price(layout).stepTime.value();
    std::printf("%zu layouts, mean step %.3f s\n", space.size(), sum / double(space.size()));
    return 0;
}
