// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/validation/evidencepanel.h"

#include "app/pages/validation/validationcharts.h"
#include "app/theme.h"
#include "app/widgets/htmllabel.h"
#include "charts/chartview.h"
#include "ui_evidencepanel.h"

#include <QEvent>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

EvidencePanel::EvidencePanel(const QString &name, const QString &question, QWidget *parent)
    : QWidget(parent), m_ui(std::make_unique<Ui::EvidencePanel>())
{
    auto &ui = *m_ui;
    ui.setupUi(this);
    setObjectName(name + u"Panel"_s);
    ui.evidenceChart->setObjectName(name + u"Chart"_s);
    ui.evidenceTable->setObjectName(name + u"Table"_s);
    ui.evidenceTable->setAccessibleName(question);
    ui.sentenceLabel->setObjectName(name + u"Sentence"_s);
    ui.nothingLabel->setObjectName(name + u"Nothing"_s);
    ui.stopButton->setObjectName(name + u"Stop"_s);
    ui.computeButton->setObjectName(name + u"Compute"_s);
    ui.furtherButton->setObjectName(name + u"Further"_s);
    ui.furtherButton->hide();
    ui.questionLabel->setText(question);
    makeHeading(ui.questionLabel);
    ui.evidenceChart->setMinimumWidth(320);
    ui.evidenceSplitter->setStretchFactor(0, 1);
    ui.evidenceSplitter->setStretchFactor(1, 1);
    ui.evidenceSplitter->setSizes({480, 580});
    setWork(false, false);
    showNothing({});
}

EvidencePanel::~EvidencePanel() = default;

charts::ChartView *EvidencePanel::chart() const { return m_ui->evidenceChart; }
QTableView *EvidencePanel::table() const { return m_ui->evidenceTable; }
QPushButton *EvidencePanel::stopButton() const { return m_ui->stopButton; }
QPushButton *EvidencePanel::computeButton() const { return m_ui->computeButton; }

QPushButton *EvidencePanel::offerFurther(const QString &text, const QString &toolTip)
{
    m_ui->furtherButton->setText(text);
    m_ui->furtherButton->setToolTip(toolTip);
    m_ui->furtherButton->show();
    return m_ui->furtherButton;
}

void EvidencePanel::showAnswer(const QString &sentence, charts::ChartContent content)
{
    showPlain(m_ui->sentenceLabel, sentence);
    m_ui->sentenceLabel->setVisible(!sentence.isEmpty());
    m_ui->evidenceStack->setCurrentWidget(m_ui->evidencePage);
    showChart(std::move(content));
}

void EvidencePanel::showChart(charts::ChartContent content)
{
    m_content = std::move(content);
    m_ui->evidenceChart->show(*m_content, validationTheme(*this));
}

void EvidencePanel::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange && m_content) // the page hears of it before this panel has it
        m_ui->evidenceChart->show(*m_content, validationTheme(*this));
    QWidget::changeEvent(event);
}

void EvidencePanel::showNothing(const QString &why)
{
    m_ui->sentenceLabel->hide();
    showPlain(m_ui->nothingLabel, why);
    m_ui->evidenceStack->setCurrentWidget(m_ui->nothingPage);
}

void EvidencePanel::setWork(bool running, bool offered)
{
    m_ui->workProgress->setVisible(running);
    m_ui->stopButton->setVisible(running);
    m_ui->computeButton->setVisible(offered && !running);
}

} // namespace fleetwright::app
