// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/plan/launchdialog.h"

#include "app/theme.h"
#include "app/workspace/prompts.h"
#include "solver/answer/constrainttitle.h"
#include "text/localized.h"
#include "text/utf8.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

LaunchDialog::LaunchDialog(Prompts &prompts, QWidget *parent)
    : QDialog(parent), m_prompts(prompts), m_framework(new QComboBox(this)), m_use(new QLabel(this)),
      m_broken(new QLabel(this)), m_refusal(new QLabel(this)),
      m_missingTitle(new QLabel(tr("&Of the plan it does not hold"), this)), m_text(new QPlainTextEdit(this)),
      m_missing(new QPlainTextEdit(this)), m_copy(new QPushButton(tr("&Copy"), this)),
      m_save(new QPushButton(tr("&Save…"), this))
{
    setObjectName(u"launchDialog"_s);
    resize(100 * gridUnit, 80 * gridUnit);
    for (const auto known : exchange::allLaunchFrameworks)
        m_framework->addItem(localized(snapshotOf(known).title), int(known));
    m_framework->setObjectName(u"launchFramework"_s);
    auto *frameworkTitle = new QLabel(tr("&Framework"), this);
    frameworkTitle->setBuddy(m_framework);
    m_use->setObjectName(u"launchUse"_s);
    m_broken->setObjectName(u"launchBroken"_s);
    m_refusal->setObjectName(u"launchRefusal"_s);
    auto colours = m_refusal->palette();
    colours.setColor(QPalette::WindowText, errorColour(palette()));
    for (auto *label : {m_broken, m_refusal})
        label->setPalette(colours);
    for (auto *label : {m_use, m_broken, m_refusal}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_text->setObjectName(u"launchText"_s);
    m_text->setAccessibleName(tr("Launch configuration"));
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_missing->setObjectName(u"launchMissing"_s);
    m_missingTitle->setBuddy(m_missing);
    for (auto *text : {m_text, m_missing}) {
        text->setReadOnly(true);
        text->setTabChangesFocus(true);
    }
    m_copy->setObjectName(u"launchCopy"_s);
    m_save->setObjectName(u"launchSave"_s);

    auto *top = new QHBoxLayout;
    top->addWidget(frameworkTitle);
    top->addWidget(m_framework);
    top->addStretch(1);
    top->addWidget(m_copy);
    top->addWidget(m_save);
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(top);
    layout->addWidget(m_use);
    layout->addWidget(m_broken);
    layout->addWidget(m_refusal);
    layout->addWidget(m_text, 3);
    layout->addWidget(m_missingTitle);
    layout->addWidget(m_missing, 1);
    layout->addStretch(); // where nothing is written, what is said stands together at the top
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_framework, &QComboBox::currentIndexChanged, this, &LaunchDialog::write);
    connect(m_copy, &QPushButton::clicked, this, &LaunchDialog::copy);
    connect(m_save, &QPushButton::clicked, this, &LaunchDialog::save);
    m_framework->setFocus();
}

void LaunchDialog::setPlan(
    const Plan &plan, const Solution &solution, const ItemReference &workload, std::shared_ptr<const Catalog> catalog)
{
    QStringList broken;
    for (const auto &entry : solution.trace)
        if (entry.decided && !entry.holds)
            broken << localized(missInWords(entry));
    m_misses = broken.join(u"; "_s);
    m_plan = plan;
    m_workload = workload;
    m_catalog = std::move(catalog);
    setWindowTitle(tr("Launch configuration of “%1”").arg(utf8(plan->name)));
    write();
}

exchange::LaunchFramework LaunchDialog::framework() const
{
    return exchange::LaunchFramework(m_framework->currentData().toInt());
}

void LaunchDialog::write()
{
    if (!m_plan || !m_catalog)
        return;
    const auto written = exchange::launchConfiguration(*m_plan, m_workload, *m_catalog, framework());
    const auto &snapshot = snapshotOf(framework());
    m_broken->setText((written ? tr("This plan is not feasible: %1. Below it is written as it stands.")
                               : tr("This plan is not feasible: %1."))
                          .arg(m_misses));
    m_broken->setVisible(!m_misses.isEmpty());
    m_use->setVisible(written.has_value());
    m_use->setText(tr("Written for %1. %2").arg(localized(inWords(snapshot)), localized(snapshot.use)));
    m_refusal->setText(written ? QString() : localized(written.error().message));
    m_refusal->setVisible(!written);
    m_text->setPlainText(written ? utf8(written->text) : QString());
    QStringList missing;
    if (written)
        for (const auto &sentence : written->withoutFlag)
            missing.append(localized(sentence));
    m_missing->setPlainText(missing.join(u'\n'));
    for (auto *widget : std::initializer_list<QWidget *>{m_text, m_missing, m_missingTitle})
        widget->setVisible(written.has_value());
    for (auto *button : {m_copy, m_save})
        button->setEnabled(written.has_value());
}

void LaunchDialog::copy()
{
    QApplication::clipboard()->setText(m_text->toPlainText());
    emit statusMessage(tr("Copied the launch configuration"));
}

void LaunchDialog::save()
{
    const auto &snapshot = snapshotOf(framework());
    const auto text = m_text->toPlainText().toUtf8();
    const auto told = m_prompts.saveFile(this,
        {.title = tr("Save launch configuration"),
            .name = utf8(exchange::launchFileName((*m_plan)->name, framework())),
            .filter = tr("%1 (*%2);;All files (*)").arg(localized(snapshot.title), utf8(snapshot.suffix)),
            .failure = tr("The launch configuration was not saved")},
        [&text](const QString &) { return text; });
    if (!told.isEmpty())
        emit statusMessage(told);
}

} // namespace fleetwright::app
