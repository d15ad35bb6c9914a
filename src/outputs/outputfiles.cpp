// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputs/outputfiles.h"

#include "exchange/savefile.h"
#include "reports/workbook.h"
#include "text/utf8.h"

#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>

#include <algorithm>
#include <functional>

using namespace Qt::StringLiterals;

namespace fleetwright::outputs {

namespace {

Expected<void> notCancelled(const std::stop_token &stop)
{
    if (stop.stop_requested())
        return refuse(ErrorCode::Cancelled, {}, "It was cancelled before the file was written.");
    return {};
}

/// Writers that know no file leave the field empty; what people need to know is which one was not written.
Expected<void> ofFile(Expected<void> outcome, const QString &path)
{
    if (!outcome && outcome.error().field.empty() && outcome.error().code != ErrorCode::Cancelled)
        outcome.error().field = path.toStdString();
    return outcome;
}

Expected<void> saveBytes(const Expected<QByteArray> &bytes, const QString &path, const std::stop_token &stop)
{
    if (!bytes)
        return std::unexpected(bytes.error());
    if (auto on = notCancelled(stop); !on)
        return on;
    return exchange::saveFile(*bytes, path);
}

class RenderedFile final : public OutputFile {
public:
    explicit RenderedFile(std::unique_ptr<reports::Rendering> rendering) : m_rendering(std::move(rendering)) { }
    int steps() const override { return m_rendering->steps(); }
    void step() override { m_rendering->step(); }
    Expected<void> write(const QString &path, const std::stop_token &stop) override
    {
        if (auto on = notCancelled(stop); !on)
            return on;
        return ofFile(saveBytes(m_rendering->bytes(), path, stop), path);
    }

private:
    std::unique_ptr<reports::Rendering> m_rendering;
};

/// What takes no drawing: made and written at once.
class ComputedFile final : public OutputFile {
public:
    using Write = std::function<Expected<void>(const QString &path, const std::stop_token &stop)>;
    explicit ComputedFile(Write write) : m_write(std::move(write)) { }
    int steps() const override { return 1; }
    void step() override { }
    Expected<void> write(const QString &path, const std::stop_token &stop) override
    {
        if (auto on = notCancelled(stop); !on)
            return on;
        return ofFile(m_write(path, stop), path);
    }

private:
    Write m_write;
};

std::unexpected<Error> noFolder(const QString &folder, const QString &reason)
{
    return refuse(ErrorCode::IoError, folder.toStdString(),
        u"\u201c%1\u201d is to be the folder for tables, but %2."_s.arg(folder, reason).toStdString());
}

/// Asked before long work: the folder may be missing.
Expected<void> checkTablesFolder(const QString &folder)
{
    QFileInfo place(folder);
    if (place.exists() && !place.isDir())
        return noFolder(folder, u"a file has that name; give another or move the file away"_s);
    while (!place.exists() && !place.isRoot())
        place = QFileInfo(place.absolutePath());
    if (!place.isDir() || !place.isWritable())
        return noFolder(
            folder, u"\u201c%1\u201d cannot be written to; choose another place"_s.arg(place.absoluteFilePath()));
    return {};
}

/// A file for each table, all of them or none: what a full disk or a Cancel could hinder is done beside the files that
/// are there, and only complete ones take their places.
Expected<void> saveTables(
    const Expected<std::vector<reports::NamedFile>> &files, const QString &folder, const std::stop_token &stop)
{
    if (!files)
        return std::unexpected(files.error());
    if (auto free = checkTablesFolder(folder); !free)
        return free;
    const bool isNew = !QFileInfo::exists(folder);
    if (!QDir().mkpath(folder))
        return noFolder(folder, u"it could not be made; check its place and that you may write there"_s);
    auto saved = [&]() -> Expected<void> {
        const QTemporaryDir beside(QDir(folder).filePath(u".fleetwright-XXXXXX"_s));
        if (!beside.isValid())
            return noFolder(folder, u"nothing can be written in it (%1)"_s.arg(beside.errorString()));
        for (const auto &file : *files) {
            const auto path = QDir(folder).filePath(file.name);
            if (auto on = notCancelled(stop); !on)
                return on;
            if (auto savable = exchange::checkSavable(path); !savable)
                return savable;
            if (auto written = exchange::saveNewFile(file.bytes, beside.filePath(file.name)); !written)
                return refuse(ErrorCode::IoError, path.toStdString(),
                    QString::fromStdString(written.error().message)
                        .replace(beside.filePath(file.name), path)
                        .toStdString());
        }
        for (const auto &file : *files)
            if (auto placed = exchange::putInPlace(beside.filePath(file.name), QDir(folder).filePath(file.name));
                !placed)
                return placed;
        return {};
    }(); // the temporary folder is gone here
    if (!saved && isNew)
        QDir().rmdir(folder); // refused where it holds anything
    return saved;
}

} // namespace

std::unique_ptr<OutputFile> fileOf(std::unique_ptr<reports::Rendering> rendering)
{
    return std::make_unique<RenderedFile>(std::move(rendering));
}

Expected<std::unique_ptr<OutputFile>> startOutput(OutputFormat format, const std::shared_ptr<const MadeReport> &made)
{
    const auto computed = [&](auto saved) -> std::unique_ptr<OutputFile> {
        return std::make_unique<ComputedFile>([made, saved](const QString &path, const std::stop_token &stop) {
            return saved(reports::workbookSubjectOf(made->subject, made->document, *made->catalog), path, stop);
        });
    };
    switch (format) {
    case OutputFormat::Html: return fileOf(reports::renderHtml(made->document));
    case OutputFormat::Xlsx:
        return computed([](const reports::WorkbookSubject &subject, const QString &path, const std::stop_token &stop) {
            return saveBytes(reports::workbookOf(subject, stop), path, stop);
        });
    case OutputFormat::Csv:
        return computed(
            [made](const reports::WorkbookSubject &subject, const QString &path, const std::stop_token &stop) {
                return saveTables(reports::csvTablesOf(subject, &made->document), path, stop);
            });
    case OutputFormat::Json:
        return computed(
            [made](const reports::WorkbookSubject &subject, const QString &path, const std::stop_token &stop) {
                return saveBytes(reports::resultJsonOf(subject, &made->document), path, stop);
            });
    case OutputFormat::Pdf: break;
    }
    return fileOf(reports::renderPdf(made->document, made->subject.set.paper, made->subject.set.profile));
}

Expected<void> writeOutput(OutputFormat format, const std::shared_ptr<const MadeReport> &made, const QString &path,
    const std::stop_token &stop)
{
    const auto file = startOutput(format, made);
    if (!file)
        return std::unexpected(file.error());
    for (int step = 0; step < (*file)->steps() && !stop.stop_requested(); ++step)
        (*file)->step();
    return (*file)->write(path, stop);
}

Expected<std::vector<Target>> targetsOf(const OutputSet &set, const QString &folder)
{
    if (auto ok = check(set); !ok)
        return std::unexpected(std::move(ok.error()));
    std::vector<Target> targets;
    for (std::size_t i = 0; i < set.files.size(); ++i) {
        const auto below = [&](Error error) {
            error.field = "files[" + std::to_string(i) + "]";
            return std::unexpected(std::move(error));
        };
        const Target target{*outputFormatOf(set.files[i]),
            QDir::cleanPath(QDir(QDir(folder).absolutePath()).filePath(utf8(set.files[i])))};
        if (const auto savable = target.format == OutputFormat::Csv ? checkTablesFolder(target.path)
                                                                    : exchange::checkSavable(target.path);
            !savable)
            return below(savable.error());
        if (std::ranges::find(targets, target.path, &Target::path) != targets.end())
            return below({ErrorCode::UnsupportedValue, {}, "Each file is written once; name another."});
        targets.push_back(target);
    }
    return targets;
}

} // namespace fleetwright::outputs
