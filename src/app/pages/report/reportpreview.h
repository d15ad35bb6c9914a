// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reports/pagedreport.h"

#include <QScrollArea>

namespace fleetwright::app {

/// The pages of a report below each other, as they will be printed, as wide as the room allows.
class ReportPreview : public QScrollArea {
    Q_OBJECT
public:
    explicit ReportPreview(QWidget *parent = nullptr);
    ~ReportPreview() override;

    void showReport(const reports::ReportDocument &document, reports::Paper paper);
    /// A sentence in the place of a report: why there is none.
    void showWords(const QString &words);
    [[nodiscard]] int pageCount() const;

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    class Sheets;
    void arrange();

    Sheets *m_sheets;
};

} // namespace fleetwright::app
