// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspace/workspace.h"
#include "scriptedprompts.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <utility>

namespace fleetwright::app {

/// The part of a page with this objectName; fails the test when there is none.
template <class T> T *part(QWidget &page, const QString &name)
{
    auto *found = page.findChild<T *>(name);
    if (!found)
        qFatal("There is no %s", qPrintable(name));
    return found;
}

/// Replaces the text of a field as a user does: focus, select all, type.
inline void type(QWidget &page, const QString &field, const QString &text)
{
    auto *edit = part<QLineEdit>(page, field + QStringLiteral("Text"));
    edit->setFocus();
    QTest::keyClick(edit, Qt::Key_A, Qt::ControlModifier);
    if (text.isEmpty())
        QTest::keyClick(edit, Qt::Key_Delete);
    else
        QTest::keyClicks(edit, text);
}

/// As type(), then Return: the field accepts the text.
inline void enter(QWidget &page, const QString &field, const QString &text)
{
    type(page, field, text);
    QTest::keyClick(part<QLineEdit>(page, field + QStringLiteral("Text")), Qt::Key_Return);
}

inline void paste(QWidget &page, const QString &field, const QString &text)
{
    auto *edit = part<QLineEdit>(page, field + QStringLiteral("Text"));
    edit->setFocus();
    QTest::keyClick(edit, Qt::Key_A, Qt::ControlModifier);
    QGuiApplication::clipboard()->setText(text);
    QTest::keyClick(edit, Qt::Key_V, Qt::ControlModifier);
}

/// Chooses the entry with this data by keys.
inline void choose(QComboBox *combo, const QVariant &data)
{
    combo->setFocus();
    const int wanted = combo->findData(data);
    QVERIFY(wanted >= 0);
    while (combo->currentIndex() != wanted)
        QTest::keyClick(combo, combo->currentIndex() < wanted ? Qt::Key_Down : Qt::Key_Up);
}

/// A page over the sample project, or another; a folder of its own for each test.
template <class Page> class PageFixture {
protected:
    /// A workspace without a project.
    void makeWorkspace()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_workspace = std::make_unique<Workspace>();
        m_prompts = std::make_unique<ScriptedPrompts>();
    }
    void makeSample()
    {
        makeWorkspace();
        const auto made = m_workspace->createSample(
            m_folder->filePath(QStringLiteral("sample.fleetwright")), storage::ShippedProject::Tutorial);
        QVERIFY2(made.has_value(), made ? "" : made.error().message.c_str());
    }
    /// Arguments of the page between prompts and parent.
    template <class... Arguments> void showPage(QSize size, Arguments &&...arguments)
    {
        m_page = std::make_unique<Page>(*m_workspace, *m_prompts, std::forward<Arguments>(arguments)..., nullptr);
        m_page->resize(size);
        m_page->show();
        m_page->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
    }
    void close()
    {
        m_page.reset();
        m_workspace.reset();
        m_folder.reset();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Workspace> m_workspace;
    std::unique_ptr<ScriptedPrompts> m_prompts;
    std::unique_ptr<Page> m_page;
};

inline QString sentence(QWidget &page, const QString &field)
{
    return part<QLabel>(page, field + QStringLiteral("Sentence"))->text();
}

} // namespace fleetwright::app
