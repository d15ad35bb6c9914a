// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/sizejob.h"

#include <QWidget>

#include <array>

class QComboBox;
class QLabel;
class QSpinBox;

namespace fleetwright::app {

/// "What if its price were 20 % lower": the answer with one price changed beside the present one, at once. Nothing is
/// saved, and no price of the project becomes another.
class DecidePrices : public QWidget {
    Q_OBJECT
public:
    explicit DecidePrices(QWidget *parent = nullptr);

    /// The price that is asked about stays chosen where the new answer has it, too.
    void showAnswer(const jobs::SizeAnswer &answer);
    void clear() { showAnswer({}); }
    /// Asks about the price of this fleet; false where no price would let it in.
    bool ask(const size::Answer &answer);

private:
    enum Figure { Fleet, Days, RunCost, Capital, figureCount };
    void showWhatIf();

    QComboBox *m_price;
    QSpinBox *m_change; ///< percent
    QLabel *m_verdict, *m_turns, *m_nothing;
    QWidget *m_question, *m_figures;
    std::array<std::array<QLabel *, 2>, figureCount> m_values; ///< now, and at the other price
    std::array<QLabel *, figureCount> m_names;
    jobs::SizeAnswer m_answer;
    QString m_asked; ///< the price that was asked about last
};

} // namespace fleetwright::app
