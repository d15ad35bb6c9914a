// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalog.h"

#include <QDialog>

#include <functional>
#include <memory>
#include <vector>

class QComboBox;
class QFormLayout;
class QLabel;

namespace Ui {
class CatalogItemDialog;
}

namespace fleetwright::app {

/// A form for one catalog item, made from the field descriptors of its kind. Values are checked while they are typed;
/// saving is refused beside the field that is wrong. Fields that the user changes lose the source that the original
/// had.
class CatalogItemDialog : public QDialog {
    Q_OBJECT
public:
    using Save = std::function<Expected<void>(const CatalogRecord &)>;
    /// `initial` without an id when `isNew`: one is proposed from the name.
    CatalogItemDialog(CatalogRecord initial, bool isNew, std::shared_ptr<const Catalog> catalog, Save save,
        QWidget *parent = nullptr);
    ~CatalogItemDialog() override;

signals:
    void saved(const QString &id);

protected:
    void changeEvent(QEvent *event) override;

private:
    struct Editor {
        const FieldDescriptor *field;
        QWidget *widget;
        QLabel *error;
        std::function<QString()> text;
        std::function<std::vector<std::string>()> ids{}; ///< of several items, instead of the text
    };
    void setColours();
    void makeEditor(const FieldDescriptor &field);
    [[nodiscard]] QWidget *makeWidget(const FieldDescriptor &field, Editor &editor);
    [[nodiscard]] QWidget *makeListPicker(const FieldDescriptor &field, Editor &editor);
    void fillChoices(QComboBox &combo, const FieldDescriptor &field) const;
    void addItemsOf(QComboBox &combo, std::optional<CatalogKind> kind) const;
    void addPriceUnits(QComboBox &combo, const std::string &currency) const;
    /// Calls `refill` with the combo whenever the text of the other field's editor changes.
    void follow(QComboBox &combo, std::string_view other, std::function<void(const QString &)> refill);
    void joinUnitAndCurrency();
    void validateKey(std::string_view key);
    void showNotice();
    void proposeId();
    [[nodiscard]] Expected<FieldValue> value(const Editor &editor) const;
    bool validate(const Editor &editor);
    [[nodiscard]] CatalogRecord record() const;
    void trySave();
    void showError(const Error &error);

    std::unique_ptr<Ui::CatalogItemDialog> m_ui;
    CatalogRecord m_initial;
    bool m_isNew;
    bool m_idTyped = false;
    std::shared_ptr<const Catalog> m_catalog;
    Save m_save;
    std::vector<Editor> m_editors;
};

/// An id made from a name: "NVIDIA H100 (80 GB)" is "nvidia_h100_80_gb"; a number is added while `taken` says so.
[[nodiscard]] QString proposedId(const QString &name, const std::function<bool(const QString &)> &taken);

} // namespace fleetwright::app
