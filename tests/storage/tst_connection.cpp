// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/database.h"
#include "storage/support.h"
#include "testing/registry.h"

#include <QtTest>

#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::storage;
using namespace fleetwright::storage::test;

/// What every connection is set to, on which the promise rests (database/README.md).
class ConnectionTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_path;

    std::unique_ptr<Database> opened() const { return must(Database::open(m_path, Database::Access::ReadWrite)); }

private slots:
    void initTestCase()
    {
        m_path = m_folder.filePath(u"project.fleetwright"_s);
        must(Project::create(m_path)).reset();
    }

    void settings_data()
    {
        QTest::addColumn<QString>("pragma");
        QTest::addColumn<int>("value");
        QTest::newRow("rows refer to rows that exist") << u"foreign_keys"_s << 1;
        QTest::newRow("functions in the schema are not trusted") << u"trusted_schema"_s << 0;
        QTest::newRow("cells stay in their page") << u"cell_size_check"_s << 1;
        QTest::newRow("file and folder are brought to the disk") << u"synchronous"_s << 3;
        QTest::newRow("no files in other folders") << u"temp_store"_s << 2;
    }

    void settings()
    {
        QFETCH(QString, pragma);
        QFETCH(int, value);
        QCOMPARE(must(opened()->integer(u"PRAGMA "_s + pragma)), value);
    }

    void theJournalIsAFile() { QCOMPARE(must(opened()->texts(u"PRAGMA journal_mode"_s)), QStringList{u"delete"_s}); }

    /// SQLITE_DBCONFIG_DEFENSIVE.
    void nobodyWritesTheSchemaByHand()
    {
        const auto database = opened();
        static_cast<void>(database->execute(u"PRAGMA writable_schema = ON"_s));
        const auto written = database->execute(u"UPDATE sqlite_schema SET sql = sql || ' '"_s);
        QVERIFY(!written);
    }

    /// Otherwise two writers could both begin and one be refused in the middle of its edit.
    void aTransactionHoldsTheFileFromItsBeginning()
    {
        const auto first = opened();
        const auto second = opened();
        must(second->integer(u"PRAGMA busy_timeout = 0"_s));
        {
            const auto transaction = must(Transaction::begin(*first));
            QVERIFY(!Transaction::begin(*second));
            QCOMPARE(must(second->integer(u"SELECT count(*) FROM project"_s)), 1); // readers may
        }
        QVERIFY(Transaction::begin(*second));
    }

    void whatIsNotCommittedIsTakenBack()
    {
        const auto database = opened();
        {
            const auto transaction = must(Transaction::begin(*database));
            must(database->execute(u"UPDATE project SET created_with = 'half done'"_s));
        }
        QVERIFY(must(database->texts(u"SELECT created_with FROM project"_s)) != QStringList{u"half done"_s});
    }
};

FLEETWRIGHT_TEST(ConnectionTest)
#include "tst_connection.moc"
