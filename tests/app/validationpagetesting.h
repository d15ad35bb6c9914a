// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/validation/validationpage.h"
#include "itemmodels/tabletext.h"
#include "pagetesting.h"
#include "testing/waiting.h"

#include <QTableView>
#include <QTextBrowser>

namespace fleetwright::app {

/// The Validation page over a workspace without a project; what it shows is the test's own.
class ValidationPageFixture : protected PageFixture<ValidationPage> {
protected:
    void makePage(ValidationSources sources)
    {
        m_page = std::make_unique<ValidationPage>(*m_workspace, *m_prompts, std::move(sources), nullptr);
        m_page->resize(1096, 740); // what a window of 1280 x 800 leaves beside the navigation
    }
    void showPage()
    {
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
        waitForScores();
    }
    void waitForScores()
    {
        QTRY_VERIFY(part<QTableView>(*m_page, QStringLiteral("scoreTable"))->model()->rowCount() > 0);
    }
    [[nodiscard]] QString cell(const QString &table, int row, int column)
    {
        return part<QTableView>(*m_page, table)->model()->index(row, column).data().toString();
    }
    [[nodiscard]] QString runId(int row)
    {
        return part<QTableView>(*m_page, QStringLiteral("runTable"))
            ->model()
            ->index(row, 0)
            .data(itemmodels::fileRole)
            .toString();
    }
    [[nodiscard]] QString text(const QString &browser) { return part<QTextBrowser>(*m_page, browser)->toPlainText(); }
};

} // namespace fleetwright::app
