// SPDX-License-Identifier: GPL-3.0-or-later
#include "pdfchecker.h"

#include <QDateTime>
#include <QMap>
#include <QSet>
#include <QXmlStreamReader>

#include <qpdf/Buffer.hh>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFNameTreeObjectHelper.hh>

using namespace Qt::StringLiterals;

namespace fleetwright::test {

namespace {

using PdfObject = QPDFObjectHandle;

QByteArray bytesOf(const std::shared_ptr<Buffer> &buffer)
{
    return {reinterpret_cast<const char *>(buffer->getBuffer()), qsizetype(buffer->getSize())};
}

class Checker {
public:
    Checker(const QByteArray &pdf, PdfProfile profile) : m_bytes(pdf), m_first(profile == PdfProfile::PdfA1b) { }

    QStringList faults()
    {
        try {
            m_pdf.setSuppressWarnings(true);
            m_pdf.setAttemptRecovery(false);
            m_pdf.processMemoryFile("checked", m_bytes.constData(), std::size_t(m_bytes.size()));
            m_root = m_pdf.getRoot();
            structure();
            metadata();
            intent();
            for (auto &object : m_pdf.getAllObjects())
                visit(object, 0);
            names();
            outline();
            attachments();
            require(!m_pdf.anyWarnings(), u"libqpdf warns"_s);
        } catch (const std::exception &error) {
            m_faults << u"cannot be read: "_s + QString::fromUtf8(error.what());
        }
        m_faults.removeDuplicates();
        return m_faults;
    }

private:
    void require(bool holds, const QString &otherwise)
    {
        if (!holds)
            m_faults << otherwise;
    }

    void structure()
    {
        require(m_bytes.startsWith(m_first ? "%PDF-1.4\n" : "%PDF-1.7\n"), u"header"_s);
        bool binary = m_bytes.size() > 20 && m_bytes[9] == '%';
        for (int i = 10; binary && i < 14; ++i)
            binary = uchar(m_bytes[i]) > 127;
        require(binary, u"no comment of four bytes above 127 behind the header"_s);
        require(m_bytes.trimmed().endsWith("%%EOF"), u"text behind the end"_s);
        const auto start = m_bytes.mid(m_bytes.lastIndexOf("startxref") + 9).simplified().split(' ').value(0).toInt();
        require(m_bytes.mid(start, 5) == "xref\n", u"cross-references are no table"_s);
        auto trailer = m_pdf.getTrailer();
        require(!trailer.hasKey("/Encrypt"), u"encrypted"_s);
        auto id = trailer.getKey("/ID");
        require(id.isArray() && id.getArrayNItems() == 2 && id.getArrayItem(0).isString()
                && id.getArrayItem(0).getStringValue().size() >= 16,
            u"no file identifier"_s);
        require(m_root.getKey("/Lang").isString(), u"no language"_s);
        for (const auto *key : {"/OpenAction", "/AA", "/AcroForm", "/OCProperties", "/Perms"})
            require(!m_root.hasKey(key), QString::fromLatin1(key) + u" in the catalog"_s);
    }

    void metadata()
    {
        auto stream = m_root.getKey("/Metadata");
        if (!stream.isStream())
            return require(false, u"no XMP"_s);
        require(!stream.getDict().hasKey("/Filter"), u"XMP is filtered"_s);
        require(stream.getDict().getKey("/Subtype").isNameAndEquals("/XML"), u"XMP has no subtype"_s);
        const QByteArray xmp = bytesOf(stream.getRawStreamData());
        require(xmp.startsWith("<?xpacket begin=") && !xmp.left(xmp.indexOf("?>")).contains("encoding"),
            u"XMP packet header"_s);
        QMap<QString, QString> values;
        QXmlStreamReader reader(xmp);
        QString element;
        while (!reader.atEnd()) {
            reader.readNext();
            if (reader.isStartElement() && !reader.qualifiedName().startsWith(u"rdf:"_s))
                element = reader.qualifiedName().toString();
            else if (reader.isCharacters() && !reader.isWhitespace())
                values[element] += reader.text().toString();
        }
        require(!reader.hasError(), u"XMP is no XML: "_s + reader.errorString());
        require(values.value(u"pdfaid:part"_s) == (m_first ? u"1"_s : u"3"_s), u"pdfaid:part"_s);
        require(values.value(u"pdfaid:conformance"_s) == u"B"_s, u"pdfaid:conformance"_s);
        auto information = m_pdf.getTrailer().getKey("/Info");
        const std::initializer_list<std::pair<const char *, const char *>> equal{{"/Title", "dc:title"},
            {"/Author", "dc:creator"}, {"/Subject", "dc:description"}, {"/Creator", "xmp:CreatorTool"},
            {"/Producer", "pdf:Producer"}};
        for (const auto &[key, name] : equal) {
            const auto text = information.getKey(key).isString()
                ? QString::fromStdString(information.getKey(key).getUTF8Value())
                : QString();
            require(text == values.value(QString::fromLatin1(name)),
                QString::fromLatin1(key) + u" is another one in XMP"_s);
        }
        const std::initializer_list<std::pair<const char *, const char *>> dates{
            {"/CreationDate", "xmp:CreateDate"}, {"/ModDate", "xmp:ModifyDate"}};
        for (const auto &[key, name] : dates) {
            const auto text = QString::fromStdString(information.getKey(key).getStringValue());
            const auto date = QDateTime::fromString(text, u"'D:'yyyyMMddHHmmss'Z'"_s);
            require(date.isValid()
                    && date.toString(u"yyyy-MM-dd'T'HH:mm:ss'Z'"_s) == values.value(QString::fromLatin1(name)),
                QString::fromLatin1(key) + u" is another one in XMP"_s);
        }
    }

    void intent()
    {
        auto intents = m_root.getKey("/OutputIntents");
        if (!intents.isArray() || intents.getArrayNItems() != 1)
            return require(false, u"no output intent"_s);
        auto one = intents.getArrayItem(0);
        require(one.getKey("/S").isNameAndEquals("/GTS_PDFA1"), u"output intent is not of PDF/A"_s);
        require(one.getKey("/OutputConditionIdentifier").isString(), u"output condition has no name"_s);
        auto profile = one.getKey("/DestOutputProfile");
        if (!profile.isStream())
            return require(false, u"output intent has no profile"_s);
        const QByteArray icc = bytesOf(profile.getStreamData(qpdf_dl_generalized));
        require(icc.mid(36, 4) == "acsp" && icc.mid(16, 4) == "RGB " && uchar(icc[8]) == 2
                && profile.getDict().getKey("/N").getIntValue() == 3,
            u"profile is no RGB profile of version 2"_s);
    }

    void visit(PdfObject object, int depth)
    {
        require(depth < 40, u"nested too deeply"_s);
        if (depth >= 40 || (depth > 0 && object.isIndirect()))
            return;
        if (object.isString())
            require(object.getStringValue().size() <= 65535, u"string over 65535 bytes"_s);
        if (object.isName())
            require(object.getName().size() <= 128, u"name over 127 bytes"_s);
        if (object.isArray()) {
            require(!m_first || object.getArrayNItems() <= 8191, u"array over 8191 items"_s);
            for (int i = 0; i < object.getArrayNItems(); ++i)
                visit(object.getArrayItem(i), depth + 1);
        }
        if (object.isStream())
            stream(object);
        if (object.isDictionary())
            dictionary(object);
        if (object.isDictionary() || object.isStream()) {
            auto facts = object.isStream() ? object.getDict() : object;
            for (const auto &key : facts.getKeys())
                visit(facts.getKey(key), depth + 1);
        }
    }

    void stream(PdfObject object)
    {
        auto facts = object.getDict();
        for (const auto *key : {"/F", "/FFilter", "/FDecodeParms"})
            require(!facts.hasKey(key), u"stream outside the file"_s);
        auto filter = facts.getKey("/Filter");
        for (int i = 0; i < (filter.isArray() ? filter.getArrayNItems() : 1); ++i) {
            auto one = filter.isArray() ? filter.getArrayItem(i) : filter;
            require(one.isNull() || one.isNameAndEquals("/FlateDecode") || one.isNameAndEquals("/DCTDecode")
                    || one.isNameAndEquals("/CCITTFaxDecode"),
                u"filter that is not allowed (LZW, Crypt)"_s);
        }
        require(!facts.getKey("/Type").isNameAndEquals("/ObjStm"), u"object stream"_s);
        require(!facts.getKey("/Subtype").isNameAndEquals("/PS"), u"PostScript"_s);
        if (!facts.getKey("/Subtype").isNameAndEquals("/Image"))
            return;
        for (const auto *key : {"/Alternates", "/OPI"})
            require(!facts.hasKey(key), u"image with "_s + QString::fromLatin1(key));
        require(!m_first || !facts.hasKey("/SMask"), u"image with transparency"_s);
        require(!facts.getKey("/Interpolate").isBool() || !facts.getKey("/Interpolate").getBoolValue(),
            u"interpolated image"_s);
        require(!facts.getKey("/ColorSpace").isNameAndEquals("/DeviceCMYK"), u"CMYK without a profile"_s);
    }

    void dictionary(PdfObject object)
    {
        for (const auto *key : {"/JS", "/JavaScript", "/AA", "/XFA"})
            require(!object.hasKey(key), QString::fromLatin1(key));
        auto action = object.getKey("/S");
        for (const auto *kind : {"/Launch", "/JavaScript", "/SubmitForm", "/ImportData", "/Sound", "/Movie",
                 "/ResetForm", "/Hide", "/GoToR", "/URI", "/Rendition"})
            require(!action.isNameAndEquals(kind), u"action "_s + QString::fromLatin1(kind));
        if (m_first)
            require(!action.isNameAndEquals("/Transparency"), u"transparency group"_s);
        auto type = object.getKey("/Type");
        if (type.isNameAndEquals("/ExtGState")) {
            require(!object.hasKey("/TR") && !object.hasKey("/TR2"), u"transfer function"_s);
            for (const auto *key : {"/CA", "/ca"})
                require(!m_first || !object.hasKey(key) || object.getKey(key).getNumericValue() == 1.0,
                    u"transparent colour"_s);
            require(!m_first || !object.hasKey("/SMask") || object.getKey("/SMask").isNameAndEquals("/None"),
                u"soft mask"_s);
        }
        if (type.isNameAndEquals("/Font"))
            font(object);
        if (type.isNameAndEquals("/Annot"))
            annotation(object);
    }

    void font(PdfObject object)
    {
        if (object.getKey("/Subtype").isNameAndEquals("/Type0")) {
            require(object.getKey("/Encoding").isNameAndEquals("/Identity-H"), u"font encoding"_s);
            require(object.getKey("/ToUnicode").isStream(), u"font without Unicode"_s);
            require(object.getKey("/DescendantFonts").getArrayNItems() == 1, u"font without descendant"_s);
            return;
        }
        require(object.getKey("/Subtype").isNameAndEquals("/CIDFontType2"), u"font of another kind"_s);
        require(object.hasKey("/CIDToGIDMap"), u"font without a map of glyphs"_s);
        auto descriptor = object.getKey("/FontDescriptor");
        require(descriptor.getKey("/FontFile2").isStream(), u"font is not embedded"_s);
        require(!m_first || descriptor.getKey("/CIDSet").isStream(), u"font does not list its glyphs"_s);
    }

    void annotation(PdfObject object)
    {
        require(object.getKey("/Subtype").isNameAndEquals("/Link"), u"annotation that is no link"_s);
        const auto flags = object.getKey("/F").isInteger() ? object.getKey("/F").getIntValue() : 0;
        require((flags & 4) != 0 && (flags & (1 | 2 | 32)) == 0, u"annotation is not printed"_s);
        require(!object.hasKey("/A"), u"link with an action"_s);
        require(object.getKey("/Dest").isString(), u"link without a destination"_s);
        if (object.getKey("/Dest").isString())
            m_used << QString::fromStdString(object.getKey("/Dest").getUTF8Value());
    }

    void names()
    {
        auto tree = m_root.getKey("/Names").isDictionary() ? m_root.getKey("/Names").getKey("/Dests")
                                                           : PdfObject::newNull();
        if (!tree.isDictionary())
            return;
        std::string before;
        for (const auto &[name, target] : QPDFNameTreeObjectHelper(tree, m_pdf)) {
            require(before < name, u"names are not sorted"_s);
            before = name;
            auto place = target;
            require(place.isArray() && place.getArrayNItems() == 5 && place.getArrayItem(0).isPageObject(),
                u"destination is no page"_s);
            m_destinations << QString::fromStdString(name);
        }
    }

    int children(PdfObject parent, int depth)
    {
        int count = 0;
        PdfObject before = PdfObject::newNull();
        for (auto item = parent.getKey("/First"); item.isDictionary() && count < 100000; item = item.getKey("/Next")) {
            ++count;
            require(item.getKey("/Parent").getObjGen() == parent.getObjGen(), u"outline: parent"_s);
            require(before.isNull() == item.getKey("/Prev").isNull()
                    && (before.isNull() || item.getKey("/Prev").getObjGen() == before.getObjGen()),
                u"outline: previous"_s);
            require(item.getKey("/Title").isString() && item.getKey("/Dest").isString(), u"outline: title"_s);
            if (item.getKey("/Dest").isString())
                m_used << QString::fromStdString(item.getKey("/Dest").getUTF8Value());
            if (depth < 20)
                children(item, depth + 1);
            before = item;
        }
        if (count > 0) {
            require(parent.getKey("/Last").getObjGen() == before.getObjGen(), u"outline: last"_s);
            require(std::abs(parent.getKey("/Count").getIntValue()) == count, u"outline: count"_s);
        }
        return count;
    }
    void outline()
    {
        if (m_root.hasKey("/Outlines"))
            children(m_root.getKey("/Outlines"), 0);
        require(m_destinations.contains(m_used), u"a link leads nowhere"_s);
    }

    void attachments()
    {
        auto tree = m_root.getKey("/Names").isDictionary() ? m_root.getKey("/Names").getKey("/EmbeddedFiles")
                                                           : PdfObject::newNull();
        auto associated = m_root.getKey("/AF");
        if (m_first) {
            require(tree.isNull() && associated.isNull(), u"attachments"_s);
            for (auto &object : m_pdf.getAllObjects())
                require(!object.isDictionary() || !object.hasKey("/EF"), u"embedded file"_s);
            return;
        }
        QSet<int> inTree;
        if (tree.isDictionary())
            for (const auto &[name, file] : QPDFNameTreeObjectHelper(tree, m_pdf))
                inTree << file.getObjectID();
        require(inTree.size() == (associated.isArray() ? associated.getArrayNItems() : 0),
            u"associated files and embedded files differ"_s);
        for (int i = 0; i < (associated.isArray() ? associated.getArrayNItems() : 0); ++i) {
            auto file = associated.getArrayItem(i);
            require(inTree.contains(file.getObjectID()), u"associated file is not embedded"_s);
            auto relation = file.getKey("/AFRelationship");
            require(relation.isNameAndEquals("/Source") || relation.isNameAndEquals("/Data"), u"AFRelationship"_s);
            require(file.getKey("/F").isString() && file.getKey("/UF").isString() && file.getKey("/Desc").isString(),
                u"associated file without a name"_s);
            auto stream = file.getKey("/EF").getKey("/F");
            if (!stream.isStream() || !file.getKey("/EF").getKey("/UF").isStream()) {
                require(false, u"associated file without content"_s);
                continue;
            }
            auto facts = stream.getDict();
            require(facts.getKey("/Type").isNameAndEquals("/EmbeddedFile"), u"EmbeddedFile"_s);
            require(facts.getKey("/Subtype").isName()
                    && facts.getKey("/Subtype").getName().find('/', 1) != std::string::npos,
                u"MIME type"_s);
            auto parameters = facts.getKey("/Params");
            require(parameters.isDictionary() && parameters.getKey("/ModDate").isString(), u"ModDate"_s);
            require(parameters.isDictionary() && parameters.getKey("/Size").isInteger()
                    && std::size_t(parameters.getKey("/Size").getIntValue())
                        == stream.getStreamData(qpdf_dl_generalized)->getSize(),
                u"size of an associated file"_s);
        }
    }

    QByteArray m_bytes;
    bool m_first;
    QPDF m_pdf;
    PdfObject m_root;
    QStringList m_faults;
    QSet<QString> m_destinations, m_used;
};

} // namespace

QStringList faultsOf(const QByteArray &pdf, PdfProfile profile) { return Checker(pdf, profile).faults(); }

} // namespace fleetwright::test
