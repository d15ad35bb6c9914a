// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/pageletters.h"

#include "reports/pagetext.h"

#include <QFontMetricsF>

#include <map>

namespace fleetwright::reports {

namespace {

/// Replaces what no font has, and keeps what it was.
class Letters {
public:
    [[nodiscard]] QString drawable(const QString &text)
    {
        bool plain = true;
        for (const QChar letter : text)
            plain = plain && letter.unicode() < 0x80;
        if (plain)
            return text;
        QString drawn;
        for (const char32_t letter : text.toUcs4())
            drawn += isThere(letter) ? QString::fromUcs4(&letter, 1) : QString(QChar::ReplacementCharacter);
        return drawn;
    }
    void draw(QString &text) { text = drawable(text); }
    void draw(QStringList &texts)
    {
        for (auto &text : texts)
            text = drawable(text);
    }
    [[nodiscard]] QStringList missing() const
    {
        QStringList names;
        for (const auto &[letter, there] : m_known)
            if (!there)
                names << QStringLiteral("U+%1").arg(uint(letter), 4, 16, QLatin1Char('0')).toUpper();
        return names;
    }

private:
    bool isThere(char32_t letter)
    {
        const auto [known, isNew] = m_known.try_emplace(letter, true);
        if (isNew && letter >= 0x80 && !QChar::isSpace(letter) && QChar::category(letter) != QChar::Other_Control
            && QChar::category(letter) != QChar::Other_Format && !QChar::isMark(letter))
            known->second = m_metrics.inFontUcs4(letter);
        return known->second;
    }

    QFontMetricsF m_metrics{fontOf(bodySize)};
    std::map<char32_t, bool> m_known;
};

} // namespace

DrawableDocument drawableDocument(const ReportDocument &document)
{
    DrawableDocument drawn{document, {}};
    Letters letters;
    auto &report = drawn.document;
    for (auto *text : {&report.title, &report.subtitle, &report.organisation})
        letters.draw(*text);
    const auto drawLabels = [&](auto &plans) {
        for (auto &plan : plans)
            letters.draw(plan.label);
    };
    for (auto &element : report.elements)
        std::visit(
            [&](auto &content) {
                if constexpr (requires { content.text; })
                    letters.draw(content.text);
                if constexpr (requires { content.items; })
                    letters.draw(content.items);
                if constexpr (requires { content.caption; })
                    letters.draw(content.caption);
                if constexpr (requires { content.rows; }) {
                    letters.draw(content.header);
                    letters.draw(content.notes);
                    for (auto &row : content.rows)
                        letters.draw(row);
                }
                if constexpr (requires { content.plans; })
                    drawLabels(content.plans);
                if constexpr (requires { content.left; }) {
                    letters.draw(content.left.caption);
                    letters.draw(content.right.caption);
                }
            },
            element);
    drawn.missing = letters.missing();
    return drawn;
}

} // namespace fleetwright::reports
