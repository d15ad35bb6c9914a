// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/welcome/welcome.h"

#include "app/pages/decide/startingdecision.h"
#include "app/projectfiles.h"
#include "app/settings.h"
#include "app/theme.h"
#include "app/widgets/limitentry.h"
#include "app/widgets/typedentries.h"
#include "app/wording.h"
#include "app/workspace/workspace.h"
#include "storage/project.h"
#include "storage/shippedprojects.h"
#include "text/localizedparts.h"
#include "ui_welcome.h"

#include <QCommandLinkButton>
#include <QDir>
#include <QFileInfo>
#include <QHeaderView>
#include <QKeyEvent>

#include <algorithm>
#include <limits>
#include <utility>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {
constexpr double mostTokens = 1e18;
constexpr double hintShare = 0.9; // of the letters of fields
constexpr QSize samplePicture{112, 64};
enum RecentColumn { RecentName, RecentFolder, RecentDate };
} // namespace

Welcome::Welcome(Workspace &workspace, ProjectFiles &files, const Settings &settings, QWidget *parent)
    : QWidget(parent), m_ui(std::make_unique<Ui::Welcome>()), m_workspace(workspace), m_files(files),
      m_settings(settings)
{
    m_ui->setupUi(this);
    setAccessibleName(tr("Welcome"));
    makeTitle(m_ui->welcomeTitle);
    for (auto *label : {m_ui->questionTitle, m_ui->samplesTitle, m_ui->recentTitle})
        makeHeading(label);
    for (auto *hint : {m_ui->capitalHint, m_ui->budgetHint}) { // less than the fields that it is about
        auto font = hint->font();
        font.setPointSizeF(hintShare * font.pointSizeF());
        hint->setFont(font);
    }
    setUpQuestion();
    setUpSamples();
    setUpRecent();
}

Welcome::~Welcome() = default;

void Welcome::setUpQuestion()
{
    auto &ui = *m_ui;
    ui.workloadPicker->setKind(CatalogKind::Workload, tr("Workload"));
    ui.tokensEdit->setLabel(tr("Tokens"));
    ui.tokensEdit->setExplanation(tr("Tokens to train on. Empty: as the workload was published."));
    ui.tokensEdit->setQuantity(units::Dimension::Number, u"T"_s);
    ui.tokensEdit->setRange(1, mostTokens);
    ui.tokensEdit->setOptional(tr("as published"));
    ui.nodesPicker->setRoomy();
    for (const auto &[edit, field] :
        {std::pair(ui.deadlineEdit, "limits.deadline_days"), std::pair(ui.capitalEdit, "limits.capital_usd"),
            std::pair(ui.budgetEdit, "limits.run_cost_usd"), std::pair(ui.powerEdit, "limits.max_facility_mw")}) {
        m_limits.push_back(decideLimit(field));
        m_limits.back().edit = edit;
        setUpLimit(*edit, m_limits.back().entry);
    }
    ui.capitalEdit->setRange(0, std::numeric_limits<double>::max());
    ui.capitalEdit->setExplanation(
        tr("Most that may be spent to buy with. 0: nothing is bought, what is rented alone is "
           "looked at. Empty: no limit."));
    ui.deadlineEdit->setLabel(tr("Days"));
    ui.budgetEdit->setLabel(tr("Budget for the run"));
    ui.budgetEdit->setExplanation(tr("Most that the run may cost, all in: of a fleet that is bought its share for the "
                                     "days of the run, not the price. Empty: no limit."));
    ui.tokensEdit->setSentenceLabel(ui.sentence);
    for (const auto &limit : m_limits)
        limit.edit->setSentenceLabel(ui.sentence);
    ui.workloadPicker->setSentenceLabel(ui.sentence);
    connect(ui.workloadPicker, &ItemPicker::picked, this, [this](const QString &id) {
        m_workload = id.toStdString();
        m_ui->workloadPicker->setReference(m_workload);
    });
    connect(ui.answerButton, &QPushButton::clicked, this, &Welcome::answer);
}

void Welcome::setUpSamples()
{
    for (const auto &sample : storage::samples()) {
        auto *button = new QCommandLinkButton(localized(sample.title), localized(sample.about), this);
        button->setObjectName(u"sampleButton "_s + utf8(sample.name));
        button->setIcon(QIcon(u":/samples/%1.svg"_s.arg(utf8(sample.name))));
        button->setIconSize(samplePicture);
        connect(button, &QPushButton::clicked, &m_files, [this, sample] { m_files.openSample(sample); });
        m_ui->samplesLayout->addWidget(button);
    }
}

void Welcome::setUpRecent()
{
    auto &ui = *m_ui;
    auto *header = ui.recentList->header();
    header->setStretchLastSection(false);
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSectionResizeMode(RecentFolder, QHeaderView::Stretch);
    ui.recentList->setTextElideMode(Qt::ElideMiddle);
    ui.recentList->installEventFilter(this);
    connect(&m_files, &ProjectFiles::recentFilesChanged, this, &Welcome::fillRecent);
    connect(ui.recentList, &QTreeWidget::itemActivated, this, &Welcome::openRecent);
    connect(ui.recentList, &QTreeWidget::itemSelectionChanged, this, [this] {
        for (auto *button : {m_ui->openRecentButton, m_ui->forgetButton})
            button->setEnabled(!m_ui->recentList->selectedItems().isEmpty());
    });
    connect(ui.openRecentButton, &QPushButton::clicked, this, &Welcome::openRecent);
    connect(ui.forgetButton, &QPushButton::clicked, this, &Welcome::forgetRecent);
    connect(ui.newButton, &QPushButton::clicked, &m_files, &ProjectFiles::createProject);
    connect(ui.openButton, &QPushButton::clicked, &m_files, &ProjectFiles::openProject);
    connect(ui.importButton, &QPushButton::clicked, &m_files, &ProjectFiles::importIntoNew);
    fillRecent();
}

void Welcome::fillRecent()
{
    auto *list = m_ui->recentList;
    list->clear();
    for (const auto &path : m_settings.recentFiles()) {
        const QFileInfo file(path);
        auto *item = new QTreeWidgetItem(list);
        item->setText(RecentName, file.completeBaseName());
        item->setText(RecentFolder, QDir::toNativeSeparators(file.absolutePath()));
        item->setText(RecentDate, file.exists() ? dayAndTime(file.lastModified()) : tr("not found"));
        item->setData(RecentName, Qt::UserRole, path);
        for (const auto column : {RecentName, RecentFolder, RecentDate}) {
            item->setToolTip(column, file.exists() ? path : tr("%1 is not there any more.").arg(path));
            if (!file.exists())
                item->setForeground(column, quietColour(palette()));
        }
    }
    const bool any = list->topLevelItemCount() > 0;
    m_ui->recentStack->setCurrentWidget(any ? m_ui->recentPanel : m_ui->noRecentPanel);
    if (any)
        list->setCurrentItem(list->topLevelItem(0));
}

void Welcome::openRecent()
{
    if (const auto *item = m_ui->recentList->currentItem())
        m_files.openPath(item->data(RecentName, Qt::UserRole).toString());
}

void Welcome::forgetRecent()
{
    if (const auto *item = m_ui->recentList->currentItem())
        m_files.forgetRecent(item->data(RecentName, Qt::UserRole).toString());
}

bool Welcome::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_ui->recentList && event->type() == QEvent::KeyPress
        && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Delete) {
        forgetRecent();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void Welcome::focusFirst()
{
    m_ui->workloadPicker->setFocus();
    m_ui->workloadPicker->selectText();
}

void Welcome::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    fillRecent(); // files come and go
    if (m_catalog)
        return;
    auto shipped = storage::shippedCatalog();
    m_ui->answerButton->setEnabled(shipped.has_value());
    if (!shipped) {
        m_ui->sentence->setSentence(localized(shipped.error().message));
        return;
    }
    m_catalog = std::make_shared<const Catalog>(std::move(*shipped));
    const auto start = startingDecision(*m_catalog);
    m_ui->workloadPicker->setCatalog(m_catalog);
    if (const auto *id = std::get_if<std::string>(&start.jobs.front().workload))
        m_workload = *id;
    m_ui->workloadPicker->setReference(m_workload);
    m_ui->tokensEdit->setValue(start.jobs.front().tokens);
    for (const auto &limit : m_limits)
        limit.edit->setValue(limit.read(start.limits));
    m_ui->nodesPicker->setItems(*m_catalog, CatalogKind::Node, start.candidates.nodes);
}

Expected<DecisionDocument> Welcome::question() const
{
    auto document = startingDecision(*m_catalog);
    auto &job = document.jobs.front();
    job.workload = m_workload;
    job.tokens = m_ui->tokensEdit->value();
    const bool onlyRents = m_ui->capitalEdit->value() == 0.0;
    for (const auto &limit : m_limits)
        limit.assign(
            document.limits, onlyRents && limit.edit == m_ui->capitalEdit ? std::nullopt : limit.edit->value());
    if (onlyRents)
        std::erase(document.candidates.paying, DecisionPaying{});
    document.candidates.nodes = m_ui->nodesPicker->ticked();
    document.name = nameOf(job.workload, CatalogKind::Workload, *m_catalog);
    if (const auto fine = check(document); !fine)
        return std::unexpected(fine.error());
    return document;
}

/// "Llama 3.1 70B in 30 days", as the fields say it.
QString Welcome::suggestedName(const DecisionDocument &document) const
{
    const auto name = utf8(document.name), within = m_ui->deadlineEdit->lineEdit()->text();
    return within.isEmpty() ? name : inflected(tr("%1 in %2").arg(name, within));
}

void Welcome::answer()
{
    acceptTyped(*this);
    if (!m_ui->workloadPicker->refusal().isEmpty()) { // what stands there is not what would be asked about
        m_ui->workloadPicker->setFocus();
        return;
    }
    std::vector<QuantityEdit *> edits{m_ui->tokensEdit};
    for (const auto &limit : m_limits)
        edits.push_back(limit.edit);
    if (const auto refused = std::ranges::find_if_not(edits, &QuantityEdit::isAcceptable); refused != edits.end()) {
        (*refused)->setFocus(); // its sentence stands already
        return;
    }
    const auto document = m_catalog ? question() : Expected<DecisionDocument>(refuse(ErrorCode::IoError, {}, {}));
    if (!document) {
        m_ui->sentence->setSentence(localized(document.error().message));
        return;
    }
    m_files.createNamed(suggestedName(*document));
    if (!m_workspace.isOpen())
        return; // nobody named a file, or why not was said
    if (const auto added = m_workspace.addDecision(*document); !added)
        m_ui->sentence->setSentence(localized(added.error().message));
    else
        emit pageRequested(u"decide"_s);
}

} // namespace fleetwright::app
