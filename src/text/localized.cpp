// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/localized.h"

#include "text/localizedparts.h"
#include "text/sentencebook.h"
#include "text/unitnames.h"
#include "text/utf8.h"

#include <QCoreApplication>
#include <QFile>
#include <QLocale>
#include <QReadWriteLock>
#include <QRegularExpression>
#include <QTranslator>
#include <QXmlStreamReader>

#include <atomic>

static void initialiseTranslations() { Q_INIT_RESOURCE(translations); }

namespace fleetwright {

using namespace Qt::StringLiterals;

namespace {

/// What the list says: whatever class asks, since a text stands in it once.
class ListTranslator : public QTranslator {
public:
    explicit ListTranslator(const QString &file) { read(file); }

    [[nodiscard]] bool isEmpty() const override { return m_forms.isEmpty(); }
    [[nodiscard]] QString translate(
        const char * /*context*/, const char *source, const char *comment, int n) const override
    {
        const auto text = QString::fromUtf8(source);
        auto found = comment && *comment ? m_forms.constFind(text + separator + QString::fromUtf8(comment))
                                         : m_forms.constFind(text);
        if (found == m_forms.cend())
            return {};
        return found->value(n == 1 ? 0 : found->size() - 1);
    }
    [[nodiscard]] const SentenceBook &book() const { return m_book; }

private:
    void read(const QString &name)
    {
        QFile file(name);
        if (!file.open(QIODevice::ReadOnly))
            return;
        QXmlStreamReader xml(&file);
        QString source, comment;
        while (!xml.atEnd()) {
            if (xml.readNext() != QXmlStreamReader::StartElement)
                continue;
            if (xml.name() == u"message"_s)
                comment.clear();
            else if (xml.name() == u"source"_s)
                source = xml.readElementText();
            else if (xml.name() == u"comment"_s)
                comment = xml.readElementText();
            else if (xml.name() == u"translation"_s)
                readTranslation(xml, source, comment);
        }
    }
    void readTranslation(QXmlStreamReader &xml, const QString &source, const QString &comment)
    {
        if (xml.attributes().hasAttribute(u"type"_s))
            return; // unfinished
        QStringList forms;
        QString plain;
        while (!xml.atEnd() && xml.readNext() != QXmlStreamReader::EndElement) {
            if (xml.isStartElement())
                forms << xml.readElementText();
            else
                plain += xml.text();
        }
        if (forms.isEmpty())
            forms << plain;
        m_forms.insert(comment.isEmpty() ? source : source + separator + comment, forms);
        if (comment.isEmpty() && forms.size() == 1)
            m_book.add(source, plain);
    }

    static constexpr QChar separator{u'\x04'};
    QHash<QString, QStringList> m_forms;
    SentenceBook m_book;
};

std::atomic<Language> current{Language::English};

const ListTranslator &german()
{
    static const ListTranslator *list = [] {
        initialiseTranslations();
        return new ListTranslator(u":/translations/fleetwright_de.ts"_s); // as long as the program runs
    }();
    return *list;
}

/// What Qt itself says: buttons of dialogs, menus of fields.
QTranslator &germanOfQt()
{
    static auto *translator = [] {
        initialiseTranslations();
        auto *made = new QTranslator;
        static_cast<void>(made->load(u":/translations/qtbase_de.qm"_s));
        return made;
    }();
    return *translator;
}

/// Texts that were asked for before: tables ask for the same ones whenever they are drawn.
class Remembered {
public:
    template <class Make> QString get(const QString &text, const Make &make)
    {
        {
            const QReadLocker locker(&m_lock);
            if (const auto found = m_texts.constFind(text); found != m_texts.cend())
                return *found;
        }
        auto made = make(text);
        const QWriteLocker locker(&m_lock);
        constexpr qsizetype most = 20'000;
        if (m_texts.size() >= most)
            m_texts.clear();
        m_texts.insert(text, made);
        return made;
    }

private:
    QReadWriteLock m_lock;
    QHash<QString, QString> m_texts;
};

/// "-17 %" with the sign that is no hyphen.
QString withMinus(QString text)
{
    static const QRegularExpression hyphen(
        u"(?:^|(?<=[(\\[;])|(?<=[\\x{a0}(\\[,:;=] )|(?<=\\w )(?=-[\\d\\x{202f},]+[ \\x{a0}]?%))"
        "-(?=\\d[\\d\\x{202f}]*(?:,\\d+)?(?:[ \\x{a0}]\\S|%|[;)\\]]|[,.](?!\\d)|$))"_s);
    return text.contains(u'-') ? text.replace(hyphen, QString(QChar(0x2212))) : text;
}

/// "2026-12-01" is "01.12.2026"; not within names of files and addresses, in quotation marks, and where a sentence says
/// how a day is typed ("a day like 2027-03-31").
QString withGermanDays(QString text)
{
    static const QRegularExpression day(u"(?<![\\w./\\x{2013}=-])(?<!wie )(?<!etwa )(?<!Beispiel )(?<!z. B. )"
                                        "(20\\d\\d|19\\d\\d)-(0[1-9]|1[0-2])-([0-3]\\d)(?![\\w/-]|[.:]\\w)"
                                        "(?![^\\x{201e}\\x{201c}\\x{201d}]*[\\x{201c}\\x{201d}])"_s);
    return text.contains(u'-') ? text.replace(day, u"\\3.\\2.\\1"_s) : text;
}

/// Numbers in front of a unit, which a gap that does not break ties to them, in ranges, and alone. "Llama 3.1 70B" is a
/// name.
QString withDecimalMarks(QString text)
{
    static const QRegularExpression range(
        u"(?<![\\w.])(\\d[\\d\\x{202f}.]*(?:e[+-]?\\d+)?%?(?:\\x{a0}\\S+(?: h\\))?)?) to (?=[-+\\x{2212}]?\\d)"_s),
        share(u"(?<![\\w.])(\\d[\\d\\x{202f}.]*(?:\\x{a0}\\S+)?) of (?=\\d)"_s),
        beforeUnit(
            u"(?<![\\w.,])(\\d[\\d\\x{202f}]*)\\.(\\d+)(?=(?:e[+-]?\\d+)?"
            "(?:\\x{a0}| (?:Tagen?|Jahren?|Wochen|zu viel|zu wenig|\\x{fc}brig|[kMGT]?(?:W|Wh|USD|B/s|b/s|B|FLOP/s)|"
            "[m\\x{b5}]?s|min|h|%|(?:[kM]?t|k?g)\\x{a0}CO\\x{2082}e)(?!\\w)| (?:Tsd|Mio|Mrd)\\.| [\\x{d7}+\\x{2212}] | "
            "\\((?:\\x{d7}[ \\x{a0}])?[-+\\x{2212}\\x{b1}]?\\d| bis [-+\\x{2212}]?\\d|-mal\\b| \\*))"_s),
        // No version begins with nought or has so many digits.
        share0(u"(?<=[ (])([-+\\x{2212}]?0)\\.(\\d{2,})(?=[ ;,)]|\\.?$|\\. )"_s),
        precise(u"(?<=[ (])([-+\\x{2212}]?\\d{1,3})\\.(\\d{4,})(?=[ ;,)]|\\.?$|\\. )"_s),
        behind(u"(?<=bis |von |als |\\x{dc}berbuchung |auf |ist |mit |statt |um |ab |bei |Faktor |bezahlte |bezahlten "
               u"|zu |Knotentage |\\x{d7} "
               u"|\\x{d7}\\x{a0}|[=+\\x{2212}] |"
               "sonst: |wenn |[</>\\x{2264}\\x{2265}] |\\x{201c}: )"
               "([-+\\x{2212}]?\\d[\\d\\x{202f}]*)\\.(\\d+)(?![\\w]|\\.\\w)"_s),
        ofDay(u"(?<! as) of (?=\\d{4}-\\d\\d-\\d\\d)"_s), onDay(u" on (?=\\d{4}-\\d\\d-\\d\\d)"_s),
        alone(u"^([-+\\x{2212}<>\\x{2248} ]*\\d[\\d\\x{202f}]*)\\.(\\d+(?:e[+-]?\\d+)?(?: ?[%x\\x{d7}])?)$"_s);
    text.replace(range, u"\\1 bis "_s)
        .replace(share, u"\\1 von "_s)
        .replace(ofDay, u" vom "_s)
        .replace(onDay, u" am "_s);
    text = withGermanUnits(text);
    static const QRegularExpression inBrackets(u"(?<=\\()([-+\\x{2212}]?\\d[\\d\\x{202f}]*)\\.(\\d+)(?=\\))"_s);
    text.replace(inBrackets, u"\\1,\\2"_s);
    text.replace(beforeUnit, u"\\1,\\2"_s);
    text.replace(behind, u"\\1,\\2"_s).replace(share0, u"\\1,\\2"_s).replace(precise, u"\\1,\\2"_s);
    return withGermanDays(withMinus(asSpoken(text.replace(alone, u"\\1,\\2"_s))));
}

/// `change` of all but what is quoted in another language, numbers and units and all.
template <class IsForeign>
QString besideQuotations(QString text, const IsForeign &isForeign, QString (*change)(QString))
{
    static const QRegularExpression quotation(u"\u201e([^\u201e\u201c]*)\u201c"_s);
    static const QChar place(0xfffc);
    QStringList kept;
    for (auto at = quotation.match(text); at.hasMatch(); at = quotation.match(text, at.capturedStart() + 1))
        if (isForeign(at.captured(1))) {
            kept << at.captured();
            text.replace(at.capturedStart(), at.capturedLength(), place);
        }
    text = change(std::move(text));
    for (const auto &one : kept)
        text.replace(text.indexOf(place), 1, one);
    return text;
}

Language languageOfLocale(const QString &name)
{
    return name == u"de"_s || name.startsWith(u"de_"_s) || name.startsWith(u"de."_s) || name.startsWith(u"de@"_s)
            || name.startsWith(u"de-"_s)
        ? Language::German
        : Language::English;
}

} // namespace

std::optional<Language> languageCalled(QStringView code)
{
    if (code == u"en")
        return Language::English;
    if (code == u"de")
        return Language::German;
    return std::nullopt;
}

QString codeOf(Language language) { return language == Language::German ? u"de"_s : u"en"_s; }

Language languageOfSystem()
{
    if (const auto asked = languageCalled(qEnvironmentVariable("FLEETWRIGHT_LANGUAGE")))
        return *asked;
#if defined(Q_OS_UNIX) && !defined(Q_OS_DARWIN)
    for (const char *variable : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
        const auto name = qEnvironmentVariable(variable);
        if (name.isEmpty())
            continue;
        if (name == u"C"_s || name.startsWith(u"C."_s) || name == u"POSIX"_s)
            return Language::English;
        const auto list = qEnvironmentVariable("LANGUAGE");
        return languageOfLocale(list.isEmpty() ? name : list.section(u':', 0, 0));
    }
    return Language::English;
#else
    return languageOfLocale(QLocale::system().uiLanguages().value(0));
#endif
}

void useLanguage(Language language)
{
    current = language;
    const auto system = QLocale::system();
    const bool isGerman = language == Language::German;
    if (isGerman)
        QLocale::setDefault(system.language() == QLocale::German ? system : QLocale(QLocale::German, QLocale::Germany));
    else
        QLocale::setDefault(
            system.language() == QLocale::German ? QLocale(QLocale::English, system.territory()) : system);
    if (!QCoreApplication::instance())
        return;
    static bool isInstalled = false; // English reads no list: that takes longer than most commands
    if (isGerman == isInstalled)
        return;
    for (auto *translator : {&germanOfQt(), const_cast<QTranslator *>(static_cast<const QTranslator *>(&german()))})
        if (isGerman)
            QCoreApplication::installTranslator(translator);
        else
            QCoreApplication::removeTranslator(translator);
    isInstalled = isGerman;
}

Language language() { return current; }

namespace {

/// "nodes * node_peak_w": what is typed in a worksheet.
bool isFormulaOverKeys(const QString &text)
{
    static const QRegularExpression formula(
        u"^(?=.*[a-z0-9]_[a-z0-9])[( ]*[\\w.]+(?: ?[-+*/<>=(),\\[\\]]+ ?\"?[\\w.]*\"?)+$"_s);
    return formula.match(text).hasMatch();
}

/// A text that a catalog or a source wrote is left as it is, numbers and all, when few of its words would be German:
/// nobody reads half of each.
bool staysEnglish(const QString &text, const QString &made)
{
    constexpr qsizetype few = 4, half = 2;
    static const QRegularExpression listOfKeys(
        u"^[^,]* [\\w-]+(?:, [\\w-]+)+(?: or [\\w-]+\\.)?$"_s); // which are no English
    if (listOfKeys.match(text).hasMatch())
        return false;
    const auto left = german().book().englishWordsIn(withGermanUnits(made)); // "MUSD" is none
    return left >= few && half * left >= german().book().englishWordsIn(text);
}

} // namespace

QString localized(const QString &english)
{
    if (current == Language::English)
        return english;
    static Remembered remembered;
    return remembered.get(english, [](const QString &text) {
        if (isFormulaOverKeys(text))
            return text;
        const auto &book = german().book();
        const auto made = book.translated(text).value_or(text);
        if (staysEnglish(text, made)) { // but how far a source can be trusted is no quotation
            const auto trust = text.lastIndexOf(u"confidence: "_s);
            return trust > 0 ? text.first(trust) + localized(text.sliced(trust)) : text;
        }
        return besideQuotations(
            made, [&](const QString &said) { return book.englishWordsIn(said) > 0; }, &withDecimalMarks);
    });
}

QString localized(std::string_view english) { return localized(utf8(english)); }

QString localizedWord(const QString &english)
{
    if (current == Language::English)
        return english;
    const auto alone = german().translate(nullptr, english.toUtf8().constData(), "alone", -1);
    return alone.isEmpty() ? localized(english) : alone;
}

QString localizedWord(std::string_view english) { return localizedWord(utf8(english)); }

QString localizedAsWhole(std::string_view english)
{
    const auto found = current == Language::English
        ? QString()
        : german().translate(nullptr, std::string(english).c_str(), nullptr, -1);
    return found.isEmpty() ? utf8(english) : found;
}

QString withinSentence(const QString &label) { return current == Language::English ? label.toLower() : label; }

QChar decimalMark() { return current == Language::German ? u',' : u'.'; }

QString localizedNumber(QString number)
{
    static const QRegularExpression point(u"^([-+\\x{2212}]?[\\d\\x{202f}\\x{a0} ]*)\\.(?=\\d)"_s);
    return current == Language::German ? withMinus(withGermanUnits(number.replace(point, u"\\1,"_s))) : number;
}

QString localizedCount(std::string_view count)
{
    static const QRegularExpression billions(u"(?<=\\d\\x{a0})B$"_s);
    auto text = utf8(count);
    return current == Language::English ? text : localized(text.replace(billions, u"Mrd."_s));
}

QString inflected(QString composed)
{
    return current == Language::German ? asSpoken(withGermanUnits(std::move(composed))) : composed;
}

QString localizedUnit(std::string_view symbol)
{
    if (current == Language::English)
        return utf8(symbol);
    constexpr qsizetype number = 2; // "1 "
    const auto unit = utf8(symbol).replace(u'\u03bc', u'\u00b5'); // which look alike
    if (auto behindNumber = withGermanUnits(u"1 "_s + unit).sliced(number); behindNumber != unit)
        return behindNumber;
    QStringList parts; // "month/year"
    for (const auto &part : unit.split(u'/'))
        parts << withGermanUnits(part);
    return parts.join(u'/');
}

QString typedNumber(const QString &shown)
{
    if (current == Language::English)
        return shown;
    const auto typed = QString(shown).replace(u'\u2212', u'-'); // as localizedNumber() writes it
    static const QRegularExpression number(
        u"\\G([1-9]\\d{0,2}(?:\\.\\d{3})+|[\\d\\s\\x{a0}\\x{202f}\\x{2009}']*)(?:,(\\d+))?(?![.,\\d])"_s),
        between(u"\\G[-+*/\\x{d7}\\x{f7}\\x{2212}()\\s]*"_s);
    QString read;
    for (qsizetype at = 0;;) { // each number of a calculation
        const auto signs = between.match(typed, at).capturedLength();
        read += typed.sliced(at, signs);
        at += signs;
        const auto match = number.match(typed, at);
        const auto whole = match.captured(1), fraction = match.captured(2);
        if (whole.isEmpty() && fraction.isEmpty()) {
            const bool isOfNumber = at < typed.size()
                && (typed[at].isDigit() || typed[at] == u'.' || typed[at] == u',');
            return isOfNumber ? typed : read + fromGermanUnit(typed.sliced(at));
        }
        read += QString(whole).remove(u'.') + (fraction.isEmpty() ? QString() : u'.' + fraction);
        at = match.capturedEnd(0);
        if (between.match(typed, at).capturedLength() == 0)
            return read + fromGermanUnit(typed.sliced(at));
    }
}

} // namespace fleetwright
