// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/describedcommand.h"
#include "cli/helpformat.h"
#include "cli/output.h"
#include "cli/visibleoutput.h"
#include "exchange/commandline/completion.h"
#include "exchange/commandline/manualpages.h"
#include "exchange/commandline/markdownmanual.h"
#include "exchange/savefile.h"
#include "text/localized.h"

#include <QDir>

#include <iostream>

namespace fleetwright::cli {

namespace {

struct ManualOptions {
    std::string command, folder;
    bool markdown = false;
};

ExitStatus writePages(const std::vector<exchange::ManualPage> &pages, const std::string &folder)
{
    const QDir target(QString::fromStdString(folder));
    for (const auto &page : pages) {
        const auto path = target.filePath(QString::fromStdString(page.file));
        if (const auto saved = exchange::saveFile(QByteArray::fromStdString(page.text), path); !saved) {
            complain("", saved.error());
            return statusOf(saved.error());
        }
    }
    std::cout << "Wrote " << pages.size() << " pages into " << folder << ".\n";
    return ExitStatus::Done;
}

std::string said(const std::string &english) { return localized(english).toStdString(); }

ExitStatus giveManual(const ManualOptions &options, CLI::App &app)
{
    if (options.markdown) {
        const WordsAsTheyAre translated;
        std::cout << exchange::markdownManual(described(app, Wording::Translated),
            {.title = said("Every command and option"),
                .about = said("Made by `fleetwright-cli manual --markdown` of what the program reads its command line "
                              "with. [The command line](command-line.md) says what comes out."),
                .command = said("Command"),
                .does = said("What it does"),
                .commandName = placeholder("COMMAND"),
                .options = placeholder("OPTIONS"),
                .standard = said("Default"),
                .exitStatus = said("Exit status")});
        return ExitStatus::Done;
    }
    const auto program = described(app);
    const auto pages = exchange::manualPages(program, {FLEETWRIGHT_VERSION, FLEETWRIGHT_RELEASE_DATE, {"fleetwright"}});
    if (!options.folder.empty())
        return writePages(pages, options.folder);
    const auto file = program.name + (options.command.empty() ? "" : "-" + options.command) + ".1";
    const WordsAsTheyAre source;
    std::cout << std::ranges::find(pages, file, &exchange::ManualPage::file)->text;
    return ExitStatus::Done;
}

} // namespace

void addCompletionCommand(CLI::App &app, Action &chosen)
{
    auto *command = app.add_subcommand(
        "completion", "Print the script by which a shell completes commands, options and their values");
    const auto shell = std::make_shared<exchange::Shell>();
    std::vector<std::pair<std::string, exchange::Shell>> words;
    for (const auto one : exchange::allShells)
        words.emplace_back(toString(one), one);
    addChoice<exchange::Shell>(*command, "SHELL", *shell, words, "bash, zsh or fish")->required();
    command->footer("Packages install these scripts. Without a package, put the one of your shell where it looks for "
                    "them, or read it in a session.\nExit status: 0 printed; 2 no such shell.");
    addExamples(*command,
        {"completion bash > ~/.local/share/bash-completion/completions/fleetwright-cli",
            "completion zsh > ~/.zfunc/_fleetwright-cli",
            "completion fish > ~/.config/fish/completions/fleetwright-cli.fish"});
    command->callback([shell, &app, &chosen] {
        chosen = [shell, &app] {
            const WordsAsTheyAre script;
            std::cout << exchange::completionScript(described(app), *shell);
            return ExitStatus::Done;
        };
    });
}

void addManualCommand(CLI::App &app, Action &chosen)
{
    auto *command = app.add_subcommand("manual", "Print a manual page, as man (1) reads it");
    const auto options = std::make_shared<ManualOptions>();
    std::vector<std::string> names;
    for (const auto *other : app.get_subcommands([](const CLI::App *) { return true; }))
        names.push_back(other->get_name());
    auto *one = command
                    ->add_option("COMMAND", options->command, "The command that it is about; without one the program")
                    ->transform(oneOf(std::move(names)));
    auto *folder = command
                       ->add_option(
                           "--folder", options->folder, "Write the pages of all commands into this folder instead")
                       ->type_name(folderType)
                       ->excludes(one);
    command->add_flag("--markdown", options->markdown, "Print all of it as one page of Markdown instead")
        ->excludes(one)
        ->excludes(folder);
    command->footer("Exit status: 0 printed or written; 5 a file could not be written.");
    addExamples(*command,
        {"manual solve > fleetwright-cli-solve.1", "manual --folder /usr/local/share/man/man1",
            "manual --markdown > commands.md"});
    command->callback([options, &app, &chosen] { chosen = [options, &app] { return giveManual(*options, app); }; });
}

} // namespace fleetwright::cli
