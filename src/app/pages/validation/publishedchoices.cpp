// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/validation/publishedchoices.h"

#include "app/widgets/fleetfields.h"
#include "app/widgets/tablecolumns.h"
#include "itemmodels/publishedchoicemodel.h"
#include "text/localized.h"
#include "ui_publishedchoices.h"
#include "units/format.h"

#include <QHeaderView>
#include <QSortFilterProxyModel>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using itemmodels::PublishedChoiceModel;

namespace {

constexpr int progressSteps = 1000;
constexpr double fewPercent = 0.03;

QString paragraph(const QString &html) { return u"<p style=\"margin-top:0; margin-bottom:6px\">%1</p>"_s.arg(html); }

QString standingText(const validation::Standing &standing)
{
    return PublishedChoices::tr("rank %1 of %2 legal layouts (%3), of which %4 fit; split %5 of %6")
        .arg(localized(units::format(double(standing.rank), units::Dimension::Number)),
            localized(units::format(double(standing.counts.legal()), units::Dimension::Number)),
            localized(validation::topInWords(standing.share())),
            localized(units::format(double(standing.counts.feasible), units::Dimension::Number)))
        .arg(standing.splitRank)
        .arg(standing.splits);
}

QString reasonsHtml(const validation::PublishedScore &score)
{
    const auto &choice = score.choice;
    QString html = paragraph(u"<b>%1</b>"_s.arg(localizedHtmlEscaped(choice.title)));
    html += paragraph(localizedHtmlEscaped(inWords(score.published.layout)));
    if (choice.limits.empty()) {
        html += paragraph(PublishedChoices::tr("By the model: %1.").arg(standingText(score.software)));
    } else {
        html += paragraph(PublishedChoices::tr("By the model, among what the software could do: %1.")
                              .arg(standingText(score.software)));
        if (score.everything)
            html += paragraph(
                PublishedChoices::tr("Among all that the model knows: %1.").arg(standingText(*score.everything)));
    }
    html += u"<ul style=\"margin-top:0; margin-left:-24px\">"_s;
    for (const auto &reason : score.reasons)
        html += u"<li>%1</li>"_s.arg(localizedHtmlEscaped(reason));
    html += u"</ul>"_s;
    html += paragraph(PublishedChoices::tr("Software class: %1, since it is %2.")
                          .arg(localized(toString(choice.softwareClass)), localizedHtmlEscaped(choice.softwareReason)));
    if (!choice.limits.empty())
        html += paragraph(PublishedChoices::tr("Software: %1.").arg(localizedHtmlEscaped(choice.limits)));
    if (!choice.remarks.empty())
        html += paragraph(htmlEscaped(choice.remarks));
    return html + paragraph(PublishedChoices::tr("Published in: %1.").arg(htmlEscaped(choice.published)));
}

} // namespace

PublishedChoices::PublishedChoices(jobs::PublishedChoicesJob::Reader shipped, QWidget *parent)
    : QWidget(parent), m_ui(std::make_unique<Ui::PublishedChoices>()), m_model(new PublishedChoiceModel(this)),
      m_shipped(std::move(shipped)), m_job(std::make_unique<jobs::PublishedChoicesJob>())
{
    setUp();
}

PublishedChoices::PublishedChoices(
    jobs::PublishedChoicesJob::Reader shipped, jobs::PublishedChoicesJob::Scorer scorer, QWidget *parent)
    : QWidget(parent), m_ui(std::make_unique<Ui::PublishedChoices>()), m_model(new PublishedChoiceModel(this)),
      m_shipped(std::move(shipped)), m_job(std::make_unique<jobs::PublishedChoicesJob>(std::move(scorer)))
{
    setUp();
}

PublishedChoices::~PublishedChoices() = default;

void PublishedChoices::setUp()
{
    m_ui->setupUi(this);
    auto *table = m_ui->choicesTable;
    auto *proxy = new QSortFilterProxyModel(table);
    proxy->setSourceModel(m_model);
    proxy->setSortRole(itemmodels::sortRole);
    table->setModel(proxy);
    setUpTable(table, PublishedChoiceModel::Run);
    table->setSortingEnabled(true);
    table->sortByColumn(PublishedChoiceModel::Run, Qt::AscendingOrder);
    table->horizontalHeader()->setSortIndicatorShown(false); // ten columns: no room for the arrow
    table->setTextElideMode(Qt::ElideMiddle);
    constexpr std::pair<int, int> letters[]{{PublishedChoiceModel::Accelerators, 9}, {PublishedChoiceModel::Chosen, 21},
        {PublishedChoiceModel::Predicted, 11}, {PublishedChoiceModel::Measured, 11},
        {PublishedChoiceModel::Feasible, 8}, {PublishedChoiceModel::Rank, 7}, {PublishedChoiceModel::Share, 7},
        {PublishedChoiceModel::Best, 21}, {PublishedChoiceModel::Gain, 6}};
    for (const auto &[column, width] : letters)
        TableColumns::of(*table).giveWidth(column, width * table->fontMetrics().averageCharWidth());
    auto kept = m_ui->choicesSplitter->sizePolicy();
    kept.setRetainSizeWhenHidden(true); // the question stays on top
    m_ui->choicesSplitter->setSizePolicy(kept);
    useTabularFigures(m_ui->choiceText);
    m_ui->choicesSplitter->setStretchFactor(0, 3);
    m_ui->choicesSplitter->setStretchFactor(1, 1);
    m_ui->choicesSplitter->setSizes({740, 320});
    connect(table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &PublishedChoices::showReasons);
    connect(m_ui->rankButton, &QPushButton::clicked, this, &PublishedChoices::rank);
    connect(m_ui->cancelChoicesButton, &QPushButton::clicked, m_job.get(), &jobs::PublishedChoicesJob::cancel);
    connect(m_job.get(), &jobs::PublishedChoicesJob::started, this, &PublishedChoices::updateState);
    connect(m_job.get(), &jobs::PublishedChoicesJob::cancelled, this, &PublishedChoices::updateState);
    connect(m_job.get(), &jobs::PublishedChoicesJob::progressed, this,
        [this](double share) { m_ui->choicesProgress->setValue(int(share * progressSteps)); });
    connect(m_job.get(), &jobs::PublishedChoicesJob::finished, this, &PublishedChoices::showOutcome);
    m_ui->choicesLabel->setText(
        tr("Layouts that people chose for their largest runs and published: Megatron-LM from 18B to 1T parameters, "
           "Llama 3 405B, DeepSeek-V3. Does the model find them among all layouts, or something "
           "better?"));
    updateState();
}

const QTableView *PublishedChoices::table() const { return m_ui->choicesTable; }

void PublishedChoices::rank()
{
    m_ui->choicesProgress->setValue(0);
    m_job->start(m_shipped);
}

void PublishedChoices::showOutcome(const jobs::PublishedChoicesOutcome &outcome)
{
    if (outcome)
        m_scores = *outcome;
    updateState();
    if (!outcome) {
        m_ui->choicesLabel->setText(localized(outcome.error().message));
        return;
    }
    m_model->setRows(itemmodels::publishedChoiceRows(*m_scores));
    const auto within = std::ranges::count_if(
        *m_scores, [](const auto &score) { return score.software.share() <= fewPercent; });
    m_ui->choicesLabel->setText(
        tr("%1 of %2 published layouts are in the top 3 % of what their software could do, by the cost model "
           "“detailed” at the runs' own batch, software and overlap. Select one to read what the model would "
           "do instead, and why.")
            .arg(within)
            .arg(m_scores->size()));
    if (m_model->rowCount() > 0)
        chooseRow(*m_ui->choicesTable, 0);
    emit ranked();
}

void PublishedChoices::showReasons()
{
    const auto rows = m_ui->choicesTable->selectionModel()->selectedRows();
    if (!m_scores || rows.isEmpty())
        m_ui->choiceText->clear();
    else
        m_ui->choiceText->setHtml(
            reasonsHtml(m_scores->at(std::size_t(rows.constFirst().data(itemmodels::idRole).toInt()))));
}

void PublishedChoices::updateState()
{
    const bool running = m_job->isRunning();
    m_ui->choicesProgress->setVisible(running);
    m_ui->cancelChoicesButton->setVisible(running);
    m_ui->rankButton->setEnabled(!running);
    m_ui->choicesSplitter->setVisible(m_scores != nullptr);
}

} // namespace fleetwright::app
