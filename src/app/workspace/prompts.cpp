// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspace/prompts.h"

#include "app/wording.h"
#include "charts/chartview.h"
#include "exchange/savefile.h"

#include <QDir>
#include <QFileInfo>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

QString Prompts::fileToOpen(QWidget *parent, const QString &title, const QString &filter)
{
    const auto path = openFileName(parent, title, m_folder, filter);
    if (!path.isEmpty())
        m_folder = QFileInfo(path).absolutePath();
    return path;
}

QString Prompts::fileToSave(QWidget *parent, const FileToSave &question)
{
    const auto name = QString(question.name).replace(u'/', u'-');
    auto path = saveFileName(parent, question.title, QDir(m_folder).filePath(name), question.filter);
    if (path.isEmpty())
        return {};
    if (QFileInfo(path).suffix().isEmpty()) {
        path += u'.' + QFileInfo(name).suffix(); // the dialog asked about the name without it
        if (QFileInfo::exists(path) && exchange::checkNoProject(path) // which is refused, whatever the answer
            && !confirm(parent, question.title,
                tr("\u201c%1\u201d exists already. Replace it?").arg(QDir::toNativeSeparators(path)), tr("Replace")))
            return {};
    }
    m_folder = QFileInfo(path).absolutePath();
    return path;
}

QString Prompts::saveFile(
    QWidget *parent, const FileToSave &question, const std::function<QByteArray(const QString &path)> &content)
{
    const auto path = fileToSave(parent, question);
    if (path.isEmpty())
        return {};
    if (const auto saved = exchange::saveFile(content(path), path); !saved) {
        showError(parent, question.failure, saved.error());
        return {};
    }
    return tr("Saved to %1").arg(QDir::toNativeSeparators(path));
}

void Prompts::saveChart(charts::ChartView &view)
{
    view.setFileChooser([this, &view](const QString &name, const QString &filter) {
        return fileToSave(&view, {.title = tr("Save chart"), .name = name, .filter = filter, .failure = {}});
    });
    QObject::connect(&view, &charts::ChartView::saveFailed, &view,
        [this, &view](const Error &error) { showError(&view, tr("The chart was not saved"), error); });
}

} // namespace fleetwright::app
