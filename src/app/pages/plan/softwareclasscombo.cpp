// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/plan/softwareclasscombo.h"

#include "app/widgets/fleetfields.h"
#include "exchange/softwareevidence.h"
#include "solver/models/detailed/detailedmodel.h"
#include "text/localized.h"
#include "text/utf8.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QStandardItemModel>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

/// Explains a class when somebody asks: the runs are a file of two megabytes.
class SoftwareClassModel : public QStandardItemModel {
public:
    using QStandardItemModel::QStandardItemModel;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override
    {
        if (role != Qt::ToolTipRole)
            return QStandardItemModel::data(index, role);
        const auto value = index.data(Qt::UserRole).toString();
        const auto softwareClass = detailed::parseSoftwareClass(value.toStdString());
        return softwareClass ? localized(detailed::membersOf(*softwareClass)) + u"\n"_s
                + QCoreApplication::translate("app", "Measured runs: %1.")
                      .arg(utf8(exchange::shippedEvidence(*softwareClass)))
                             : localized(softwareClassAssumption().description);
    }
};

} // namespace

const AssumptionDescriptor &softwareClassAssumption()
{
    return *findAssumption(detailed::costModel().assumptions(), detailed::softwareClassKey);
}

void setUpSoftwareClasses(QComboBox *combo)
{
    const auto &descriptor = softwareClassAssumption();
    combo->setModel(new SoftwareClassModel(combo));
    for (const auto &choice : descriptor.choices)
        combo->addItem(localized(choice), localized(choice));
    combo->setAccessibleName(localized(descriptor.label));
    combo->setToolTip(localized(descriptor.description));
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
}

void showSoftwareClass(QComboBox *combo, const CostModel &model, const Assumptions &assumptions)
{
    const auto *descriptor = findAssumption(model.assumptions(), detailed::softwareClassKey);
    combo->setVisible(descriptor != nullptr);
    if (!descriptor)
        return;
    const auto value = valueOf(assumptions, *descriptor);
    const auto *text = std::get_if<std::string>(&value);
    selectData(combo, text ? localized(*text) : QString());
}

} // namespace fleetwright::app
