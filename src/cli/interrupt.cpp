// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/interrupt.h"

#include "cli/commands.h"

#include <csignal>
#include <cstring>
#include <unistd.h>

namespace fleetwright::cli {

namespace {

sigset_t watchedSignals()
{
    sigset_t watched;
    sigemptyset(&watched);
    sigaddset(&watched, SIGINT);
    sigaddset(&watched, SIGTERM);
    return watched;
}

} // namespace

Interrupt::Interrupt()
{
    const auto watched = watchedSignals();
    pthread_sigmask(SIG_BLOCK, &watched, nullptr); // threads started from here on inherit it
    m_watcher = std::thread([this] { watch(); });
}

Interrupt::~Interrupt()
{
    m_leaving = true;
    pthread_kill(m_watcher.native_handle(), SIGTERM);
    m_watcher.join();
    const auto watched = watchedSignals();
    pthread_sigmask(SIG_UNBLOCK, &watched, nullptr);
}

void Interrupt::watch()
{
    const auto watched = watchedSignals();
    for (;;) {
        int signal = 0;
        sigwait(&watched, &signal);
        if (m_leaving)
            return;
        m_source.request_stop();
        if (const char *sentence = m_sentence) {
            static_cast<void>(!::write(STDERR_FILENO, sentence, std::strlen(sentence)));
            _exit(int(ExitStatus::Cancelled));
        }
    }
}

} // namespace fleetwright::cli
