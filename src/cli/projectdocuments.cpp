// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/projectdocuments.h"

#include "cli/application.h"
#include "cli/input.h"
#include "cli/interrupt.h"
#include "cli/openproject.h"
#include "cli/progressline.h"
#include "domain/outputpaths.h"
#include "storage/files.h"
#include "storage/project.h"
#include "units/format.h"

#include <QDir>

#include <algorithm>
#include <iostream>
#include <set>

namespace fleetwright::cli {

namespace {

ExitStatus failed(const std::string &subject, const Error &error)
{
    complain(subject, error);
    return statusOf(error);
}

/// Whatever name the project's documents have, each gets a file of its own.
std::string freeName(const exchange::Document &document, exchange::TextFormat format, std::set<std::string> &taken)
{
    const auto name = exchange::fileNameOf(document, format);
    const auto dot = name.rfind('.');
    auto candidate = name;
    for (int i = 2; !taken.insert(candidate).second; ++i)
        candidate = name.substr(0, dot) + "-" + std::to_string(i) + name.substr(dot);
    return candidate;
}

/// Ctrl+C leaves the project as it was; a line on a terminal says how far many runs are.
Expected<void> add(storage::Project &project, const std::vector<exchange::Document> &documents)
{
    const Interrupt interrupt;
    ProgressLine line;
    const auto show = [&line](std::size_t done, std::size_t total) {
        line.show("Saving runs: " + units::formatPercent(double(done) / double(std::max<std::size_t>(1, total))));
    };
    return project.addDocuments(documents, {.stop = interrupt.token(), .progress = show});
}

} // namespace

ExitStatus importDocuments(
    const std::string &projectPath, const std::vector<std::string> &files, const WritingOptions &writing)
{
    const auto project = openForWriting(projectPath, writing);
    if (!project)
        return failed(projectPath, project.error());
    const auto catalog = (*project)->catalog();
    if (!catalog)
        return failed(projectPath, catalog.error());
    std::vector<exchange::Document> documents;
    for (const auto &file : files) {
        auto document = readDocument(file);
        if (!document)
            return failed(file, document.error());
        if (const auto known = exchange::checkReferences(*document, *catalog); !known)
            return failed(file, known.error());
        if (const auto *runs = std::get_if<validation::RunFile>(&*document))
            for (const auto &row : runs->unread)
                complain(file, "Not added: " + inWords(row));
        documents.push_back(std::move(*document));
    }
    if (const auto added = add(**project, documents); !added)
        return failed(projectPath, added.error());
    for (const auto &document : documents) {
        std::cout << "Added " << exchange::kindOf(document) << " \u201c" << exchange::nameOf(document) << "\u201d.\n";
        if (const auto *set = std::get_if<OutputSet>(&document))
            for (const auto &file : set->files)
                if (leavesFolder(file))
                    std::cout << "It writes outside the project's folder: " << file << '\n';
    }
    return ExitStatus::Done;
}

ExitStatus exportDocuments(const std::string &projectPath, const std::string &folder, exchange::TextFormat format)
{
    needCoreApplication();
    const auto project = openForReading(projectPath);
    if (!project)
        return failed(projectPath, project.error());
    const auto documents = (*project)->documents();
    if (!documents)
        return failed(projectPath, documents.error());
    const QDir target(QString::fromStdString(folder));
    if (!target.mkpath(QStringLiteral(".")))
        return failed(folder,
            Error{ErrorCode::IoError, folder, "The folder could not be made; choose one that you may write to."});
    std::set<std::string> taken;
    std::vector<std::pair<QString, const exchange::Document *>> files;
    for (const auto &document : *documents) {
        const auto path = target.filePath(QString::fromStdString(freeName(document, format, taken)));
        if (const auto vacant = storage::checkVacant(path); !vacant) // before anything is written
            return failed({}, vacant.error());
        files.emplace_back(path, &document);
    }
    for (const auto &[path, document] : files) {
        if (const auto written = storage::writeNewFile(
                path, QByteArray::fromStdString(exchange::toText(*document, format)));
            !written)
            return failed({}, written.error());
        std::cout << path.toStdString() << '\n';
    }
    return ExitStatus::Done;
}

} // namespace fleetwright::cli
