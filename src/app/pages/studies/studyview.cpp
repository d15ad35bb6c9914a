// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/studies/studyview.h"

#include "app/dialogs/ledgerentrydialog.h"
#include "app/instruments/instrumentpanel.h"
#include "app/theme.h"
#include "app/wording.h"
#include "solver/study/instruments.h"
#include "solver/study/study.h"
#include "text/localized.h"
#include "ui_studyview.h"
#include "units/format.h"

#include <QEvent>
#include <QPlainTextEdit>
#include <QRadioButton>
#include <QScrollBar>
#include <QShortcut>

#include <chrono>
#include <utility>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr auto pauseOfTheReader = std::chrono::milliseconds(400);

QString studyText(const std::string &text) { return localized(text).trimmed(); }

QString tierInWords(study::Tier tier)
{
    switch (tier) {
    case study::Tier::Optimal: return StudyView::tr("optimal");
    case study::Tier::Partial: return StudyView::tr("partial");
    case study::Tier::Developing: return StudyView::tr("developing");
    }
    return {};
}

void setColour(QLabel *label, const QColor &colour)
{
    auto palette = label->palette();
    palette.setColor(QPalette::WindowText, colour);
    label->setPalette(palette);
}

} // namespace

StudyView::StudyView(QWidget *parent) : QWidget(parent), m_ui(std::make_unique<Ui::StudyView>())
{
    m_ui->setupUi(this);
    makeTitle(m_ui->studyTitle);
    for (auto *heading : {m_ui->stepTitle, m_ui->replyTitle, m_ui->resultTitle})
        makeHeading(heading);
    m_pause.setSingleShot(true);
    m_pause.setInterval(pauseOfTheReader);
    connect(&m_pause, &QTimer::timeout, this, &StudyView::settle);
    connect(m_ui->backButton, &QPushButton::clicked, this, &StudyView::back);
    connect(m_ui->nextButton, &QPushButton::clicked, this, &StudyView::next);
    connect(m_ui->predictButton, &QPushButton::clicked, this, &StudyView::predict);
    connect(m_ui->restartButton, &QPushButton::clicked, this, &StudyView::restartRequested);
    connect(m_ui->recordButton, &QPushButton::clicked, this, &StudyView::record);
    connect(m_ui->reflectionEdit, &QPlainTextEdit::textChanged, &m_pause, qOverload<>(&QTimer::start));
    for (const auto &[keys, slot] : {std::pair(QKeySequence(u"Alt+Left"_s), &StudyView::back),
             std::pair(QKeySequence(u"Alt+Right"_s), &StudyView::next)})
        connect(new QShortcut(keys, this), &QShortcut::activated, this, slot);
}

StudyView::~StudyView() = default;

void StudyView::showStudy(const StudyDocument &study, const StudyProgress &progress)
{
    forget();
    m_study = study;
    m_progress = study::fitted(study, progress);
    m_ui->studyTitle->setText(studyText(study.title));
    showStep();
}

const StudyStep &StudyView::current() const { return m_study.steps.at(study::currentIndex(m_study, m_progress)); }

bool StudyView::take(Expected<StudyProgress> progress)
{
    if (!progress) {
        emit refused(progress.error());
        return false;
    }
    if (*progress == m_progress)
        return true;
    m_progress = std::move(*progress);
    m_unannounced = false;
    emit progressChanged(m_progress);
    return true;
}

void StudyView::settle()
{
    if (m_ui->reflectionEdit->document()->isModified())
        reflect();
    m_pause.stop();
    if (std::exchange(m_unannounced, false))
        emit progressChanged(m_progress);
}

void StudyView::forget()
{
    m_pause.stop();
    m_unannounced = false;
    m_ui->reflectionEdit->document()->setModified(false);
}

void StudyView::back()
{
    settle();
    if (m_ui->reflectionEdit->document()->isModified())
        return; // the text was refused; it stays to be shortened
    const auto index = study::currentIndex(m_study, m_progress);
    if (index > 0 && take(study::wentTo(m_study, m_progress, index - 1)))
        showStep();
}

void StudyView::next()
{
    if (m_study.steps.empty() || !m_ui->nextButton->isEnabled())
        return;
    settle();
    if (m_ui->reflectionEdit->document()->isModified())
        return;
    const auto index = study::currentIndex(m_study, m_progress);
    const bool last = index + 1 == m_study.steps.size();
    if (take(last ? study::finished(m_study, m_progress) : study::wentTo(m_study, m_progress, index + 1)))
        showStep();
}

void StudyView::goTo(const std::string &stepId)
{
    for (std::size_t i = 0; i < m_study.steps.size(); ++i)
        if (m_study.steps[i].id == stepId && take(study::wentTo(m_study, m_progress, i)))
            showStep();
}

void StudyView::showStep()
{
    const auto &step = current();
    delete m_panel; // it would hold its size for the steps without one
    m_panel = nullptr;
    m_ui->stepTitle->setText(studyText(step.title));
    m_ui->stepText->setText(studyText(step.text));
    m_ui->stepText->setVisible(!step.text.empty());
    m_ui->stepBar->setMaximum(int(m_study.steps.size()));
    m_ui->stepBar->setValue(int(study::currentIndex(m_study, m_progress)) + 1);
    m_ui->stepLabel->setText(tr("Step %1 of %2").arg(m_ui->stepBar->value()).arg(m_ui->stepBar->maximum()));
    if (const auto *question = std::get_if<PredictStep>(&step.content)) {
        showQuestion(step, *question);
    } else if (const auto *instrument = std::get_if<InstrumentStep>(&step.content)) {
        showInstrument(step, *instrument);
    } else if (const auto *reveal = std::get_if<RevealStep>(&step.content)) {
        showReply(*reveal);
    } else if (const auto *takeaways = std::get_if<TakeawaysStep>(&step.content)) {
        showTakeaways(*takeaways);
    } else if (std::holds_alternative<ReflectStep>(step.content)) {
        const auto given = m_progress.reflections.find(step.id);
        const QSignalBlocker blocker(m_ui->reflectionEdit);
        m_ui->reflectionEdit->setPlainText(
            given == m_progress.reflections.end() ? QString() : QString::fromStdString(given->second));
        m_ui->steps->setCurrentWidget(m_ui->reflectPage);
    } else {
        m_ui->outlineLabel->setText(study::currentIndex(m_study, m_progress) == 0 ? outline() : QString());
        m_ui->steps->setCurrentWidget(m_ui->briefPage);
    }
    m_ui->scroll->verticalScrollBar()->setValue(0);
    updateButtons();
}

/// What is learnt, how long it takes and what comes.
QString StudyView::outline() const
{
    constexpr int minutesOfAStep = 2;
    QStringList lines{tr("What you learn: %1").arg(studyText(m_study.summary)),
        tr("%n steps, some %1 minutes. Predict first; then the instrument shows what comes of it. Your place and your "
           "answers are kept in the project.",
            nullptr, int(m_study.steps.size()))
            .arg(minutesOfAStep * int(m_study.steps.size())),
        QString()};
    int number = 0;
    for (const auto &step : m_study.steps)
        lines << u"%1.  %2"_s.arg(++number).arg(studyText(step.title));
    return lines.join(u'\n');
}

void StudyView::showQuestion(const StudyStep &step, const PredictStep &content)
{
    qDeleteAll(m_choices);
    m_choices.clear();
    const auto *made = study::answer(m_study, m_progress, step.id);
    for (const auto &choice : content.choices) {
        auto *button = new QRadioButton(studyText(choice.text), m_ui->predictPage);
        button->setObjectName(u"choice/"_s + QString::fromStdString(choice.id));
        button->setChecked(made && made->id == choice.id);
        button->setEnabled(!made);
        m_ui->choicesLayout->addWidget(button);
        m_choices.push_back(button);
        connect(button, &QRadioButton::toggled, this, &StudyView::updateButtons);
    }
    m_ui->steps->setCurrentWidget(m_ui->predictPage);
}

void StudyView::showInstrument(const StudyStep &step, const InstrumentStep &content)
{
    m_panel = new InstrumentPanel(study::settingsOf(m_study, m_progress, step.id), m_ui->instrumentPage);
    m_panel->setMovable(content.movable);
    m_ui->instrumentLayout->addWidget(m_panel);
    const auto lock = study::lockedBy(m_study, m_progress, step.id);
    const auto *question = m_study.step(lock);
    m_panel->setLocked(question ? tr("The instrument is locked until you have made the prediction \u201c%1\u201d.\nSay "
                                     "first what you expect; then see what happens.")
                                      .arg(studyText(question->title))
                                : QString());
    // Every tick shows; only where the controls come to rest is worth a transaction.
    connect(m_panel, &InstrumentPanel::moved, this, [this, id = step.id](const InstrumentSettings &settings) {
        auto moved = study::moved(m_study, m_progress, id, settings);
        if (!moved) {
            emit refused(moved.error());
            return;
        }
        m_progress = std::move(*moved);
        m_unannounced = true;
        m_pause.start();
    });
    connect(
        m_panel, &InstrumentPanel::unlockRequested, this, [this, lock] { goTo(lock); },
        Qt::QueuedConnection); // the panel goes with its step
    m_ui->steps->setCurrentWidget(m_ui->instrumentPage);
}

void StudyView::showReply(const RevealStep &content)
{
    const auto *made = study::answer(m_study, m_progress, content.of);
    m_ui->replyTitle->setText(made && made->right ? tr("Your prediction held") : tr("Your prediction did not hold"));
    m_ui->predictedLabel->setText(made ? tr("You predicted: %1").arg(studyText(made->text)) : QString());
    m_ui->replyLabel->setText(made ? studyText(made->reply) : QString());
    QString right;
    if (const auto *step = m_study.step(content.of); step && made && !made->right)
        for (const auto &choice : std::get<PredictStep>(step->content).choices)
            if (choice.right)
                right = tr("Right is: %1\n%2").arg(studyText(choice.text), studyText(choice.reply));
    m_ui->rightLabel->setText(right);
    m_ui->rightLabel->setVisible(!right.isEmpty());
    m_ui->steps->setCurrentWidget(m_ui->revealPage);
}

void StudyView::showTakeaways(const TakeawaysStep &content)
{
    QString points;
    for (const auto &point : content.points)
        points += u"<li>%1</li>"_s.arg(studyText(point).toHtmlEscaped());
    m_ui->pointsLabel->setText(u"<ul style=\"margin-left: 0px; -qt-list-indent: 1;\">%1</ul>"_s.arg(points));
    showResult();
    m_ui->steps->setCurrentWidget(m_ui->takeawaysPage);
}

void StudyView::showResult()
{
    m_ui->result->setVisible(m_progress.finished);
    const auto *instrument = study::finalInstrument(m_study);
    if (!m_progress.finished || !instrument)
        return;
    const auto settings = study::settingsOf(m_study, m_progress, instrument->id);
    const auto reading = instruments::read(settings, instruments::standardMachine());
    if (!reading) {
        emit refused(reading.error());
        return;
    }
    const auto verdict = study::verdict(m_study, m_progress, reading->outcome);
    QStringList parts{inWords(settings, *reading)};
    if (!verdict.outcome.valid)
        parts << tr("does not divide the accelerators");
    if (verdict.outcome.mfu)
        parts << tr("MFU %1").arg(percent(*verdict.outcome.mfu));
    if (verdict.outcome.memoryFits)
        parts << (*verdict.outcome.memoryFits ? tr("memory fits") : tr("out of memory"));
    if (verdict.outcome.bubble)
        parts << tr("bubble %1").arg(percent(*verdict.outcome.bubble));
    m_ui->statusLine->setText(parts.join(u"  \u00b7  "_s));
    QStringList predictions;
    for (const auto &prediction : verdict.predictions)
        predictions << tr("%1 \u201c%2\u201d %3")
                           .arg(prediction.held ? tr("Held:") : tr("Did not hold:"), studyText(prediction.title),
                               studyText(prediction.answer));
    m_ui->predictionsLabel->setText(predictions.join(u'\n'));
    m_ui->resultTitle->setText(tr("Finished: %1").arg(tierInWords(verdict.tier)));
    m_ui->tierLabel->setText(tr("Optimal asks for every prediction right, an MFU of at least %1, memory that fits and "
                                "a bubble of at most %2; partial for one prediction right.")
                                 .arg(percent(study::optimalMfu), percent(cube::bubbleCeiling)));
    m_ui->recordButton->setVisible(!m_progress.ledgerOffered);
    m_ui->recordButton->setEnabled(!m_readOnly);
    m_ui->recordedLabel->setVisible(m_progress.ledgerOffered);
}

void StudyView::updateButtons()
{
    const auto index = study::currentIndex(m_study, m_progress);
    const bool last = index + 1 == m_study.steps.size();
    const auto missing = last ? std::string() : study::blockedBy(m_study, m_progress, index + 1);
    const auto *question = m_study.step(missing);
    m_ui->backButton->setEnabled(index > 0);
    m_ui->nextButton->setText(last ? tr("Finish") : tr("Next"));
    m_ui->nextButton->setEnabled(missing.empty() && !(last && m_progress.finished));
    m_ui->blockedLabel->setText(question
            ? tr("Next opens when you have made the prediction \u201c%1\u201d.").arg(studyText(question->title))
            : QString());
    const bool asked = std::holds_alternative<PredictStep>(current().content);
    const bool made = asked && study::answer(m_study, m_progress, current().id);
    const bool chosen = std::ranges::any_of(m_choices, &QRadioButton::isChecked);
    m_ui->predictButton->setVisible(asked && !made);
    m_ui->predictButton->setEnabled(chosen);
    m_ui->predictButton->setDefault(asked && !made && chosen);
    m_ui->nextButton->setDefault(!(asked && !made));
    m_ui->madeLabel->setText(made
            ? tr("Your prediction is made and stays. Go on with Next: a later step says whether it "
                 "held. Start the study again to predict anew.")
            : tr("A prediction stays once it is made."));
    setColour(m_ui->madeLabel, quietColour(palette()));
    setColour(m_ui->blockedLabel, quietColour(palette()));
    setColour(m_ui->tierLabel, quietColour(palette()));
}

void StudyView::predict()
{
    const auto chosen = std::ranges::find_if(m_choices, &QRadioButton::isChecked);
    if (chosen == m_choices.end())
        return;
    const auto id = (*chosen)->objectName().section(u'/', 1).toStdString();
    if (take(study::answered(m_study, m_progress, current().id, id)))
        showStep();
    m_ui->nextButton->setFocus();
}

void StudyView::reflect()
{
    if (m_study.steps.empty() || !std::holds_alternative<ReflectStep>(current().content))
        return;
    if (take(study::reflected(m_study, m_progress, current().id, m_ui->reflectionEdit->toPlainText().toStdString())))
        m_ui->reflectionEdit->document()->setModified(false);
}

void StudyView::record()
{
    const auto *instrument = study::finalInstrument(m_study);
    if (!instrument)
        return;
    const auto reading = instruments::read(
        study::settingsOf(m_study, m_progress, instrument->id), instruments::standardMachine());
    if (!reading) {
        emit refused(reading.error());
        return;
    }
    const auto now = ledgerTime();
    emit recordRequested(study::ledgerEntry(
        m_study, study::verdict(m_study, m_progress, reading->outcome), now, reading->accelerators, reading->dp));
}

void StudyView::setRecorded()
{
    auto progress = m_progress;
    progress.ledgerOffered = true;
    take(std::move(progress));
    showResult();
}

void StudyView::setReadOnly(bool readOnly)
{
    m_readOnly = readOnly;
    m_ui->recordButton->setEnabled(!readOnly);
    m_ui->recordButton->setToolTip(
        readOnly ? tr("The project is read-only") : tr("Adds this result to the project's ledger of decisions"));
}

void StudyView::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange && !m_study.steps.empty())
        updateButtons();
    QWidget::changeEvent(event);
}

} // namespace fleetwright::app
