// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputs/outputfiles.h"

#include "exchange/savefile.h"
#include "text/utf8.h"

#include <QDir>

#include <algorithm>

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

Expected<void> checkWritten(OutputFormat format)
{
    if (format == OutputFormat::Pdf || format == OutputFormat::Html)
        return {};
    return refuse(ErrorCode::UnsupportedValue, "format",
        "This version does not write " + std::string(toString(format)) + " files of a report; use PDF or HTML.");
}

} // namespace

std::unique_ptr<OutputFile> fileOf(std::unique_ptr<reports::Rendering> rendering)
{
    return std::make_unique<RenderedFile>(std::move(rendering));
}

Expected<std::unique_ptr<OutputFile>> startOutput(OutputFormat format, const std::shared_ptr<const MadeReport> &made)
{
    if (auto known = checkWritten(format); !known)
        return std::unexpected(std::move(known.error()));
    if (format == OutputFormat::Html)
        return fileOf(reports::renderHtml(made->document));
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
        if (const auto written = checkWritten(target.format); !written)
            return below(written.error());
        if (const auto savable = exchange::checkSavable(target.path); !savable)
            return below(savable.error());
        if (std::ranges::find(targets, target.path, &Target::path) != targets.end())
            return below({ErrorCode::UnsupportedValue, {}, "Each file is written once; name another."});
        targets.push_back(target);
    }
    return targets;
}

} // namespace fleetwright::outputs
