// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/sweepdocument.h"

#include <QWidget>

#include <memory>

class QComboBox;
class QLineEdit;
class QMenu;
class QPlainTextEdit;
class QToolButton;

namespace fleetwright::app {

class ValidationLabel;

/// Edits one axis of a sweep: what varies, chosen from everything that can (searched by typing part of a name or key),
/// and its values as a list or range; or named configurations, one per line. What cannot be read is refused in place
/// and changes nothing.
class SweepAxisEdit : public QWidget {
    Q_OBJECT
public:
    explicit SweepAxisEdit(QWidget *parent = nullptr);

    /// `name` is the start of the parts' object names and the label for assistive technology.
    void setUp(const QString &name, const QString &label, bool optional);
    /// The keys of assumptions are those of this cost model.
    void setSources(std::shared_ptr<const Catalog> catalog, std::span<const AssumptionDescriptor> assumptions);
    /// Shows the axis without announcing it; nothing: no axis. A text that is being edited and reads as this axis
    /// stays.
    void setAxis(const std::optional<SweepAxis> &axis);
    /// Accepts what is being typed at once, as leaving its field does.
    void acceptTyped();
    void setReadOnly(bool readOnly);
    void setRefusal(const QString &sentence);
    /// Why what stands there cannot be read; nothing where it can.
    [[nodiscard]] Expected<void> readable() const;

signals:
    void edited(const std::optional<fleetwright::SweepAxis> &axis);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    [[nodiscard]] std::optional<SweepKey> currentKey() const;
    [[nodiscard]] Expected<std::optional<SweepAxis>> read() const;
    void fillKeys();
    void showKey();
    void chooseKey();
    void acceptKey();
    void validate();
    void accept();
    void fillChoices();
    void toggleChoice(const QString &id, bool on);

    QComboBox *m_key;
    QLineEdit *m_values;
    QPlainTextEdit *m_points;
    QToolButton *m_choose;
    QMenu *m_choices;
    ValidationLabel *m_sentence;
    std::shared_ptr<const Catalog> m_catalog;
    std::vector<AssumptionDescriptor> m_assumptions;
    std::optional<SweepAxis> m_axis;
    bool m_optional = false;
};

} // namespace fleetwright::app
