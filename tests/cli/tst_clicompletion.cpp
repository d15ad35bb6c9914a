// SPDX-License-Identifier: GPL-3.0-or-later
// The shells themselves complete lines by the scripts that the program prints.
#include "cli/clihelp.h"
#include "cli/clitesting.h"
#include "testing/registry.h"

#include <QDir>
#include <QStandardPaths>
#include <QTest>

using namespace Qt::StringLiterals;
using clirunner::Run;

class TestCliCompletion : public QObject, clitesting::CliFixture {
    Q_OBJECT

    QString m_script;

    void need(const QString &shell)
    {
        const auto printed = clirunner::run({u"completion"_s, shell});
        QCOMPARE(printed.status, 0);
        QVERIFY(printed.err.isEmpty());
        m_script = file(u"script"_s, printed.out);
        file(u"plan.yaml"_s, clitesting::smallPlan);
        file(u"two words.yaml"_s, clitesting::smallPlan);
        QVERIFY(QDir(m_folder->path()).mkpath(u"documents"_s));
    }

    /// A shell's answer, one word a line.
    [[nodiscard]] QStringList answer(const QString &shell, const QString &program) const
    {
        QProcess process;
        process.setWorkingDirectory(m_folder->path());
        process.start(shell, {u"-c"_s, program});
        const auto done = clirunner::finished(process);
        if (done.status != 0 || !done.err.isEmpty())
            return {QString::fromUtf8("failed: " + done.err + done.out)};
        return QString::fromUtf8(done.out).split(u'\n', Qt::SkipEmptyParts);
    }
    /// What bash offers for these words, the last of which is being typed.
    [[nodiscard]] QStringList bash(const QStringList &words) const
    {
        QStringList quoted;
        for (const auto &word : words)
            quoted << u'\'' + word + u'\'';
        return answer(u"bash"_s,
            u"source %1; COMP_WORDS=(%2); COMP_CWORD=%3; _fleetwright_cli; printf '%s\\n' \"${COMPREPLY[@]}\""_s
                .arg(m_script, quoted.join(u' '))
                .arg(words.size() - 1));
    }
    static bool isHere(const QString &program) { return !QStandardPaths::findExecutable(program).isEmpty(); }

    static void lines()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QStringList>("offered");
        const auto row = [](const char *name, const QStringList &words, const QStringList &offered) {
            QTest::newRow(name) << words << offered;
        };
        row("command", {u"ca"_s}, {u"catalog"_s, u"calibrate"_s});
        row("command below", {u"catalog"_s, u"im"_s}, {u"import"_s, u"import-hf"_s});
        row("option", {u"solve"_s, u"--cost"_s}, {u"--cost-model"_s});
        row("option after an argument", {u"catalog"_s, u"list"_s, u"nodes"_s, u"--fo"_s}, {u"--format"_s});
        row("word of an option", {u"launch"_s, u"plan.yaml"_s, u"--for"_s, u"megatron"_s},
            {u"megatron-lm"_s, u"megatron-bridge"_s});
        row("word of an argument", {u"catalog"_s, u"export"_s, u"acc"_s}, {u"accelerators"_s});
        row("cost model", {u"compare"_s, u"plan.yaml"_s, u"--cost-model"_s, u"first"_s}, {u"first-order"_s});
        row("file of an argument", {u"solve"_s, u"pl"_s}, {u"plan.yaml"_s});
        row("file of an option", {u"solve"_s, u"--project"_s, u"pl"_s}, {u"plan.yaml"_s});
        row("shell", {u"completion"_s, u"z"_s}, {u"zsh"_s});
        row("page", {u"manual"_s, u"plan-"_s}, {u"plan-from"_s});
    }

private slots:
    void init() { makeFolder(); }

    void bashCompletes_data() { lines(); }
    void bashCompletes()
    {
        QFETCH(QStringList, words);
        QFETCH(QStringList, offered);
        need(u"bash"_s);
        auto found = bash(QStringList{u"fleetwright-cli"_s} + words);
        found.sort();
        offered.sort();
        QCOMPARE(found, offered);
    }
    void bashKnowsWhereItIs()
    {
        need(u"bash"_s);
        QCOMPARE(bash({u"fleetwright-cli"_s, u"solve"_s, u"--format"_s, u"="_s, u"js"_s}), QStringList{u"json"_s});
        QCOMPARE(bash({u"fleetwright-cli"_s, u"solve"_s, u"--format"_s, u"="_s}),
            (QStringList{u"table"_s, u"json"_s, u"csv"_s}));
        QCOMPARE(bash({u"fleetwright-cli"_s, u"solve"_s, u"--goal"_s, {}}), QStringList()); // nobody knows
        QCOMPARE(bash({u"fleetwright-cli"_s, u"project"_s, u"export"_s, u"p"_s, u"-o"_s, {}}),
            QStringList{u"documents"_s}); // folders alone
        QVERIFY(bash({u"fleetwright-cli"_s, u"project"_s, u"new"_s, u"p"_s, u"--sample"_s, u"--h"_s})
                    .contains(u"--help"_s)); // its value may be left out
        QCOMPARE(bash({u"fleetwright-cli"_s, u"solve"_s, u"two"_s}), QStringList{u"two words.yaml"_s});
    }
    /// No second list of options: what a help names is offered, and nothing else.
    void bashOffersWhatTheHelpNames()
    {
        need(u"bash"_s);
        const auto all = clihelp::allHelp();
        QVERIFY(all.size() > 30);
        auto program = u"source %1\n"_s.arg(m_script);
        for (const auto &command : all)
            program += u"COMP_WORDS=(fleetwright-cli %1 -); COMP_CWORD=%2; _fleetwright_cli; echo ${COMPREPLY[@]}\n"_s
                           .arg(command.path.join(u' '))
                           .arg(command.path.size() + 1);
        const auto answers = answer(u"bash"_s, program);
        QCOMPARE(answers.size(), all.size());
        for (qsizetype i = 0; i < all.size(); ++i) {
            auto offered = answers[i].split(u' ');
            auto helped = all[i].options;
            offered.sort();
            helped.sort();
            QVERIFY2(offered == helped, qPrintable(all[i].path.join(u' ') + u": "_s + offered.join(u' ')));
        }
    }

    void fishCompletes_data() { lines(); }
    void fishCompletes()
    {
        QFETCH(QStringList, words);
        QFETCH(QStringList, offered);
        if (!isHere(u"fish"_s))
            QSKIP("fish is not installed");
        need(u"fish"_s);
        auto found = answer(
            u"fish"_s, u"source %1; complete -C 'fleetwright-cli %2'"_s.arg(m_script, words.join(u' ')));
        for (auto &line : found)
            line = line.section(u'\t', 0, 0);
        found.sort();
        offered.sort();
        QCOMPARE(found, offered);
    }

    /// The name of a sample may be left out: what stands behind the option is one, or the file.
    void fishOffersAValueThatMayBeLeftOut()
    {
        if (!isHere(u"fish"_s))
            QSKIP("fish is not installed");
        need(u"fish"_s);
        const auto offered = [&](const QString &line) {
            auto found = answer(u"fish"_s, u"source %1; complete -C 'fleetwright-cli %2'"_s.arg(m_script, line));
            for (auto &each : found)
                each = each.section(u'\t', 0, 0);
            return found;
        };
        const auto behind = offered(u"project new --sample "_s);
        QVERIFY2(behind.contains(u"tutorial"_s), qPrintable(behind.join(u' ')));
        QVERIFY2(behind.contains(u"plan.yaml"_s), qPrintable(behind.join(u' ')));
        QCOMPARE(offered(u"project new --sample tu"_s), QStringList{u"tutorial"_s});
        QCOMPARE(offered(u"project new --sample=tu"_s), QStringList{u"--sample=tutorial"_s});
        QCOMPARE(offered(u"project new pl"_s), QStringList{u"plan.yaml"_s}); // no sample in the place of the file
    }

    void zshCompletes_data() { lines(); }
    /// In a terminal of its own, with the keys that people press.
    void zshCompletes()
    {
        QFETCH(QStringList, words);
        QFETCH(QStringList, offered);
        if (!isHere(u"zsh"_s))
            QSKIP("zsh is not installed");
        need(u"zsh"_s);
        const auto folder = m_folder->path();
        QVERIFY(QDir(folder).mkpath(u"functions"_s));
        QVERIFY(QFile::copy(m_script, m_folder->filePath(u"functions/_fleetwright-cli"_s)));
        const bool sourced = words.size() == 1; // else found by its name, as packages install it
        const auto load = sourced ? u"compinit -u -d '%1/dump'; source '%2'"_s.arg(folder, m_script)
                                  : u"fpath=('%1/functions' $fpath); compinit -u -d '%1/dump'"_s.arg(folder);
        const auto driver = u"zmodload zsh/zpty\n"
                            "zpty z zsh -f -i\n"
                            "until_seen() { local chunk; for i in {1..600}; do\n"
                            "    while zpty -rt z chunk; do seen+=$chunk; done\n"
                            "    [[ $seen == *$1* ]] && return 0; sleep 0.05; done; return 1 }\n"
                            "zpty -w z \"PROMPT=; cd '%1'; stty cols 300; autoload -Uz compinit; bindkey -e\"\n"
                            "zpty -w z \"%2; print RE''ADY\"\n"
                            "seen=; until_seen READY || { print -r -- \"no shell: $seen\"; exit 1 }\n"
                            // The first line loads the script; another follows when that one was given up.
                            "seen=; zpty -w -n z 'fleetwright-cli comple'$'\\t'\n"
                            "until_seen completion || { print -r -- \"no first: $seen\"; exit 1 }\n"
                            "seen=; zpty -w -n z $'\\x15''fleetwright-cli %3'$'\\t\\t'\n"
                            "for word in %4; do until_seen $word || { print -r -- \"no $word: $seen\"; exit 1 }; done\n"
                            "zpty -d z; print found\n"_s.arg(folder, load, words.join(u' '), offered.join(u' '));
        QCOMPARE(answer(u"zsh"_s, driver), QStringList{u"found"_s});
    }

    void refusesOtherShells()
    {
        const auto refused = clirunner::run({u"completion"_s, u"csh"_s});
        QCOMPARE(refused.status, 2);
        QVERIFY2(refused.err.contains("\u201ccsh\u201d must be bash, zsh or fish"), refused.err);
    }
};

FLEETWRIGHT_TEST(TestCliCompletion)
#include "tst_clicompletion.moc"
