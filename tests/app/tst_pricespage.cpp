// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalogpagetesting.h"
#include "itemmodels/catalogtablemodel.h"
#include "testing/registry.h"

#include <QComboBox>
#include <QLabel>
#include <QTextBrowser>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestPricesPage : public QObject, private CatalogPageFixture {
    Q_OBJECT

    void showPrices() { show(CatalogKind::Price); }
    static QString columnTitle(const char *key)
    {
        const itemmodels::CatalogTableModel model(CatalogKind::Price);
        return model.headerData(model.columnOf(QString::fromUtf8(key)), Qt::Horizontal).toString();
    }

private slots:
    void init() { openProject(); }
    void cleanup() { closeProject(); }

    /// The item of a price is picked from the catalog that another field of the form names.
    void theItemOfAPriceIsPicked()
    {
        showPrices();
        click(u"addButton"_s);
        QTRY_VERIFY(dialog());
        type(u"nameEdit"_s, u"Offer"_s);
        auto *kind = dialog()->findChild<QComboBox *>(u"item_type"_s);
        auto *item = dialog()->findChild<QComboBox *>(u"item_ref"_s);
        QVERIFY(kind && item);
        QCOMPARE(item->count(), 1); // no catalog yet
        kind->setCurrentText(u"nodes"_s);
        QCOMPARE(item->count(), 1 + int(m_workspace->catalog()->records(CatalogKind::Node).size()));
        item->setCurrentText(u"NVIDIA DGX H100"_s);
        for (const auto &[key, text] : {std::pair{u"category"_s, u"purchase"_s}, {u"confidence"_s, u"market"_s}})
            dialog()->findChild<QComboBox *>(key)->setCurrentText(text);
        auto *unit = dialog()->findChild<QComboBox *>(u"unit"_s);
        unit->setCurrentText(u"USD per node"_s);
        auto *currency = dialog()->findChild<QComboBox *>(u"currency"_s);
        QVERIFY(currency->findText(u"EUR"_s) > 0);
        currency->setCurrentText(u"EUR"_s);
        QCOMPARE(unit->currentText(), u"EUR per node"_s);
        currency->setCurrentText(u"USD"_s);
        QCOMPARE(unit->currentText(), u"USD per node"_s);
        auto *itemError = dialog()->findChild<QLabel *>(u"item_ref/error"_s);
        item->setEditText(u"no such node"_s);
        QVERIFY2(itemError->isVisible() && itemError->text().contains(u"no such node"_s), "picked, not typed");
        item->setCurrentText(u"NVIDIA DGX H100"_s);
        QVERIFY(!itemError->isVisible());
        type(u"typical"_s, u"0"_s);
        press(QDialogButtonBox::Save);
        QVERIFY2(dialog()->findChild<QLabel *>(u"typical/error"_s)->isVisible(), "a price of nothing");
        type(u"typical"_s, u"290000"_s);
        press(QDialogButtonBox::Save);
        QTRY_VERIFY(!dialog());
        const auto *record = m_workspace->catalog()->find(CatalogKind::Price, "offer");
        QVERIFY(record);
        QCOMPARE(record->text("item_ref"), std::optional<std::string>("nvidia_dgx_h100"));
        QVERIFY(child<QTextBrowser>(u"details"_s)->toPlainText().contains(u"USD per node"_s));
    }

    /// What a price must not be is refused beside its field; what it may be and should not stands below the form.
    void pricesThatAreRefusedOrOutOfDate()
    {
        showPrices();
        m_page->showRecord("price_dgx_h100_2026");
        click(u"duplicateButton"_s);
        QTRY_VERIFY(dialog());
        const auto refusedAt = [&](const QString &field, const QString &word) {
            press(QDialogButtonBox::Save);
            auto *label = dialog()->findChild<QLabel *>(field + u"/error"_s);
            return label->isVisible() && label->text().contains(word);
        };
        for (const auto *key : {"low", "high"})
            dialog()->findChild<QLineEdit *>(QString::fromUtf8(key))->clear();
        dialog()->findChild<QComboBox *>(u"currency"_s)->setCurrentText(u"XAU"_s);
        QVERIFY(refusedAt(u"currency"_s, u"add the currency"_s));
        dialog()->findChild<QComboBox *>(u"currency"_s)->setCurrentText(u"USD"_s);
        type(u"valid_until"_s, u"soon"_s);
        QVERIFY(refusedAt(u"valid_until"_s, u"2027-03-31"_s));
        auto *notice = dialog()->findChild<QLabel *>(u"noticeLabel"_s);
        type(u"valid_until"_s, u"2026-01-31"_s);
        QVERIFY2(notice->isVisible() && notice->text().contains(u"was valid until 2026-01-31"_s),
            qPrintable(notice->text()));
        type(u"typical"_s, u"0"_s);
        QVERIFY(refusedAt(u"typical"_s, u"more than zero"_s));
        type(u"typical"_s, u"290000"_s);
        press(QDialogButtonBox::Save);
        QTRY_VERIFY(!dialog());
        QVERIFY(child<QTextBrowser>(u"details"_s)->toPlainText().contains(u"was valid until 2026-01-31"_s));
    }

    void namesComeFirstAndReasonsAreSaid()
    {
        showPrices();
        QTest::keyClicks(child<QLineEdit>(u"filterEdit"_s), u"dgx h100"_s);
        bool named = true; // then come those that only mention it
        for (int row = 0; row < table()->model()->rowCount(); ++row) {
            const bool now = table()->model()->index(row, 0).data().toString().contains(u"DGX H100"_s);
            QVERIFY(named || !now);
            named = now;
        }
        QVERIFY(table()->model()->index(0, 0).data().toString().contains(u"DGX H100"_s) && !named);
        m_page->showRecord("price_dgx_h100_2026");
        for (const auto *name : {"editButton", "deleteButton"}) {
            auto *button = child<QPushButton>(QString::fromUtf8(name));
            QVERIFY(!button->isEnabled());
            QVERIFY2(button->toolTip().contains(u"came with the program"_s), qPrintable(button->toolTip()));
        }
        click(u"duplicateButton"_s);
        QTRY_VERIFY(dialog());
        const auto *use = dialog()->findChild<QLabel *>(u"useLabel"_s);
        QVERIFY(use->isVisible() && use->text().contains(u"before the shipped ones"_s));
    }

    void pricesAreFiltered()
    {
        showPrices();
        const int all = table()->model()->rowCount();
        for (const auto *key : {"category", "term", "vendor", "age"}) {
            auto *combo = child<QComboBox>(u"category/"_s + QString::fromUtf8(key));
            QVERIFY2(combo && combo->count() > 1, key);
        }
        auto *standing = child<QComboBox>(u"category/age"_s);
        QCOMPARE(standing->itemText(0), u"Standing: any"_s);
        standing->setCurrentIndex(standing->findText(u"textbook value"_s));
        const int textbook = table()->model()->rowCount();
        QVERIFY(textbook > 0 && textbook < all);
        standing->setCurrentIndex(0);
        auto *vendor = child<QComboBox>(u"category/vendor"_s);
        vendor->setCurrentIndex(vendor->findText(u"Lambda"_s));
        QVERIFY(table()->model()->rowCount() > 0 && table()->model()->rowCount() < textbook);
        for (const auto *key : {"low", "typical", "high", "unit", "term", "vendor", "region", "as_of", "age"}) {
            bool shown = false;
            for (int column = 0; column < table()->model()->columnCount(); ++column)
                shown = shown
                    || (!table()->isColumnHidden(column)
                        && table()->model()->headerData(column, Qt::Horizontal) == columnTitle(key));
            QVERIFY2(shown, key);
        }
    }
};

FLEETWRIGHT_TEST(TestPricesPage)
#include "tst_pricespage.moc"
