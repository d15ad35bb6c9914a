// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/theme.h"

#include "app/linkcolours.h"

#include <QApplication>
#include <QHash>
#include <QIcon>
#include <QLabel>
#include <QPainter>
#include <QPixmap>
#include <QProxyStyle>
#include <QStyleOption>
#include <QTextEdit>

static void initialiseTheme() { Q_INIT_RESOURCE(app); }

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

struct Colours {
    QColor window, base, alternate, text, quiet, button, border, accent, onAccent, link, tooltip;
};

QPalette paletteOf(const Colours &c)
{
    QPalette palette;
    palette.setColor(QPalette::Window, c.window);
    palette.setColor(QPalette::WindowText, c.text);
    palette.setColor(QPalette::Base, c.base);
    palette.setColor(QPalette::AlternateBase, c.alternate);
    palette.setColor(QPalette::Text, c.text);
    palette.setColor(QPalette::PlaceholderText, c.quiet);
    palette.setColor(QPalette::Button, c.button);
    palette.setColor(QPalette::ButtonText, c.text);
    palette.setColor(QPalette::BrightText, c.onAccent);
    palette.setColor(QPalette::Highlight, c.accent);
    palette.setColor(QPalette::HighlightedText, c.onAccent);
    palette.setColor(QPalette::Link, c.link);
    palette.setColor(QPalette::LinkVisited, c.link);
    palette.setColor(QPalette::ToolTipBase, c.tooltip);
    palette.setColor(QPalette::ToolTipText, c.text);
    palette.setColor(QPalette::Light, c.button.lighter(108));
    palette.setColor(QPalette::Midlight, c.border.lighter(105));
    palette.setColor(QPalette::Mid, c.border);
    palette.setColor(QPalette::Dark, c.border.darker(120));
    palette.setColor(QPalette::Shadow, c.border.darker(160));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        palette.setColor(QPalette::Disabled, role, c.quiet);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, c.border);
    palette.setColor(QPalette::Inactive, QPalette::Highlight, c.accent);
    return palette;
}

/// Whether it is to be read from left to right whatever the layout is: "85.5 GB" would else show as "GB 85.5".
bool runsLeftToRight(const QString &text) { return !text.isRightToLeft(); }

QString isolated(const QString &text)
{
    constexpr QChar isolate(0x2066), end(0x2069);
    return isolate + text + end;
}

/// Labels and tool tips show plain text unless they were told otherwise: a name that somebody else typed must not be
/// read as HTML, which could open files. They are asked here, before the first text is laid out.
class PlainTextStyle : public QProxyStyle {
public:
    PlainTextStyle() : QProxyStyle(u"Fusion"_s) { }
    using QProxyStyle::polish;
    void polish(QWidget *widget) override
    {
        QProxyStyle::polish(widget);
        auto *label = qobject_cast<QLabel *>(widget);
        if (label && label->textFormat() == Qt::AutoText)
            label->setTextFormat(Qt::PlainText);
        if (widget->layoutDirection() != Qt::RightToLeft)
            return;
        // What is laid out as a document starts where its own words start, at the left.
        if (label && !label->alignment().testFlag(Qt::AlignAbsolute)) {
            label->setAlignment(onItsSide(label->alignment()));
        } else if (auto *edit = qobject_cast<QTextEdit *>(widget)) {
            auto option = edit->document()->defaultTextOption();
            option.setAlignment(onItsSide(option.alignment()));
            edit->document()->setDefaultTextOption(option);
        }
    }

    static Qt::Alignment onItsSide(Qt::Alignment alignment)
    {
        const auto side = alignment.testFlag(Qt::AlignAbsolute)
            ? alignment & Qt::AlignHorizontal_Mask
            : visualAlignment(Qt::RightToLeft, alignment) & Qt::AlignHorizontal_Mask;
        return (alignment & Qt::AlignVertical_Mask) | side | Qt::AlignAbsolute;
    }

    void drawItemText(QPainter *painter, const QRect &place, int alignment, const QPalette &palette, bool enabled,
        const QString &text, QPalette::ColorRole role) const override
    {
        const auto direction = painter->layoutDirection();
        const auto flags = Qt::Alignment(QFlag(alignment));
        const bool turned = direction == Qt::RightToLeft && runsLeftToRight(text);
        if (turned) {
            painter->setLayoutDirection(Qt::LeftToRight);
            const auto sides = visualAlignment(direction, flags) & Qt::AlignHorizontal_Mask;
            alignment = (alignment & ~int(Qt::AlignHorizontal_Mask)) | int(sides | Qt::AlignAbsolute);
        }
        QProxyStyle::drawItemText(painter, place, alignment, palette, enabled, text, role);
        painter->setLayoutDirection(direction);
    }

    /// Fusion outlines boxes and buttons to tick in a shade of the window, which is not seen in a dark one.
    void drawPrimitive(
        PrimitiveElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const override
    {
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        if (element == PE_PanelLineEdit && widget && widget->property(refusedProperty).toBool())
            return outline(*painter, option->rect, errorColour(option->palette));
        const bool isShaped = element == PE_Frame || element == PE_FrameGroupBox;
        if (isShaped && isDark(option->palette)) { // as with boxes to tick: 3 to 1, which the border itself has not
            constexpr int seen = 140;
            return outline(*painter, option->rect, option->palette.color(QPalette::Mid).lighter(seen));
        }
        const bool isRound = element == PE_IndicatorRadioButton;
        if ((!isRound && element != PE_IndicatorCheckBox && element != PE_IndicatorItemViewItemCheck)
            || !option->state.testFlag(State_Enabled))
            return;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing, isRound);
        painter->setPen(QPen(quietColour(option->palette), 1));
        painter->setBrush(Qt::NoBrush);
        const QRectF place = QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5);
        if (isRound)
            painter->drawEllipse(place);
        else
            painter->drawRect(place);
        painter->restore();
    }

    static void outline(QPainter &painter, const QRect &place, const QColor &colour)
    {
        painter.save();
        painter.setPen(QPen(colour, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(place.adjusted(0, 0, -1, -1));
        painter.restore();
    }

    /// Figures stand digit under digit, and their heads above them, at the same edge in either layout.
    static Qt::Alignment withFiguresInPlace(Qt::Alignment alignment)
    {
        return alignment.testFlag(Qt::AlignRight) ? alignment | Qt::AlignAbsolute : alignment;
    }

    void drawControl(
        ControlElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const override
    {
        if (const auto *header = qstyleoption_cast<const QStyleOptionHeaderV2 *>(option);
            header && element == CE_HeaderLabel && header->direction == Qt::RightToLeft) {
            auto placed = *header;
            placed.textAlignment = withFiguresInPlace(header->textAlignment);
            return QProxyStyle::drawControl(element, &placed, painter, widget);
        }
        const auto *item = qstyleoption_cast<const QStyleOptionViewItem *>(option);
        constexpr auto aside = QStyleOptionViewItem::HasDecoration | QStyleOptionViewItem::HasCheckIndicator;
        if (element != CE_ItemViewItem || !item || item->direction != Qt::RightToLeft)
            return QProxyStyle::drawControl(element, option, painter, widget);
        auto turned = *item;
        turned.displayAlignment = withFiguresInPlace(item->displayAlignment);
        if (!runsLeftToRight(item->text))
            return QProxyStyle::drawControl(element, &turned, painter, widget);
        if (item->features & aside) { // which stays on its side, so the text alone is kept in its order
            turned.text = isolated(item->text);
            return QProxyStyle::drawControl(element, &turned, painter, widget);
        }
        turned.displayAlignment = visualAlignment(Qt::RightToLeft, turned.displayAlignment) | Qt::AlignAbsolute;
        turned.direction = Qt::LeftToRight;
        QProxyStyle::drawControl(element, &turned, painter, widget);
    }
};

bool desktopIsDark()
{
    static const bool dark = isDark(
        QApplication::palette()); // asked once, before our own palette replaces the desktop's
    return dark;
}

} // namespace

QPalette lightPalette()
{
    return paletteOf({.window = 0xf4f5f7,
        .base = 0xffffff,
        .alternate = 0xf8f9fb,
        .text = 0x1d2329,
        .quiet = 0x66707a,
        .button = 0xfbfbfc,
        .border = 0xc9ced5,
        .accent = 0x1f5fbf,
        .onAccent = 0xffffff,
        .link = 0x1f5fbf,
        .tooltip = 0xffffff});
}

QPalette darkPalette()
{
    // Fusion outlines fields darker than the window, which does not show on a dark one; so the fields themselves are
    // lighter than it.
    return paletteOf({.window = 0x1e2227,
        .base = 0x2a3037,
        .alternate = 0x2e353d,
        .text = 0xe3e6ea,
        .quiet = 0x98a2ad,
        .button = 0x363d46,
        .border = 0x4a525c,
        .accent = 0x2f6fce,
        .onAccent = 0xffffff,
        .link = 0x7fb0f5,
        .tooltip = 0x363d46});
}

void applyTheme(ThemeChoice choice)
{
    initialiseTheme();
    const bool desktopDark = desktopIsDark();
    const bool dark = choice == ThemeChoice::System ? desktopDark : choice == ThemeChoice::Dark;
    QApplication::setStyle(new PlainTextStyle);
    const auto palette = dark ? darkPalette() : lightPalette();
    const auto before = QApplication::palette().color(QPalette::Link);
    QApplication::setPalette(palette);
    for (const auto *window : QApplication::topLevelWidgets()) // with all that is in them
        for (auto *document : window->findChildren<QTextDocument *>())
            colourLinks(*document, palette.color(QPalette::Link), before);
}

bool isDark(const QPalette &palette)
{
    return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

QColor warningColour(const QPalette &palette) { return isDark(palette) ? QColor(0xf0b429) : QColor(0x8a5a00); }

QColor errorColour(const QPalette &palette) { return isDark(palette) ? QColor(0xff8a75) : QColor(0xb3261e); }

QColor quietColour(const QPalette &palette) { return palette.color(QPalette::Disabled, QPalette::WindowText); }

QIcon icon(const QString &name, const QPalette &palette)
{
    initialiseTheme();
    const QColor normal = palette.color(QPalette::WindowText), selected = palette.color(QPalette::HighlightedText),
                 disabled = palette.color(QPalette::Disabled, QPalette::WindowText);
    // Delegates ask for each cell, and drawing one takes as long as laying out a hundred of them.
    static QHash<QString, QIcon> drawn;
    [[maybe_unused]] static const bool endsWithTheProgram = (qAddPostRoutine([] { drawn.clear(); }), true);
    QIcon &result = drawn[u"%1 %2 %3 %4"_s.arg(name).arg(normal.rgba()).arg(selected.rgba()).arg(disabled.rgba())];
    if (!result.isNull())
        return result;
    const auto add = [&](QIcon::Mode mode, const QColor &colour) {
        for (const int side : {16, 32, 48}) {
            QPixmap pixmap = QIcon(u":/icons/%1.svg"_s.arg(name)).pixmap(QSize(side, side), 1.0);
            QPainter painter(&pixmap);
            painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
            painter.fillRect(pixmap.rect(), colour);
            painter.end();
            result.addPixmap(pixmap, mode);
        }
    };
    add(QIcon::Normal, normal);
    add(QIcon::Selected, selected);
    add(QIcon::Disabled, disabled);
    return result;
}

QString keptInOrder(const QString &text, Qt::LayoutDirection layout)
{
    return layout == Qt::RightToLeft && runsLeftToRight(text) ? isolated(text) : text;
}

void makeTitle(QLabel *label)
{
    auto font = label->font();
    font.setPointSizeF(font.pointSizeF() * 1.5);
    font.setBold(true);
    label->setFont(font);
}

void makeHeading(QLabel *label)
{
    auto font = label->font();
    font.setBold(true);
    label->setFont(font);
}

} // namespace fleetwright::app
