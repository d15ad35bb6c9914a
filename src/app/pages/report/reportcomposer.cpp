// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/report/reportcomposer.h"

#include "app/workspace/prompts.h"
#include "domain/rules.h"
#include "exchange/readfile.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "ui_reportcomposer.h"

#include <QKeyEvent>
#include <QPixmap>
#include <QScopedValueRollback>
#include <QTimeZone>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace fleetwright::app {

namespace {

constexpr int sectionRole = Qt::UserRole, planRole = Qt::UserRole;
constexpr QSize logoRoom(220, 64);

QString textOfAudience(Audience audience)
{
    switch (audience) {
    case Audience::Board: return ReportComposer::tr("Board: 2 to 4 pages");
    case Audience::Finance: return ReportComposer::tr("Finance");
    case Audience::Technical: return ReportComposer::tr("Technical: everything");
    }
    return {};
}

/// Whether a report of it has a decision to be about.
bool canLeavePlansOut(const OutputSet &set, const ReportChoices &choices)
{
    return !set.withoutDecision && (!choices.decisions.isEmpty() || !set.decision.empty());
}

} // namespace

ReportComposer::ReportComposer(QWidget *parent) : QWidget(parent), m_ui(std::make_unique<Ui::ReportComposer>())
{
    m_ui->setupUi(this);
    fillWords();
    wire();
    wireText();
    wireFiles();
}

ReportComposer::~ReportComposer() = default;

void ReportComposer::fillWords()
{
    for (const auto audience : allAudiences)
        m_ui->audienceCombo->addItem(textOfAudience(audience), int(audience));
    m_ui->paperCombo->addItem(tr("A4"), int(Paper::A4));
    m_ui->paperCombo->addItem(tr("US Letter"), int(Paper::Letter));
    m_ui->profileCombo->addItem(tr("PDF/A-3b, project inside"), int(PdfProfile::PdfA3b));
    m_ui->profileCombo->addItem(tr("PDF/A-1b"), int(PdfProfile::PdfA1b));
}

void ReportComposer::edit(const QString &mergeKey, const std::function<void(OutputSet &)> &change)
{
    if (m_showing)
        return;
    auto set = m_set;
    change(set);
    if (set == m_set)
        return;
    if (const auto ok = check(set); !ok) {
        m_ui->refusalLabel->setSentence(localized(ok.error().message));
        return;
    }
    m_ui->refusalLabel->setSentence({});
    m_set = set;
    emit edited(set, mergeKey);
}

void ReportComposer::wire()
{
    const auto chosen = [this](const QComboBox *combo) { return combo->currentData(); };
    connect(m_ui->audienceCombo, &QComboBox::currentIndexChanged, this, [this, chosen] {
        edit(u"audience"_s, [&](OutputSet &set) { set.audience = Audience(chosen(m_ui->audienceCombo).toInt()); });
        showSections();
    });
    connect(m_ui->decisionCombo, &QComboBox::currentIndexChanged, this, [this, chosen] {
        edit(u"decision"_s, [&](OutputSet &set) {
            const auto choice = chosen(m_ui->decisionCombo);
            set.withoutDecision = !choice.isValid();
            set.decision = choice.toString().toStdString();
        });
        if (!m_showing) // what is refused shows what was
            QMetaObject::invokeMethod(this, &ReportComposer::showContents, Qt::QueuedConnection);
    });
    connect(m_ui->paperCombo, &QComboBox::currentIndexChanged, this, [this, chosen] {
        edit(u"paper"_s, [&](OutputSet &set) { set.paper = Paper(chosen(m_ui->paperCombo).toInt()); });
    });
    connect(m_ui->profileCombo, &QComboBox::currentIndexChanged, this, [this, chosen] {
        edit(u"profile"_s, [&](OutputSet &set) { set.profile = PdfProfile(chosen(m_ui->profileCombo).toInt()); });
    });
    connect(m_ui->sectionsList, &QListWidget::itemChanged, this, &ReportComposer::sectionsChanged);
    // A list must not change while it moves its rows.
    connect(m_ui->sectionsList->model(), &QAbstractItemModel::rowsMoved, this, &ReportComposer::sectionsChanged,
        Qt::QueuedConnection);
    m_ui->sectionsList->installEventFilter(this);
    connect(m_ui->upButton, &QPushButton::clicked, this, [this] { moveSection(-1); });
    connect(m_ui->downButton, &QPushButton::clicked, this, [this] { moveSection(1); });
    connect(m_ui->usualButton, &QPushButton::clicked, this, [this] {
        edit({}, [](OutputSet &set) { set.sections.clear(); });
        showSections();
    });
    connect(m_ui->plansList, &QListWidget::itemChanged, this, &ReportComposer::plansChanged);
    connect(m_ui->plansList, &QListWidget::itemActivated, this, [this](const QListWidgetItem *item) {
        if (const auto id = item->data(planRole).toLongLong())
            emit planRequested(id);
    });
    connect(m_ui->allButton, &QPushButton::clicked, this, [this] { tickAll(true); });
    connect(m_ui->noneButton, &QPushButton::clicked, this, [this] { tickAll(false); });
}

void ReportComposer::wireText()
{
    const auto text = [this](QLineEdit *field, const QString &key, std::string OutputSet::*member) {
        field->setMaxLength(int(rules::longestTitle));
        connect(field, &QLineEdit::textEdited, this, [this, key, member](const QString &typed) {
            edit(key, [&](OutputSet &set) { set.*member = typed.toStdString(); });
        });
    };
    text(m_ui->titleEdit, u"title"_s, &OutputSet::title);
    text(m_ui->authorEdit, u"author"_s, &OutputSet::author);
    text(m_ui->organisationEdit, u"organisation"_s, &OutputSet::organisation);
    const auto dated = [this] {
        m_ui->dateEdit->setEnabled(m_editable && m_ui->dateCheck->isChecked());
        edit(u"date"_s, [&](OutputSet &set) {
            set.date.reset();
            if (m_ui->dateCheck->isChecked())
                set.date = std::chrono::sys_days(std::chrono::days(QDate(1970, 1, 1).daysTo(m_ui->dateEdit->date())));
        });
    };
    connect(m_ui->dateCheck, &QCheckBox::toggled, this, dated);
    connect(m_ui->dateEdit, &QDateEdit::dateChanged, this, dated);
    connect(m_ui->logoButton, &QPushButton::clicked, this, &ReportComposer::chooseLogo);
    connect(m_ui->noLogoButton, &QPushButton::clicked, this, [this] {
        edit({}, [](OutputSet &set) { set.logo.clear(); });
        showTitle();
    });
}

bool ReportComposer::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto *key = static_cast<QKeyEvent *>(event);
    const bool alt = key->modifiers().testFlag(Qt::AltModifier);
    if (watched == m_ui->sectionsList && alt && (key->key() == Qt::Key_Up || key->key() == Qt::Key_Down)) {
        moveSection(key->key() == Qt::Key_Up ? -1 : 1);
        return true;
    }
    if (watched == m_ui->filesList && key->key() == Qt::Key_Delete) {
        removeFile();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void ReportComposer::showSet(const OutputSet &set, const ReportChoices &choices)
{
    if (set.name != m_set.name)
        m_ui->refusalLabel->setSentence({});
    if (set.plans != m_set.plans || choices != m_choices || set.name != m_set.name)
        m_noPlans = m_noPlans && set.plans == m_set.plans && set.name == m_set.name && !choices.plans.empty();
    m_noPlans = m_noPlans && !set.withoutPlans && !canLeavePlansOut(set, choices);
    m_set = set;
    m_choices = choices;
    showContents();
    showTitle();
    showFiles();
}

void ReportComposer::showContents()
{
    const QScopedValueRollback showing(m_showing, true);
    m_ui->audienceCombo->setCurrentIndex(m_ui->audienceCombo->findData(int(m_set.audience)));
    showDecisions();
    showSections();
    showPlans();
}

void ReportComposer::showDecisions()
{
    auto *combo = m_ui->decisionCombo;
    std::vector<std::pair<QString, QVariant>> rows{
        {m_choices.decisions.isEmpty() ? tr("None in the project") : tr("First: %1").arg(m_choices.decisions.front()),
            QString()}};
    for (const auto &name : m_choices.decisions)
        rows.emplace_back(name, name);
    const auto named = utf8(m_set.decision);
    if (!named.isEmpty() && !m_choices.decisions.contains(named))
        rows.emplace_back(tr("%1 (not in the project)").arg(named), named);
    if (!m_choices.decisions.isEmpty() || !named.isEmpty() || m_set.withoutDecision)
        rows.emplace_back(tr("No decision: plans alone"), QVariant());
    bool same = combo->count() == int(rows.size()); // a combo box must not change while it tells of a choice
    for (int row = 0; same && row < combo->count(); ++row)
        same = combo->itemText(row) == rows[std::size_t(row)].first;
    if (!same) {
        combo->clear();
        for (const auto &[text, name] : rows)
            combo->addItem(text, name);
    }
    combo->setCurrentIndex(m_set.withoutDecision ? combo->count() - 1 : combo->findData(named));
    combo->setToolTip(combo->currentText()); // which may be longer than the field
    combo->setEnabled(m_editable && combo->count() > 1);
}

void ReportComposer::showSections()
{
    const QScopedValueRollback showing(m_showing, true);
    auto *list = m_ui->sectionsList;
    const auto shown = m_set.sectionsOrUsual();
    std::vector<ReportSection> ticked;
    for (int row = 0; row < list->count(); ++row)
        if (list->item(row)->checkState() == Qt::Checked)
            ticked.push_back(ReportSection(list->item(row)->data(sectionRole).toInt()));
    if (list->count() > 0 && ticked == shown)
        return;
    const auto *current = list->currentItem();
    const int kept = current ? current->data(sectionRole).toInt() : -1;
    list->clear();
    const auto add = [&](ReportSection section, Qt::CheckState state) {
        auto *item = new QListWidgetItem(localized(titleOf(section)), list);
        item->setData(sectionRole, int(section));
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable | Qt::ItemIsDragEnabled);
        item->setCheckState(state);
        if (int(section) == kept)
            list->setCurrentItem(item);
    };
    for (const auto section : shown)
        add(section, Qt::Checked);
    for (const auto section : allReportSections)
        if (std::ranges::find(shown, section) == shown.end())
            add(section, Qt::Unchecked);
    list->setMaximumHeight(list->sizeHintForRow(0) * list->count() + 2 * list->frameWidth()); // plans have the rest
}

void ReportComposer::sectionsChanged()
{
    if (m_showing)
        return;
    std::vector<ReportSection> ticked;
    for (int row = 0; row < m_ui->sectionsList->count(); ++row)
        if (const auto *item = m_ui->sectionsList->item(row); item->checkState() == Qt::Checked)
            ticked.push_back(ReportSection(item->data(sectionRole).toInt()));
    if (ticked.empty()) { // the set would mean the usual ones
        m_ui->refusalLabel->setSentence(tr("A report has at least one section; tick another first."));
        showSections();
        return;
    }
    m_ui->refusalLabel->setSentence({});
    edit({}, [&](OutputSet &set) {
        set.sections = ticked == sectionsFor(set.audience) ? std::vector<ReportSection>() : ticked;
    });
}

void ReportComposer::moveSection(int by)
{
    auto *list = m_ui->sectionsList;
    const int row = list->currentRow(), to = row + by;
    if (!m_editable || row < 0 || to < 0 || to >= list->count())
        return;
    {
        const QScopedValueRollback showing(m_showing, true);
        auto *item = list->takeItem(row);
        list->insertItem(to, item);
        list->setCurrentItem(item);
    }
    sectionsChanged();
}

void ReportComposer::showPlans()
{
    const QScopedValueRollback showing(m_showing, true);
    auto *list = m_ui->plansList;
    struct Row {
        QString text, name;
        qint64 id;
    };
    std::vector<Row> rows;
    for (const auto &[name, id] : m_choices.plans)
        rows.push_back({name, name, id});
    for (const auto &name : m_set.plans)
        if (std::ranges::find(m_choices.plans, utf8(name), &std::pair<QString, qint64>::first) == m_choices.plans.end())
            rows.push_back({tr("%1 (not in the project)").arg(utf8(name)), utf8(name), 0});
    const int current = list->currentRow();
    bool same = list->count() == int(rows.size()); // a list must not lose its items while it tells of one
    for (int row = 0; same && row < list->count(); ++row)
        same = list->item(row)->text() == rows[std::size_t(row)].text
            && list->item(row)->data(planRole).toLongLong() == rows[std::size_t(row)].id;
    if (!same) {
        list->clear();
        for (const auto &row : rows) {
            auto *item = new QListWidgetItem(row.text, list);
            item->setToolTip(row.name);
            item->setData(planRole, row.id);
            item->setData(planRole + 1, row.name);
            item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        }
        list->setCurrentRow(std::min(current, list->count() - 1));
    }
    for (int row = 0; row < list->count(); ++row) {
        const auto name = rows[std::size_t(row)].name.toStdString();
        const bool ticked = !m_noPlans && !m_set.withoutPlans
            && (m_set.plans.empty() || std::ranges::find(m_set.plans, name) != m_set.plans.end());
        list->item(row)->setCheckState(ticked ? Qt::Checked : Qt::Unchecked);
    }
    for (auto *button : {m_ui->allButton, m_ui->noneButton})
        button->setEnabled(m_editable && list->count() > 0);
}

void ReportComposer::plansChanged()
{
    if (m_showing)
        return;
    std::vector<std::string> ticked;
    bool all = true;
    for (int row = 0; row < m_ui->plansList->count(); ++row) {
        const auto *item = m_ui->plansList->item(row);
        if (item->checkState() == Qt::Checked)
            ticked.push_back(item->data(planRole + 1).toString().toStdString());
        all = all && item->checkState() == Qt::Checked && item->data(planRole).toLongLong() != 0;
    }
    const bool decisionAlone = ticked.empty() && canLeavePlansOut(m_set, m_choices);
    const bool before = std::exchange(m_noPlans, ticked.empty() && !decisionAlone);
    if (m_noPlans) {
        emit plansUnticked();
        return;
    }
    const auto unchanged = m_set;
    edit({}, [&](OutputSet &set) {
        set.withoutPlans = decisionAlone;
        set.plans = all ? std::vector<std::string>() : ticked;
    });
    if (before && m_set == unchanged) // back from nothing to what it was
        emit edited(m_set, {});
}

void ReportComposer::tickAll(bool ticked)
{
    {
        const QScopedValueRollback showing(m_showing, true);
        for (int row = 0; row < m_ui->plansList->count(); ++row)
            m_ui->plansList->item(row)->setCheckState(ticked ? Qt::Checked : Qt::Unchecked);
    }
    plansChanged();
}

void ReportComposer::showTitle()
{
    const QScopedValueRollback showing(m_showing, true);
    for (const auto &[field, text] : {std::pair(m_ui->titleEdit, &m_set.title),
             std::pair(m_ui->authorEdit, &m_set.author), std::pair(m_ui->organisationEdit, &m_set.organisation)})
        if (field->text() != utf8(*text)) // the cursor stays where somebody types
            field->setText(localized(*text));
    QPixmap logo;
    if (!m_set.logo.empty())
        logo.loadFromData(QByteArray::fromBase64(QByteArray::fromStdString(m_set.logo)), "PNG");
    if (logo.isNull())
        m_ui->logoPreview->setText(m_set.logo.empty() ? tr("No logo") : tr("This picture cannot be shown"));
    else
        m_ui->logoPreview->setPixmap(logo.width() > logoRoom.width() || logo.height() > logoRoom.height()
                ? logo.scaled(logoRoom, Qt::KeepAspectRatio, Qt::SmoothTransformation)
                : logo);
    m_ui->noLogoButton->setEnabled(m_editable && !m_set.logo.empty());
    m_ui->dateCheck->setChecked(m_set.date.has_value());
    m_ui->dateEdit->setEnabled(m_editable && m_set.date.has_value());
    m_ui->dateEdit->setDate(
        m_set.date ? QDate(1970, 1, 1).addDays(m_set.date->time_since_epoch().count()) : QDate::currentDate());
}

void ReportComposer::chooseLogo()
{
    if (!m_prompts)
        return;
    const auto path = m_prompts->fileToOpen(this, tr("Choose a logo"), tr("PNG picture (*.png)"));
    if (path.isEmpty())
        return;
    const auto bytes = exchange::readFile(path, longestLogo);
    if (!bytes) {
        m_prompts->showError(this, tr("The logo was not taken"), bytes.error());
        return;
    }
    edit({}, [&](OutputSet &set) { set.logo = QByteArray::fromStdString(*bytes).toBase64().toStdString(); });
    showTitle();
}

void ReportComposer::setEditable(bool editable)
{
    m_editable = editable;
    for (auto *widget : QList<QWidget *>{m_ui->audienceCombo, m_ui->sectionsList, m_ui->upButton, m_ui->downButton,
             m_ui->usualButton, m_ui->plansList, m_ui->titleEdit, m_ui->authorEdit, m_ui->organisationEdit,
             m_ui->logoButton, m_ui->dateCheck, m_ui->filesList, m_ui->paperCombo, m_ui->profileCombo})
        widget->setEnabled(editable);
    showContents();
    showTitle();
    showFiles();
}

} // namespace fleetwright::app
