// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/overview/planinputdelegate.h"

#include "app/theme.h"
#include "itemmodels/planinputsmodel.h"

#include <QComboBox>
#include <QCompleter>
#include <QLineEdit>

namespace fleetwright::app {

using itemmodels::PlanInputsModel;

namespace {

constexpr qsizetype mostToScan = 12; ///< choices beyond are searched by typing
constexpr auto chosenProperty = "chosen"; ///< of a list: somebody has chosen, maybe what stood there before

} // namespace

QWidget *PlanInputDelegate::createEditor(QWidget *parent, const QStyleOptionViewItem &, const QModelIndex &index) const
{
    const auto choices = index.data(PlanInputsModel::choicesRole).toList();
    if (choices.isEmpty()) {
        auto *edit = new QLineEdit(parent);
        edit->setMaxLength(250); // longer than any number that is read, so a cut paste is refused
        edit->setAlignment(Qt::AlignRight);
        edit->setAccessibleName(index.data(Qt::AccessibleTextRole).toString());
        return edit;
    }
    auto *combo = new QComboBox(parent);
    combo->setAccessibleName(index.data(Qt::AccessibleTextRole).toString());
    for (const auto &choice : choices)
        combo->addItem(choice.toStringList().value(1), choice.toStringList().value(0));
    if (choices.size() > mostToScan) {
        combo->setEditable(true);
        combo->setInsertPolicy(QComboBox::NoInsert);
        combo->completer()->setFilterMode(Qt::MatchContains);
        combo->completer()->setCompletionMode(QCompleter::PopupCompletion);
    }
    auto *delegate = const_cast<PlanInputDelegate *>(this);
    connect(combo, &QComboBox::activated, delegate, [delegate, combo] {
        combo->setProperty(chosenProperty, true);
        emit delegate->commitData(combo);
        emit delegate->closeEditor(combo);
    });
    return combo;
}

void PlanInputDelegate::setEditorData(QWidget *editor, const QModelIndex &index) const
{
    const auto value = index.data(Qt::EditRole).toString();
    if (auto *combo = qobject_cast<QComboBox *>(editor)) {
        combo->setCurrentIndex(combo->findData(value));
        if (combo->isEditable())
            combo->lineEdit()->selectAll();
    } else if (auto *edit = qobject_cast<QLineEdit *>(editor)) {
        edit->setText(value);
    }
}

void PlanInputDelegate::setModelData(QWidget *editor, QAbstractItemModel *model, const QModelIndex &index) const
{
    if (auto *combo = qobject_cast<QComboBox *>(editor)) {
        auto *typed = combo->lineEdit();
        if (!combo->property(chosenProperty).toBool() && !(typed && typed->isModified()))
            return;
        combo->setProperty(chosenProperty, false);
        if (typed)
            typed->setModified(false);
        const auto chosen = typed ? combo->findText(typed->text(), Qt::MatchFixedString) : combo->currentIndex();
        if (chosen >= 0)
            model->setData(index, combo->itemData(chosen));
        else if (typed)
            model->setData(index, typed->text());
    } else if (auto *edit = qobject_cast<QLineEdit *>(editor); edit && edit->isModified()) {
        edit->setModified(false);
        model->setData(index, edit->text());
    }
}

void PlanInputDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    if (!index.data(PlanInputsModel::statedRole).toBool())
        option->palette.setColor(QPalette::Text, quietColour(option->palette));
}

} // namespace fleetwright::app
