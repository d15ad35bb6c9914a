// SPDX-License-Identifier: GPL-3.0-or-later
// Whoever sees two kinds of cones only still tells the colours of series apart.
#include "charts/charts.h"
#include "charts/linechart.h"
#include "testing/registry.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::charts;

namespace {

using Three = std::array<double, 3>;
using Matrix = std::array<Three, 3>;

/// Machado, Oliveira and Fernandes (2009), the cone missing altogether; of linear sRGB.
constexpr Matrix asItIs{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix protanopia{
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix deuteranopia{
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix tritanopia{
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
constexpr Matrix toXyzOfWhite{// D65, each divided by that of white
    {{0.4339, 0.3762, 0.1899}, {0.2126, 0.7152, 0.0722}, {0.0178, 0.1095, 0.8728}}};

Three product(const Matrix &matrix, const Three &vector)
{
    Three result{};
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t column = 0; column < 3; ++column)
            result[row] += matrix[row][column] * vector[column];
    return result;
}

/// CIE L*a*b* of the colour as it is seen.
Three seen(const QColor &colour, const Matrix &by)
{
    const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    auto light = product(by, {linear(colour.redF()), linear(colour.greenF()), linear(colour.blueF())});
    for (auto &part : light)
        part = std::clamp(part, 0.0, 1.0);
    const auto root = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    const auto xyz = product(toXyzOfWhite, light);
    const double x = root(xyz[0]), y = root(xyz[1]), z = root(xyz[2]);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double distance(const Three &one, const Three &other)
{
    return std::hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
}

} // namespace

class TestSeriesColours : public QObject {
    Q_OBJECT
private slots:
    void areToldApart_data()
    {
        QTest::addColumn<const Matrix *>("by");
        QTest::addColumn<bool>("dark");
        for (const bool dark : {false, true}) {
            const char *ground = dark ? "dark" : "light";
            QTest::addRow("all cones, %s", ground) << &asItIs << dark;
            QTest::addRow("protanopia, %s", ground) << &protanopia << dark;
            QTest::addRow("deuteranopia, %s", ground) << &deuteranopia << dark;
            QTest::addRow("tritanopia, %s", ground) << &tritanopia << dark;
        }
    }
    void areToldApart()
    {
        QFETCH(const Matrix *, by);
        QFETCH(const bool, dark);
        // A difference of 2.3 can just be noticed. The least is that of grey and purple without green cones, on
        // dark: 8.5.
        constexpr double clearly = 8;
        const auto theme = dark ? Theme::dark() : Theme::light();
        const auto colours = seriesColours();
        for (std::size_t i = 0; i < colours.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) {
                const double apart = distance(seen(theme.ink(colours[i]), *by), seen(theme.ink(colours[j]), *by));
                QVERIFY2(apart >= clearly,
                    qPrintable(u"%1 and %2: %3"_s.arg(colours[i].name(), colours[j].name()).arg(apart)));
            }
    }
};

FLEETWRIGHT_TEST(TestSeriesColours)
#include "tst_seriescolours.moc"
