// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/sweepdocument.h"

#include <QWidget>

#include <memory>

class QComboBox;
class QFrame;
class QLineEdit;
class QPlainTextEdit;
class QToolButton;

namespace fleetwright::app {

class ItemListPicker;
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
    /// Shows the axis without announcing it; nothing: no axis. Of the axis that is shown already, what is not finished
    /// stays, and so does a text that reads as this axis.
    void setAxis(const std::optional<SweepAxis> &axis);
    /// What is not finished was meant for another sweep.
    void forgetUnfinished();
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
    void openChoices();
    void takeChoices();

    QComboBox *m_key;
    QLineEdit *m_values;
    QPlainTextEdit *m_points;
    QToolButton *m_choose;
    QFrame *m_choices; ///< stays open while its entries are ticked
    ItemListPicker *m_picker;
    ValidationLabel *m_sentence;
    std::shared_ptr<const Catalog> m_catalog;
    std::vector<AssumptionDescriptor> m_assumptions;
    std::optional<SweepAxis> m_axis;
    bool m_optional = false;
    bool m_isUnfinished = false; ///< what stands there is not yet an axis
};

} // namespace fleetwright::app
