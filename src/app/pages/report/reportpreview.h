// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reports/pagedreport.h"

#include <QScrollArea>
#include <QTimer>

#include <memory>

namespace fleetwright::app {

/// The pages of a report below each other, as they will be printed, as wide as the room allows.
class ReportPreview : public QScrollArea {
    Q_OBJECT
public:
    explicit ReportPreview(QWidget *parent = nullptr);
    ~ReportPreview() override;

    /// Lays the report out a little at a time, so that the window stays alive; until then the one before it is shown.
    void showReport(const reports::ReportDocument &document, reports::Paper paper);
    /// A sentence in the place of a report: why there is none.
    void showWords(const QString &words);
    [[nodiscard]] int pageCount() const;

signals:
    void laidOut(); ///< what showReport() was given is shown now

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    class Sheets;
    void layOut();
    void arrange();

    Sheets *m_sheets;
    std::unique_ptr<reports::PagedReport> m_next; ///< on its way
    QSizeF m_nextPaper;
    QTimer m_laying;
};

} // namespace fleetwright::app
