// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chartdecoration.h"

#include <QFontDatabase>
#include <QGuiApplication>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

static void initialiseFontResource()
{
    Q_INIT_RESOURCE(fonts);
    Q_INIT_RESOURCE(widefonts);
} // a static library's resources are not registered by themselves

namespace fleetwright::charts {

QString paperFontFamily()
{
    static const QString family = [] {
        initialiseFontResource();
        const int regular = QFontDatabase::addApplicationFont(u":/fonts/DejaVuSans.ttf"_s);
        QFontDatabase::addApplicationFont(u":/fonts/DejaVuSans-Bold.ttf"_s);
        const auto families = QFontDatabase::applicationFontFamilies(regular);
        return families.isEmpty() ? u"DejaVu Sans"_s : families.first();
    }();
    return family;
}

QStringList paperFontFamilies()
{
    static const QStringList families = [] {
        QStringList all{paperFontFamily()};
        // For names in Chinese, Japanese or Korean; Qt would take whatever the machine has.
        for (const auto &file : {u":/fonts/DroidSansFallbackFull.ttf"_s, u":/fonts/NanumSquareR.ttf"_s}) {
            const auto added = QFontDatabase::applicationFontFamilies(QFontDatabase::addApplicationFont(file));
            if (!added.isEmpty())
                all << added.first(); // the English name of it
        }
        return all;
    }();
    return families;
}

namespace {

double luminance(const QColor &colour)
{
    const auto linear = [](double part) {
        return part <= 0.03928 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

constexpr double shareStep = 0.05; ///< by which colours are mixed until they can be seen

} // namespace

double contrast(const QColor &one, const QColor &other)
{
    const double a = luminance(one), b = luminance(other);
    return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

QColor Theme::ink(const QColor &colour) const
{
    constexpr double enough = 4.5;
    const bool isDark = luminance(background) < luminance(text);
    auto drawn = colour;
    for (double share = shareStep; isDark && !printed && share < 1 && contrast(drawn, background) < enough;
         share += shareStep)
        drawn = mixed(text, colour, share);
    return drawn;
}

QColor Theme::faint(const QColor &colour) const
{
    constexpr double enough = 3, leastShare = 0.45;
    const auto full = ink(colour);
    auto drawn = mixed(full, background, leastShare);
    for (double share = leastShare; share < 1 && contrast(drawn, background) < enough; share += shareStep)
        drawn = mixed(full, background, share);
    return drawn;
}

Theme Theme::light()
{
    return {QColor(0xff, 0xff, 0xff), QColor(0x20, 0x24, 0x28), QColor(0xdd, 0xe0, 0xe3),
        QGuiApplication::font().family(), 12};
}

Theme Theme::dark()
{
    return {QColor(0x1f, 0x23, 0x27), QColor(0xe4, 0xe7, 0xea), QColor(0x43, 0x49, 0x50),
        QGuiApplication::font().family(), 12};
}

Theme Theme::paper()
{
    return {QColor(Qt::white), QColor(Qt::black), QColor(0xd0, 0xd0, 0xd0), paperFontFamily(), 9, true};
}

} // namespace fleetwright::charts
