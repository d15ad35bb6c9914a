// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/helpformat.h"

#include "cli/displaywidth.h"
#include "text/localizedparts.h"
#include "text/utf8.h"

#include <QRegularExpression>

namespace fleetwright::cli {

std::string valueType(const CLI::Option &option)
{
    const auto type = option.get_type_name();
    return type.substr(0, type.find(':'));
}

std::string placeholder(const std::string &english)
{
    static const QRegularExpression word(QStringLiteral("[A-Z]{2,}"));
    auto text = utf8(english);
    for (auto match = word.match(text); match.hasMatch();) {
        const auto said = localizedWord(match.captured());
        text.replace(match.capturedStart(), match.capturedLength(), said);
        match = word.match(text, match.capturedStart() + said.size());
    }
    return text.toStdString();
}

std::string shownName(const CLI::Option &option)
{
    const auto name = option.get_name();
    return name.starts_with('-') ? name : placeholder(name);
}

std::string HelpFormat::make_option_name(const CLI::Option *option, bool isArgument) const
{
    const auto name = Formatter::make_option_name(option, isArgument);
    return isArgument ? placeholder(name) : name.substr(0, name.find('{')); // "--no-validation{false}"
}

std::string HelpFormat::make_option_opts(const CLI::Option *option) const
{
    auto text = Formatter::make_option_opts(option);
    const auto type = ' ' + option->get_type_name();
    if (type.size() > 1 && text.starts_with(type))
        text.replace(0, type.size(), option->get_positional() ? std::string() : ' ' + placeholder(valueType(*option)));
    if (const auto standard = '=' + option->get_default_str(); option->get_required() && standard.size() > 1)
        if (const auto at = text.find(standard); at != std::string::npos)
            text.erase(at, standard.size());
    for (const auto &others : {option->get_needs(), option->get_excludes()})
        for (const auto *other : others)
            if (const auto name = ' ' + other->get_name(), shown = ' ' + shownName(*other); name != shown)
                if (const auto at = text.find(name); at != std::string::npos)
                    text.replace(at, name.size(), shown);
    return text;
}

std::string HelpFormat::make_option(const CLI::Option *option, bool isArgument) const
{
    const auto left = "  " + make_option_name(option, isArgument) + make_option_opts(option);
    const auto width = displayWidth(left);
    if (width == left.size() || width >= column_width_)
        return Formatter::make_option(option, isArgument);
    auto line = left + std::string(column_width_ - width, ' '); // the library counts bytes
    for (const char c : make_option_desc(option))
        line += c == '\n' ? '\n' + std::string(column_width_, ' ') : std::string(1, c);
    return line + '\n';
}

} // namespace fleetwright::cli
