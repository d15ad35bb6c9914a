// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputs/outputfiles.h"

#include "domain/outputpaths.h"
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

Expected<void> saveTables(
    const Expected<std::vector<reports::NamedFile>> &tables, const QString &folder, const std::stop_token &stop)
{
    if (!tables)
        return std::unexpected(tables.error());
    std::vector<exchange::FolderFile> files;
    for (const auto &[name, bytes] : *tables)
        files.push_back({name, bytes});
    return exchange::saveFolder(files, folder, stop);
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
            return saved(reports::workbookSubjectOf(made->subject, made->document, *made->catalog, made->site.get()),
                path, stop);
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
    return fileOf(reports::renderPdf(
        made->document, made->subject.set.paper, made->subject.set.profile, reports::Laying::InSteps));
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

Expected<std::vector<Target>> targetsOf(const OutputSet &set, const QString &folder, Outside outside)
{
    if (auto ok = check(set); !ok)
        return std::unexpected(std::move(ok.error()));
    std::vector<Target> targets;
    for (std::size_t i = 0; i < set.files.size(); ++i) {
        const auto below = [&](Error error) {
            error.field = "files[" + std::to_string(i) + "]";
            return std::unexpected(std::move(error));
        };
        if (outside == Outside::Refused && leavesFolder(set.files[i]))
            return below({ErrorCode::UnsupportedValue, {},
                "\u201c" + set.files[i].substr(0, 200) + "\u201d leads out of the folder \u201c" + folder.toStdString()
                    + "\u201d; give the file of the output set a name without a path."});
        const Target target{*outputFormatOf(set.files[i]),
            QDir::cleanPath(QDir(QDir(folder).absolutePath()).filePath(utf8(set.files[i])))};
        if (const auto savable = target.format == OutputFormat::Csv ? exchange::checkSavableFolder(target.path)
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
