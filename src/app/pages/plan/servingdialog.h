// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalog.h"
#include "solver/blocks/serving.h"

#include <QDialog>

#include <memory>

class QLabel;

namespace Ui {
class ServingDialog;
}

namespace fleetwright::app {

class CountEdit;
class NumberEdit;
class QuantityEdit;

/// "What does the same model cost to serve afterwards?" Answers follow every entry; the entries are for looking and are
/// saved nowhere.
class ServingDialog : public QDialog {
    Q_OBJECT
public:
    explicit ServingDialog(QWidget *parent = nullptr);
    ~ServingDialog() override;

    /// Model and accelerator are the plan's from now on; what the user entered here stays. The first plan also sets the
    /// entries.
    void setPlan(const Plan &plan, std::shared_ptr<const Catalog> catalog);

private:
    void setUpEntries();
    void buildFigures();
    void setUp(CountEdit *edit, const QString &label, const QString &explanation,
        std::optional<std::int64_t> ServingInputs::*optionalTarget, std::int64_t ServingInputs::*target, int minimum);
    void setUp(QuantityEdit *edit, const QString &label, const QString &explanation, double ServingInputs::*target,
        double minimum);
    void showEntries();
    void answer();
    void showRefusal(const Error &error);
    void showMemory(const ServingFigures &figures);

    std::unique_ptr<Ui::ServingDialog> m_ui;
    std::shared_ptr<const Catalog> m_catalog;
    ServingInputs m_inputs;
    std::vector<std::pair<const ServingFigure *, QLabel *>> m_figures;
    std::vector<std::pair<std::string_view, NumberEdit *>> m_fields; ///< by the solver's names
    bool m_hasPlan = false;
};

} // namespace fleetwright::app
