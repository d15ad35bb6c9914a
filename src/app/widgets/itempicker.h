// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"

#include <QComboBox>

#include <functional>
#include <memory>

namespace fleetwright::app {

class ValidationLabel;

/// Chooses one catalog item. The list can be searched by typing any part of the name; each entry explains itself in its
/// tooltip (key facts and where they come from). A text that names no item is refused in place and changes nothing;
/// Escape shows the item again.
class ItemPicker : public QWidget {
    Q_OBJECT
public:
    using Filter = std::function<bool(const CatalogRecord &)>;

    explicit ItemPicker(QWidget *parent = nullptr);
    ~ItemPicker() override;

    void setKind(CatalogKind kind, const QString &label, Filter filter = {});
    /// Adds a first entry without an item.
    void setOptional(const QString &text);
    void setCatalog(std::shared_ptr<const Catalog> catalog);
    /// Shows the item without announcing it. An inline item, and an id that the catalog lacks, are shown as what they
    /// are.
    void setReference(const ItemReference &reference);
    /// Accepts a typed name or id at once, as leaving the field does.
    void acceptTyped();
    void setReadOnly(bool readOnly, const QString &reason);
    /// Sentences are shown in this label instead of beneath the field; several fields may share one.
    void setSentenceLabel(ValidationLabel *label);
    void setRefusal(const QString &sentence);
    [[nodiscard]] QString refusal() const { return m_refusal; }
    /// So that what is typed next replaces the name.
    void selectText();

signals:
    void picked(const QString &id); ///< empty: the entry without an item

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void fill();
    void showCurrent();
    void accept(int index);
    void acceptText();
    [[nodiscard]] int onlyWith(const QString &text) const;

    QComboBox *m_combo;
    ValidationLabel *m_sentence;
    CatalogKind m_kind = CatalogKind::Node;
    QString m_label;
    QString m_none;
    QString m_readOnlyReason;
    QString m_refusal;
    Filter m_filter;
    std::shared_ptr<const Catalog> m_catalog;
    ItemReference m_reference = std::string();
    QString m_id;
};

/// Key facts of a catalog item with their provenance, as plain text for tool tips.
[[nodiscard]] QString describeItem(const CatalogRecord &record, const Catalog &catalog);

} // namespace fleetwright::app
