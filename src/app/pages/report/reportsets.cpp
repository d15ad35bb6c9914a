// SPDX-License-Identifier: GPL-3.0-or-later
// The Report page's output sets: chosen, added, duplicated, renamed, deleted, edited.
#include "app/pages/report/reportpage.h"
#include "app/workspace/prompts.h"
#include "app/workspace/workspace.h"
#include "text/utf8.h"
#include "ui_reportpage.h"

#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <QSet>
#include <QSignalBlocker>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace fleetwright::app {

using storage::RowId;

namespace {

/// Letter where people print on it, A4 elsewhere.
Paper usualPaper()
{
    static const QSet<QLocale::Territory> letter{QLocale::UnitedStates, QLocale::Canada, QLocale::Mexico,
        QLocale::Philippines, QLocale::Chile, QLocale::Colombia, QLocale::Venezuela};
    return letter.contains(QLocale::system().territory()) ? Paper::Letter : Paper::A4;
}

/// What a set is called until somebody names it.
QString usualName(Audience audience)
{
    switch (audience) {
    case Audience::Board: return ReportPage::tr("Board paper");
    case Audience::Finance: return ReportPage::tr("Finance paper");
    case Audience::Technical: break;
    }
    return ReportPage::tr("Technical report");
}

} // namespace

void ReportPage::wireSets()
{
    connect(&m_workspace, &Workspace::projectChanged, this, [this] {
        m_export.cancel();
        m_draft.reset();
        m_made.reset();
        m_written.clear();
        m_set = 0;
        m_planNames.clear();
        if (m_workspace.isOpen() && !m_workspace.outputSets().empty())
            m_set = m_workspace.outputSets().front().id;
        reload();
    });
    connect(&m_workspace, &Workspace::outputSetInserted, this, [this](int index) { // also by undo
        m_set = m_workspace.outputSets()[std::size_t(index)].id;
        reload();
    });
    connect(&m_workspace, &Workspace::outputSetChanged, this, &ReportPage::reload);
    connect(&m_workspace, &Workspace::outputSetRemoved, this, &ReportPage::reload);
    connect(
        m_ui->setCombo, &QComboBox::activated, this, [this] { chooseSet(m_ui->setCombo->currentData().toLongLong()); });
    connect(m_ui->addSetButton, &QPushButton::clicked, this, &ReportPage::addSet);
    connect(m_ui->duplicateSetButton, &QPushButton::clicked, this, &ReportPage::duplicateSet);
    connect(m_ui->renameSetButton, &QPushButton::clicked, this, &ReportPage::renameSet);
    connect(m_ui->deleteSetButton, &QPushButton::clicked, this, &ReportPage::deleteSet);
    if (m_workspace.isOpen() && !m_workspace.outputSets().empty())
        m_set = m_workspace.outputSets().front().id;
}

void ReportPage::followRenames()
{
    std::map<RowId, std::string> names;
    if (m_workspace.isOpen())
        for (const auto &plan : m_workspace.plans()) {
            names[plan.id] = plan.document.name;
            if (const auto known = m_planNames.find(plan.id); m_draft && known != m_planNames.end())
                std::ranges::replace(m_draft->plans, known->second, plan.document.name);
        }
    if (m_draft) // nobody keeps it, so it names no plan that went
        std::erase_if(m_draft->plans, [&](const std::string &plan) {
            return std::ranges::find(names, plan, &std::pair<const RowId, std::string>::second) == names.end();
        });
    m_planNames = std::move(names);
}

void ReportPage::reload()
{
    followRenames();
    const bool open = m_workspace.isOpen();
    if (!m_workspace.outputSet(m_set))
        m_set = open && !m_workspace.outputSets().empty() ? m_workspace.outputSets().front().id : 0;
    {
        const QSignalBlocker quiet(m_ui->setCombo);
        m_ui->setCombo->clear();
        if (open)
            for (const auto &set : m_workspace.outputSets())
                m_ui->setCombo->addItem(utf8(set.document.name), set.id);
        if (m_ui->setCombo->count() == 0)
            m_ui->setCombo->addItem(tr("Usual report (not kept)"), RowId(0));
        m_ui->setCombo->setCurrentIndex(m_ui->setCombo->findData(m_set));
        m_ui->setCombo->setEnabled(open);
    }
    ReportChoices choices;
    if (open) {
        for (const auto &decision : m_workspace.decisions())
            choices.decisions << utf8(decision.document.name);
        for (const auto &plan : m_workspace.plans())
            choices.plans.emplace_back(utf8(plan.document.name), plan.id);
        choices.folder = QDir::toNativeSeparators(QFileInfo(m_workspace.path()).absolutePath());
    }
    m_ui->composer->showSet(shownSet(), choices);
    m_ui->composer->setEditable(open && (m_set == 0 || !m_workspace.isReadOnly()));
    scoreSoon();
    refreshSoon();
}

OutputSet ReportPage::shownSet() const
{
    if (const auto *saved = m_workspace.outputSet(m_set))
        return saved->document;
    if (m_draft)
        return *m_draft;
    auto set = outputs::usualSet(material());
    set.paper = usualPaper();
    return set;
}

void ReportPage::chooseSet(RowId id)
{
    m_set = id;
    reload();
}

void ReportPage::take(const OutputSet &edited, const QString &mergeKey)
{
    auto set = edited;
    if (const auto *before = m_workspace.outputSet(m_set); before && before->document.audience != set.audience
        && utf8(set.name) == usualName(before->document.audience)) { // which nobody has typed
        const auto name = usualName(set.audience).toStdString();
        const auto &sets = m_workspace.outputSets();
        if (std::ranges::none_of(sets, [&](const auto &other) { return other.document.name == name; }))
            set.name = name;
    }
    if (m_set == 0) {
        m_draft = set;
    } else if (const auto done = m_workspace.editOutputSet(
                   m_set, set, mergeKey.isEmpty() ? QString() : u"output/"_s + mergeKey);
               !done) {
        m_prompts.showError(this, tr("The output set was not changed"), done.error());
        reload();
        return;
    }
    scoreSoon();
    refreshSoon();
}

void ReportPage::keep(OutputSet set, const QString &title, const QString &name)
{
    const auto typed = m_prompts.text(this, title, tr("Name of the output set"), name).trimmed();
    if (typed.isEmpty())
        return;
    set.name = typed.toStdString();
    if (const auto id = m_workspace.addOutputSet(set); !id)
        m_prompts.showError(this, tr("The output set was not added"), id.error());
    else
        m_draft.reset();
}

void ReportPage::addSet()
{
    auto set = m_set == 0 ? shownSet() : outputs::usualSet(material());
    if (m_set != 0)
        set.paper = usualPaper();
    const auto name = usualName(set.audience);
    keep(std::move(set), tr("Add an output set"), name);
}

void ReportPage::duplicateSet()
{
    if (const auto *saved = m_workspace.outputSet(m_set))
        keep(saved->document, tr("Duplicate the output set"), tr("%1, copy").arg(utf8(saved->document.name)));
}

void ReportPage::renameSet()
{
    const auto *saved = m_workspace.outputSet(m_set);
    if (!saved)
        return;
    auto set = saved->document;
    const auto typed =
        m_prompts.text(this, tr("Rename the output set"), tr("Name of the output set"), utf8(set.name)).trimmed();
    if (typed.isEmpty())
        return;
    set.name = typed.toStdString();
    if (const auto done = m_workspace.editOutputSet(m_set, set); !done)
        m_prompts.showError(this, tr("The output set was not renamed"), done.error());
}

void ReportPage::deleteSet()
{
    const auto *set = m_workspace.outputSet(m_set);
    if (!set)
        return;
    const auto name = utf8(set->document.name);
    if (const auto done = m_workspace.removeOutputSet(m_set); !done)
        m_prompts.showError(this, tr("The output set was not deleted"), done.error());
    else
        emit removed(name);
}

} // namespace fleetwright::app
