// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/searchdocument.h"

#include <QWidget>

#include <array>
#include <memory>

class QLabel;
class QLineEdit;

namespace Ui {
class SearchSettings;
}

namespace fleetwright::app {

/// What a search varies, by which cost model and for which objective. Every valid entry changes the document at once;
/// what cannot be read is refused in place and changes nothing.
class SearchSettings : public QWidget {
    Q_OBJECT
public:
    explicit SearchSettings(QWidget *parent = nullptr);
    ~SearchSettings() override;

    void show(const SearchDocument &document, std::shared_ptr<const Catalog> catalog);
    using QWidget::show;
    [[nodiscard]] const SearchDocument &document() const { return m_document; }
    /// No field holds a text that was refused.
    [[nodiscard]] bool isValid() const;
    /// Why the cases that stand there cannot be read; nothing where they can.
    [[nodiscard]] Expected<void> readableCases() const;
    /// Says beside the fields why a search was refused.
    void refuse(const Error &error);
    /// What differs from a search of everything: "detailed; step time; TP 8, 16; ZeRO stage 1".
    [[nodiscard]] QString inWords() const;

signals:
    void changed();

private:
    void setUpOptions();
    void optionEdited(std::size_t index);
    void showCases();
    void showOptions();
    void showPriced();
    [[nodiscard]] std::string modelId() const;

    std::unique_ptr<Ui::SearchSettings> m_ui;
    std::array<QLineEdit *, searchOptionCount> m_options{};
    std::array<QLabel *, searchOptionCount> m_labels{};
    std::array<QString, searchOptionCount> m_refusals;
    SearchDocument m_document;
    std::shared_ptr<const Catalog> m_catalog;
};

} // namespace fleetwright::app
