// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/search/searchsettings.h"

#include "app/widgets/fleetfields.h"
#include "app/widgets/validationlabel.h"
#include "solver/models/costmodel.h"
#include "ui_searchsettings.h"

#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QSignalBlocker>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t optionsPerRow = 5;

QString utf8(std::string_view text) { return QString::fromUtf8(text.data(), qsizetype(text.size())); }

QString example(SearchOption option)
{
    switch (option) {
    case SearchOption::Recompute: return SearchSettings::tr("none, selective, full");
    case SearchOption::SequenceParallel: return SearchSettings::tr("yes or no");
    case SearchOption::ZeroStage: return SearchSettings::tr("1 or 0..3");
    default: return SearchSettings::tr("8 or 1, 2, 4 or 1..64:x2 or 1..16");
    }
}

} // namespace

SearchSettings::SearchSettings(QWidget *parent) : QWidget(parent), m_ui(std::make_unique<Ui::SearchSettings>())
{
    m_ui->setupUi(this);
    setUpOptions();
    m_ui->rowsSpin->setMaximum(mostSearchRows);
    for (const auto objective : allSearchObjectives)
        m_ui->objectiveCombo->addItem(utf8(titleOf(objective)), int(objective));
    m_ui->casesEdit->setUp(u"cases"_s, tr("Compare cases"), true);
    connect(m_ui->modelCombo, &QComboBox::activated, this, [this] {
        m_document.costModelId = m_ui->modelCombo->currentData().toString().toStdString();
        showCases();
        showPriced();
        emit changed();
    });
    connect(m_ui->objectiveCombo, &QComboBox::activated, this, [this] {
        m_document.objective = SearchObjective(m_ui->objectiveCombo->currentData().toInt());
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

SearchSettings::~SearchSettings() = default;

void SearchSettings::setUpOptions()
{
    for (std::size_t i = 0; i < searchOptionCount; ++i) {
        const auto option = allSearchOptions[i];
        auto *label = new QLabel(utf8(titleOf(option)), this);
        auto *edit = new QLineEdit(this);
        edit->setObjectName(u"space/"_s + utf8(toString(option)));
        edit->setAccessibleName(tr("%1 to search").arg(utf8(titleOf(option))));
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

void SearchSettings::optionEdited(std::size_t index)
{
    const auto values = parseSearchValues(allSearchOptions[index], m_options[index]->text().toStdString());
    m_refusals[index] = values ? QString()
                               : u"%1: %2"_s.arg(utf8(titleOf(allSearchOptions[index])), utf8(values.error().message));
    setRefusedLook(m_options[index], !values);
    const auto first = std::ranges::find_if(m_refusals, [](const QString &refusal) { return !refusal.isEmpty(); });
    m_ui->spaceSentence->setSentence(first == m_refusals.end() ? QString() : *first);
    if (values)
        m_document.space[allSearchOptions[index]] = *values;
    emit changed();
}

void SearchSettings::show(const SearchDocument &document, std::shared_ptr<const Catalog> catalog)
{
    m_document = document;
    const std::array<QSignalBlocker, 4> quiet{QSignalBlocker(m_ui->rowsSpin), QSignalBlocker(m_ui->acrossCheck),
        QSignalBlocker(m_ui->unevenCheck), QSignalBlocker(m_ui->modelCombo)};
    m_ui->modelCombo->clear();
    m_ui->modelCombo->addItem(tr("the plan's own (%1)").arg(utf8(document.plan.costModelId)), QString());
    for (const auto *model : costModels())
        m_ui->modelCombo->addItem(u"%1 (%2)"_s.arg(utf8(model->title()), utf8(model->id())), utf8(model->id()));
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

void SearchSettings::showCases()
{
    const auto model = findCostModel(modelId());
    m_ui->casesEdit->setSources(m_catalog, model ? (*model)->assumptions() : std::span<const AssumptionDescriptor>());
    m_ui->casesEdit->setAxis(m_document.cases);
}

void SearchSettings::showOptions()
{
    m_ui->spaceSentence->setSentence({});
    for (std::size_t i = 0; i < searchOptionCount; ++i) {
        const auto &values = m_document.space.values[i];
        m_options[i]->setText(values.empty() ? QString() : utf8(searchValuesToText(allSearchOptions[i], values)));
        m_refusals[i].clear();
        setRefusedLook(m_options[i], false);
    }
}

std::string SearchSettings::modelId() const
{
    return m_document.costModelId.empty() ? m_document.plan.costModelId : m_document.costModelId;
}

void SearchSettings::showPriced()
{
    const auto model = findCostModel(modelId());
    for (std::size_t i = 0; i < searchOptionCount; ++i) {
        const bool priced = !model || (*model)->searchTraits().options.has(allSearchOptions[i])
            || allSearchOptions[i] == SearchOption::Dp;
        m_options[i]->setEnabled(priced);
        m_labels[i]->setEnabled(priced);
        m_options[i]->setToolTip(priced
                ? tr("Values to try: %1; nothing tries every legal one").arg(example(allSearchOptions[i]))
                : tr("The cost model %1 does not price this; the plan's own value is kept").arg(utf8(modelId())));
    }
}

bool SearchSettings::isValid() const
{
    return std::ranges::all_of(m_refusals, [](const QString &refusal) { return refusal.isEmpty(); });
}

Expected<void> SearchSettings::readableCases() const
{
    auto readable = m_ui->casesEdit->readable();
    if (!readable)
        readable.error().field = "cases";
    return readable;
}

void SearchSettings::refuse(const Error &error)
{
    for (std::size_t i = 0; i < searchOptionCount; ++i)
        setRefusedLook(m_options[i], error.field == "space." + std::string(toString(allSearchOptions[i])));
    if (error.field.starts_with("cases") || error.message.find("(case ") != std::string::npos)
        m_ui->casesEdit->setRefusal(utf8(error.message));
    else
        m_ui->spaceSentence->setSentence(utf8(error.message));
}

QString SearchSettings::inWords() const
{
    QStringList words{utf8(modelId()), tr("best by %1").arg(utf8(titleOf(m_document.objective)))};
    for (const auto option : allSearchOptions)
        if (const auto &values = m_document.space[option]; !values.empty())
            words << u"%1 %2"_s.arg(utf8(titleOf(option)), utf8(searchValuesToText(option, values)));
    if (m_document.space.tpAcrossDomains)
        words << tr("TP across domains");
    if (m_document.space.unevenChunks)
        words << tr("uneven chunks");
    if (m_document.cases)
        words << tr("%1 cases").arg(m_document.cases->points.size());
    return words.join(u"; "_s);
}

} // namespace fleetwright::app
