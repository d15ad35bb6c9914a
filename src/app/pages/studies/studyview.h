// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ledgerentry.h"
#include "domain/studydocument.h"

#include <QTimer>
#include <QWidget>

#include <memory>

class QRadioButton;
class QVBoxLayout;

namespace Ui {
class StudyView;
}

namespace fleetwright::app {

class InstrumentPanel;

/// One study, step by step. What the reader does goes through the rules of study.h; every accepted act is announced, so
/// that the owner can keep it.
class StudyView : public QWidget {
    Q_OBJECT
public:
    explicit StudyView(QWidget *parent = nullptr);
    ~StudyView() override;

    void showStudy(const StudyDocument &study, const StudyProgress &progress);
    [[nodiscard]] const StudyProgress &progress() const { return m_progress; }
    /// Announces at once what is still being typed or moved.
    void settle();
    /// Drops it: another project is open.
    void forget();
    /// The decision that was offered has been recorded.
    void setRecorded();
    /// The project takes no records.
    void setReadOnly(bool readOnly);

public slots:
    void back();
    void next();

signals:
    void progressChanged(const fleetwright::StudyProgress &progress);
    void restartRequested();
    void recordRequested(const fleetwright::LedgerEntry &entry);
    void refused(const fleetwright::Error &error);

protected:
    void changeEvent(QEvent *event) override;

private:
    bool take(Expected<StudyProgress> progress);
    void showStep();
    [[nodiscard]] QString outline() const;
    void showQuestion(const StudyStep &step, const PredictStep &content);
    void showInstrument(const StudyStep &step, const InstrumentStep &content);
    void showReply(const RevealStep &content);
    void showTakeaways(const TakeawaysStep &content);
    void showResult();
    void updateButtons();
    void predict();
    void reflect();
    void record();
    void goTo(const std::string &stepId);
    [[nodiscard]] const StudyStep &current() const;

    std::unique_ptr<Ui::StudyView> m_ui;
    StudyDocument m_study;
    StudyProgress m_progress;
    std::vector<QRadioButton *> m_choices;
    InstrumentPanel *m_panel = nullptr;
    QTimer m_pause; ///< a pause in typing or moving announces the text or the controls
    bool m_unannounced = false;
    bool m_readOnly = false;
};

} // namespace fleetwright::app
