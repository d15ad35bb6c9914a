// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/page.h"
#include "domain/offer.h"
#include "storage/project.h"

#include <functional>
#include <memory>

class QCheckBox;
class QSortFilterProxyModel;

namespace Ui {
class OffersPage;
}
namespace fleetwright::itemmodels {
class OfferModel;
class SheetTableModel;
struct OfferListRow;
} // namespace fleetwright::itemmodels

namespace fleetwright::app {

class Prompts;
class Workspace;

/// The project's offers: the list, the form and the lines of one, what is missing in it, and all that stand today side
/// by side. Every valid entry is an undoable edit of the project at once.
class OffersPage : public Page {
    Q_OBJECT
public:
    OffersPage(Workspace &workspace, Prompts &prompts, QWidget *parent = nullptr);
    ~OffersPage() override;

    [[nodiscard]] qint64 currentOffer() const { return m_current; } ///< 0: none

public slots:
    void newOffer();
    void duplicateOffer();
    void removeOffer();
    void importOffer();
    void exportOffer();
    void showOffer(qint64 id);

private:
    void setUpList();
    void setUpForm();
    void setUpTerms();
    void setUpLines();
    void setUpComparison();
    void connectWorkspace();
    void reload();
    void updateState();
    void fillCurrencies();
    void fillPlans();
    void addOffer(OfferDocument document);
    void offerChanged(int index);
    void offerRemoved(int index);
    void showEntries(const OfferDocument &document, bool afresh);
    void showAnswers();
    void compare();
    void change(const QString &field, const std::function<void(OfferDocument &)> &assign);
    void changeText(const QString &field, const QString &text, std::string OfferDocument::*member);
    void changeUntil(const QString &text, bool isFinished);
    void changePaying(bool rented);
    void changeLine(const QString &row, int column, const QString &text);
    void addLine();
    void removeLine();
    void refuse(const Error &error);
    [[nodiscard]] itemmodels::OfferListRow row(const storage::SavedOffer &offer) const;
    void refreshRows();
    void selectRow(qint64 id);

    Workspace &m_workspace;
    Prompts &m_prompts;
    std::unique_ptr<Ui::OffersPage> m_ui;
    itemmodels::OfferModel *m_model;
    QSortFilterProxyModel *m_proxy;
    QSortFilterProxyModel *m_sortedLines;
    itemmodels::SheetTableModel *m_lines, *m_totals, *m_comparison;
    std::vector<std::pair<OfferPart, QCheckBox *>> m_scope;
    qint64 m_current = 0;
    bool m_isRefused = false; ///< the last entry, and the status bar says so
};

} // namespace fleetwright::app
