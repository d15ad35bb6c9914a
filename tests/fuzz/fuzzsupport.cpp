// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzzsupport.h"

#include "mutators.h"
#include "storage/project.h"

#include <nlohmann/json.hpp>

#include <QCoreApplication>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

using namespace Qt::StringLiterals;

namespace fleetwright::fuzz {

namespace {

/// Qt's database drivers are plugins, which need an application, and reports are drawn with fonts.
void needApplication()
{
    static int count = 1;
    static char name[] = "fuzz";
    static char *arguments[] = {name, nullptr};
    qputenv("QT_QPA_PLATFORM", "offscreen");
    if (!QCoreApplication::instance())
        new QGuiApplication(count, arguments); // as long as the process
}

std::vector<std::string> filesBelow(const QString &folder, const QString &ending)
{
    QStringList paths;
    for (QDirIterator files(folder, QDir::Files, QDirIterator::Subdirectories); files.hasNext();)
        if (const auto path = files.next(); path.endsWith(ending))
            paths.push_back(path);
    paths.sort();
    std::vector<std::string> texts;
    for (const auto &path : paths)
        if (QFile file(path); file.open(QIODevice::ReadOnly))
            texts.push_back(file.readAll().toStdString());
    return texts;
}

} // namespace

void require(bool holds, const char *sentence)
{
    if (holds)
        return;
    std::fprintf(stderr, "\nDoes not hold: %s.\n", sentence);
    std::abort();
}

std::vector<std::string> resources(const char *folder, const char *ending)
{
    return filesBelow(
        QStringLiteral(FLEETWRIGHT_SOURCE "/resources/") + QString::fromUtf8(folder), QString::fromUtf8(ending));
}

const std::vector<std::string> &inputsOf(const Target &target)
{
    static std::map<std::string, std::vector<std::string>, std::less<>> read;
    const auto [place, added] = read.try_emplace(target.name);
    if (added) {
        needApplication();
        place->second = target.seeds();
        std::ranges::move(
            filesBelow(QStringLiteral(FLEETWRIGHT_SOURCE "/tests/fuzz/corpus/") + QString::fromUtf8(target.name), {}),
            std::back_inserter(place->second));
        require(!place->second.empty(), "a target has something to start from");
    }
    return place->second;
}

const Catalog &catalog()
{
    static const auto shipped = [] {
        needApplication();
        auto read = storage::shippedCatalog();
        require(read.has_value(), "the shipped catalogs can be read");
        return std::move(*read);
    }();
    return shipped;
}

bool isFinite(const nlohmann::ordered_json &json)
{
    if (json.is_structured())
        return std::ranges::all_of(json, isFinite);
    return !json.is_number_float() || std::isfinite(json.get<double>());
}

QString fileHolding(std::string_view bytes, const char *ending)
{
    static const QString memory = u"/dev/shm"_s;
    static const QTemporaryDir folder(
        (QFileInfo(memory).isWritable() ? memory : QDir::tempPath()) + u"/fleetwright-fuzz-XXXXXX"_s);
    const auto path = folder.filePath(u"input"_s + QString::fromUtf8(ending));
    QFile file(path);
    require(file.open(QIODevice::WriteOnly | QIODevice::Truncate)
            && file.write(bytes.data(), qsizetype(bytes.size())) == qsizetype(bytes.size()),
        "the temporary folder takes the input");
    return path;
}

int takeBytes(const Target &target, const std::uint8_t *data, std::size_t size)
{
    needApplication();
    static_cast<void>(target.take({reinterpret_cast<const char *>(data), size}));
    return 0;
}

std::size_t mutateBytes(
    const Target &target, std::uint8_t *data, std::size_t size, std::size_t longest, unsigned int seed)
{
    Random random(seed);
    std::string input(reinterpret_cast<const char *>(data), size);
    constexpr unsigned seldom = 20;
    if (size < 2 || random.below(seldom) == 0) // so that an empty corpus is none
        input = random.oneOf(inputsOf(target));
    input = mutated(std::move(input), target, random);
    input.resize(std::min(input.size(), longest));
    std::memcpy(data, input.data(), input.size());
    return input.size();
}

/// Limits that hold unless the command line says otherwise, for it comes behind them.
int initialise(int *count, char ***arguments)
{
    static std::vector<char *> all;
    static char longest[] = "-max_len=8000000", seconds[] = "-timeout=30", memory[] = "-rss_limit_mb=3000",
                leaks[] = "-detect_leaks=0"; // what lives as long as the process
    all.assign({**arguments, longest, seconds, memory, leaks});
    all.insert(all.end(), *arguments + 1, *arguments + *count);
    *count = static_cast<int>(all.size());
    all.push_back(nullptr);
    *arguments = all.data();
    return 0;
}

} // namespace fleetwright::fuzz

#ifdef FLEETWRIGHT_LIBFUZZER
extern "C" const char *__lsan_default_suppressions();
/// Fonts that fontconfig keeps as long as the process.
extern "C" const char *__lsan_default_suppressions() { return "leak:libfontconfig"; }
#endif
