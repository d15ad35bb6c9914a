// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <stop_token>
#include <thread>

namespace fleetwright::cli {

/// While it lives, Ctrl+C and SIGTERM ask the work to stop instead of ending the program, so that no file is left half
/// written. Make it before any other thread starts.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt &) = delete;
    Interrupt &operator=(const Interrupt &) = delete;

    [[nodiscard]] std::stop_token token() const { return m_source.get_token(); }
    /// Several processes cannot agree on an end once one of them is lost: this one then ends at once, with `sentence`
    /// on standard error (none where it is empty; must outlive this object). nullptr: back to asking.
    void endAtOnce(const char *sentence) { m_sentence = sentence; }

private:
    void watch();

    std::stop_source m_source;
    std::atomic<const char *> m_sentence = nullptr;
    std::atomic<bool> m_leaving = false;
    std::thread m_watcher;
};

} // namespace fleetwright::cli
