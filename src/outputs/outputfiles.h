// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outputs/reportmaking.h"

namespace fleetwright::outputs {

/// A file of an output set on its way. Charts are drawn in steps, so that a window can do other things between them.
class OutputFile {
public:
    virtual ~OutputFile() = default;
    [[nodiscard]] virtual int steps() const = 0; ///< at least 1
    virtual void step() = 0; ///< the next of the steps; GUI thread only
    /// After the last step, on any thread. Writes the file as a whole or leaves what is there as it was: IoError with
    /// the path as field, Cancelled when `stop` asked for it before the file was in its place.
    [[nodiscard]] virtual Expected<void> write(const QString &path, const std::stop_token &stop) = 0;
};

/// What reports::renderPdf() and renderHtml() make, as a file.
[[nodiscard]] std::unique_ptr<OutputFile> fileOf(std::unique_ptr<reports::Rendering> rendering);

/// Begins a file of this format; the only place that knows which writer makes which. CSV is a folder of files.
[[nodiscard]] Expected<std::unique_ptr<OutputFile>> startOutput(
    OutputFormat format, const std::shared_ptr<const MadeReport> &made);

/// All steps of startOutput() at once, and the file. Refused as OutputFile::write().
[[nodiscard]] Expected<void> writeOutput(OutputFormat format, const std::shared_ptr<const MadeReport> &made,
    const QString &path, const std::stop_token &stop = {});

/// One file that a set writes.
struct Target {
    OutputFormat format = OutputFormat::Pdf;
    QString path; ///< absolute
};

/// Names that lead out of the folder: absolute ones and those with "..".
enum class Outside : std::uint8_t { Allowed, Refused };
/// The files of a set below `folder`, checked before work that takes long: each path is another one and can be written.
/// Field "files[1]"; check(set) comes first.
[[nodiscard]] Expected<std::vector<Target>> targetsOf(
    const OutputSet &set, const QString &folder, Outside outside = Outside::Allowed);

} // namespace fleetwright::outputs
