// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/plan/servingdialog.h"

#include "app/theme.h"
#include "app/widgets/fleetfields.h"
#include "app/wording.h"
#include "charts/charts.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "ui_servingdialog.h"
#include "units/format.h"

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using units::Dimension;

namespace {

constexpr int mostTokens = 100'000'000;

} // namespace

ServingDialog::ServingDialog(QWidget *parent) : QDialog(parent), m_ui(std::make_unique<Ui::ServingDialog>())
{
    m_ui->setupUi(this);
    for (auto *heading : {m_ui->memoryTitle, m_ui->speedTitle, m_ui->limitsTitle})
        makeHeading(heading);
    useTabularFigures(this);
    setUpEntries();
    buildFigures();
    QString limits = u"<ul style=\"margin-left: 12px; -qt-list-indent: 0\">"_s;
    for (const auto &limitation : servingLimitations())
        limits += u"<li>"_s + localizedHtmlEscaped(limitation) + u"</li>"_s;
    m_ui->limitsText->setHtml(limits + u"</ul>"_s);
    m_ui->limitsText->setAccessibleName(tr("Known limitations"));
    m_ui->closeButton->setAutoDefault(false); // Enter belongs to the entries
    connect(m_ui->closeButton, &QPushButton::clicked, this, &QDialog::close);
}

ServingDialog::~ServingDialog() = default;

void ServingDialog::setUp(CountEdit *edit, const QString &label, const QString &explanation,
    std::optional<std::int64_t> ServingInputs::*optionalTarget, std::int64_t ServingInputs::*target, int minimum)
{
    edit->setLabel(label);
    edit->setExplanation(explanation);
    edit->setRange(minimum, mostTokens);
    connect(edit, &CountEdit::valueEdited, this, [this, optionalTarget, target](std::optional<int> value) {
        if (optionalTarget)
            m_inputs.*optionalTarget = value ? std::optional<std::int64_t>(*value) : std::nullopt;
        else if (value)
            m_inputs.*target = *value;
        answer();
    });
}

void ServingDialog::setUp(
    QuantityEdit *edit, const QString &label, const QString &explanation, double ServingInputs::*target, double minimum)
{
    edit->setLabel(label);
    edit->setExplanation(explanation);
    edit->setQuantity(Dimension::Fraction, u"%"_s);
    edit->setRange(minimum, 1);
    edit->setStep(5);
    connect(edit, &QuantityEdit::valueEdited, this, [this, target](std::optional<double> value) {
        if (value)
            m_inputs.*target = *value;
        answer();
    });
}

void ServingDialog::setUpEntries()
{
    setUp(
        m_ui->promptEdit, tr("Prompt length"), tr("Tokens of each prompt."), nullptr, &ServingInputs::promptTokens, 1);
    setUp(m_ui->batchEdit, tr("Batch"), tr("Sequences that are served together."), nullptr, &ServingInputs::batch, 1);
    setUp(m_ui->cachedEdit, tr("Cached prefix"),
        tr("Tokens of the prompt whose keys and values are kept from an earlier request."), nullptr,
        &ServingInputs::cachedPrefix, 0);
    setUp(m_ui->chunkEdit, tr("Chunk"),
        tr("Prefill in pieces of this many tokens, so that decoding waits less. Empty: in one piece."),
        &ServingInputs::chunkTokens, nullptr, 1);
    m_ui->chunkEdit->setOptional(tr("one piece"));
    setUp(m_ui->efficiencyEdit, tr("Prefill efficiency"), tr("Share of the peak that prefill reaches."),
        &ServingInputs::efficiency, 1e-9);
    setUp(m_ui->acceptanceEdit, tr("Acceptance"), tr("Chance that a token of the draft model is accepted."),
        &ServingInputs::acceptance, 0);
    m_fields = {{"seq_len", m_ui->promptEdit}, {"batch_size", m_ui->batchEdit}, {"cached_prefix", m_ui->cachedEdit},
        {"chunk_tokens", m_ui->chunkEdit}, {"efficiency", m_ui->efficiencyEdit}, {"acceptance", m_ui->acceptanceEdit}};
    for (const auto precision : allPrecisions)
        m_ui->precisionCombo->addItem(localized(toString(precision)), int(precision));
    m_ui->precisionCombo->setAccessibleName(tr("Precision"));
    m_ui->precisionCombo->setToolTip(tr("Number format of weights and cache, and of the matrix products of prefill."));
    connect(m_ui->precisionCombo, &QComboBox::currentIndexChanged, this, [this] {
        m_inputs.precision = Precision(m_ui->precisionCombo->currentData().toInt());
        answer();
    });
    m_ui->decodePicker->setKind(CatalogKind::Accelerator, tr("Decodes on"),
        [](const CatalogRecord &record) { return acceleratorFrom(record).has_value(); });
    m_ui->decodePicker->setOptional(tr("the plan's accelerator"));
    connect(m_ui->decodePicker, &ItemPicker::picked, this, [this](const QString &id) {
        const auto *record = m_catalog->find(CatalogKind::Accelerator, id.toStdString());
        const auto accelerator = record ? acceleratorFrom(*record) : std::unexpected(Error{});
        m_inputs.decodeAccelerator = accelerator ? std::optional(**accelerator) : std::nullopt;
        answer();
    });
    m_ui->draftPicker->setKind(CatalogKind::Workload, tr("Draft model"), [](const CatalogRecord &record) {
        const auto workload = workloadFrom(record);
        return workload && (*workload)->family == WorkloadFamily::Transformer && (*workload)->attentionHeads;
    });
    m_ui->draftPicker->setOptional(tr("none", "draft model"));
    connect(m_ui->draftPicker, &ItemPicker::picked, this, [this](const QString &id) {
        const auto *record = m_catalog->find(CatalogKind::Workload, id.toStdString());
        const auto workload = record ? workloadFrom(*record) : std::unexpected(Error{});
        m_inputs.draft = workload ? std::optional(**workload) : std::nullopt;
        m_ui->acceptanceEdit->setReadOnly(!m_inputs.draft, tr("Choose a draft model first."));
        answer();
    });
    m_ui->acceptanceEdit->setReadOnly(true, tr("Choose a draft model first."));
}

void ServingDialog::buildFigures()
{
    int row = 0;
    for (const auto &figure : servingFigures()) {
        auto *name = new QLabel(localized(figure.label), this);
        auto *value = new QLabel(this);
        value->setObjectName(utf8(figure.key));
        value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        value->setAccessibleName(localized(figure.label));
        name->setToolTip(localized(figure.meaning));
        m_ui->figureGrid->addWidget(name, row, 0);
        m_ui->figureGrid->addWidget(value, row, 1);
        m_figures.emplace_back(&figure, value);
        ++row;
    }
    m_ui->figureGrid->setColumnStretch(1, 1);
}

void ServingDialog::setPlan(const Plan &plan, std::shared_ptr<const Catalog> catalog)
{
    const auto fromPlan = servingInputs(plan);
    if (!m_hasPlan) {
        m_inputs = fromPlan;
        m_ui->decodePicker->setCatalog(catalog);
        m_ui->draftPicker->setCatalog(catalog);
        showEntries();
    } else {
        m_inputs.workload = fromPlan.workload;
        m_inputs.accelerator = fromPlan.accelerator;
        if (catalog != m_catalog) {
            m_ui->decodePicker->setCatalog(catalog);
            m_ui->draftPicker->setCatalog(catalog);
        }
    }
    m_hasPlan = true;
    m_catalog = std::move(catalog);
    m_ui->introLabel->setText(
        tr("%1 on one %2. These entries are for looking only: they are not saved with the project.")
            .arg(QString::fromStdString(m_inputs.workload.name), QString::fromStdString(m_inputs.accelerator.name)));
    answer();
}

void ServingDialog::showEntries()
{
    m_ui->promptEdit->setValue(int(m_inputs.promptTokens));
    m_ui->batchEdit->setValue(int(m_inputs.batch));
    m_ui->cachedEdit->setValue(int(m_inputs.cachedPrefix));
    m_ui->chunkEdit->setValue({});
    m_ui->efficiencyEdit->setValue(m_inputs.efficiency);
    m_ui->acceptanceEdit->setValue(m_inputs.acceptance);
    selectData(m_ui->precisionCombo, int(m_inputs.precision));
}

void ServingDialog::answer()
{
    for (const auto &[name, field] : m_fields)
        field->setRefusal({});
    const auto figures = serving(m_inputs);
    if (!figures) {
        showRefusal(figures.error());
        return;
    }
    m_ui->sentence->setSentence({});
    for (const auto &[figure, label] : m_figures) {
        const auto value = figure->value(*figures);
        label->setText(!value
                ? u"\u2013"_s
                : localized(figure->dimension == Dimension::Number ? units::threeDigits(*value)
                                                                   : units::format(*value, figure->dimension)));
        label->setToolTip(localized(figure->meaning) + (value ? QString() : u'\n' + localized(figure->absence)));
        // What does not fit does not run: what it would do is grey, as on the plan's page.
        QPalette colours;
        if (!figures->fits)
            colours.setColor(QPalette::WindowText, quietColour(palette()));
        label->setPalette(colours);
    }
    m_ui->adviceLabel->setText(localized(servingAdvice(m_inputs, *figures)));
    m_ui->noteLabel->setText(figures->precisionFallback
            ? tr("The accelerator has no peak for this precision; prefill is timed at its 16-bit peak.")
            : QString());
    m_ui->noteLabel->setVisible(figures->precisionFallback);
    showMemory(*figures);
}

void ServingDialog::showRefusal(const Error &error)
{
    const QString sentence = localized(error.message);
    const auto field = std::ranges::find(m_fields, error.field, &std::pair<std::string_view, NumberEdit *>::first);
    if (field != m_fields.end())
        field->second->setRefusal(sentence);
    m_ui->sentence->setSentence(tr("No answer for these entries: %1").arg(sentence));
    for (const auto &[figure, label] : m_figures)
        label->setText(u"\u2013"_s);
    m_ui->memoryBar->setParts({}, 0, {});
    m_ui->memoryLabel->clear();
    m_ui->adviceLabel->clear();
    m_ui->noteLabel->hide();
}

void ServingDialog::showMemory(const ServingFigures &figures)
{
    using charts::Quantity;
    struct Part {
        Bytes amount;
        Quantity quantity;
        QString name;
    };
    std::vector<StackedBar::Part> parts;
    QStringList words;
    for (const auto &part : {Part{figures.weights, Quantity::Weights, tr("weights")},
             Part{figures.kvCache, Quantity::Activations, tr("KV cache")},
             Part{figures.draftWeights, Quantity::Other, tr("draft")}}) {
        if (!(part.amount.value() > 0))
            continue;
        const QString line = tr("%1 %2", "part of memory, amount").arg(part.name, shown(part.amount));
        parts.push_back({line, part.amount / figures.capacity, charts::colour(part.quantity)});
        words << line;
    }
    const QString sum = tr("%1 of %2: %3").arg(shown(figures.required), shown(figures.capacity), words.join(u", "_s));
    m_ui->memoryBar->setParts(std::move(parts), 0, sum);
    m_ui->memoryLabel->setText(sum);
}

} // namespace fleetwright::app
