// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/decide/decideprices.h"

#include "app/theme.h"
#include "app/widgets/fleetfields.h"
#include "app/wording.h"
#include "solver/size/sizewords.h"
#include "text/localized.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using size::SizeLimit;

namespace {

constexpr int leastPercent = -90, mostPercent = 400, percentStep = 5, usualPercent = 20;

/// "+20 %": the sign says which way.
class ChangeSpin : public QSpinBox {
public:
    using QSpinBox::QSpinBox;

protected:
    [[nodiscard]] QString textFromValue(int value) const override
    {
        return (value > 0 ? u"+"_s : QString()) + QSpinBox::textFromValue(value);
    }
};

} // namespace

DecidePrices::DecidePrices(QWidget *parent)
    : QWidget(parent), m_price(new QComboBox), m_change(new ChangeSpin), m_verdict(new QLabel), m_turns(new QLabel),
      m_nothing(new QLabel), m_question(new QWidget), m_figures(new QWidget)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    auto *row = new QHBoxLayout(m_question);
    row->setContentsMargins(0, 0, 0, 0);
    auto *label = new QLabel(tr("What if the price of"));
    label->setBuddy(m_price);
    m_price->setObjectName(u"whatIfPriceCombo"_s);
    m_price->setAccessibleName(tr("Price that is asked about"));
    m_change->setObjectName(u"whatIfChangeSpin"_s);
    m_change->setAccessibleName(tr("Change of the price"));
    m_change->setToolTip(tr("How much lower or higher; nothing is saved, the catalog keeps its price"));
    m_change->setRange(leastPercent, mostPercent);
    m_change->setSingleStep(percentStep);
    m_change->setSuffix(tr(" %"));
    m_change->setValue(-usualPercent);
    for (auto *widget : std::initializer_list<QWidget *>{label, m_price, new QLabel(tr("were")), m_change})
        row->addWidget(widget);
    const auto button = [&](const QString &name, const QString &text, int change) {
        auto *made = new QPushButton(text);
        made->setObjectName(name);
        connect(made, &QPushButton::clicked, this, [this, change] { m_change->setValue(change); });
        row->addWidget(made);
    };
    button(u"whatIfLowerButton"_s, tr("20 % lower"), -usualPercent);
    button(u"whatIfHigherButton"_s, tr("20 % higher"), usualPercent);
    row->addStretch(1);
    layout->addWidget(m_question);
    m_verdict->setObjectName(u"whatIfVerdict"_s);
    makeHeading(m_verdict);
    m_turns->setObjectName(u"whatIfTurns"_s);
    m_nothing->setObjectName(u"whatIfNothing"_s);
    for (auto *words : {m_verdict, m_turns, m_nothing}) {
        words->setTextFormat(Qt::PlainText);
        words->setWordWrap(true);
        words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    auto *grid = new QGridLayout(m_figures);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(2 * gridUnit);
    grid->setColumnStretch(3, 1);
    const std::array names{tr("Best"), tr("Days"), tr("Cost of the run"), tr("Capital")};
    const std::array titles{tr("Now"), tr("At that price")};
    for (int i = 0; i < int(titles.size()); ++i) {
        auto *title = new QLabel(titles[std::size_t(i)]);
        title->setForegroundRole(QPalette::PlaceholderText);
        grid->addWidget(title, 0, i + 1);
    }
    for (int i = 0; i < figureCount; ++i) {
        auto *name = m_names[std::size_t(i)] = new QLabel(names[std::size_t(i)]);
        name->setForegroundRole(QPalette::PlaceholderText);
        grid->addWidget(name, i + 1, 0);
        for (int column = 0; column < 2; ++column) {
            auto *value = m_values[std::size_t(i)][std::size_t(column)] = new QLabel;
            value->setTextFormat(Qt::PlainText);
            value->setTextInteractionFlags(Qt::TextSelectableByMouse);
            useTabularFigures(value);
            grid->addWidget(value, i + 1, column + 1);
        }
    }
    for (auto *widget : std::initializer_list<QWidget *>{m_verdict, m_figures, m_turns, m_nothing})
        layout->addWidget(widget);
    layout->addStretch(1);
    connect(m_price, &QComboBox::currentIndexChanged, this, &DecidePrices::showWhatIf);
    connect(m_change, &QSpinBox::valueChanged, this, &DecidePrices::showWhatIf);
    clear();
}

void DecidePrices::showAnswer(const jobs::SizeAnswer &answer)
{
    m_answer = answer;
    const auto *prices = answer.sure ? answer.sure->prices.get() : nullptr;
    const bool any = prices && !prices->prices().empty();
    {
        const QSignalBlocker quiet(m_price);
        if (m_price->currentIndex() >= 0)
            m_asked = m_price->currentText();
        m_price->clear();
        if (any)
            for (const auto &price : prices->prices())
                m_price->addItem(localized(price.title));
        m_price->setCurrentIndex(any ? std::max(0, m_price->findText(m_asked)) : -1);
    }
    for (auto *widget : std::initializer_list<QWidget *>{m_question, m_verdict, m_figures, m_turns})
        widget->setVisible(any);
    m_nothing->setVisible(!any);
    m_nothing->setText(!answer.sureRefused.empty() ? localized(answer.sureRefused)
            : answer.sure ? tr("No price moves what is asked about: neither the objective nor a limit is one of money.")
                          : tr("What another price would change stands here once the question is answered."));
    showWhatIf();
}

bool DecidePrices::ask(const size::Answer &answer)
{
    const auto place = m_answer.sure && m_answer.sure->prices ? m_answer.sure->prices->priceOf(answer) : std::nullopt;
    if (!place)
        return false;
    m_price->setCurrentIndex(int(*place));
    m_change->setFocus();
    m_change->selectAll();
    return true;
}

void DecidePrices::showWhatIf()
{
    const int place = m_price->currentIndex();
    if (!m_answer.sure || !m_answer.sure->prices || place < 0)
        return;
    const auto &prices = *m_answer.sure->prices;
    const auto &price = prices.prices().at(std::size_t(place));
    const auto asked = prices.whatIf(price, size::factorOf(m_change->value()));
    m_verdict->setText(localized(asked.sentence));
    m_turns->setText(localized(prices.turnsInWords(price)));
    const auto show = [this](int column, const size::Answer *best, const size::FleetFigures &figures) {
        const auto &result = *m_answer.result;
        const auto say = [&](Figure figure, const QString &text) {
            m_values[figure][std::size_t(column)]->setText(text);
        };
        const auto value = [&](SizeLimit limit) {
            const double known = size::FleetJudge::figureOf(limit, figures);
            return std::isnan(known) ? tr("\u2013") : localized(size::valueInWords(limit, known));
        };
        say(Fleet, best ? localized(size::shortFleetInWords(result, *best)) : tr("none keeps all limits"));
        say(Days, value(SizeLimit::Deadline));
        say(RunCost, value(SizeLimit::RunCost));
        say(Capital, value(SizeLimit::Capital));
    };
    show(0, asked.now, asked.figuresNow);
    show(1, asked.then, asked.figuresThen);
}

} // namespace fleetwright::app
