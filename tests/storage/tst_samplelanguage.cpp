// SPDX-License-Identifier: GPL-3.0-or-later
// A new sample speaks the language of the program.
#include "storage/support.h"
#include "testing/englishwords.h"
#include "testing/registry.h"
#include "text/localized.h"
#include "text/utf8.h"

#include <QtTest>

#include <QTemporaryDir>

#include <set>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::storage;
using namespace fleetwright::storage::test;

class SampleLanguageTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_files = 0;

    QString freshPath() { return m_folder.filePath(u"sample %1.fleetwright"_s.arg(++m_files)); }

    std::unique_ptr<Project> make(const Sample &sample, Language language)
    {
        useLanguage(language);
        return must(Project::createSample(freshPath(), sample.project));
    }

    /// What people read in the documents, in one order.
    static QStringList textsOf(const Project &project)
    {
        QStringList texts;
        for (const auto &plan : must(project.plans()))
            texts << utf8(plan.document.name);
        for (const auto &fleet : must(project.fleets()))
            texts << utf8(fleet.document.name);
        for (const auto &[id, sweep] : must(project.sweeps())) {
            texts << utf8(sweep.name) << utf8(sweep.question) << utf8(sweep.plan.name);
            for (const auto &axis : sweep.axes) {
                texts << utf8(axis.label);
                for (const auto &point : axis.points)
                    texts << utf8(point.label);
            }
        }
        for (const auto &[id, decision] : must(project.decisions())) {
            texts << utf8(decision.name);
            for (const auto &job : decision.jobs)
                texts << utf8(job.name);
        }
        for (const auto &set : must(project.outputSets()))
            texts << utf8(set.document.name) << utf8(set.document.title);
        return texts;
    }

private slots:
    void cleanup() { useLanguage(Language::English); }

    void nothingIsEnglishInGerman()
    {
        int translated = 0;
        for (const auto &sample : samples()) {
            const auto english = textsOf(*make(sample, Language::English));
            const auto project = make(sample, Language::German);
            const auto german = textsOf(*project);
            QCOMPARE(german.size(), english.size());
            for (int i = 0; i < german.size(); ++i) {
                const auto word = testing::englishIn(german[i]);
                QVERIFY2(word.isEmpty() && german[i].isEmpty() == english[i].isEmpty(), qPrintable(german[i]));
                if (!testing::englishIn(english[i]).isEmpty() || english[i].contains(u" on "_s))
                    QVERIFY2(german[i] != english[i], qPrintable(english[i]));
                translated += german[i] != english[i];
            }
            QVERIFY(must(project->check()).empty());
        }
        QVERIFY(translated > 30);
    }

    /// All but names and questions is what it is in English, and names go together.
    void theRestStays()
    {
        for (const auto &sample : samples()) {
            const auto english = make(sample, Language::English), german = make(sample, Language::German);
            auto plans = must(german->plans());
            const auto shipped = must(english->plans());
            std::set<std::string> names;
            QCOMPARE(plans.size(), shipped.size());
            for (std::size_t i = 0; i < plans.size(); ++i) {
                names.insert(plans[i].document.name);
                plans[i].document.name = shipped[i].document.name;
            }
            QCOMPARE(names.size(), plans.size());
            QVERIFY(plans == shipped);
            for (const auto &sweep : must(german->sweeps()))
                QVERIFY2(names.contains(sweep.document.plan.name), sweep.document.plan.name.c_str());
            auto decisions = must(german->decisions());
            const auto asked = must(english->decisions());
            for (std::size_t i = 0; i < decisions.size(); ++i) {
                decisions[i].document.name = asked[i].document.name;
                for (std::size_t job = 0; job < decisions[i].document.jobs.size(); ++job)
                    decisions[i].document.jobs[job].name = asked[i].document.jobs[job].name;
            }
            QVERIFY(decisions == asked);
        }
    }

    void englishIsAsItIsShipped()
    {
        for (const auto &sample : samples()) {
            const auto path = freshPath();
            writeFile(path, must(shippedImage(sample.project)));
            const auto shipped = must(Project::open(path, OpenMode::ReadOnly));
            const auto made = make(sample, Language::English);
            QVERIFY(must(made->plans()) == must(shipped->plans()));
            QVERIFY(must(made->fleets()) == must(shipped->fleets()));
            QVERIFY(must(made->sweeps()) == must(shipped->sweeps()));
            QVERIFY(must(made->decisions()) == must(shipped->decisions()));
            QVERIFY(must(made->outputSets()) == must(shipped->outputSets()));
        }
    }

    /// It is of the one who makes it: who opens it later in another language finds it as it was made.
    void anOpenedOneStays()
    {
        const auto path = make(samples().front(), Language::German)->path();
        useLanguage(Language::English);
        const auto project = must(Project::open(path));
        QVERIFY(project->alteredItems().empty());
        QCOMPARE(utf8(must(project->plans()).front().document.name), u"512 DGX B200, reserviert f\u00fcr 3 Jahre"_s);
    }

    /// Names that people gave are shown as they gave them, although a sample's are called so.
    void othersNamesStay()
    {
        useLanguage(Language::German);
        QCOMPARE(localized(u"Pure DP on InfiniBand NDR"_s), u"Pure DP on InfiniBand NDR"_s);
    }
};

FLEETWRIGHT_TEST(SampleLanguageTest)
#include "tst_samplelanguage.moc"
