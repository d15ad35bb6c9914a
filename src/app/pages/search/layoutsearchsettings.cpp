// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/search/layoutsearchsettings.h"

#include "app/widgets/fleetfields.h"
#include "app/widgets/validationlabel.h"
#include "solver/models/costmodel.h"
#include "solver/search/objectivefigures.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "ui_layoutsearchsettings.h"

#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QSignalBlocker>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t optionsPerRow = 5;

QString example(LayoutSearchOption option)
{
    switch (option) {
    case LayoutSearchOption::Recompute: return LayoutSearchSettings::tr("none, selective, full");
    case LayoutSearchOption::SequenceParallel: return LayoutSearchSettings::tr("yes or no");
    case LayoutSearchOption::ZeroStage: return LayoutSearchSettings::tr("1 or 0..3");
    default: return LayoutSearchSettings::tr("8 or 1, 2, 4 or 1..64:x2 or 1..16");
    }
}

} // namespace

LayoutSearchSettings::LayoutSearchSettings(QWidget *parent)
    : QWidget(parent), m_ui(std::make_unique<Ui::LayoutSearchSettings>())
{
    m_ui->setupUi(this);
    setUpOptions();
    m_ui->rowsSpin->setMaximum(mostLayoutSearchRows);
    for (const auto objective : allLayoutSearchObjectives)
        m_ui->objectiveCombo->addItem(localized(titleOf(objective)), int(objective));
    m_ui->casesEdit->setUp(u"cases"_s, tr("Compare cases"), true);
    connect(m_ui->modelCombo, &QComboBox::activated, this, [this] {
        m_document.costModelId = m_ui->modelCombo->currentData().toString().toStdString();
        showCases();
        showPriced();
        emit changed();
    });
    connect(m_ui->objectiveCombo, &QComboBox::activated, this, [this] {
        m_document.objective = LayoutSearchObjective(m_ui->objectiveCombo->currentData().toInt());
        emit changed();
    });
    connect(m_ui->rowsSpin, &QSpinBox::valueChanged, this, [this](int rows) {
        m_document.rows = rows;
        emit changed();
    });
    connect(m_ui->acrossCheck, &QCheckBox::toggled, this, [this](bool on) {
        m_document.space.tpAcrossDomains = on;
        emit changed();
    });
    connect(m_ui->unevenCheck, &QCheckBox::toggled, this, [this](bool on) {
        m_document.space.unevenChunks = on;
        emit changed();
    });
    connect(m_ui->casesEdit, &SweepAxisEdit::edited, this, [this](const std::optional<SweepAxis> &axis) {
        m_document.cases = axis;
        m_ui->casesEdit->setAxis(axis);
        emit changed();
    });
}

LayoutSearchSettings::~LayoutSearchSettings() = default;

void LayoutSearchSettings::setUpOptions()
{
    for (std::size_t i = 0; i < layoutSearchOptionCount; ++i) {
        const auto option = allLayoutSearchOptions[i];
        auto *label = new QLabel(localized(titleOf(option)), this);
        auto *edit = new QLineEdit(this);
        edit->setObjectName(u"space/"_s + utf8(toString(option)));
        edit->setAccessibleName(tr("%1 to search").arg(localized(titleOf(option))));
        edit->setPlaceholderText(tr("any"));
        edit->setMinimumWidth(72);
        edit->setMaxLength(20000);
        label->setBuddy(edit);
        const int row = int(i / optionsPerRow), column = 2 * int(i % optionsPerRow);
        m_ui->optionsGrid->addWidget(label, row, column);
        m_ui->optionsGrid->addWidget(edit, row, column + 1);
        m_ui->optionsGrid->setColumnStretch(column + 1, 1);
        m_labels[i] = label;
        m_options[i] = edit;
        connect(edit, &QLineEdit::textEdited, this, [this, i] { optionEdited(i); });
    }
}

void LayoutSearchSettings::optionEdited(std::size_t index)
{
    const auto values = parseLayoutSearchValues(allLayoutSearchOptions[index], m_options[index]->text().toStdString());
    m_refusals[index] = values
        ? QString()
        : u"%1: %2"_s.arg(localized(titleOf(allLayoutSearchOptions[index])), localized(values.error().message));
    setRefusedLook(m_options[index], !values);
    const auto first = std::ranges::find_if(m_refusals, [](const QString &refusal) { return !refusal.isEmpty(); });
    m_ui->spaceSentence->setSentence(first == m_refusals.end() ? QString() : *first);
    if (values)
        m_document.space[allLayoutSearchOptions[index]] = *values;
    emit changed();
}

void LayoutSearchSettings::show(const LayoutSearchDocument &document, std::shared_ptr<const Catalog> catalog)
{
    m_document = document;
    const std::array<QSignalBlocker, 4> quiet{QSignalBlocker(m_ui->rowsSpin), QSignalBlocker(m_ui->acrossCheck),
        QSignalBlocker(m_ui->unevenCheck), QSignalBlocker(m_ui->modelCombo)};
    m_ui->modelCombo->clear();
    m_ui->modelCombo->addItem(tr("the plan's own (%1)").arg(utf8(document.plan.costModelId)), QString());
    for (const auto *model : costModels())
        m_ui->modelCombo->addItem(u"%1 (%2)"_s.arg(localized(model->title()), utf8(model->id())), utf8(model->id()));
    selectData(m_ui->modelCombo, utf8(document.costModelId));
    selectData(m_ui->objectiveCombo, int(document.objective));
    m_ui->rowsSpin->setValue(document.rows);
    m_ui->acrossCheck->setChecked(document.space.tpAcrossDomains);
    m_ui->unevenCheck->setChecked(document.space.unevenChunks);
    m_catalog = std::move(catalog);
    showCases();
    showOptions();
    showPriced();
}

void LayoutSearchSettings::showCases()
{
    const auto model = findCostModel(modelId());
    m_ui->casesEdit->setSources(m_catalog, model ? (*model)->assumptions() : std::span<const AssumptionDescriptor>());
    m_ui->casesEdit->setAxis(m_document.cases);
}

void LayoutSearchSettings::showOptions()
{
    m_ui->spaceSentence->setSentence({});
    for (std::size_t i = 0; i < layoutSearchOptionCount; ++i) {
        const auto &values = m_document.space.values[i];
        m_options[i]->setText(values.empty() ? QString() : utf8(searchValuesToText(allLayoutSearchOptions[i], values)));
        m_refusals[i].clear();
        setRefusedLook(m_options[i], false);
    }
}

std::string LayoutSearchSettings::modelId() const
{
    return m_document.costModelId.empty() ? m_document.plan.costModelId : m_document.costModelId;
}

void LayoutSearchSettings::showPriced()
{
    const auto model = findCostModel(modelId());
    for (std::size_t i = 0; i < layoutSearchOptionCount; ++i) {
        const bool priced = !model || (*model)->layoutSearchTraits().options.has(allLayoutSearchOptions[i])
            || allLayoutSearchOptions[i] == LayoutSearchOption::Dp;
        m_options[i]->setEnabled(priced);
        m_labels[i]->setEnabled(priced);
        m_options[i]->setToolTip(priced
                ? tr("Values to try: %1; nothing tries every legal one").arg(example(allLayoutSearchOptions[i]))
                : tr("The cost model %1 does not price this; the plan's own value is kept").arg(utf8(modelId())));
    }
}

bool LayoutSearchSettings::isValid() const
{
    return std::ranges::all_of(m_refusals, [](const QString &refusal) { return refusal.isEmpty(); });
}

Expected<void> LayoutSearchSettings::readableCases() const
{
    auto readable = m_ui->casesEdit->readable();
    if (!readable)
        readable.error().field = "cases";
    return readable;
}

void LayoutSearchSettings::refuse(const Error &error)
{
    for (std::size_t i = 0; i < layoutSearchOptionCount; ++i)
        setRefusedLook(m_options[i], error.field == "space." + std::string(toString(allLayoutSearchOptions[i])));
    if (error.field.starts_with("cases") || error.message.find("(case ") != std::string::npos)
        m_ui->casesEdit->setRefusal(localized(error.message));
    else
        m_ui->spaceSentence->setSentence(localized(error.message));
}

QString LayoutSearchSettings::inWords() const
{
    QStringList words{utf8(modelId()), tr("best by %1").arg(localized(titleOf(m_document.objective)))};
    for (const auto option : allLayoutSearchOptions)
        if (const auto &values = m_document.space[option]; !values.empty())
            words << u"%1 %2"_s.arg(localized(titleOf(option)), utf8(searchValuesToText(option, values)));
    if (m_document.space.tpAcrossDomains)
        words << tr("TP across domains");
    if (m_document.space.unevenChunks)
        words << tr("uneven chunks");
    if (m_document.cases)
        words << tr("%1 cases").arg(m_document.cases->points.size());
    return words.join(u"; "_s);
}

} // namespace fleetwright::app
