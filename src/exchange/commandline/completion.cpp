// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/commandline/completion.h"

#include <algorithm>
#include <functional>

namespace fleetwright::exchange {

namespace {

/// In single quotes, as all three shells read them.
std::string shellQuoted(std::string_view text, Shell shell)
{
    std::string quoted = "'";
    for (const char c : text) {
        if (c == '\'')
            quoted += shell == Shell::Fish ? "\\'" : "'\\''";
        else if (c == '\\' && shell == Shell::Fish)
            quoted += "\\\\";
        else
            quoted += c;
    }
    return quoted + "'";
}

std::string joinedWords(const std::vector<std::string> &words, std::string_view between = " ")
{
    std::string all;
    for (const auto &word : words)
        all += (all.empty() ? "" : std::string(between)) + word;
    return all;
}

/// "_fleetwright_cli"
std::string functionName(const Command &program)
{
    auto name = "_" + program.name;
    std::ranges::replace(name, '-', '_');
    return name;
}

/// What fits beside a word in a list: the sentence up to where it goes into details.
std::string briefly(const std::string &meaning)
{
    auto end = std::min({meaning.find(": "), meaning.find("; "), meaning.find(" (")});
    return meaning.substr(0, end);
}

/// Every command with the words that lead to it: " catalog list".
using Visitor = std::function<void(const Command &command, const std::string &path)>;
void visit(const Command &command, const std::string &path, const Visitor &visitor)
{
    visitor(command, path);
    for (const auto &below : command.commands)
        visit(below, path + " " + below.name, visitor);
}

std::string bashKind(Completes completes, const char *otherwise)
{
    switch (completes) {
    case Completes::Files: return "files";
    case Completes::Folders: return "folders";
    case Completes::Nothing: break;
    }
    return otherwise;
}

/// One case of the options' values.
std::string bashValue(const CommandOption &option, const std::string &path)
{
    std::vector<std::string> patterns;
    for (const auto &name : option.names)
        patterns.push_back(shellQuoted(path + " " + name, Shell::Bash));
    auto line = "    " + joinedWords(patterns, " | ") + ") kind=" + bashKind(option.completes, "value");
    if (!option.words.empty())
        line += " words=" + shellQuoted(joinedWords(option.words), Shell::Bash);
    return line + (option.valueOptional ? " optional=1" : "") + " ;;\n";
}

/// One case of the commands: what may stand behind it.
std::string bashCommand(const Command &command, const std::string &path)
{
    std::vector<std::string> options, words;
    auto completes = Completes::Nothing;
    for (const auto &option : command.options)
        options.insert(options.end(), option.names.begin(), option.names.end());
    for (const auto &below : command.commands)
        words.push_back(below.name);
    for (const auto &argument : command.arguments) {
        words.insert(words.end(), argument.words.begin(), argument.words.end());
        completes = completes == Completes::Nothing ? argument.completes : completes;
    }
    return "    " + shellQuoted(path, Shell::Bash) + ") kind=" + bashKind(completes, "command")
        + " words=" + shellQuoted(joinedWords(words), Shell::Bash)
        + " options=" + shellQuoted(joinedWords(options), Shell::Bash) + " ;;\n";
}

std::string bashScript(const Command &program)
{
    std::string paths, values, commands;
    visit(program, {}, [&](const Command &command, const std::string &path) {
        if (!path.empty())
            paths += (paths.empty() ? "" : " | ") + shellQuoted(path, Shell::Bash);
        commands += bashCommand(command, path);
        for (const auto &option : command.options)
            if (!option.value.empty())
                values += bashValue(option, path);
    });
    const auto name = functionName(program);
    return name + R"(()
{
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local path='' kind='' words='' options='' optional='' i
    COMPREPLY=()
    # To bash "--format=json" is three words.
    if [[ $current == = ]]; then
        current=''
    elif [[ $before == = ]] && ((COMP_CWORD > 1)); then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    for ((i = 1; i < COMP_CWORD; ++i)); do
        case "$path ${COMP_WORDS[i]}" in
)" + (paths.empty() ? "" : "        " + paths + ") path=\"$path ${COMP_WORDS[i]}\" ;;\n")
        + R"(        *) break ;;
        esac
    done
    case "$path $before" in
)" + values
        + R"(    esac
    if [[ -z $kind || (-n $optional && $current == -*) ]]; then
        case $path in
)" + commands
        + R"(        esac
    fi
    if [[ $current == -* || (-z $words && $kind == command) ]]; then
        words+=" $options"
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    if [[ $current != -* && ($kind == files || $kind == folders) ]]; then
        compopt -o filenames 2>/dev/null
        local found=()
        if [[ $kind == files ]]; then
            mapfile -t found < <(compgen -f -- "$current")
        else
            mapfile -t found < <(compgen -d -- "$current")
        fi
        COMPREPLY+=("${found[@]}")
    fi
}
complete -F )"
        + name + " " + program.name + "\n";
}

/// Within [...] and between colons of a specification for _arguments.
std::string zshText(const std::string &text)
{
    std::string escaped;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':' || c == '\\')
            escaped += '\\';
        escaped += c;
    }
    return escaped;
}

std::string zshAction(const CommandOption &option)
{
    const std::string files = option.completes == Completes::Folders ? "_files -/" : "_files";
    if (option.words.empty())
        return option.completes == Completes::Nothing ? " " : files;
    const auto words = "(" + joinedWords(option.words) + ")";
    return option.completes == Completes::Nothing
        ? words
        : "{_alternative \"words\\:word\\:" + words + "\" \"files\\:file\\:" + files + "\"}";
}

std::string zshOption(const CommandOption &option)
{
    const auto &names = option.names;
    std::string value;
    if (!option.value.empty())
        value = (option.valueOptional ? "::" : ":") + zshText(option.value) + ":" + zshAction(option);
    const auto rest = shellQuoted("[" + zshText(briefly(option.meaning)) + "]" + value, Shell::Zsh);
    // A long option takes its value behind "=", too.
    const auto typed = [&](const std::string &name) {
        return name + (value.empty() ? "" : name.starts_with("--") ? "=" : "+");
    };
    const std::string repeats = option.repeats ? "*" : "";
    if (names.size() == 1)
        return (repeats.empty() ? "" : "'*'") + typed(names.front()) + rest;
    std::vector<std::string> all;
    for (const auto &name : names)
        all.push_back(typed(name));
    return (repeats.empty() ? shellQuoted("(" + joinedWords(names) + ")", Shell::Zsh) : "'*'") + "{"
        + joinedWords(all, ",") + "}" + rest;
}

std::string zshArgument(const CommandOption &argument, std::size_t place)
{
    const auto where = argument.repeats ? "*" : std::to_string(place);
    return shellQuoted(where + (argument.required || argument.repeats ? ":" : "::") + zshText(argument.names.front())
            + ":" + zshAction(argument),
        Shell::Zsh);
}

void zshCommand(std::string &text, const Command &command, const std::string &function)
{
    text += function + "()\n{\n    local curcontext=$curcontext state line ret=1\n    typeset -A opt_args\n"
        + (command.commands.empty() ? "    _arguments -s -S" : "    _arguments -s -S -C");
    for (const auto &option : command.options)
        text += " \\\n        " + zshOption(option);
    for (std::size_t i = 0; i < command.arguments.size(); ++i)
        text += " \\\n        " + zshArgument(command.arguments[i], i + 1);
    if (command.commands.empty()) {
        text += "\n}\n";
        return;
    }
    text += " \\\n        '1: :->command' '*:: :->rest' && ret=0\n    case $state in\n    command)\n"
            "        local commands=(\n";
    for (const auto &below : command.commands)
        text += "            " + shellQuoted(below.name + ":" + briefly(below.summary), Shell::Zsh) + "\n";
    text +=
        "        )\n        _describe -t commands command commands && ret=0 ;;\n    rest)\n        case $line[1] in\n";
    std::vector<std::pair<const Command *, std::string>> functions;
    for (const auto &below : command.commands) {
        auto name = function + "_" + below.name;
        std::ranges::replace(name, '-', '_');
        text += "        " + below.name + ") " + name + " && ret=0 ;;\n";
        functions.emplace_back(&below, std::move(name));
    }
    text += "        esac ;;\n    esac\n    return ret\n}\n";
    for (const auto &[below, name] : functions)
        zshCommand(text, *below, name);
}

std::string zshScript(const Command &program)
{
    const auto name = "_" + program.name; // as the file is called
    auto text = "#compdef " + program.name + "\n";
    zshCommand(text, program, name);
    // Loaded by compinit the file is the function's first call, which must complete, too; sourced it only registers.
    return text + "if [[ $funcstack[1] == " + name + " ]]; then\n    " + name + " \"$@\"\nelse\n    compdef " + name
        + " " + program.name + "\nfi\n";
}

/// `start` of a line after a condition, `behind` of one after it and this word.
std::string fishOption(const CommandOption &option, const std::string &start,
    const std::function<std::string(const std::string &)> &behind)
{
    auto line = start;
    for (const auto &name : option.names)
        line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    line += " -d " + shellQuoted(briefly(option.meaning), Shell::Fish);
    if (option.valueOptional) {
        // To fish such a value stands behind "=" alone; behind the option anything else may, too.
        const auto words = " -a " + shellQuoted(joinedWords(option.words), Shell::Fish);
        line += words;
        for (const auto &name : option.names)
            line += "\n" + behind(name) + words;
    } else if (!option.value.empty()) {
        line += option.completes == Completes::Files ? " -r -F" : " -x";
        if (option.completes == Completes::Folders)
            line += " -a '(__fish_complete_directories)'";
        if (!option.words.empty())
            line += " -a " + shellQuoted(joinedWords(option.words), Shell::Fish);
    }
    return line + "\n";
}

std::string fishScript(const Command &program)
{
    auto function = "_" + functionName(program) + "_at";
    std::string paths, lines;
    visit(program, {}, [&](const Command &command, const std::string &path) {
        if (!path.empty())
            paths += " " + shellQuoted(path, Shell::Fish);
        const auto startIf = [&](const std::string &condition) {
            return "complete -c " + program.name + " -n " + shellQuoted(condition, Shell::Fish);
        };
        const auto here = function + " '" + path + "'";
        const auto start = startIf(here);
        const auto behind = [&](const std::string &word) {
            return startIf(here + "; and string match -q -- " + word + " (commandline -opc)[-1]");
        };
        for (const auto &below : command.commands)
            lines += start + " -a " + below.name + " -d " + shellQuoted(briefly(below.summary), Shell::Fish) + "\n";
        for (const auto &argument : command.arguments) {
            if (!argument.words.empty())
                lines += start + " -a " + shellQuoted(joinedWords(argument.words), Shell::Fish) + "\n";
            if (argument.completes == Completes::Files)
                lines += start + " -F\n";
        }
        for (const auto &option : command.options)
            lines += fishOption(option, start, behind);
    });
    return "function " + function + R"(
    set -l words (commandline -opc)
    set -l path ''
    for word in $words[2..-1]
        contains -- "$path $word")"
        + paths + R"(; or break
        set path "$path $word"
    end
    test "$path" = "$argv[1]"
end
complete -c )"
        + program.name + " -f\n" + lines;
}

} // namespace

std::string_view toString(Shell shell)
{
    switch (shell) {
    case Shell::Bash: return "bash";
    case Shell::Zsh: return "zsh";
    case Shell::Fish: return "fish";
    }
    return {};
}

std::optional<Shell> findShell(std::string_view word)
{
    const auto *shell = std::ranges::find(allShells, word, &toString);
    return shell == allShells.end() ? std::nullopt : std::optional(*shell);
}

std::string completionScript(const Command &program, Shell shell)
{
    const auto header = "Completion of " + program.name + " for " + std::string(toString(shell))
        + ", made by the program from its own table of options.\n";
    switch (shell) {
    case Shell::Bash: return "# " + header + bashScript(program);
    case Shell::Zsh: return zshScript(program);
    case Shell::Fish: return "# " + header + fishScript(program);
    }
    return {};
}

} // namespace fleetwright::exchange
