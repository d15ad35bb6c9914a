// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/decide/decidelimits.h"

#include <QWidget>

#include <functional>
#include <memory>

class QLineEdit;

namespace Ui {
class DecideForm;
}

namespace fleetwright::app {

class CountEdit;

/// What a decision asks: jobs, limits, candidates, and what is best. Every valid entry is announced as a change of the
/// document; what cannot be read is refused in place and changes nothing.
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
    void setReadOnly(bool readOnly, const QString &reason);
    /// Where refusals are said; may be shown elsewhere than in the form, which scrolls.
    [[nodiscard]] QWidget *sentence() const;
    /// Why the last change was not taken, or why the question has no answer.
    void refuse(const Error &error);

signals:
    /// `field` joins consecutive changes of one field into one undo step.
    void changed(const QString &field, const std::function<void(fleetwright::DecisionDocument &)> &assign);

private:
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
    std::shared_ptr<const Catalog> m_catalog;
    std::vector<OfferDocument> m_offers;
    DecisionDocument m_document;
    std::size_t m_job = 0;
};

} // namespace fleetwright::app
