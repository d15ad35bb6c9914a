// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/layoutsearchdocument.h"

#include <QWidget>

#include <array>
#include <memory>

class QLabel;
class QLineEdit;

namespace Ui {
class LayoutSearchSettings;
}

namespace fleetwright::app {

/// What a search varies, by which cost model and for which objective. Every valid entry changes the document at once;
/// what cannot be read is refused in place and changes nothing.
class LayoutSearchSettings : public QWidget {
    Q_OBJECT
public:
    explicit LayoutSearchSettings(QWidget *parent = nullptr);
    ~LayoutSearchSettings() override;

    void show(const LayoutSearchDocument &document, std::shared_ptr<const Catalog> catalog);
    using QWidget::show;
    [[nodiscard]] const LayoutSearchDocument &document() const { return m_document; }
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

    std::unique_ptr<Ui::LayoutSearchSettings> m_ui;
    std::array<QLineEdit *, layoutSearchOptionCount> m_options{};
    std::array<QLabel *, layoutSearchOptionCount> m_labels{};
    std::array<QString, layoutSearchOptionCount> m_refusals;
    LayoutSearchDocument m_document;
    std::shared_ptr<const Catalog> m_catalog;
};

} // namespace fleetwright::app
