// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/instruments/instrumentpanel.h"

#include "app/instruments/slidercontrol.h"
#include "app/theme.h"
#include "text/localized.h"
#include "ui_instrumentpanel.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QScopedValueRollback>

#include <algorithm>
#include <cmath>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

/// All whole numbers from 1.
std::vector<double> countsTo(int last)
{
    std::vector<double> stops;
    for (int count = 1; count <= last; ++count)
        stops.push_back(count);
    return stops;
}

/// 1, 2, 4 ... `last`.
std::vector<double> powersTo(int last)
{
    std::vector<double> stops;
    for (int power = 1; power <= last; power *= 2)
        stops.push_back(power);
    return stops;
}

QColor bandColour(fleetwright::Band band, const QPalette &palette)
{
    switch (band) {
    case fleetwright::Band::Green: return isDark(palette) ? QColor(0x4f, 0xc9, 0x9a) : QColor(0x00, 0x6f, 0x52);
    case fleetwright::Band::Amber: return warningColour(palette);
    case fleetwright::Band::Red: return errorColour(palette);
    }
    return {};
}

QString paragraphs(const QStringList &sentences) { return sentences.join(u'\n'); }

} // namespace

InstrumentPanel::InstrumentPanel(const InstrumentSettings &start, QWidget *parent)
    : QWidget(parent), m_ui(std::make_unique<Ui::InstrumentPanel>()),
      m_settings(start), m_machines{instruments::standardMachine()}
{
    m_ui->setupUi(this);
    setObjectName(u"instrument/"_s + QString::fromUtf8(instrumentId(start)));
    if (std::holds_alternative<DpWallSettings>(start))
        makeWallControls();
    else
        makeCubeControls();
    addChoice(InstrumentControl::Variant, tr("Formulas"),
        tr("The lab's formulas as it printed them, or with their slips put right."),
        {tr("As published"), tr("Corrected")}, [this](int index) {
            const auto variant = index == 0 ? InstrumentVariant::Published : InstrumentVariant::Corrected;
            std::visit([variant](auto &settings) { settings.variant = variant; }, m_settings);
        });
    m_ui->machineRow->setVisible(false);
    m_ui->machineCombo->setToolTip(tr("The lab machine has the accelerators, links and constants of the lab that the "
                                      "studies follow; the others are those of your plans"));
    connect(m_ui->machineCombo, &QComboBox::currentIndexChanged, this, [this] {
        if (!m_showing)
            refresh();
    });
    connect(m_ui->unlockButton, &QPushButton::clicked, this, &InstrumentPanel::unlockRequested);
    showControls();
    refresh();
}

InstrumentPanel::~InstrumentPanel() = default;

void InstrumentPanel::makeWallControls()
{
    const auto wall = [this]() -> DpWallSettings & { return std::get<DpWallSettings>(m_settings); };
    addSlider(InstrumentControl::Accelerators, tr("Accelerators (N)"),
        tr("Each holds the whole model and works on its own microbatch."), powersTo(mostWallAccelerators), 0,
        [wall](double value) { wall().accelerators = int(std::lround(value)); });
    addSlider(InstrumentControl::Microbatch, tr("Microbatch (b)"), tr("Samples per accelerator and step."),
        countsTo(mostWallMicrobatch), 0, [wall](double value) { wall().microbatch = int(std::lround(value)); });
    addSlider(InstrumentControl::Parameters, tr("Parameters (billion)"), tr("Of the model, in billions."),
        {fewestWallBillions, 0.3, 1, 3, 7, 13, 30, 70, 175, 405, mostWallBillions}, 1,
        [wall](double value) { wall().parameterBillions = value; });
    addChoice(InstrumentControl::Links, tr("Fabric"), tr("Which links the gradients travel over."),
        {tr("Scale-up"), tr("Scale-out")},
        [wall](int index) { wall().fabric = index == 0 ? WallFabric::ScaleUp : WallFabric::ScaleOut; });
}

void InstrumentPanel::makeCubeControls()
{
    const auto cube = [this]() -> CubeSettings & { return std::get<CubeSettings>(m_settings); };
    addSlider(InstrumentControl::TensorParallel, tr("Tensor parallel (TP)"), tr("Accelerators that share every layer."),
        countsTo(mostCubeRanks), 0, [cube](double value) { cube().tp = int(std::lround(value)); });
    addSlider(InstrumentControl::PipelineParallel, tr("Pipeline (PP)"), tr("Stages that the layers are dealt to."),
        countsTo(mostCubeRanks), 0, [cube](double value) { cube().pp = int(std::lround(value)); });
    addSlider(InstrumentControl::Microbatches, tr("Microbatches (m)"),
        tr("That each pipeline works through in a step."), countsTo(mostCubeMicrobatches), 0,
        [cube](double value) { cube().microbatches = int(std::lround(value)); });
}

SliderControl *InstrumentPanel::addSlider(InstrumentControl control, const QString &label, const QString &explanation,
    std::vector<double> stops, int decimals, std::function<void(double)> apply)
{
    auto *slider = new SliderControl(
        QString::fromUtf8(toString(control)), label, explanation, std::move(stops), decimals, m_ui->controls);
    m_ui->controlsLayout->insertWidget(int(m_sliders.size() + m_choices.size()), slider);
    m_sliders.emplace(control, slider);
    connect(slider, &SliderControl::valueMoved, this, [this, apply = std::move(apply)](double value) {
        apply(value);
        changed();
    });
    return slider;
}

QComboBox *InstrumentPanel::addChoice(InstrumentControl control, const QString &label, const QString &explanation,
    const QStringList &entries, std::function<void(int)> apply)
{
    auto *row = new QWidget(m_ui->controls);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(gridUnit);
    auto *title = new QLabel(label, row);
    title->setFixedWidth(labelWidth);
    auto *combo = new QComboBox(row);
    combo->setObjectName(QString::fromUtf8(toString(control)) + u"Combo"_s);
    combo->setAccessibleName(label);
    combo->setToolTip(explanation);
    combo->addItems(entries);
    title->setBuddy(combo);
    layout->addWidget(title);
    layout->addWidget(combo, 1);
    m_ui->controlsLayout->insertWidget(int(m_sliders.size() + m_choices.size()), row);
    m_choices.emplace(control, combo);
    connect(combo, &QComboBox::currentIndexChanged, this, [this, apply = std::move(apply)](int index) {
        if (m_showing)
            return;
        apply(index);
        changed();
    });
    return combo;
}

void InstrumentPanel::showControls()
{
    const QScopedValueRollback showing(m_showing, true);
    const auto slide = [this](InstrumentControl control, double value) { m_sliders.at(control)->setValue(value); };
    if (const auto *wall = std::get_if<DpWallSettings>(&m_settings)) {
        slide(InstrumentControl::Accelerators, wall->accelerators);
        slide(InstrumentControl::Microbatch, wall->microbatch);
        slide(InstrumentControl::Parameters, wall->parameterBillions);
        m_choices.at(InstrumentControl::Links)->setCurrentIndex(wall->fabric == WallFabric::ScaleUp ? 0 : 1);
    } else {
        const auto &cube = std::get<CubeSettings>(m_settings);
        slide(InstrumentControl::TensorParallel, cube.tp);
        slide(InstrumentControl::PipelineParallel, cube.pp);
        slide(InstrumentControl::Microbatches, cube.microbatches);
    }
    const auto variant = std::visit([](const auto &settings) { return settings.variant; }, m_settings);
    m_choices.at(InstrumentControl::Variant)->setCurrentIndex(variant == InstrumentVariant::Published ? 0 : 1);
}

void InstrumentPanel::setSettings(const InstrumentSettings &settings)
{
    if (settings.index() != m_settings.index() || settings == m_settings)
        return;
    m_settings = settings;
    showControls();
    refresh();
}

void InstrumentPanel::setMovable(const std::vector<InstrumentControl> &movable)
{
    const auto fixed = [&](InstrumentControl control) { return std::ranges::find(movable, control) == movable.end(); };
    for (const auto &[control, slider] : m_sliders)
        slider->setFixed(fixed(control), tr("This study holds it fixed."));
    for (const auto &[control, combo] : m_choices) {
        combo->setEnabled(!fixed(control));
        if (fixed(control))
            combo->setToolTip(tr("This study holds it fixed."));
    }
}

void InstrumentPanel::setLocked(const QString &sentence)
{
    m_ui->lockedLabel->setText(sentence);
    m_ui->stack->setCurrentWidget(sentence.isEmpty() ? m_ui->livePage : m_ui->lockedPage);
}

void InstrumentPanel::setMachines(std::vector<instruments::Machine> machines)
{
    if (machines.empty() || machines == m_machines)
        return;
    const auto chosen = m_ui->machineCombo->currentText();
    {
        const QScopedValueRollback showing(m_showing, true);
        m_machines = std::move(machines);
        m_ui->machineCombo->clear();
        for (const auto &machine : m_machines)
            m_ui->machineCombo->addItem(QString::fromStdString(machine.name));
        m_ui->machineCombo->setCurrentIndex(std::max(0, m_ui->machineCombo->findText(chosen)));
    }
    m_ui->machineRow->setVisible(m_machines.size() > 1);
    refresh();
}

void InstrumentPanel::changed()
{
    if (m_showing)
        return;
    refresh();
    emit moved(m_settings);
}

void InstrumentPanel::refresh()
{
    const auto index = std::size_t(std::max(0, m_ui->machineCombo->currentIndex()));
    const auto view = viewOf(m_settings, m_machines.at(std::min(index, m_machines.size() - 1)));
    if (!view) {
        m_ui->warningsLabel->setText(localized(view.error().message));
        m_ui->warningsLabel->setVisible(true);
        return;
    }
    showFigures(view->figures);
    auto warningPalette = palette();
    warningPalette.setColor(QPalette::WindowText, errorColour(palette()));
    m_ui->warningsLabel->setPalette(warningPalette);
    m_ui->warningsLabel->setText(paragraphs(view->warnings));
    m_ui->warningsLabel->setVisible(!view->warnings.isEmpty());
    m_ui->notesLabel->setText(paragraphs(view->notes));
    auto theme = isDark(palette()) ? charts::Theme::dark() : charts::Theme::light();
    theme.background = palette().color(QPalette::Window);
    m_ui->chart->show(charts::lineChart(view->chart), theme);
}

void InstrumentPanel::showFigures(const std::vector<InstrumentFigure> &figures)
{
    auto *grid = m_ui->figuresLayout;
    const auto label = [&](const QString &name, int row, int column) {
        auto *found = m_ui->figures->findChild<QLabel *>(name);
        if (!found) {
            found = new QLabel(m_ui->figures);
            found->setObjectName(name);
            found->setTextInteractionFlags(column == 0 ? Qt::NoTextInteraction : Qt::TextSelectableByMouse);
            grid->addWidget(found, row, column, column == 1 ? Qt::AlignRight : Qt::AlignLeft);
        }
        return found;
    };
    for (int row = 0; row < int(figures.size()); ++row) {
        const auto &figure = figures.at(std::size_t(row));
        auto *name = label(figure.key + u"Name"_s, row, 0);
        auto *value = label(figure.key + u"Value"_s, row, 1);
        auto *band = label(figure.key + u"Band"_s, row, 2);
        name->setText(figure.name);
        value->setText(figure.value);
        band->setText(figure.band ? u"\u25cf "_s + inWords(*figure.band) : QString());
        if (figure.band) {
            makeHeading(value);
            auto coloured = palette();
            coloured.setColor(QPalette::WindowText, bandColour(*figure.band, palette()));
            band->setPalette(coloured);
        }
        for (auto *part : {name, value, band})
            part->setToolTip(figure.explanation);
        value->setAccessibleName(figure.name);
        value->setAccessibleDescription(
            figure.band ? tr("%1, %2").arg(figure.value, inWords(*figure.band)) : figure.value);
    }
}

void InstrumentPanel::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        refresh();
    QWidget::changeEvent(event);
}

} // namespace fleetwright::app
