// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/progressline.h"

#include "text/localized.h"
#include "units/visibletext.h"

#include <iostream>
#include <string_view>
#include <unistd.h>

namespace fleetwright::cli {

namespace {

/// Past the stream, which shows some characters instead of passing them on, and waits for the end of a line.
void writePast(std::string_view text)
{
    std::cerr.flush();
    static_cast<void>(!::write(STDERR_FILENO, text.data(), text.size()));
}

void clearLine() { writePast("\r\x1b[K"); }

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
    writePast(visibleText(localized(text).toStdString()));
    m_written = true;
}

} // namespace fleetwright::cli
