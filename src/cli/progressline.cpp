// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/progressline.h"

#include <iostream>
#include <unistd.h>

namespace fleetwright::cli {

namespace {

constexpr const char *clearLine = "\r\x1b[K";

} // namespace

ProgressLine::ProgressLine() : m_terminal(isatty(STDERR_FILENO) == 1) { }

ProgressLine::~ProgressLine()
{
    if (m_written)
        std::cerr << clearLine << std::flush;
}

void ProgressLine::show(const std::string &text)
{
    if (!m_terminal)
        return;
    std::cerr << clearLine << text << std::flush;
    m_written = true;
}

} // namespace fleetwright::cli
