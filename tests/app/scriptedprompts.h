// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspace/prompts.h"

#include <QStringList>

/// Answers questions from a script and remembers what was asked and which errors were shown.
class ScriptedPrompts final : public fleetwright::app::Prompts {
public:
    bool confirmation = true;
    QString fileName; ///< given to the next file question; empty: cancelled
    QString typed;
    QStringList questions;
    Default returned = Default::Cancel; ///< what Return would have done in the last question
    QString suggested; ///< with the last question for a file to write
    std::vector<fleetwright::Error> errors;

    bool confirm(QWidget *, const QString &, const QString &question, const QString &, Default byReturn) override
    {
        questions << question;
        returned = byReturn;
        return confirmation;
    }
    std::optional<fleetwright::app::Approver> approver(
        QWidget *, const fleetwright::app::ApprovalQuestion &question) override
    {
        approved = question;
        questions << question.name;
        returned = Default::Action;
        return confirmation ? std::optional(approvedBy) : std::nullopt;
    }
    fleetwright::app::Approver approvedBy; ///< given to the next question who approves
    fleetwright::app::ApprovalQuestion approved; ///< the last one
    void showError(QWidget *, const QString &, const fleetwright::Error &error) override { errors.push_back(error); }
    QString text(QWidget *, const QString &title, const QString &, const QString &) override
    {
        questions << title;
        return typed;
    }

protected:
    QString openFileName(QWidget *, const QString &title, const QString &, const QString &) override
    {
        questions << title;
        return fileName;
    }
    QString saveFileName(QWidget *, const QString &title, const QString &suggestion, const QString &) override
    {
        questions << title;
        suggested = suggestion;
        return fileName;
    }
};
