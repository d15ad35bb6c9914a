// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/versionsdialog.h"

#include "app/wording.h"
#include "app/workspace/prompts.h"
#include "app/workspace/workspace.h"
#include "ui_versionsdialog.h"

#include <QFileInfo>
#include <QLocale>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace fleetwright::app {

namespace {

enum Column { KeptAt, Why, Size };

} // namespace

VersionsDialog::VersionsDialog(Workspace &workspace, Prompts &prompts, QWidget *parent)
    : QDialog(parent), m_ui(std::make_unique<Ui::VersionsDialog>()), m_workspace(workspace), m_prompts(prompts)
{
    m_ui->setupUi(this);
    auto *header = m_ui->versionsTable->header();
    header->setStretchLastSection(false);
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSectionResizeMode(Why, QHeaderView::Stretch);
    m_ui->versionsTable->headerItem()->setTextAlignment(Size, Qt::AlignRight | Qt::AlignVCenter);
    connect(m_ui->versionsTable, &QTreeWidget::currentItemChanged, this, &VersionsDialog::showChoice);
    connect(m_ui->versionsTable, &QTreeWidget::itemActivated, this, &VersionsDialog::restore);
    connect(m_ui->restoreButton, &QPushButton::clicked, this, &VersionsDialog::restore);
    connect(m_ui->copyButton, &QPushButton::clicked, this, &VersionsDialog::saveAsProject);
    connect(m_ui->closeButton, &QPushButton::clicked, this, &QDialog::reject);
    fill();
}

VersionsDialog::~VersionsDialog() = default;

void VersionsDialog::fill()
{
    m_versions = m_workspace.versions();
    m_ui->versionsTable->clear();
    for (const auto &version : m_versions) {
        auto *row = new QTreeWidgetItem(m_ui->versionsTable);
        row->setText(KeptAt, dayAndTime(version.savedAt));
        row->setToolTip(KeptAt, version.path);
        row->setText(
            Why, version.ofAnother ? tr("%1 (of another project of that name)").arg(version.reason) : version.reason);
        row->setText(Size, QLocale().formattedDataSize(version.bytes, 1, QLocale::DataSizeSIFormat));
        row->setTextAlignment(Size, Qt::AlignRight | Qt::AlignVCenter);
    }
    m_ui->introLabel->setText(m_versions.empty()
            ? tr("There is no version of this project yet. Fleetwright keeps a dated copy before it changes many items "
                 "at once (an import, an update of the catalogs, a calibration, a new file format) and before a "
                 "version is restored.")
            : tr("Dated copies of the project, kept before many items changed at once. Restoring one takes the whole "
                 "project back to it; what it is now is kept as a version first."));
    if (!m_versions.empty())
        m_ui->versionsTable->setCurrentItem(m_ui->versionsTable->topLevelItem(0));
    showChoice();
}

const storage::Version *VersionsDialog::chosen() const
{
    const auto row = m_ui->versionsTable->indexOfTopLevelItem(m_ui->versionsTable->currentItem());
    return row >= 0 && std::size_t(row) < m_versions.size() ? &m_versions[std::size_t(row)] : nullptr;
}

void VersionsDialog::showChoice()
{
    m_ui->restoreButton->setEnabled(chosen() && !chosen()->ofAnother && !m_workspace.isReadOnly());
    m_ui->copyButton->setEnabled(chosen());
}

void VersionsDialog::restore()
{
    const auto *version = chosen();
    if (!version || version->ofAnother || m_workspace.isReadOnly())
        return;
    const auto when = dayAndTime(version->savedAt);
    if (!m_prompts.confirm(this, tr("Restore a version"),
            tr("Take \u201c%1\u201d back to what it was at %2? What it is now is kept as a version, so that you can "
               "come back to it.")
                .arg(m_workspace.projectName(), when),
            tr("Restore")))
        return;
    if (const auto restored = m_workspace.restoreVersion(version->path); !restored) {
        m_prompts.showError(this, tr("The version could not be restored"), restored.error());
        fill();
        return;
    }
    emit told(tr("The project is what it was at %1").arg(when));
    accept();
}

void VersionsDialog::saveAsProject()
{
    const auto *version = chosen();
    if (!version)
        return;
    const auto path = m_prompts.fileToSave(this,
        {.title = tr("Save this version as a project"),
            .name = u"%1 %2.fleetwright"_s.arg(
                m_workspace.projectName(), version->savedAt.toLocalTime().toString(u"yyyy-MM-dd hh-mm"_s)),
            .filter = tr("Fleetwright projects (*.fleetwright)"),
            .failure = {}});
    if (path.isEmpty())
        return;
    if (const auto saved = m_workspace.saveVersion(version->path, path); !saved)
        m_prompts.showError(this, tr("The version could not be saved"), saved.error());
    else
        emit told(tr("Saved as %1").arg(path));
}

} // namespace fleetwright::app
