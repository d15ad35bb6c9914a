// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>
#include <string_view>

/// What people read, in their language. Layers without Qt know nothing of languages: they make English sentences, which
/// files, documents and hashes hold as they are. Where such a text is shown it passes localized(), which recognises it.
/// Texts of the layers with Qt go through tr(). Both are looked up in one list, translations/fleetwright_de.ts.
namespace fleetwright {

enum class Language { English, German };

/// "en" and "de"; FLEETWRIGHT_LANGUAGE and settings name them so.
[[nodiscard]] std::optional<Language> languageCalled(QStringView code);
[[nodiscard]] QString codeOf(Language language);

/// What FLEETWRIGHT_LANGUAGE, LC_ALL, LC_MESSAGES, LANG and LANGUAGE ask for, as POSIX and GNU have it; on other
/// systems what their settings say. English where they ask for a language that there is no translation to.
[[nodiscard]] Language languageOfSystem();

/// From now on texts, dates and numbers are of this language. To be called when a program starts, and once more for
/// each application object that it makes; texts that are on the screen stay as they are.
void useLanguage(Language language);
[[nodiscard]] Language language();

/// The English text of a layer without Qt in the language of who reads it: as a whole, by a pattern with places, or
/// sentence by sentence; what nobody translated stays. Numbers with a fraction get the decimal mark. In English the
/// text itself. Never for names that people gave, or keys and ids. Any thread.
[[nodiscard]] QString localized(std::string_view english);
[[nodiscard]] QString localized(const QString &english);

/// The same as it reads, for a place that takes rich text.
[[nodiscard]] inline QString localizedHtmlEscaped(std::string_view english)
{
    return localized(english).toHtmlEscaped();
}

/// A label in the midst of a sentence: in small letters, but for German, where nouns keep their capitals.
[[nodiscard]] QString withinSentence(const QString &label);

/// The mark between a number's digits: '.' or ','.
[[nodiscard]] QChar decimalMark();
/// A number as the program writes it, with the decimal mark of the language: "1 234.5 GB" is "1 234,5 GB" in German.
[[nodiscard]] QString localizedNumber(QString number);
/// What was typed as a number or a calculation, as units/calculation.h and parse.h read it: in German "1.234,5 GB" is
/// "1234.5 GB". What is neither a number of the language nor one of English stays, for the refusal to quote.
[[nodiscard]] QString typedNumber(const QString &typed);

} // namespace fleetwright
