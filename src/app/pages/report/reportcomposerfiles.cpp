// SPDX-License-Identifier: GPL-3.0-or-later
// The files of an output set: added, named, removed, and how their pages are.
#include "app/pages/report/reportcomposer.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "ui_reportcomposer.h"

#include <QMenu>
#include <QScopedValueRollback>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace fleetwright::app {

namespace {

QString textOfFormat(OutputFormat format)
{
    switch (format) {
    case OutputFormat::Pdf: return ReportComposer::tr("PDF document");
    case OutputFormat::Xlsx: return ReportComposer::tr("Excel workbook");
    case OutputFormat::Html: return ReportComposer::tr("HTML page");
    case OutputFormat::Csv: return ReportComposer::tr("Folder of CSV tables");
    case OutputFormat::Json: return ReportComposer::tr("JSON of the results");
    }
    return {};
}

/// "board-paper": the letters and digits of a name, for a file.
QString slugOf(const std::string &name)
{
    QString slug;
    for (const QChar c : utf8(name).toLower()) {
        if (c.isLetterOrNumber())
            slug += c;
        else if (!slug.isEmpty() && !slug.endsWith(u'-'))
            slug += u'-';
    }
    while (slug.endsWith(u'-'))
        slug.chop(1);
    return slug.isEmpty() ? u"report"_s : slug.left(60);
}

/// A name for another file of the set, which no other has.
std::string freeFile(const OutputSet &set, OutputFormat format)
{
    const QString ending = format == OutputFormat::Csv ? u"/"_s : u'.' + utf8(toString(format));
    const QString base = format == OutputFormat::Xlsx ? u"workbook"_s
        : format == OutputFormat::Csv                 ? u"tables"_s
                                                      : slugOf(set.name);
    QString file = base + ending;
    for (int i = 2; std::ranges::find(set.files, file.toStdString()) != set.files.end(); ++i)
        file = u"%1-%2%3"_s.arg(base).arg(i).arg(ending);
    return file.toStdString();
}

} // namespace

void ReportComposer::wireFiles()
{
    auto *formats = new QMenu(m_ui->addFileButton);
    for (const auto format : allOutputFormats)
        formats->addAction(textOfFormat(format), this, [this, format] { addFile(format); });
    m_ui->addFileButton->setMenu(formats);
    connect(m_ui->filesList, &QListWidget::itemChanged, this, &ReportComposer::fileRenamed);
    connect(m_ui->removeFileButton, &QPushButton::clicked, this, &ReportComposer::removeFile);
    m_ui->filesList->installEventFilter(this);
}

void ReportComposer::showFiles()
{
    const QScopedValueRollback showing(m_showing, true);
    auto *list = m_ui->filesList;
    const int row = list->currentRow();
    while (std::size_t(list->count()) > m_set.files.size())
        delete list->takeItem(list->count() - 1);
    for (std::size_t i = 0; i < m_set.files.size(); ++i) { // items stay: one may be being edited
        auto *item = list->item(int(i));
        if (!item) {
            item = new QListWidgetItem(list);
            item->setFlags(item->flags() | Qt::ItemIsEditable);
        }
        item->setText(utf8(m_set.files[i]));
        item->setToolTip(item->text());
    }
    list->setCurrentRow(std::clamp(row, 0, list->count() - 1));
    m_ui->removeFileButton->setEnabled(m_editable && list->count() > 1);
    m_ui->addFileButton->setEnabled(m_editable && m_set.files.size() < mostOutputFiles);
    m_ui->folderLabel->setText(m_choices.folder.isEmpty()
            ? QString()
            : tr("They are written beside the project, in %1.").arg(m_choices.folder));
    m_ui->paperCombo->setCurrentIndex(m_ui->paperCombo->findData(int(m_set.paper)));
    m_ui->profileCombo->setCurrentIndex(m_ui->profileCombo->findData(int(m_set.profile)));
}

void ReportComposer::fileRenamed(const QListWidgetItem *item)
{
    const int row = m_ui->filesList->row(item);
    if (m_showing || row < 0 || std::size_t(row) >= m_set.files.size())
        return;
    edit({}, [&](OutputSet &set) { set.files[std::size_t(row)] = item->text().trimmed().toStdString(); });
    // Not while the list is still at its change.
    QMetaObject::invokeMethod(this, &ReportComposer::showFiles, Qt::QueuedConnection);
}

void ReportComposer::addFile(OutputFormat format)
{
    edit({}, [&](OutputSet &set) { set.files.push_back(freeFile(set, format)); });
    showFiles();
    m_ui->filesList->setCurrentRow(m_ui->filesList->count() - 1);
}

void ReportComposer::removeFile()
{
    const int row = m_ui->filesList->currentRow();
    if (!m_editable || row < 0 || m_set.files.size() < 2)
        return;
    edit({}, [&](OutputSet &set) { set.files.erase(set.files.begin() + row); });
    showFiles();
}

} // namespace fleetwright::app
