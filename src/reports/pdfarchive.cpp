// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/pdfarchive.h"

#include "reports/pdfreading.h"
#include "units/fault.h"

#include <QCryptographicHash>
#include <QLocale>

#include <qpdf/Pl_Buffer.hh>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFPageDocumentHelper.hh>
#include <qpdf/QPDFPageObjectHelper.hh>
#include <qpdf/QPDFWriter.hh>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace fleetwright::reports {

namespace {

using PdfObject = QPDFObjectHandle;

/// What XML can hold: controls and halves of surrogate pairs go, so that XMP and document information stay equal.
QString textForMetadata(const QString &text)
{
    QString kept;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar unit = text[i];
        if (unit.isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate())
            kept.append(unit).append(text[++i]);
        else if (!unit.isSurrogate() && unit.unicode() < 0xFFFE && (unit >= u' ' || unit == u'\t'))
            kept.append(unit);
        else if (unit == u'\n')
            kept.append(u' ');
    }
    return kept;
}

/// The facts that stand in the document information and in XMP.
struct Metadata {
    QString title, author, subject, creator, producer;
    QString language;
    QDateTime date; ///< UTC
};

Metadata metadataOf(const ReportDocument &document)
{
    return {textForMetadata(document.title), textForMetadata(document.author), textForMetadata(document.subject),
        textForMetadata(document.producer),
        u"Qt %1, qpdf %2"_s.arg(QString::fromLatin1(qVersion()), QString::fromStdString(QPDF::QPDFVersion())),
        textForMetadata(document.language), document.created.toUTC()};
}

PdfObject pdfText(const QString &text) { return PdfObject::newUnicodeString(text.toStdString()); }

PdfObject pdfDate(const QDateTime &date)
{
    return PdfObject::newString("D:" + QLocale::c().toString(date.toUTC(), u"yyyyMMddHHmmss"_s).toStdString() + "Z");
}

PdfObject name(const std::string &text) { return PdfObject::newName("/" + text); }

PdfObject dictionary(std::initializer_list<std::pair<const char *, PdfObject>> entries)
{
    auto made = PdfObject::newDictionary();
    for (const auto &[key, value] : entries)
        made.replaceKey(key, value);
    return made;
}

PdfObject informationOf(const Metadata &metadata)
{
    auto information = dictionary({{"/Producer", pdfText(metadata.producer)}, {"/CreationDate", pdfDate(metadata.date)},
        {"/ModDate", pdfDate(metadata.date)}});
    const auto add = [&](const char *key, const QString &text) {
        if (!text.isEmpty())
            information.replaceKey(key, pdfText(text));
    };
    add("/Title", metadata.title);
    add("/Author", metadata.author);
    add("/Subject", metadata.subject);
    add("/Creator", metadata.creator);
    return information;
}

QByteArray xmpOf(const Metadata &metadata, PdfProfile profile)
{
    const QString date = QLocale::c().toString(metadata.date, u"yyyy-MM-dd'T'HH:mm:ss'Z'"_s);
    QString text = u"<?xpacket begin=\"\uFEFF\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
                   u"<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n"
                   u"<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n"
                   u"<rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" "
                   u"xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\" xmlns:pdf=\"http://ns.adobe.com/pdf/1.3/\" "
                   u"xmlns:pdfaid=\"http://www.aiim.org/pdfa/ns/id/\">\n"
                   u"<dc:format>application/pdf</dc:format>\n"_s;
    const auto add = [&](const QString &element, const QString &value, const QString &before = {},
                         const QString &after = {}) {
        if (!value.isEmpty())
            text += u'<' + element + u'>' + before + value.toHtmlEscaped() + after + u"</"_s + element + u">\n"_s;
    };
    const QString one = u"<rdf:li xml:lang=\"x-default\">"_s;
    add(u"dc:title"_s, metadata.title, u"<rdf:Alt>"_s + one, u"</rdf:li></rdf:Alt>"_s);
    add(u"dc:creator"_s, metadata.author, u"<rdf:Seq><rdf:li>"_s, u"</rdf:li></rdf:Seq>"_s);
    add(u"dc:description"_s, metadata.subject, u"<rdf:Alt>"_s + one, u"</rdf:li></rdf:Alt>"_s);
    add(u"dc:language"_s, metadata.language, u"<rdf:Bag><rdf:li>"_s, u"</rdf:li></rdf:Bag>"_s);
    add(u"xmp:CreatorTool"_s, metadata.creator);
    add(u"xmp:CreateDate"_s, date);
    add(u"xmp:ModifyDate"_s, date);
    add(u"xmp:MetadataDate"_s, date);
    add(u"pdf:Producer"_s, metadata.producer);
    add(u"pdfaid:part"_s, profile == PdfProfile::PdfA3b ? u"3"_s : u"1"_s);
    add(u"pdfaid:conformance"_s, u"B"_s);
    return (text + u"</rdf:Description>\n</rdf:RDF>\n</x:xmpmeta>\n<?xpacket end=\"w\"?>"_s).toUtf8();
}

class ArchiveMaker {
public:
    ArchiveMaker(const QByteArray &pages, const ReportDocument &document, PdfProfile profile)
        : m_document(document), m_metadata(metadataOf(document)), m_profile(profile)
    {
        m_pdf.setSuppressWarnings(true);
        m_pdf.setAttemptRecovery(false);
        m_pdf.processMemoryFile("report", pages.constData(), std::size_t(pages.size()));
        m_pages = QPDFPageDocumentHelper(m_pdf).getAllPages();
    }
    /// Whether Qt wrote what is kept of its file.
    [[nodiscard]] bool isAsExpected() { return !m_pages.empty() && m_pdf.getRoot().hasKey("/OutputIntents"); }

    void describe()
    {
        m_pdf.getTrailer().removeKey("/ID"); // Qt's is random, and its first half would be kept
        m_pdf.getTrailer().replaceKey("/Info", m_pdf.makeIndirectObject(informationOf(m_metadata)));
        auto xmp = m_pdf.newStream(xmpOf(m_metadata, m_profile).toStdString());
        xmp.getDict().replaceKey("/Type", name("Metadata"));
        xmp.getDict().replaceKey("/Subtype", name("XML"));
        auto root = m_pdf.getRoot();
        root.replaceKey("/Metadata", xmp);
        root.replaceKey("/Lang", pdfText(m_metadata.language));
        root.replaceKey("/ViewerPreferences", dictionary({{"/DisplayDocTitle", PdfObject::newBool(true)}}));
    }

    void navigate(const PageNavigation &navigation)
    {
        for (auto &page : m_pages)
            page.getObjectHandle().removeKey("/Annots"); // empty ones of Qt
        if (navigation.anchors.empty())
            return;
        auto names = PdfObject::newArray(); // sorted, as name trees must be: the numbers have equally many digits
        for (std::size_t i = 0; i < navigation.anchors.size(); ++i) {
            names.appendItem(destinationName(i));
            names.appendItem(destination(navigation.anchors[i]));
        }
        m_names.replaceKey("/Dests", m_pdf.makeIndirectObject(dictionary({{"/Names", names}})));
        addOutline(navigation.anchors);
        for (const auto &link : navigation.links)
            addLink(link);
    }

    void attach()
    {
        if (m_profile != PdfProfile::PdfA3b || m_document.attachments.empty())
            return;
        std::vector<const Attachment *> sorted;
        for (const auto &attachment : m_document.attachments)
            sorted.push_back(&attachment);
        std::ranges::sort(sorted, {}, [](const Attachment *attachment) { return attachment->name.toUtf8(); });
        auto names = PdfObject::newArray();
        auto associated = PdfObject::newArray();
        for (const auto *attachment : sorted) {
            const auto file = m_pdf.makeIndirectObject(fileOf(*attachment));
            names.appendItem(pdfText(attachment->name));
            names.appendItem(file);
            associated.appendItem(file);
        }
        m_names.replaceKey("/EmbeddedFiles", m_pdf.makeIndirectObject(dictionary({{"/Names", names}})));
        m_pdf.getRoot().replaceKey("/AF", m_pdf.makeIndirectObject(associated));
    }

    [[nodiscard]] QByteArray written()
    {
        if (!m_names.getKeys().empty())
            m_pdf.getRoot().replaceKey("/Names", m_names);
        QPDFWriter writer(m_pdf);
        writer.setOutputMemory();
        writer.setObjectStreamMode(qpdf_o_disable); // as PDF 1.4 needs; and then nothing can hide in them
        writer.setDeterministicID(true);
        if (m_profile == PdfProfile::PdfA1b)
            writer.forcePDFVersion("1.4");
        else
            writer.setMinimumPDFVersion("1.7");
        writer.setNewlineBeforeEndstream(true); // clause 6.1.7 of PDF/A-1
        writer.write();
        const auto buffer = writer.getBufferSharedPointer();
        return {reinterpret_cast<const char *>(buffer->getBuffer()), qsizetype(buffer->getSize())};
    }

private:
    [[nodiscard]] PdfObject pageAt(int page)
    {
        return m_pages[std::size_t(std::clamp(page, 0, int(m_pages.size()) - 1))].getObjectHandle();
    }
    [[nodiscard]] double heightOf(int page)
    {
        return pageAt(page).getKey("/MediaBox").getArrayItem(3).getNumericValue();
    }
    [[nodiscard]] static PdfObject destinationName(std::size_t anchor)
    {
        return PdfObject::newString(u"section.%1"_s.arg(qulonglong(anchor + 1), 6, 10, QLatin1Char('0')).toStdString());
    }
    [[nodiscard]] PdfObject destination(const PageAnchor &anchor)
    {
        auto target = PdfObject::newArray();
        target.appendItem(pageAt(anchor.page));
        target.appendItem(name("XYZ"));
        target.appendItem(PdfObject::newInteger(0));
        target.appendItem(PdfObject::newReal(heightOf(anchor.page) - anchor.top, 2));
        target.appendItem(PdfObject::newNull()); // the zoom stays
        return target;
    }

    void addOutline(const std::vector<PageAnchor> &anchors)
    {
        auto outlines = m_pdf.makeIndirectObject(dictionary({{"/Type", name("Outlines")}}));
        struct Open {
            int level;
            PdfObject object;
            PdfObject lastChild;
            int children = 0;
        };
        std::vector<Open> path{{0, outlines, PdfObject::newNull()}};
        const auto close = [&path] {
            auto &open = path.back();
            if (open.children > 0) {
                open.object.replaceKey("/Last", open.lastChild);
                // Negative: the children of a section are folded away.
                open.object.replaceKey(
                    "/Count", PdfObject::newInteger(open.level == 0 ? open.children : -open.children));
            }
            path.pop_back();
        };
        for (std::size_t i = 0; i < anchors.size(); ++i) {
            const int level = std::max(1, anchors[i].level);
            while (path.back().level >= level)
                close();
            auto &parent = path.back();
            auto item = m_pdf.makeIndirectObject(dictionary({{"/Title", pdfText(textForMetadata(anchors[i].text))},
                {"/Parent", parent.object}, {"/Dest", destinationName(i)}}));
            if (parent.children++ == 0) {
                parent.object.replaceKey("/First", item);
            } else {
                parent.lastChild.replaceKey("/Next", item);
                item.replaceKey("/Prev", parent.lastChild);
            }
            parent.lastChild = item;
            path.push_back({level, item, PdfObject::newNull()});
        }
        while (!path.empty())
            close();
        auto root = m_pdf.getRoot();
        root.replaceKey("/Outlines", outlines);
        root.replaceKey("/PageMode", name("UseOutlines"));
    }

    void addLink(const PageLink &link)
    {
        auto page = pageAt(link.page);
        if (!page.hasKey("/Annots"))
            page.replaceKey("/Annots", PdfObject::newArray());
        const double height = heightOf(link.page);
        const auto area = PdfObject::newArray(PdfObject::Rectangle(
            link.area.left(), height - link.area.bottom(), link.area.right(), height - link.area.top()));
        auto border = PdfObject::newArray();
        for (int i = 0; i < 3; ++i)
            border.appendItem(PdfObject::newInteger(0));
        page.getKey("/Annots").appendItem(
            m_pdf.makeIndirectObject(dictionary({{"/Type", name("Annot")}, {"/Subtype", name("Link")}, {"/Rect", area},
                {"/Border", border}, {"/F", PdfObject::newInteger(4)}, // printed, as PDF/A wants every annotation
                {"/Dest", destinationName(link.anchor)}})));
    }

    [[nodiscard]] PdfObject fileOf(const Attachment &attachment)
    {
        const auto digest = QCryptographicHash::hash(attachment.bytes, QCryptographicHash::Md5);
        auto stream = m_pdf.newStream(attachment.bytes.toStdString());
        stream.getDict().replaceKey("/Type", name("EmbeddedFile"));
        stream.getDict().replaceKey("/Subtype", name(attachment.mimeType.toStdString()));
        stream.getDict().replaceKey("/Params",
            dictionary({{"/Size", PdfObject::newInteger(attachment.bytes.size())},
                {"/ModDate", pdfDate(m_metadata.date)}, {"/CheckSum", PdfObject::newString(digest.toStdString())}}));
        const auto file = pdfText(attachment.name);
        return dictionary(
            {{"/Type", name("Filespec")}, {"/F", file}, {"/UF", file}, {"/Desc", pdfText(attachment.description)},
                // What the report was made from is its source, everything else data behind it.
                {"/AFRelationship", name(attachment.name == projectAttachmentName ? "Source" : "Data")},
                {"/EF", dictionary({{"/F", stream}, {"/UF", stream}})}});
    }

    const ReportDocument &m_document;
    Metadata m_metadata;
    PdfProfile m_profile;
    QPDF m_pdf;
    std::vector<QPDFPageObjectHelper> m_pages;
    PdfObject m_names = PdfObject::newDictionary();
};

/// What a reader of reports would refuse is not written.
Expected<void> checkAttachments(const std::vector<Attachment> &attachments)
{
    constexpr std::size_t mega = 1024UZ * 1024;
    if (attachments.size() > std::size_t(mostAttachments))
        return refuse(ErrorCode::OutOfRange, "attachments",
            "A report carries at most " + std::to_string(mostAttachments) + " files.");
    for (const auto &attachment : attachments)
        if (std::size_t(attachment.bytes.size()) > longestAttachment)
            return refuse(ErrorCode::OutOfRange, "attachments",
                "The project is " + std::to_string((std::size_t(attachment.bytes.size()) + mega - 1) / mega)
                    + " MiB large and a report carries at most " + std::to_string(longestAttachment / mega)
                    + " MiB, so that it can be restored; choose the profile PDF/A-1b, which carries none, or HTML.");
    return {};
}

} // namespace

Expected<QByteArray> archivedPdf(
    const QByteArray &pages, const ReportDocument &document, const PageNavigation &navigation, PdfProfile profile)
{
    const auto unexpected = [](const std::string &why) {
        return refuse(ErrorCode::IoError, {},
            "The PDF could not be finished (" + why + "); export HTML instead and report this fault.");
    };
    if (profile == PdfProfile::PdfA3b)
        if (auto fits = checkAttachments(document.attachments); !fits)
            return std::unexpected(std::move(fits.error()));
    try {
        ArchiveMaker maker(pages, document, profile);
        if (!maker.isAsExpected())
            return unexpected("this version of Qt writes it in an unknown way");
        maker.describe();
        maker.navigate(navigation);
        maker.attach();
        return maker.written();
    } catch (const std::exception &error) {
        return unexpected(faultInWords(error));
    }
}

} // namespace fleetwright::reports
