// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/pdfreading.h"

#include "exchange/readfile.h"
#include "reports/reportdocument.h"

#include <QCryptographicHash>

#include <qpdf/Pipeline.hh>
#include <qpdf/QPDF.hh>

using namespace Qt::StringLiterals;

namespace fleetwright::reports {

namespace {

std::unexpected<Error> refusedReport(std::string sentence)
{
    return refuse(ErrorCode::ParseError, {}, std::move(sentence));
}

constexpr auto rewritten = "The PDF is not as Fleetwright writes it: another program has saved it again or it is "
                           "damaged; take the file that Fleetwright wrote.";

struct TooMuch { }; ///< thrown through libqpdf, which knows no other way to stop a stream

/// Keeps what a stream inflates to, up to the length that it states.
class BoundedSink final : public Pipeline {
public:
    explicit BoundedSink(std::size_t most) : Pipeline("attachment", nullptr), m_most(most) { }
    void write(const unsigned char *data, std::size_t size) override
    {
        if (size > m_most - std::size_t(m_bytes.size()))
            throw TooMuch();
        m_bytes.append(reinterpret_cast<const char *>(data), qsizetype(size));
    }
    void finish() override { }
    [[nodiscard]] const QByteArray &bytes() const { return m_bytes; }

private:
    std::size_t m_most;
    QByteArray m_bytes;
};

/// Streams of cross-references and of objects are inflated by libqpdf while it opens a file, without a limit. Reports
/// have neither, so a file that could lead there is refused before it is opened: its last cross-reference is a table
/// ("xref"), no section continues in a stream or an earlier part, and nothing is encrypted.
bool hasPlainTable(const QByteArray &pdf)
{
    constexpr qsizetype tailLength = 2048; // libqpdf looks for the mark in the last 1054 bytes
    const QByteArray tail = pdf.right(tailLength);
    const qsizetype mark = tail.indexOf("startxref");
    if (mark < 0)
        return false;
    const auto words = tail.mid(mark).simplified().split(' '); // the mark, the offset, the end and nothing else
    bool number = false;
    const auto table = words.value(1).toLongLong(&number);
    const qsizetype end = pdf.size() - tail.size() + mark;
    if (words.size() != 3 || words[0] != "startxref" || words[2] != "%%EOF" || !number || table <= 0 || table >= end
        || !pdf.mid(table, 4).startsWith("xref"))
        return false;
    const auto section = pdf.mid(table, end - table);
    for (const auto *key : {"/XRefStm", "/Prev", "/Encrypt", "#"}) // "#": names may be written in hexadecimal
        if (section.contains(key))
            return false;
    return section.count("trailer") == 1 && section.count("xref") == 1;
}

bool isPlainFlate(QPDFObjectHandle stream)
{
    auto facts = stream.getDict();
    auto filter = facts.getKey("/Filter");
    return !facts.hasKey("/F") && !facts.hasKey("/DecodeParms")
        && (filter.isNull() || filter.isNameAndEquals("/FlateDecode"));
}

Expected<QByteArray> contentOf(QPDFObjectHandle file)
{
    auto stream = file.getKey("/EF").isDictionary() ? file.getKey("/EF").getKey("/F") : QPDFObjectHandle::newNull();
    if (!stream.isStream() || !isPlainFlate(stream))
        return refusedReport(rewritten);
    auto facts = stream.getDict().getKey("/Params");
    if (!facts.isDictionary() || !facts.getKey("/Size").isInteger() || !facts.getKey("/CheckSum").isString())
        return refusedReport(rewritten);
    const auto size = facts.getKey("/Size").getIntValue();
    if (size < 0 || std::size_t(size) > longestAttachment)
        return refusedReport("The project in the report would be larger than "
            + std::to_string(longestAttachment / (1024 * 1024)) + " MiB, which no project is; it is not opened.");
    BoundedSink sink{std::size_t(size)};
    bool filtered = false;
    try {
        if (!stream.pipeStreamData(&sink, &filtered, 0, qpdf_dl_generalized, true, false))
            return refusedReport(rewritten);
    } catch (const TooMuch &) {
        return refusedReport("The project in the report is larger than it says; it is not opened.");
    }
    const auto digest = QCryptographicHash::hash(sink.bytes(), QCryptographicHash::Md5);
    if (sink.bytes().size() != qsizetype(size) || digest.toStdString() != facts.getKey("/CheckSum").getStringValue())
        return refusedReport("The project in the report was changed or is damaged: its checksum is another one.");
    return sink.bytes();
}

Expected<QByteArray> projectOf(QPDF &pdf)
{
    auto files = pdf.getRoot().getKey("/AF");
    if (!files.isArray() || files.getArrayNItems() == 0)
        return refuse(ErrorCode::MissingField, {},
            "There is no project in the PDF. Reports have one unless they are written as PDF/A-1b or by an earlier "
            "version.");
    if (files.getArrayNItems() > mostAttachments)
        return refusedReport("The PDF has more than " + std::to_string(mostAttachments)
            + " files attached, which no report has; it is not opened.");
    std::optional<QPDFObjectHandle> project;
    for (int i = 0; i < files.getArrayNItems(); ++i) {
        auto file = files.getArrayItem(i);
        if (!file.isDictionary() || !file.getKey("/UF").isString())
            return refusedReport(rewritten);
        const auto name = QString::fromStdString(file.getKey("/UF").getUTF8Value());
        if (name.contains(u'/') || name.contains(u'\\') || name.contains(u".."_s) || name.contains(QChar(0)))
            return refusedReport("A file in the PDF has a path for a name (\u201c" + name.left(80).toStdString()
                + "\u201d), which no report has; it is not opened.");
        if (name != projectAttachmentName)
            continue;
        if (project)
            return refusedReport("There are two projects in the PDF, which no report has; it is not opened.");
        project = file;
    }
    if (!project)
        return refuse(ErrorCode::MissingField, {}, "None of the files in the PDF is a project of Fleetwright.");
    return contentOf(*project);
}

} // namespace

Expected<QByteArray> projectIn(const QByteArray &pdf)
{
    if (!pdf.startsWith("%PDF-"))
        return refusedReport("The file is not a PDF; choose a report that Fleetwright wrote.");
    if (std::size_t(pdf.size()) > longestReport)
        return refusedReport("The PDF is larger than " + std::to_string(longestReport / (1024 * 1024))
            + " MiB, which no report is; it is not opened.");
    if (!hasPlainTable(pdf))
        return refusedReport(rewritten);
    try {
        QPDF file;
        file.setSuppressWarnings(true);
        file.setAttemptRecovery(false);
        file.processMemoryFile("report", pdf.constData(), std::size_t(pdf.size()));
        return projectOf(file);
    } catch (const std::exception &) {
        return refusedReport(rewritten);
    }
}

Expected<QByteArray> projectInReport(const QString &path)
{
    const auto bytes = exchange::readFile(path, longestReport);
    if (!bytes)
        return std::unexpected(bytes.error());
    auto project = projectIn(QByteArray::fromStdString(*bytes));
    if (!project)
        project.error().field = path.toStdString();
    return project;
}

} // namespace fleetwright::reports
