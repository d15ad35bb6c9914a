// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/plan/fieldrefusals.h"
#include "app/pages/plan/limitfields.h"
#include "domain/layout.h"
#include "storage/project.h"

#include <QPointer>
#include <QWidget>

#include <memory>

namespace Ui {
class PlanForm;
}

namespace fleetwright::app {

class AssumptionsDialog;
class CountEdit;
class FleetPricesDialog;
class FleetTerms;
class FoldHeader;
class NumberEdit;
class QuantityEdit;

/// The entries of one plan. Holds a draft: every valid entry goes into it at once and is announced; what is done with
/// it is the owner's business.
class PlanForm : public QWidget {
    Q_OBJECT
public:
    explicit PlanForm(QWidget *parent = nullptr);
    ~PlanForm() override;

    void setCatalog(std::shared_ptr<const Catalog> catalog);
    void setFleets(const std::vector<storage::SavedFleet> &fleets);
    /// Shows a plan. Fields that already show the value, or a text that somebody is correcting, are left alone unless
    /// `afresh`.
    void setDocument(const PlanDocument &document, bool afresh);
    [[nodiscard]] const PlanDocument &document() const { return m_draft; }
    /// Accepts what is being typed at once, as leaving its field does.
    void acceptTyped();
    /// Empty: editable.
    void setReadOnly(const QString &reason);
    /// As if the user had chosen it: an edit.
    void chooseCostModel(const std::string &id);
    void setReplicas(std::optional<int> dp);
    /// What was found for the degrees that are open.
    void setFoundLayout(const std::optional<Layout> &found);
    /// What there is to say about the layout, the gist first, and one that a click takes.
    void setLayoutAdvice(const QStringList &sentences, const std::optional<Layout> &offered);
    void clearRefusals();
    /// Shows the sentence at the field it is about; false when no field of the form is.
    bool setRefusal(const Error &error);
    /// Names of the groups that are folded to a line.
    [[nodiscard]] QStringList folded() const;
    /// What the focused field changes, as sweeps name it ("fleet.nodes"); empty where none has the focus.
    [[nodiscard]] QString focusedKey() const;
    void setFolded(const QStringList &names);

signals:
    void edited(const QString &field); ///< document() changed; the field is a dotted path as in plan documents
    void cancelled(); ///< Escape in a field
    void refusalsChanged(const QStringList &sentences); ///< all that is wrong in the form, from top to bottom
    void foldsChanged(); ///< by the user
    /// Asks which value of this key reaches a target.
    void seekRequested(const QString &key);
    void pricesRequested(const QStringList &ids); ///< of the catalog, to be shown elsewhere
    void fleetRequested(qint64 id); ///< the saved fleet that the plan's equals, to be shown elsewhere

private:
    void setUpFleet();
    void setUpCosts();
    void setUpSplit();
    void setUpTraining();
    void setUpConstraints();
    void setUpModel();
    void setUpFolds();
    void showSummaries();
    void showRefusals();
    void bind(CountEdit *edit, const QString &field, void (*assign)(PlanDocument &, std::optional<int>));
    void bind(QuantityEdit *edit, const QString &field, void (*assign)(PlanDocument &, std::optional<double>));
    /// The field can be sought: the key is that of `field`, or the way in which the plan states it.
    void offerSeeking(NumberEdit *edit, const QString &field);
    [[nodiscard]] QString keyOfField(const QString &field) const;
    void change(const QString &field, const std::function<void(PlanDocument &)> &assign);
    void takeFleet(int index);
    void changeCosts(const CostDocument &costs);
    void editPrices();
    void setAssumption(const AssumptionDescriptor &descriptor, const AssumptionValue &value);
    void editAssumptions();
    static void assignMicrobatches(PlanDocument &document, std::optional<int> value);
    void changeChoice(const QString &field, LayoutSearchOption option, int value);
    void showDraft(bool afresh);
    void showLayout();
    void showFleet();
    void showFacts();
    void showCosts();
    void showAssumptions();
    [[nodiscard]] const storage::SavedFleet *savedFleet() const; ///< that the plan's equals; nullptr: none
    [[nodiscard]] Assumptions usedAssumptions() const; ///< the draft's, with what the project calibrates and plans

    std::unique_ptr<Ui::PlanForm> m_ui;
    FieldRefusals m_refusals;
    std::vector<LimitField> m_limits;
    std::vector<FoldHeader *> m_folds;
    std::shared_ptr<const Catalog> m_catalog;
    std::vector<storage::SavedFleet> m_fleets;
    PlanDocument m_draft;
    std::optional<Layout> m_found; ///< for the degrees that are open
    std::optional<Layout> m_offered; ///< by the advice
    QString m_readOnlyReason;
    std::vector<std::pair<NumberEdit *, QString>> m_fields; ///< and what they set
    FleetTerms *m_terms = nullptr;
    QPointer<AssumptionsDialog> m_dialog;
    QPointer<FleetPricesDialog> m_prices;
};

} // namespace fleetwright::app
