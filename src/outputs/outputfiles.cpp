// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputs/outputfiles.h"

#include "exchange/savefile.h"
#include "reports/workbook.h"
#include "text/utf8.h"

#include <QDir>

#include <algorithm>
#include <functional>

namespace fleetwright::outputs {

namespace {

class RenderedFile final : public OutputFile {
public:
    explicit RenderedFile(std::unique_ptr<reports::Rendering> rendering) : m_rendering(std::move(rendering)) { }
    int steps() const override { return m_rendering->steps(); }
    void step() override { m_rendering->step(); }
    Expected<void> write(const QString &path) override
    {
        const auto bytes = m_rendering->bytes();
        return bytes ? exchange::saveFile(*bytes, path) : std::unexpected(bytes.error());
    }

private:
    std::unique_ptr<reports::Rendering> m_rendering;
};

/// What takes no drawing: made and written at once.
class ComputedFile final : public OutputFile {
public:
    using Write = std::function<Expected<void>(const QString &path)>;
    explicit ComputedFile(Write write) : m_write(std::move(write)) { }
    int steps() const override { return 1; }
    void step() override { }
    Expected<void> write(const QString &path) override { return m_write(path); }

private:
    Write m_write;
};

Expected<void> saveBytes(const Expected<QByteArray> &bytes, const QString &path)
{
    return bytes ? exchange::saveFile(*bytes, path) : std::unexpected(bytes.error());
}

/// A file for each table. Those that were written before a failure stay; none is half a file.
Expected<void> saveTables(const Expected<std::vector<reports::NamedFile>> &files, const QString &folder)
{
    if (!files)
        return std::unexpected(files.error());
    if (!QDir().mkpath(folder))
        return refuse(ErrorCode::IoError, folder.toStdString(),
            "The folder could not be made; check its place and that you may write there.");
    for (const auto &file : *files)
        if (auto saved = exchange::saveFile(file.bytes, QDir(folder).filePath(file.name)); !saved)
            return saved;
    return {};
}

} // namespace

std::unique_ptr<OutputFile> fileOf(std::unique_ptr<reports::Rendering> rendering)
{
    return std::make_unique<RenderedFile>(std::move(rendering));
}

Expected<std::unique_ptr<OutputFile>> startOutput(OutputFormat format, const std::shared_ptr<const MadeReport> &made)
{
    const auto computed = [&](auto saved) -> std::unique_ptr<OutputFile> {
        return std::make_unique<ComputedFile>([made, saved](const QString &path) {
            return saved(reports::workbookSubjectOf(made->subject, made->document, *made->catalog), path);
        });
    };
    switch (format) {
    case OutputFormat::Html: return fileOf(reports::renderHtml(made->document));
    case OutputFormat::Xlsx:
        return computed([](const reports::WorkbookSubject &subject, const QString &path) {
            return saveBytes(reports::workbookOf(subject), path);
        });
    case OutputFormat::Csv:
        return computed([made](const reports::WorkbookSubject &subject, const QString &path) {
            return saveTables(reports::csvTablesOf(subject, &made->document), path);
        });
    case OutputFormat::Json:
        return computed([](const reports::WorkbookSubject &subject, const QString &path) {
            return exchange::saveFile(reports::resultJsonOf(subject), path);
        });
    case OutputFormat::Pdf: break;
    }
    return fileOf(reports::renderPdf(made->document, made->subject.set.paper, made->subject.set.profile));
}

Expected<void> writeOutput(OutputFormat format, const std::shared_ptr<const MadeReport> &made, const QString &path)
{
    const auto file = startOutput(format, made);
    if (!file)
        return std::unexpected(file.error());
    for (int step = 0; step < (*file)->steps(); ++step)
        (*file)->step();
    return (*file)->write(path);
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
        if (const auto savable = target.format == OutputFormat::Csv ? Expected<void>()
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
