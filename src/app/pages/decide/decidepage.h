// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/page.h"
#include "jobs/sizejob.h"
#include "storage/project.h"

#include <functional>
#include <memory>

class QTimer;

namespace Ui {
class DecidePage;
}

namespace fleetwright::app {

class Prompts;
class Veil;
class Workspace;

/// Which fleet to buy or rent: the question, the winner beside the base case, and the answer in detail. Every valid
/// entry is an undoable edit of the project at once and is answered anew in the background; until then the old answer
/// is dimmed. The last complete answer is kept with the project.
class DecidePage : public Page {
    Q_OBJECT
public:
    DecidePage(Workspace &workspace, Prompts &prompts, QWidget *parent = nullptr);
    /// For tests: `sizer` answers.
    DecidePage(Workspace &workspace, Prompts &prompts, jobs::SizeJob::Sizer sizer, QWidget *parent);
    ~DecidePage() override;
    [[nodiscard]] std::vector<PageWork> work() const override;

    [[nodiscard]] qint64 currentDecision() const { return m_current; } ///< 0: none
    /// What is shown belongs to another question: it is not answered yet, or an entry is not taken.
    [[nodiscard]] bool isStale() const;

public slots:
    void newDecision();
    void duplicateDecision();
    void removeDecision();
    void exportDecision();
    void showDecision(qint64 id);
    void showApproval(qint64 id); ///< beside whatever decision is shown
    void cancel();
    /// Freezes the shown answer with everything that it rests on.
    void approve();

signals:
    void pricesRequested(const QStringList &ids); ///< asks for the Prices page with these chosen

protected:
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    void setUp();
    void setUpRefusals();
    void connectWorkspace();
    void connectJob();
    void reload();
    void showFirst();
    void showParts();
    void updateState();
    void fillDecisions();
    void lendOffers();
    [[nodiscard]] std::vector<OfferDocument> offers() const; ///< of the project
    [[nodiscard]] std::string hashOf(const DecisionDocument &document) const; ///< with the offers that it names
    void addDecision(DecisionDocument document);
    void change(const QString &field, const std::function<void(DecisionDocument &)> &assign);
    void rename(const QString &name);
    void showEntries(bool afresh);
    void showQuestion();
    void showKept();
    void askLater();
    void ask();
    void progressed(const jobs::SizeProgress &progress);
    void finished(const jobs::SizeOutcome &outcome);
    void keep(const jobs::SizeAnswer &answer);
    void showAnswer(const jobs::SizeAnswer &answer);
    void showCards();
    void markApproval();
    void setStale(bool stale);
    void showStale();
    void setUpHead();
    /// What is said of the answer above the tabs has a height that the window decides and no answer, so that none moves
    /// the tabs: a few lines, or with all details what scrolls where it is longer.
    void fitHead();
    [[nodiscard]] int briefLines() const;
    void fitForm();
    void say(const QString &state); ///< below the cards
    void sayAnswer(); ///< there, in brief and with all details
    [[nodiscard]] QString whatKeepsFromApproving() const;
    /// Of each job on the fleet; refusals are shown.
    std::vector<qint64> addPlans(std::size_t answer);
    void makePlans(std::size_t answer);
    void allowBatches();
    void record(std::size_t answer);
    void takeAsBase(std::size_t answer);

    Workspace &m_workspace;
    Prompts &m_prompts;
    std::unique_ptr<Ui::DecidePage> m_ui;
    jobs::SizeJob m_job;
    Veil *m_veil = nullptr; ///< over what belongs to another question
    QTimer *m_later; ///< edits that follow each other quickly are answered once
    jobs::SizeAnswer m_answer;
    QStringList m_weakPrices; ///< that the first answer rests on
    qint64 m_current = 0;
    std::shared_ptr<const Catalog> m_askedCatalog; ///< that it is answered by
    std::shared_ptr<const jobs::LearntSite> m_askedSite; ///< likewise
    std::string m_askedHash; ///< of the question that was asked last; empty: none that could be
    qint64 m_asked = 0; ///< the decision that the job works on
    bool m_cancelled = false;
    bool m_stale = false; ///< the answer is to another question than the saved one
    bool m_detailsChosen = false; ///< by the user, whatever the height of the window
    bool m_unasked = false; ///< a question waits until the page is looked at
};

} // namespace fleetwright::app
