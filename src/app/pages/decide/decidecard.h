// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/sizejob.h"

#include <QFrame>

#include <array>

class QLabel;

namespace fleetwright::app {

/// Pale: what it shows belongs to another question.
void dim(QWidget &widget, bool stale);

/// One fleet of an answer at a glance: what it is, how it is laid out, days, money, power, carbon, and how sure they
/// are. Two cards beside each other have the same figures in the same places.
class DecideCard : public QFrame {
    Q_OBJECT
public:
    explicit DecideCard(QWidget *parent = nullptr);

    /// Names the card ("Best", "Base case"); `note` says in a few words what that is, the tool tip in more.
    void setTitle(const QString &title, const QString &note = {}, const QString &toolTip = {});
    /// `risk` may be null.
    void showFleet(const DecisionDocument &document, const size::Result &result, const size::Answer &answer,
        const uncertainty::FleetRisk *risk);
    /// What must be known before anybody relies on it, and what else belongs beside it; after showFleet().
    void setNotes(const QString &warning, const QString &note);
    /// Why there is no fleet to show.
    void showNone(const QString &sentence);
    /// Dimmed, and the title says so: the answer belongs to another question.
    void setStale(bool stale);
    [[nodiscard]] QString text() const; ///< everything that it says, for the clipboard and tests
    [[nodiscard]] QString markdown() const; ///< the same: its title and a list

protected:
    void changeEvent(QEvent *event) override;

private:
    enum Line { Fleet, Layout, Calendar, Note, Warning, Misses, lineCount };
    struct FigureLabels {
        QLabel *name;
        QLabel *value;
    };
    void setFigure(std::size_t place, const QString &name, const QString &value, const QString &toolTip = {});
    void showTitle();
    void showFigures(bool shown);
    void colourWarnings();

    QLabel *m_title;
    QString m_name, m_note;
    bool m_isStale = false;
    std::array<QLabel *, lineCount> m_lines;
    QWidget *m_grid;
    std::array<FigureLabels, 8> m_figures; ///< in two columns, read line by line
};

} // namespace fleetwright::app
