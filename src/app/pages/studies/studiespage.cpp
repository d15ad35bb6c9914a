// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/studies/studiespage.h"

#include "app/dialogs/ledgerentrydialog.h"
#include "app/instruments/instrumentpanel.h"
#include "app/theme.h"
#include "app/workspace/exportdocument.h"
#include "app/workspace/prompts.h"
#include "exchange/readfile.h"
#include "exchange/studydocuments.h"
#include "exchange/textreader.h"
#include "solver/study/instruments.h"
#include "solver/study/study.h"
#include "storage/shippedstudies.h"
#include "text/localized.h"
#include "ui_studiespage.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int idRole = Qt::UserRole;
constexpr int rowIdRole = Qt::UserRole + 1; ///< of the user's own studies
constexpr int listWidth = 264;

QString studyTitle(const std::string &text) { return localized(text).trimmed(); }

QTreeWidgetItem *section(QTreeWidget *list, const QString &title)
{
    auto *item = new QTreeWidgetItem(list, {title});
    item->setFlags(Qt::ItemIsEnabled);
    item->setFirstColumnSpanned(true);
    auto font = item->font(0);
    font.setBold(true);
    item->setFont(0, font);
    item->setExpanded(true);
    return item;
}

} // namespace

StudiesPage::StudiesPage(Workspace &workspace, Prompts &prompts, QWidget *parent)
    : Page(parent), m_ui(std::make_unique<Ui::StudiesPage>()), m_workspace(workspace), m_prompts(prompts)
{
    m_ui->setupUi(this);
    makeTitle(m_ui->titleLabel);
    makeTitle(m_ui->instrumentTitle);
    m_ui->splitter->setStretchFactor(0, 0);
    m_ui->splitter->setStretchFactor(1, 1);
    m_ui->splitter->setSizes({listWidth, 1000});
    m_ui->list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_ui->list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_ui->list->header()->setStretchLastSection(false);
    for (const auto &start : {InstrumentSettings(DpWallSettings()), InstrumentSettings(CubeSettings())}) {
        auto *panel = new InstrumentPanel(start, m_ui->instruments);
        m_ui->instruments->addWidget(panel);
        m_instruments.emplace(QString::fromUtf8(instrumentId(start)), panel);
    }
    if (auto shipped = storage::shippedStudies())
        m_shipped = std::move(*shipped);
    else
        m_prompts.showError(this, tr("The shipped studies could not be read"), shipped.error());
    connect(m_ui->list, &QTreeWidget::currentItemChanged, this, &StudiesPage::showCurrent);
    connect(m_ui->importButton, &QPushButton::clicked, this, &StudiesPage::importStudy);
    connect(m_ui->exportButton, &QPushButton::clicked, this, &StudiesPage::exportStudy);
    connect(m_ui->deleteButton, &QPushButton::clicked, this, &StudiesPage::removeStudy);
    connect(m_ui->study, &StudyView::progressChanged, this, &StudiesPage::keep);
    connect(m_ui->study, &StudyView::restartRequested, this, &StudiesPage::restart);
    connect(m_ui->study, &StudyView::recordRequested, this, &StudiesPage::record);
    connect(m_ui->study, &StudyView::refused, this,
        [this](const Error &error) { emit statusMessage(localized(error.message)); });
    connectWorkspace();
    fillList();
}

StudiesPage::~StudiesPage() = default;

void StudiesPage::connectWorkspace()
{
    for (const auto signal : {&Workspace::studyInserted, &Workspace::studyChanged, &Workspace::studyRemoved})
        connect(&m_workspace, signal, this, &StudiesPage::fillList);
    connect(&m_workspace, &Workspace::settleRequested, m_ui->study, &StudyView::settle);
    connect(&m_workspace, &Workspace::projectChanged, this, [this] {
        m_ui->study->forget();
        fillList();
    });
    for (const auto signal : {&Workspace::planInserted, &Workspace::planChanged, &Workspace::planRemoved})
        connect(&m_workspace, signal, this, &StudiesPage::refreshMachines);
    connect(&m_workspace, &Workspace::catalogChanged, this, &StudiesPage::refreshMachines);
    connect(&m_workspace, &Workspace::studyProgressChanged, this, [this](const QString &id) {
        if (auto *item = itemOf(id))
            showProgress(item);
    });
}

void StudiesPage::fillList()
{
    const auto chosen = m_ui->list->currentItem() ? m_ui->list->currentItem()->data(0, idRole).toString() : QString();
    {
        const QSignalBlocker blocker(m_ui->list);
        m_ui->list->clear();
        const auto addStudy = [&](QTreeWidgetItem *parent, const StudyDocument &study, qint64 rowId) {
            auto *item = new QTreeWidgetItem(parent, {studyTitle(study.title)});
            item->setData(0, idRole, QString::fromStdString(study.id));
            item->setData(0, rowIdRole, rowId);
            item->setToolTip(0, studyTitle(study.summary));
        };
        auto *shipped = section(m_ui->list, tr("Studies"));
        for (const auto &study : m_shipped)
            addStudy(shipped, study, 0);
        if (m_workspace.isOpen() && !m_workspace.studies().empty()) {
            auto *own = section(m_ui->list, tr("Your own"));
            for (const auto &saved : m_workspace.studies())
                addStudy(own, saved.document, saved.id);
        }
        auto *instruments = section(m_ui->list, tr("Instruments"));
        for (const auto &[id, title] : {std::pair(u"dp-wall"_s, tr("Instrument: data-parallel wall")),
                 std::pair(u"cube"_s, tr("Instrument: 3D cube"))}) {
            auto *item = new QTreeWidgetItem(instruments, {title});
            item->setData(0, idRole, id);
            item->setToolTip(0, tr("The instrument on its own, with every control free"));
        }
        for (QTreeWidgetItemIterator item(m_ui->list); *item; ++item) {
            (*item)->setSizeHint(0, QSize(0, fontMetrics().height() + gridUnit));
            showProgress(*item);
        }
    }
    auto *wanted = itemOf(chosen);
    m_ui->list->setCurrentItem(wanted ? wanted : m_ui->list->topLevelItem(0)->child(0));
    showCurrent();
    refreshMachines();
}

QTreeWidgetItem *StudiesPage::itemOf(const QString &id) const
{
    for (QTreeWidgetItemIterator item(m_ui->list); *item; ++item)
        if (!id.isEmpty() && (*item)->data(0, idRole).toString() == id)
            return *item;
    return nullptr;
}

void StudiesPage::showEntry(const QString &id)
{
    if (auto *item = itemOf(id))
        m_ui->list->setCurrentItem(item);
}

const StudyDocument *StudiesPage::currentStudy() const
{
    const auto *item = m_ui->list->currentItem();
    if (!item)
        return nullptr;
    if (const auto *own = m_workspace.isOpen() ? m_workspace.study(item->data(0, rowIdRole).toLongLong()) : nullptr)
        return &own->document;
    const auto id = item->data(0, idRole).toString().toStdString();
    const auto found = std::ranges::find(m_shipped, id, &StudyDocument::id);
    return found == m_shipped.end() ? nullptr : &*found;
}

StudyProgress StudiesPage::progressOf(const StudyDocument &study) const
{
    if (m_workspace.isOpen())
        if (const auto saved = m_workspace.studyProgress(study.id); saved && *saved)
            return study::fitted(study, **saved);
    return study::started(study);
}

void StudiesPage::showProgress(QTreeWidgetItem *item)
{
    const auto id = item->data(0, idRole).toString();
    const StudyDocument *study = nullptr;
    for (const auto &shipped : m_shipped)
        if (item->data(0, rowIdRole).toLongLong() == 0 && QString::fromStdString(shipped.id) == id)
            study = &shipped;
    if (const auto *own = m_workspace.isOpen() ? m_workspace.study(item->data(0, rowIdRole).toLongLong()) : nullptr)
        study = &own->document;
    if (!study)
        return;
    const auto progress = progressOf(*study);
    const auto index = study::currentIndex(*study, progress);
    item->setText(1, progress.finished ? tr("finished") : tr("%1 of %2").arg(index + 1).arg(study->steps.size()));
    item->setForeground(1, quietColour(palette()));
}

void StudiesPage::showCurrent()
{
    m_ui->study->settle();
    if (const auto *study = currentStudy()) {
        m_ui->study->showStudy(*study, progressOf(*study));
        m_ui->study->setReadOnly(!m_workspace.isOpen() || m_workspace.isReadOnly());
        m_ui->stack->setCurrentWidget(m_ui->studyPage);
    } else if (const auto *item = m_ui->list->currentItem()) {
        if (const auto panel = m_instruments.find(item->data(0, idRole).toString()); panel != m_instruments.end()) {
            m_ui->instrumentTitle->setText(item->text(0));
            m_ui->instruments->setCurrentWidget(panel->second);
            m_ui->stack->setCurrentWidget(m_ui->instrumentPage);
        }
    }
    updateButtons();
}

void StudiesPage::updateButtons()
{
    const auto *item = m_ui->list->currentItem();
    const bool writable = m_workspace.isOpen() && !m_workspace.isReadOnly();
    const bool own = item && item->data(0, rowIdRole).toLongLong() != 0;
    m_ui->importButton->setEnabled(writable);
    m_ui->exportButton->setEnabled(currentStudy() != nullptr);
    m_ui->deleteButton->setEnabled(writable && own);
    m_ui->deleteButton->setToolTip(
        own ? tr("Remove this study of your own; undo brings it back") : tr("Only studies of your own can be deleted"));
}

void StudiesPage::refreshMachines()
{
    if (!isVisible() || !m_workspace.isOpen())
        return;
    std::vector<instruments::Machine> machines{instruments::standardMachine()};
    for (const auto &plan : m_workspace.plans())
        if (const auto resolved = resolve(plan.document, *m_workspace.catalog()))
            if (auto machine = instruments::machineOf(*resolved))
                machines.push_back(std::move(*machine));
    for (const auto &[id, panel] : m_instruments)
        panel->setMachines(machines);
}

void StudiesPage::keep(const StudyProgress &progress)
{
    if (!m_workspace.isOpen() || m_workspace.isReadOnly()) {
        emit statusMessage(tr("The project is read-only, so your progress is not kept."));
        return;
    }
    if (const auto saved = m_workspace.saveStudyProgress(progress); !saved)
        m_prompts.showError(this, tr("Your progress was not saved"), saved.error());
}

void StudiesPage::restart()
{
    const auto *study = currentStudy();
    if (!study
        || !m_prompts.confirm(this, tr("Start again"),
            tr("Forget your answers in \u201c%1\u201d and start again? This cannot be undone.")
                .arg(studyTitle(study->title)),
            tr("Start again")))
        return;
    const auto fresh = study::started(*study);
    m_ui->study->showStudy(*study, fresh);
    if (m_workspace.isOpen() && !m_workspace.isReadOnly())
        if (const auto removed = m_workspace.removeStudyProgress(study->id); !removed)
            m_prompts.showError(this, tr("Your progress was not forgotten"), removed.error());
}

void StudiesPage::record(const LedgerEntry &entry)
{
    connect(recordInLedger(entry, m_workspace, this), &LedgerEntryDialog::kept, m_ui->study, &StudyView::setRecorded);
}

void StudiesPage::importStudy()
{
    const auto path = m_prompts.fileToOpen(
        this, tr("Import a study"), tr("Studies (*.yaml *.yml *.json);;All files (*)"));
    if (path.isEmpty())
        return;
    const auto study = exchange::readFile(path, exchange::longestDocument, exchange::studyFromText);
    const auto added = study ? m_workspace.addStudy(*study) : std::unexpected(study.error());
    if (!added)
        m_prompts.showError(this, tr("The study was not imported"), added.error());
    else
        showEntry(QString::fromStdString(study->id));
}

void StudiesPage::exportStudy()
{
    const auto *study = currentStudy();
    if (!study)
        return;
    const auto told = exportDocument(*study, m_prompts, this, tr("Export the study"), tr("The study was not exported"));
    if (!told.isEmpty())
        emit statusMessage(told);
}

void StudiesPage::removeStudy()
{
    const auto *item = m_ui->list->currentItem();
    const auto id = item ? item->data(0, rowIdRole).toLongLong() : 0;
    if (id == 0 || m_workspace.isReadOnly())
        return;
    const auto name = item->text(0);
    if (const auto done = m_workspace.removeStudy(id); !done)
        m_prompts.showError(this, tr("The study was not deleted"), done.error());
    else
        emit removed(name);
}

void StudiesPage::copy()
{
    QStringList lines;
    const auto *page = m_ui->stack->currentWidget();
    for (const auto *label : page->findChildren<QLabel *>())
        if (label->isVisibleTo(page) && label->textFormat() == Qt::PlainText && !label->text().isEmpty())
            lines << label->text();
    QGuiApplication::clipboard()->setText(lines.join(u'\n') + u'\n');
    emit statusMessage(tr("Text copied"));
}

void StudiesPage::showEvent(QShowEvent *event)
{
    Page::showEvent(event);
    refreshMachines();
}

void StudiesPage::hideEvent(QHideEvent *event)
{
    m_ui->study->settle();
    Page::hideEvent(event);
}

void StudiesPage::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        for (QTreeWidgetItemIterator item(m_ui->list); *item; ++item)
            showProgress(*item); // in the quiet colour of the new theme
    Page::changeEvent(event);
}

} // namespace fleetwright::app
