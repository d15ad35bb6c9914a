// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/sizejob.h"

#include <QFrame>

#include <array>

class QLabel;

namespace fleetwright::app {

class ElidedLabel;
class FittedSentences;

/// Pale: what it shows belongs to another question.
void dim(QWidget &widget, bool stale);

/// One fleet of an answer at a glance: what it is, how it is laid out, days, money, power, carbon, and how sure they
/// are. Two cards beside each other have the same figures in the same places.
class DecideCard : public QFrame {
    Q_OBJECT
public:
    explicit DecideCard(QWidget *parent = nullptr);

    /// Names the card ("Best", "Base case") with a mark beside the name; the tool tip says what that is.
    void setTitle(const QString &title, const QString &mark = {}, const QString &toolTip = {});
    /// `risk` may be null.
    void showFleet(const DecisionDocument &document, const size::Result &result, const size::Answer &answer,
        const uncertainty::FleetRisk *risk);
    /// What must be known before anybody relies on it, and what else belongs beside it, sentences each; after
    /// showFleet(). With `prices` the last warning is about some, and leads to them.
    void setNotes(const QStringList &warnings, const QStringList &notes, bool prices = false);
    /// Offers to demand a chance of the deadline, beside the one that the fleet has; empty: nothing to offer.
    void setDemand(const QString &text);
    /// What electricity is of the cost, and what ranges of money hold, in tool tips; after showFleet().
    void explainMoney(const size::Result &result, const size::Answer &answer, const size::HowSure *sure);
    /// Why there is no fleet to show.
    void showNone(const QString &sentence);
    /// At a glance: what it is, four figures, and so many lines of what must be known. Its height is then the same
    /// whatever it says.
    /// `nameLines`: of the fleet's name, as many in both of two cards, or the figures below would not line up.
    void setCompact(bool compact, int briefLines = 1, int nameLines = 1);
    [[nodiscard]] int nameLinesNeeded() const;
    [[nodiscard]] int compactHeight() const;
    /// Dimmed, and the title says so: the answer belongs to another question.
    void setStale(bool stale);
    [[nodiscard]] QString text() const; ///< everything that it says, for the clipboard and tests
    [[nodiscard]] QString markdown() const; ///< the same: its title and a list

signals:
    void nameChanged(); ///< or its room
    void chanceDemanded();
    void pricesRequested(); ///< those that the warning is about

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    enum Line { Fleet, Layout, Calendar, Note, Warning, Misses, lineCount };
    struct FigureLabels {
        QLabel *name;
        QLabel *value;
    };
    void setFigure(std::size_t place, const QString &name, const QString &value, const QString &toolTip = {});
    void showTitle();
    void showLines(); ///< those that have a text, as far as there is room for them
    void colourWarnings();

    QLabel *m_title;
    ElidedLabel *m_fleet;
    FittedSentences *m_brief; ///< in place of the lines below the figures
    QString m_name, m_mark;
    QStringList m_warnings, m_notes;
    int m_briefLines = 1, m_nameLines = 1;
    bool m_isStale = false, m_isCompact = false, m_hasFleet = false;
    std::array<QLabel *, lineCount> m_lines;
    QWidget *m_grid;
    QLabel *m_demand; ///< a link
    std::array<FigureLabels, 8> m_figures; ///< in two columns, read line by line
};

} // namespace fleetwright::app
