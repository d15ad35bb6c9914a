// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <QList>
#include <QTimer>
#include <QWidget>

#include <optional>

class QAction;
class QLineEdit;

namespace fleetwright::app {

class ValidationLabel;

/// A field for one number: a line edit and, beneath it, the sentence that says why a text was refused. What is typed is
/// read at every key; a valid text that changes the value is announced at Enter, when the field is left, or when typing
/// pauses, so that the 2 of "2.5" is no value of its own. Text that is not valid stays as typed, is never corrected
/// silently, and the value stays what it was; Escape shows the value again. Up and Down step. Undo and redo keys go to
/// the window while the window has them.
class NumberEdit : public QWidget {
    Q_OBJECT
public:
    explicit NumberEdit(QWidget *parent = nullptr);
    ~NumberEdit() override;

    /// Name of the field for people, assistive technology and sentences ("Nodes").
    void setLabel(const QString &label);
    /// What the number is, its unit and source. The accepted range is added.
    void setExplanation(const QString &text);
    /// The empty text is a value of its own (no limit, the catalog's own...), described by `placeholder`.
    void setOptional(const QString &placeholder);
    /// The empty text is none, as it is at first.
    void setRequired();
    /// Sentences are shown in this label instead of beneath the field; several narrow fields may share one.
    void setSentenceLabel(ValidationLabel *label);
    void setReadOnly(bool readOnly, const QString &reason);
    /// The action stands in the field's own menu, after those for its text.
    void offer(QAction *action) { m_offered << action; }
    /// From outside: why the value in the field cannot be used. The next edit takes it away.
    void setRefusal(const QString &sentence);
    [[nodiscard]] QString refusal() const { return m_refusal; }
    /// The text is valid and nobody has refused the value.
    [[nodiscard]] bool isAcceptable() const { return m_refusal.isEmpty(); }
    /// Accepts a valid text at once, as leaving the field does.
    void acceptTyped();
    /// Forgets what was typed and shows the value.
    void restore();
    [[nodiscard]] QLineEdit *lineEdit() const { return m_edit; }

signals:
    void cancelled(); ///< Escape: the owner may hold a refused value back and show the accepted one again

protected:
    /// Nothing for an empty text of an optional field.
    using Reading = Expected<std::optional<double>>;
    [[nodiscard]] virtual Reading read(const QString &text) const = 0;
    [[nodiscard]] virtual QString write(double value) const = 0;
    [[nodiscard]] virtual std::optional<double> stepped(
        double value, int direction, Qt::KeyboardModifiers modifiers) const = 0;
    [[nodiscard]] virtual QString range() const = 0;
    virtual void announce() = 0; ///< emit the type's own signal

    [[nodiscard]] Reading required() const; ///< what read() answers to an empty text
    [[nodiscard]] QString label() const { return m_label; }
    [[nodiscard]] std::optional<double> number() const { return m_value; }
    /// Shows another value without announcing it. A text that already reads as this value, and a refused text while the
    /// value does not change, stay untouched, so that the cursor does not jump while someone types.
    void setNumber(std::optional<double> value);
    void refreshToolTip();

    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void textEdited(const QString &text);
    void step(int direction, Qt::KeyboardModifiers modifiers);
    void display(std::optional<double> value);

    QLineEdit *m_edit;
    ValidationLabel *m_sentence;
    QString m_label;
    QString m_explanation;
    QString m_readOnlyReason;
    QString m_refusal;
    std::optional<double> m_value;
    QTimer m_pause;
    QList<QAction *> m_offered;
    bool m_optional = false;
};

} // namespace fleetwright::app
