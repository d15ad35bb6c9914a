// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/validation/runsources.h"

#include "app/workspace/workspace.h"
#include "exchange/measuredruns.h"
#include "exchange/readfile.h"
#include "exchange/textreader.h"

#include <QComboBox>
#include <QFileInfo>
#include <QSignalBlocker>

#include <algorithm>

namespace fleetwright::app {

namespace {

/// Reads the file when it is called, so that every start sees it as it is then.
RunSources::Reader readerOf(const QString &path)
{
    return [path]() -> Expected<validation::RunFile> {
        return exchange::readFile(path, exchange::longestRunFile,
            [](const std::string &text) { return exchange::measuredRunsFromText(text); });
    };
}

} // namespace

RunSources::RunSources(Workspace &workspace, Reader published, QComboBox *combo)
    : QObject(combo), m_workspace(workspace), m_combo(combo)
{
    m_combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    add({tr("Published runs"), tr("The measured runs that come with the program, each with its source"),
        std::move(published)});
    connect(m_combo, &QComboBox::currentIndexChanged, this, &RunSources::changed);
    for (const auto signal : {&Workspace::measuredRunsReplaced, &Workspace::projectChanged})
        connect(&m_workspace, signal, this, &RunSources::offerOwn);
    connect(&m_workspace, &Workspace::measuredRunChanged, this, &RunSources::offerOwn);
    offerOwn();
}

void RunSources::add(Source source)
{
    const QSignalBlocker quiet(m_combo);
    m_combo->addItem(source.name);
    m_combo->setItemData(m_combo->count() - 1, source.toolTip, Qt::ToolTipRole);
    m_sources.push_back(std::move(source));
}

RunSources::Reader RunSources::chosen() const
{
    const auto &source = m_sources.at(std::size_t(m_combo->currentIndex()));
    if (!source.own)
        return source.read;
    validation::RunFile file;
    file.runs.reserve(m_workspace.measuredRuns().size());
    for (const auto &saved : m_workspace.measuredRuns())
        file.runs.push_back(saved.document);
    return [file = std::move(file)]() -> Expected<validation::RunFile> { return file; };
}

void RunSources::offerOwn()
{
    const auto count = m_workspace.measuredRuns().size();
    const auto known = std::ranges::find(m_sources, true, &Source::own);
    const int index = int(known - m_sources.begin());
    const bool isChosen = known != m_sources.end() && m_combo->currentIndex() == index;
    const QString name = tr("My runs (%1)").arg(count);
    {
        const QSignalBlocker quiet(m_combo);
        if (count > 0 && known == m_sources.end()) {
            add({name, tr("The runs of this project that you measured"), {}, true});
        } else if (count > 0) {
            m_combo->setItemText(index, name);
        } else if (known != m_sources.end()) {
            m_sources.erase(known);
            m_combo->removeItem(index);
            if (isChosen)
                m_combo->setCurrentIndex(0);
        }
    }
    if (isChosen)
        emit changed();
}

void RunSources::open(const QString &path)
{
    const auto known = std::ranges::find(m_sources, path, &Source::toolTip);
    const int index = int(known - m_sources.begin());
    if (known == m_sources.end())
        add({QFileInfo(path).fileName(), path, readerOf(path)});
    {
        const QSignalBlocker quiet(m_combo);
        m_combo->setCurrentIndex(index);
    }
    emit changed();
}

} // namespace fleetwright::app
