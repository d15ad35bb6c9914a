// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/plan/assumptionsdialog.h"

#include "app/widgets/fleetfields.h"
#include "app/widgets/tablecolumns.h"
#include "itemmodels/assumptionsmodel.h"
#include "itemmodels/numbersfirst.h"
#include "solver/operations/operations.h"
#include "text/localized.h"
#include "ui_assumptionsdialog.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QStyledItemDelegate>

namespace fleetwright::app {

using itemmodels::AssumptionsModel;

namespace {

/// A list for switches and choices, a line edit for numbers.
class ValueDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QWidget *createEditor(QWidget *parent, const QStyleOptionViewItem &, const QModelIndex &index) const override
    {
        const auto choices = index.data(AssumptionsModel::choicesRole).toStringList();
        if (!choices.isEmpty()) {
            auto *combo = new QComboBox(parent);
            combo->addItems(choices);
            return combo;
        }
        auto *edit = new QLineEdit(parent);
        edit->setMaxLength(250); // longer than any number that is read, so a cut paste is refused
        edit->setAlignment(Qt::AlignRight);
        return edit;
    }
    void setEditorData(QWidget *editor, const QModelIndex &index) const override
    {
        const QString value = index.data(Qt::EditRole).toString();
        if (auto *combo = qobject_cast<QComboBox *>(editor))
            combo->setCurrentText(value);
        else if (auto *edit = qobject_cast<QLineEdit *>(editor))
            edit->setText(value);
    }
    void setModelData(QWidget *editor, QAbstractItemModel *model, const QModelIndex &index) const override
    {
        if (const auto *combo = qobject_cast<QComboBox *>(editor))
            model->setData(index, combo->currentText());
        else if (const auto *edit = qobject_cast<QLineEdit *>(editor))
            model->setData(index, edit->text());
    }
};

} // namespace

AssumptionsDialog::AssumptionsDialog(const CostModel &model, QWidget *parent)
    : QDialog(parent), m_ui(std::make_unique<Ui::AssumptionsDialog>()), m_model(new AssumptionsModel(this)),
      m_sorted(new itemmodels::NumbersFirst(this))
{
    m_ui->setupUi(this);
    setWindowTitle(tr("Assumptions of %1").arg(localized(model.title())));
    m_model->setDescriptors(model.assumptions(), operationsAssumptions());
    m_sorted->setSourceModel(m_model);
    m_ui->table->setModel(m_sorted);
    setUpTable(m_ui->table, -1);
    letSort(*m_ui->table);
    TableColumns::of(*m_ui->table).shareAmong({AssumptionsModel::Source, AssumptionsModel::Range});
    m_ui->table->setSelectionBehavior(QAbstractItemView::SelectItems);
    m_ui->table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed
        | QAbstractItemView::AnyKeyPressed | QAbstractItemView::SelectedClicked);
    m_ui->table->setItemDelegateForColumn(AssumptionsModel::Value, new ValueDelegate(this));
    m_ui->table->setAccessibleName(tr("Assumptions"));
    if (m_model->rowCount() > 0)
        m_ui->table->setCurrentIndex(m_sorted->index(0, AssumptionsModel::Value));
    connect(m_model, &AssumptionsModel::edited, this, [this](const QString &key) {
        updateButtons();
        emit edited(key, m_model->assumptions());
    });
    connect(m_model, &AssumptionsModel::refused, m_ui->sentence, &ValidationLabel::setSentence);
    connect(
        m_ui->table->selectionModel(), &QItemSelectionModel::currentChanged, this, &AssumptionsDialog::updateButtons);
    connect(m_ui->resetButton, &QPushButton::clicked, this, [this] { m_model->reset(currentRow()); });
    connect(m_ui->resetAllButton, &QPushButton::clicked, m_model, &AssumptionsModel::resetAll);
    connect(m_ui->closeButton, &QPushButton::clicked, this, &QDialog::close);
    for (auto *button : {m_ui->resetButton, m_ui->resetAllButton, m_ui->closeButton})
        button->setAutoDefault(false); // Enter belongs to the value that is being edited
    updateButtons();
}

AssumptionsDialog::~AssumptionsDialog() = default;

int AssumptionsDialog::currentRow() const { return m_sorted->mapToSource(m_ui->table->currentIndex()).row(); }

void AssumptionsDialog::setAssumptions(const Assumptions &assumptions)
{
    m_model->setAssumptions(assumptions);
    updateButtons();
}

void AssumptionsDialog::setReadOnly(const QString &reason)
{
    m_readOnly = !reason.isEmpty();
    m_model->setEditable(!m_readOnly);
    if (m_readOnly)
        m_ui->introLabel->setText(reason);
    updateButtons();
}

void AssumptionsDialog::acceptTyped()
{
    auto *delegate = m_ui->table->itemDelegateForColumn(AssumptionsModel::Value);
    const auto editors = m_ui->table->viewport()->findChildren<QWidget *>(Qt::FindDirectChildrenOnly);
    for (auto *editor : editors)
        if (qobject_cast<QLineEdit *>(editor) || qobject_cast<QComboBox *>(editor))
            delegate->setModelData(editor, m_sorted, m_ui->table->currentIndex());
}

void AssumptionsDialog::updateButtons()
{
    const int row = currentRow();
    m_ui->resetButton->setEnabled(!m_readOnly && row >= 0 && m_model->isEdited(row));
    m_ui->resetAllButton->setEnabled(!m_readOnly && !m_model->assumptions().edited.empty());
}

} // namespace fleetwright::app
