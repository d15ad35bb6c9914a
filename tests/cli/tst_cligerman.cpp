// SPDX-License-Identifier: GPL-3.0-or-later
// The command line in German: what people read is, what programs read is the same in every language.
#include "cli/clihelp.h"
#include "testing/malformedyaml.h"
#include "testing/registry.h"
#include "testing/shippednames.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace {

using clirunner::Run;

Run runIn(const QByteArray &language, const QStringList &arguments, const QByteArray &input = {})
{
    qputenv("FLEETWRIGHT_LANGUAGE", language);
    auto told = clirunner::run(arguments, input);
    qunsetenv("FLEETWRIGHT_LANGUAGE");
    return told;
}

constexpr const char *plan =
    "fleetwright: 1\nname: small\nworkload: llama3_1_8b\n"
    "fleet: {node: nvidia_dgx_h100, nodes: 4, fabric: ib_ndr}\nparallelism: {tp: 8}\n"
    "training: {global_batch: 256, microbatch_count: 16, seq_len: 2048, precision: fp16}\ncost_model: detailed\n";

/// Lines with words that English sentences hold and German ones do not; what is typed is shown as it is typed.
QStringList englishLines(const QByteArray &text)
{
    static const QRegularExpression words(
        u"\\b(the|of|and|is|are|with|to|not|this|that|which|by|at|than|each|its|for|from|one)\\b"_s),
        typed(u"^  fleetwright-cli.*|--?[a-z-]+|\\{[^}]*\\}|\u201e[^\u201c]*\u201c|plan-from|[\\w-]+\\.md\\)"_s);
    QStringList left;
    for (auto line : QString::fromUtf8(text).split(u'\n'))
        if (const auto bare = QString(line).remove(typed); bare.contains(words))
            left << line;
    return left;
}

/// What no German line holds outside quotations: English marks of quotation, a decimal point, a large count without
/// gaps.
QStringList wronglyWrittenIn(const QString &line)
{
    static const QRegularExpression quotation(u"\u201e[^\u201c\u201d]*\u201c"_s),
        wrong(u"(?<!Token per parameter)\u201d|(?<=[ (])0\\.\\d{2,}(?=[ ;,)]|$)|^[-\u2212]?\\d+\\.\\d+$|\\d\\.\\d+(?= "
              u"\\*|-mal)|"
              "(?<![\\w,.\\-/])\\d{5,}(?= \\p{L})|\\d tCO2e|files\\["_s);
    QStringList found;
    for (auto all = wrong.globalMatch(QString(line).remove(quotation)); all.hasNext();)
        found << all.next().captured();
    return found;
}

} // namespace

class TestCliGerman : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    [[nodiscard]] QString write(const QString &name, const QByteArray &content) const
    {
        QFile file(m_folder.filePath(name));
        if (file.open(QIODevice::WriteOnly))
            file.write(content);
        return file.fileName();
    }

private slots:
    void help()
    {
        QStringList left;
        for (const auto &command : clihelp::allHelp()) {
            const auto told = runIn("de", command.path + QStringList{u"--help"_s});
            QCOMPARE(told.status, 0);
            QVERIFY2(told.out.contains("Aufruf: fleetwright-cli"), told.out);
            for (const auto &line : englishLines(told.out))
                left << command.path.join(u' ') + u": "_s + line;
        }
        QVERIFY2(left.isEmpty(), qPrintable(left.join(u'\n')));
    }

    /// Examples, keys and the words of lists are typed: they are the same in every language, and they are there.
    void typedWordsStay()
    {
        const auto lines = [](const QByteArray &help) {
            return QString::fromUtf8(help).split(u'\n').filter(QRegularExpression(u"^  fleetwright-cli "_s));
        };
        const auto keys = [](const QByteArray &text) {
            auto found = clihelp::matches(u"(?<![\\w.-])([a-z0-9]+(?:_[a-z0-9]+)+)(?!\\w)"_s, QString::fromUtf8(text));
            found.sort();
            return found;
        };
        const auto commands = clihelp::allHelp();
        for (const auto &command : commands) {
            const auto path = command.path + QStringList{u"--help"_s};
            const auto english = runIn("en", path), german = runIn("de", path);
            QCOMPARE(lines(german.out), lines(english.out));
            QCOMPARE(keys(german.out), keys(english.out));
            for (const auto &line : lines(german.out)) {
                const auto words =
                    line.section(QRegularExpression(u"[<>|]"_s), 0, 0).simplified().split(u' ').sliced(1);
                const auto typed = std::ranges::max_element(commands, {}, [&](const clihelp::HelpedCommand &of) {
                    return of.path.isEmpty() || of.path == words.first(std::min(of.path.size(), words.size()))
                        ? of.path.size()
                        : -1;
                });
                QVERIFY2(!typed->path.isEmpty(), qPrintable(line));
                for (const auto &word : words)
                    QVERIFY2(!word.startsWith(u"--"_s) || typed->options.contains(word.section(u'=', 0, 0)),
                        qPrintable(line));
            }
        }
    }

    void refusalsNameWhatIsTyped_data()
    {
        constexpr const char *decision =
            "fleetwright: 1\ndecision: small\njobs: [{workload: llama3_1_8b, tokens: 1e12, "
            "training: {global_batch: 256, seq_len: 2048, precision: bf16}}]\n";
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("input");
        QTest::addColumn<QStringList>("words");
        QTest::newRow("objective of a size")
            << QStringList{u"size"_s, u"-"_s, u"--objective"_s, u"cheap"_s} << QByteArray(decision)
            << QStringList{u"run_cost"_s, u"days"_s, u"capital"_s, u"ownership_cost"_s, u"carbon"_s, u"energy"_s};
        QTest::newRow("objective of a search")
            << QStringList{u"search"_s, u"-"_s, u"--objective"_s, u"cheapest"_s} << QByteArray(plan)
            << QStringList{u"step_time"_s, u"tokens_per_second"_s, u"mfu"_s, u"memory_headroom"_s, u"cost_per_token"_s};
        QTest::newRow("the one that was meant")
            << QStringList{u"search"_s, u"-"_s, u"--objective"_s, u"Token_per_second"_s} << QByteArray(plan)
            << QStringList{u"tokens_per_second"_s};
        QTest::newRow("format") << QStringList{u"solve"_s, u"-"_s, u"--format"_s, u"x"_s} << QByteArray(plan)
                                << QStringList{u"table"_s, u"json"_s, u"csv"_s};
        QTest::newRow("a day") << QStringList{u"offers"_s, u"compare"_s, u"-"_s, u"--as-of"_s, u"31.12.2026"_s}
                               << QByteArray() << QStringList{u"2027-03-31"_s};
        QTest::newRow("a day of a document")
            << QStringList{u"size"_s, u"-"_s} << QByteArray(decision) + "order: 01.12.2026\n"
            << QStringList{u"2027-03-01"_s};
        QTest::newRow("the only command")
            << QStringList{u"offers"_s, u"foo"_s} << QByteArray() << QStringList{u"compare"_s};
        QTest::newRow("a command") << QStringList{u"manual"_s, u"foo"_s} << QByteArray()
                                   << QStringList{u"solve"_s, u"compare"_s, u"report"_s};
    }
    void refusalsNameWhatIsTyped()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, input);
        QFETCH(QStringList, words);
        const auto english = runIn("en", arguments, input), german = runIn("de", arguments, input);
        QCOMPARE(german.status, english.status);
        QVERIFY(german.status != 0);
        for (const auto &word : words) {
            const QRegularExpression whole(u"(?<![\\w-])"_s + word + u"(?![\\w-])"_s);
            QVERIFY2(QString::fromUtf8(english.err).contains(whole), english.err);
            QVERIFY2(QString::fromUtf8(german.err).contains(whole), german.err);
        }
        QVERIFY2(englishLines(german.err).isEmpty(), german.err);
    }

    void answers()
    {
        const auto told = runIn("de", {u"solve"_s, u"-"_s}, plan);
        QCOMPARE(told.status, 0);
        for (const char *words : {"Schrittzeit", "Speicher", "Machbar", " ja"})
            QVERIFY2(told.out.contains(words), told.out);
        QVERIFY2(QString::fromUtf8(told.out).contains(QRegularExpression(u"\\d,\\d"_s)), told.out); // decimal comma
    }

    void refusals()
    {
        const auto told = runIn("de", {u"solve"_s, u"-"_s}, QByteArray(plan).replace("tp: 8", "tp: -8"));
        QCOMPARE(told.status, 3);
        QVERIFY2(told.err.contains("parallelism.tp") && englishLines(told.err).isEmpty(), told.err);
        const auto unknown = runIn("de", {u"solve"_s, u"--nothing"_s});
        QCOMPARE(unknown.status, 2);
        QVERIFY2(englishLines(unknown.err).isEmpty(), unknown.err);
    }

    /// What the library says of them is English, and about its own parts.
    void malformedDocuments_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const auto &row : malformedyaml::documents)
            QTest::newRow(row.what) << QByteArray(row.text);
        QTest::newRow("JSON that ends") << QByteArray("{\"name\": \"a\"");
        QTest::newRow("JSON without a comma") << QByteArray("{\"name\": \"a\" \"b\"}");
        QTest::newRow("JSON with a control character") << QByteArray("{\"name\": \"a\nb\"}");
    }
    void malformedDocuments()
    {
        QFETCH(QByteArray, text);
        for (const char *language : {"en", "de"}) {
            const auto told = runIn(language, {u"solve"_s, u"-"_s}, text);
            QCOMPARE(told.status, 3);
            for (const auto *words : malformedyaml::wordsOfTheLibrary)
                QVERIFY2(!told.err.contains(words), told.err);
            QVERIFY2(language == QByteArray("en") || englishLines(told.err).isEmpty(), told.err);
        }
    }

    /// Whose name and reason stand in places of the sentence.
    void refusedFiles()
    {
        for (const auto &path : {m_folder.path(), m_folder.filePath(u"none"_s)}) {
            const auto told = runIn("de", {u"solve"_s, u"--project"_s, path, u"--plan"_s, u"a"_s});
            QVERIFY2(told.status != 0 && englishLines(told.err).isEmpty(), told.err);
            QVERIFY2(told.err.contains("Projekt"), told.err);
        }
    }

    /// What the main commands say of the samples. `samples`: their folder, with their documents below.
    void samples_data()
    {
        QTest::addColumn<QString>("sample");
        QTest::addColumn<QStringList>(
            "arguments"); // "%plan": the first document whose file is called so, "%": its report
        const auto add = [](const char *sample, const QStringList &arguments) {
            QTest::addRow("%s: %s", sample, qPrintable(arguments.join(u' ')))
                << QString::fromLatin1(sample) << arguments;
        };
        const auto plan = u"%plan-512-DGX-B200-gekauft"_s, rented = u"%plan-512-DGX-B200-reserviert"_s;
        add("decision", {u"solve"_s, plan});
        add("decision", {u"solve"_s, rented});
        add("decision", {u"solve"_s, plan, u"--cost-model"_s, u"first-order"_s});
        add("decision", {u"solve"_s, plan, u"--seek"_s, u"fleet.nodes"_s, u"--goal"_s, u"run_time_s=30d"_s});
        add("decision", {u"compare"_s, plan, rented, u"--cost-model"_s, u"detailed"_s, u"--details"_s});
        for (const auto &key : {u"step_time_s"_s, u"memory.total_bytes"_s, u"run_cost_usd"_s, u"goodput"_s, u"mfu"_s})
            add("decision", {u"compare"_s, plan, u"--cost-model"_s, u"detailed"_s, u"--explain"_s, key});
        for (const auto &what : {u"operators"_s, u"collectives"_s, u"memory"_s, u"schedule"_s, u"costs"_s})
            add("decision", {u"explain"_s, plan, u"--what"_s, what});
        add("decision", {u"search"_s, plan, u"--why-not"_s, u"tp=8,pp=4,recompute=full"_s, u"--sensitivity"_s});
        add("decision", {u"fleet"_s, plan, u"--rows"_s});
        add("decision", {u"size"_s, u"%decision-"_s});
        add("tutorial", {u"solve"_s, u"%plan-TP-4-PP-4"_s});
        add("tutorial", {u"sweep"_s, u"%sweep-Leerlauf-gegen"_s});
        add("tutorial", {u"sweep"_s, u"%sweep-Effizienz"_s});
        add("decision", {u"validate"_s, u"--worst"_s, u"3"_s});
        add("decision", {u"validate"_s, u"--costs"_s});
        add("ten-megawatts", {u"report"_s, u"--audience"_s, u"board"_s, u"-o"_s, u"%"_s});
        for (const auto &audience : {u"board"_s, u"finance"_s, u"technical"_s})
            add("decision", {u"report"_s, u"--audience"_s, audience, u"-o"_s, u"%"_s});
        add("tutorial", {u"report"_s, u"--audience"_s, u"technical"_s, u"-o"_s, u"%"_s});
    }
    void samples()
    {
        QFETCH(QString, sample);
        QFETCH(QStringList, arguments);
        static const fleetwright::testing::ShippedNames shipped(QStringLiteral(FLEETWRIGHT_CATALOG "/.."));
        const auto project = m_folder.filePath(sample + u".fleetwright"_s), documents = m_folder.filePath(sample);
        if (!QFile::exists(project)) {
            QCOMPARE(runIn("de", {u"project"_s, u"new"_s, project, u"--sample"_s, sample}).status, 0);
            QCOMPARE(runIn("de", {u"project"_s, u"export"_s, project, u"-o"_s, documents}).status, 0);
        }
        const auto report = m_folder.filePath(u"report.html"_s);
        QFile::remove(report);
        for (auto &argument : arguments)
            if (argument == u"%"_s)
                argument = report;
            else if (argument.startsWith(u'%')) {
                const auto found = QDir(documents).entryList({argument.sliced(1) + u'*'}, QDir::Files);
                QVERIFY2(!found.isEmpty(), qPrintable(QDir(documents).entryList(QDir::Files).join(u' ')));
                argument = QDir(documents).filePath(found.first());
            }
        if (arguments.first() == u"report"_s)
            arguments.insert(1, project);
        const auto told = runIn("de", arguments);
        QVERIFY2(told.status == 0 || told.status == 4, told.err);
        auto shown = QString::fromUtf8(told.out + told.err);
        if (arguments.first() == u"report"_s) {
            QFile file(report);
            QVERIFY(file.open(QIODevice::ReadOnly));
            static const QRegularExpression style(
                u"<style>.*?</style>"_s, QRegularExpression::DotMatchesEverythingOption),
                ends(u"</(?:p|td|th|li|h\\d|caption|figcaption|a|text|title)>"_s), tags(u"<[^>]*>"_s);
            shown = QString::fromUtf8(file.readAll()).remove(style).replace(ends, u"\n"_s).remove(tags);
            shown.replace(u"&quot;"_s, u"\""_s).replace(u"&lt;"_s, u"<"_s).replace(u"&gt;"_s, u">"_s);
            shown.replace(u"&amp;"_s, u"&"_s);
        }
        QStringList left;
        // Formulas are typed, and published costs have names of their own.
        const bool hasFormulas = arguments.contains(u"costs"_s) || arguments.contains(u"--rows"_s),
                   hasNames = arguments.contains(u"--costs"_s);
        for (const auto &line : shown.split(u'\n'))
            if (const auto faults = (hasNames ? QString() : shipped.englishBeside(line))
                    + (hasFormulas ? QString() : wronglyWrittenIn(line).join(u' '));
                !faults.isEmpty())
                left << faults + u": "_s + line.simplified().left(400);
        left.removeDuplicates();
        for (const auto &line : left)
            qWarning().noquote() << line;
        QVERIFY2(left.isEmpty(), qPrintable(QString::number(left.size())));
    }

    /// What the window says of items in words is said here, too.
    void catalogs()
    {
        const auto holds = [](const QStringList &arguments, std::initializer_list<const char *> words) {
            const auto told = runIn("de", QStringList{u"catalog"_s, u"list"_s} + arguments);
            QCOMPARE(told.status, 0);
            for (const char *word : words)
                QVERIFY2(told.out.contains(word), word);
            for (const char *english : {" shipping ", " legacy ", " generic ", "fraction of", " hours ", " per byte"})
                QVERIFY2(!told.out.contains(english), english);
        };
        holds({u"accelerators"_s}, {"lieferbar", "(eine Blackwell-GPU des Superchips)"});
        holds({u"network_gear"_s}, {"herstellerneutral"});
        holds({u"economics_reliability_defaults"_s}, {"Anteil der Laufzeit", "pJ je Byte"});
        holds({u"prices"_s}, {"USD je Rack und Monat"});
        QVERIFY(runIn("en", {u"catalog"_s, u"list"_s, u"accelerators"_s}).out.contains(" shipping ")); // as it is typed
    }

    /// A set of a sample is found by its English name, which the examples of the help have.
    void setsOfSamplesAreFoundByEitherName()
    {
        const auto project = m_folder.filePath(u"sets.fleetwright"_s), folder = m_folder.filePath(u"sets"_s);
        QCOMPARE(runIn("de", {u"project"_s, u"new"_s, project, u"--sample"_s}).status, 0);
        const QStringList write{u"report"_s, project, u"--set"_s, u"Board paper"_s, u"-o"_s, folder + u'/'};
        const auto nowhere = runIn("de", write); // the folder is not there
        QVERIFY2(nowhere.status != 0 && nowhere.err.contains("board.pdf"), nowhere.err);
        QVERIFY2(wronglyWrittenIn(QString::fromUtf8(nowhere.err)).isEmpty(), nowhere.err);
        QVERIFY(QDir().mkpath(folder));
        const auto told = runIn("de", write);
        QVERIFY2(told.status == 0 && QDir(folder).exists(u"board.pdf"_s), told.err);
        const auto unknown = runIn("de", {u"report"_s, project, u"--set"_s, u"Some paper"_s, u"-o"_s, folder + u'/'});
        QVERIFY2(unknown.status != 0 && englishLines(unknown.err).isEmpty(), unknown.err);
        QVERIFY2(wronglyWrittenIn(QString::fromUtf8(unknown.err)).isEmpty(), unknown.err);
    }

    /// What is typed or sold, and what people call their plans, is called so in every language.
    void namesStay()
    {
        const auto kinds = runIn("de", {u"catalog"_s, u"list"_s});
        for (const char *kind : {"\naccelerators ", "\nnodes ", "\nworkloads "})
            QVERIFY2(kinds.out.contains(kind), kinds.out);
        const auto named = QByteArray(plan).replace("name: small", "name: Best fleet, owned");
        const auto told = runIn("de", {u"solve"_s, u"-"_s}, named);
        QCOMPARE(told.out.count("Best fleet, owned"), 2); // in the table, and above its details
    }

    /// Columns are counted in letters.
    void meaningsStandBelowEachOther()
    {
        const auto help = QString::fromUtf8(runIn("de", {u"sweep"_s, u"--help"_s}).out);
        static const QRegularExpression line(u"^(  -+\\S.*?\\S  +)\\S"_s, QRegularExpression::MultilineOption);
        QSet<qsizetype> columns;
        bool isUmlaut = false;
        for (auto found = line.globalMatch(help); found.hasNext();) {
            const auto left = found.next().captured(1);
            columns << left.size();
            isUmlaut = isUmlaut || left.contains(u'Ü');
        }
        QVERIFY2(columns.size() == 1 && isUmlaut, qPrintable(help));
    }

    void languageOfTheSystem()
    {
        qputenv("LC_ALL", "de_DE.UTF-8");
        const auto told = clirunner::run({u"--help"_s});
        qputenv("LC_ALL", "C.UTF-8");
        QVERIFY(told.out.contains("Aufruf: "));
        QVERIFY(clirunner::run({u"--help"_s}).out.contains("Usage: "));
    }

    void dataIsTheSame_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("json") << QStringList{u"solve"_s, u"-"_s, u"--format"_s, u"json"_s};
        QTest::newRow("csv") << QStringList{u"solve"_s, u"-"_s, u"--format"_s, u"csv"_s};
        QTest::newRow("comparison") << QStringList{u"compare"_s, u"-"_s, u"--format"_s, u"json"_s};
        QTest::newRow("catalog") << QStringList{
            u"catalog"_s, u"show"_s, u"nvidia_dgx_h100"_s, u"--format"_s, u"json"_s};
        QTest::newRow("launch") << QStringList{u"launch"_s, u"-"_s, u"--for"_s, u"megatron-lm"_s};
        QTest::newRow("manual") << QStringList{u"manual"_s, u"solve"_s};
        QTest::newRow("completion") << QStringList{u"completion"_s, u"bash"_s};
    }
    void dataIsTheSame()
    {
        QFETCH(QStringList, arguments);
        const auto english = runIn("en", arguments, plan), german = runIn("de", arguments, plan);
        QCOMPARE(german.status, english.status);
        QVERIFY(!english.out.isEmpty());
        QCOMPARE(german.out, english.out);
    }

    void documentsAreTheSame()
    {
        const auto project = m_folder.filePath(u"sample.fleetwright"_s);
        QCOMPARE(runIn("de", {u"project"_s, u"new"_s, project, u"--sample"_s}).status, 0);
        for (const char *language : {"en", "de"})
            QCOMPARE(
                runIn(language,
                    {u"project"_s, u"export"_s, project, u"-o"_s, m_folder.filePath(QString::fromLatin1(language))})
                    .status,
                0);
        const QDir english(m_folder.filePath(u"en"_s)), german(m_folder.filePath(u"de"_s));
        QVERIFY(english.entryList(QDir::Files).size() > 3);
        QCOMPARE(german.entryList(QDir::Files), english.entryList(QDir::Files));
        for (const auto &name : english.entryList(QDir::Files)) {
            QFile one(english.filePath(name)), other(german.filePath(name));
            QVERIFY(one.open(QIODevice::ReadOnly) && other.open(QIODevice::ReadOnly));
            QCOMPARE(other.readAll(), one.readAll());
        }
    }

    void reports()
    {
        const auto project = m_folder.filePath(u"reported.fleetwright"_s);
        QCOMPARE(runIn("en", {u"project"_s, u"new"_s, project, u"--sample"_s}).status, 0);
        for (const auto &[language, words] :
            {std::pair("de", "Erstellt mit Fleetwright"), std::pair("en", "Made with Fleetwright")}) {
            const auto file = m_folder.filePath(QString::fromLatin1(language) + u".html"_s);
            const auto told = runIn(language, {u"report"_s, project, u"-o"_s, file});
            QVERIFY2(told.status == 0, told.err);
            QFile report(file);
            QVERIFY(report.open(QIODevice::ReadOnly));
            const auto html = report.readAll();
            QVERIFY2(html.contains("lang=\"" + QByteArray(language) + "\""), html.left(400));
            QVERIFY2(html.contains(words), words);
        }
    }

    /// No more than a board reads, in the longer words, too.
    void boardPapersHaveFourPages()
    {
        if (QStandardPaths::findExecutable(u"pdfinfo"_s).isEmpty())
            QSKIP("pdfinfo (poppler-utils) is missing");
        const auto project = m_folder.filePath(u"board.fleetwright"_s);
        QCOMPARE(runIn("de", {u"project"_s, u"new"_s, project, u"--sample"_s}).status, 0);
        for (const auto *language : {"de", "en"}) {
            const auto file = m_folder.filePath(u"board-%1.pdf"_s.arg(QLatin1String(language)));
            const auto told = runIn(language, {u"report"_s, project, u"--audience"_s, u"board"_s, u"-o"_s, file});
            QVERIFY2(told.status == 0, told.err);
            QProcess information;
            information.start(u"pdfinfo"_s, {file});
            QVERIFY(information.waitForFinished());
            static const QRegularExpression pages(u"Pages:\\s+(\\d+)"_s);
            const auto count = pages.match(QString::fromUtf8(information.readAllStandardOutput())).captured(1).toInt();
            QVERIFY2(count > 1 && count <= 4, qPrintable(u"%1: %2"_s.arg(QLatin1String(language)).arg(count)));
        }
    }
};

FLEETWRIGHT_TEST(TestCliGerman)
#include "tst_cligerman.moc"
