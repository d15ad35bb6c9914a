// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/handbook/handbook.h"

#include "app/handbook/costmodeltext.h"
#include "app/handbook/worksheettext.h"
#include "app/wording.h"

#include <QFile>

#include <algorithm>

static void initialiseHandbook() { Q_INIT_RESOURCE(fleetwright_handbook); }

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

struct Entry {
    HandbookGroup group;
    const char *id;
};

/// Every file of resources/handbook; a test compares them.
constexpr Entry contents[] = {
    {HandbookGroup::Start, "introduction"},
    {HandbookGroup::Concepts, "layouts"},
    {HandbookGroup::Concepts, "costs"},
    {HandbookGroup::Concepts, "failures-and-network"},
    {HandbookGroup::Concepts, "uncertainty"},
    {HandbookGroup::Concepts, "validation"},
    {HandbookGroup::Concepts, "cost-validation"},
    {HandbookGroup::Concepts, "calibration"},
    {HandbookGroup::Tutorials, "tutorial-decision"},
    {HandbookGroup::Tutorials, "tutorial-ten-megawatts"},
    {HandbookGroup::Tutorials, "tutorial-plans"},
    {HandbookGroup::Pages, "welcome"},
    {HandbookGroup::Pages, "decisions"},
    {HandbookGroup::Pages, "plans"},
    {HandbookGroup::Pages, "plan-inputs"},
    {HandbookGroup::Pages, "explain"},
    {HandbookGroup::Pages, "launch"},
    {HandbookGroup::Pages, "search"},
    {HandbookGroup::Pages, "sweeps"},
    {HandbookGroup::Pages, "compare"},
    {HandbookGroup::Pages, "validation-page"},
    {HandbookGroup::Pages, "studies"},
    {HandbookGroup::Pages, "ledger"},
    {HandbookGroup::Pages, "fleet-costs"},
    {HandbookGroup::Pages, "offers"},
    {HandbookGroup::Pages, "catalogs"},
    {HandbookGroup::Pages, "cost-catalogs"},
    {HandbookGroup::Pages, "planning-defaults"},
    {HandbookGroup::Pages, "import-models"},
    {HandbookGroup::Pages, "output-sets"},
    {HandbookGroup::Pages, "window"},
    {HandbookGroup::CostModels, "models/cost-models"},
    {HandbookGroup::CostModels, "models/detailed"},
    {HandbookGroup::CostModels, "models/worksheet"},
    {HandbookGroup::CommandLine, "command-line"},
    {HandbookGroup::CommandLine, "commands"},
    {HandbookGroup::CommandLine, "search-mpi"},
    {HandbookGroup::FileFormats, "file-formats"},
    {HandbookGroup::FileFormats, "projects"},
    {HandbookGroup::FileFormats, "workbook"},
    {HandbookGroup::FileFormats, "pdf-reports"},
    {HandbookGroup::Glossary, "glossary"},
    {HandbookGroup::Limits, "limits"},
};

/// Empty where there is no such file.
QString textOf(const QString &id, const QString &folder)
{
    QFile file(u":/handbook/%1%2.md"_s.arg(folder, id));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    auto markdown = QString::fromUtf8(file.readAll());
    if (id == u"models/cost-models")
        markdown += costModelsInMarkdown();
    else if (id == u"models/worksheet")
        markdown = withWorksheetRows(std::move(markdown));
    return markdown;
}

std::vector<HandbookPage> readPages(Language language)
{
    initialiseHandbook();
    std::vector<HandbookPage> pages;
    for (const auto &entry : contents) {
        const auto id = QString::fromLatin1(entry.id);
        auto markdown = textOf(id, {});
        auto sections = sectionsOf(markdown);
        if (sections.empty())
            continue; // a test says which
        pages.push_back({id, entry.group, std::move(markdown), std::move(sections)});
        if (language != Language::German)
            continue;
        auto &page = pages.back();
        auto german = textOf(id, u"de/"_s);
        auto translated = sectionsOf(german);
        page.isInEnglishOnly = translated.size() != page.sections.size();
        if (page.isInEnglishOnly)
            continue;
        for (std::size_t i = 0; i < translated.size(); ++i) // links are the same in every language
            translated[i].anchor = page.sections[i].anchor;
        page.markdown = std::move(german);
        page.sections = std::move(translated);
    }
    return pages;
}

} // namespace

QString titleOf(HandbookGroup group)
{
    switch (group) {
    case HandbookGroup::Start: return tr("Start here");
    case HandbookGroup::Concepts: return tr("Concepts");
    case HandbookGroup::Tutorials: return tr("Tutorials");
    case HandbookGroup::Pages: return tr("Pages of the window");
    case HandbookGroup::CostModels: return tr("Cost models");
    case HandbookGroup::CommandLine: return tr("Command line");
    case HandbookGroup::FileFormats: return tr("File formats");
    case HandbookGroup::Glossary: return tr("Glossary");
    case HandbookGroup::Limits: return tr("Limits");
    }
    return {};
}

std::size_t HandbookPage::sectionAt(const QString &anchor) const
{
    const auto found = std::ranges::find(sections, anchor, &HandbookSection::anchor);
    return found == sections.end() ? 0 : std::size_t(found - sections.begin());
}

const std::vector<HandbookPage> &handbookPages() { return handbookPagesIn(language()); }

const std::vector<HandbookPage> &handbookPagesIn(Language language)
{
    if (language == Language::German) {
        static const auto german = readPages(Language::German);
        return german;
    }
    static const auto english = readPages(Language::English);
    return english;
}

const HandbookPage *findHandbookPage(const QString &id)
{
    const auto &pages = handbookPages();
    const auto found = std::ranges::find(pages, id, &HandbookPage::id);
    return found == pages.end() ? nullptr : &*found;
}

bool exists(const HandbookPlace &place)
{
    const auto *page = findHandbookPage(place.page);
    return page
        && (place.anchor.isEmpty()
            || std::ranges::find(page->sections, place.anchor, &HandbookSection::anchor) != page->sections.end());
}

} // namespace fleetwright::app
