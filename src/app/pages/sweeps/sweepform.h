// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/sweepdocument.h"
#include "storage/project.h"

#include <QWidget>

#include <functional>
#include <memory>

class QMenu;

namespace Ui {
class SweepForm;
}

namespace fleetwright::app {

/// The entries of one sweep: what varies, the base plan, the cost models, and what is shown. Every valid entry is
/// announced as a change of the document; what cannot be read is refused beside its field and changes nothing.
class SweepForm : public QWidget {
    Q_OBJECT
public:
    explicit SweepForm(QWidget *parent = nullptr);
    ~SweepForm() override;

    void showSweep(const SweepDocument &document, std::shared_ptr<const Catalog> catalog,
        const std::vector<storage::SavedPlan> &plans);
    /// Accepts what is being typed at once, as leaving its field does.
    void acceptTyped();
    /// What is not finished was meant for another sweep than the one shown next.
    void forgetUnfinished();
    void setReadOnly(bool readOnly);
    /// Why the last change was not taken.
    void refuse(const Error &error);

signals:
    /// `field` joins consecutive changes of one field into one undo step.
    void changed(const QString &field, const std::function<void(fleetwright::SweepDocument &)> &assign);

private:
    void setUpAxes();
    void setUpPlan();
    void setUpModels();
    void setUpView();
    void fillPlans();
    void fillModels();
    void usePlan(qint64 id);
    void acceptMark();
    void enableSearch();
    [[nodiscard]] const storage::SavedPlan *planOfThatName() const;

    std::unique_ptr<Ui::SweepForm> m_ui;
    QMenu *m_models;
    SweepDocument m_document;
    std::shared_ptr<const Catalog> m_catalog;
    std::vector<storage::SavedPlan> m_plans;
    bool m_isOpen = false; ///< the base plan leaves its layout open
    bool m_isReadOnly = false;
};

} // namespace fleetwright::app
