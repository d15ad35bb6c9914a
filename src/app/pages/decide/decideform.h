// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/decide/decidelimits.h"

#include <QWidget>

#include <functional>
#include <map>
#include <memory>

class QLineEdit;

namespace Ui {
class DecideForm;
}

namespace fleetwright::app {

class CountEdit;
class ValidationLabel;

/// What a decision asks: jobs, limits, candidates, and what is best. Every valid entry is announced as a change of the
/// document; what cannot be read changes nothing, is outlined in its place, and said in one sentence that stands
/// outside of the fields, so that none of them moves.
class DecideForm : public QWidget {
    Q_OBJECT
public:
    explicit DecideForm(QWidget *parent = nullptr);
    ~DecideForm() override;

    void setCatalog(std::shared_ptr<const Catalog> catalog);
    /// The offers of the project, which can be candidates.
    void setOffers(std::vector<OfferDocument> offers);
    /// `afresh`: another decision, so that what was typed and not accepted goes.
    void showDecision(const DecisionDocument &document, bool afresh);
    void acceptTyped();
    /// Only the limits that people come with, in a line; else everything.
    void setCompact(bool compact);
    void setReadOnly(bool readOnly, const QString &reason);
    /// Where refusals are said: all of them, whatever field they are of. The page shows it where it is seen.
    [[nodiscard]] ValidationLabel *sentence() const;
    /// Puts what is ticked in front in the lists, which keep their order while ticks are set.
    void tickedFirst();
    /// Why the last change was not taken, or why the question has no answer.
    void refuse(const Error &error);

signals:
    /// `field` joins consecutive changes of one field into one undo step.
    void changed(const QString &field, const std::function<void(fleetwright::DecisionDocument &)> &assign);
    void refusalsChanged(const QString &sentences); ///< empty: all entries are taken

private:
    void setUpSentences();
    void showRefusals();
    void refuseAll(const QString &sentence);
    void setUpJobs();
    void setUpCandidates();
    void setUpObjective();
    void showJob();
    void changeJob(const QString &field, const std::function<void(DecisionJob &)> &assign);
    void addJob();
    void removeJob();
    void changePaying();
    void changeOffers();
    void showOffers();
    void changeSite(std::string DecisionSite::*part, const QString &id);
    void changeBase(const QString &node);
    void changeDay(QLineEdit *edit, const QString &field,
        void (*assign)(DecisionDocument &, std::optional<std::chrono::sys_days>));
    void change(const QString &field, const std::function<void(DecisionDocument &)> &assign);

    std::unique_ptr<Ui::DecideForm> m_ui;
    std::vector<DecideLimit> m_limits;
    bool m_compact = false;
    std::shared_ptr<const Catalog> m_catalog;
    std::vector<OfferDocument> m_offers;
    DecisionDocument m_document;
    QString m_refused; ///< why the last change was not taken, or the question has no answer
    std::map<QLineEdit *, QString> m_refusedDays;
    std::size_t m_job = 0;
};

} // namespace fleetwright::app
