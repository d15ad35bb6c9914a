// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace fleetwright::cli {

/// One line on standard error that is written over and over while something runs, where standard error is a terminal;
/// else nothing.
class ProgressLine {
public:
    ProgressLine();
    /// Clears the line.
    ~ProgressLine();
    ProgressLine(const ProgressLine &) = delete;
    ProgressLine &operator=(const ProgressLine &) = delete;

    [[nodiscard]] bool isShown() const { return m_terminal; }
    void show(const std::string &text);

private:
    bool m_terminal;
    bool m_written = false;
};

} // namespace fleetwright::cli
