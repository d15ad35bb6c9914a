// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/progressline.h"

#include <iostream>
#include <string_view>
#include <unistd.h>

namespace fleetwright::cli {

namespace {

/// Past the stream, which shows such characters instead of passing them on.
void clearLine()
{
    constexpr std::string_view order = "\r\x1b[K";
    std::cerr.flush();
    static_cast<void>(!::write(STDERR_FILENO, order.data(), order.size()));
}

} // namespace

ProgressLine::ProgressLine() : m_terminal(isatty(STDERR_FILENO) == 1) { }

ProgressLine::~ProgressLine()
{
    if (m_written)
        clearLine();
}

void ProgressLine::show(const std::string &text)
{
    if (!m_terminal)
        return;
    clearLine();
    std::cerr << text << std::flush;
    m_written = true;
}

} // namespace fleetwright::cli
