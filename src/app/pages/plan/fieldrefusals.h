// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/localized.h"
#include "units/error.h"

#include <QString>

#include <functional>
#include <map>

namespace fleetwright::app {

/// Which part of a form shows the refusals of which field. Fields are dotted paths; the longest matching prefix wins.
class FieldRefusals {
public:
    using Show = std::function<void(const QString &sentence)>; ///< an empty sentence takes the refusal away

    template <class Field> void add(const QString &path, Field *field)
    {
        m_shows[path] = [field](const QString &sentence) {
            if constexpr (requires { field->setRefusal(sentence); })
                field->setRefusal(sentence);
            else
                field->setSentence(sentence);
        };
    }
    /// False when no part of the form shows this field.
    bool show(const Error &error)
    {
        QString path = QString::fromStdString(error.field);
        for (auto found = m_shows.find(path); found == m_shows.end(); found = m_shows.find(path)) {
            const auto dot = path.lastIndexOf(u'.');
            if (dot < 0)
                return false;
            path.truncate(dot);
        }
        m_shows.at(path)(localized(error.message));
        m_shown = path;
        return true;
    }
    /// Takes away what show() showed last; what fields say about their own text stays.
    void clear()
    {
        if (const auto found = m_shows.find(m_shown); found != m_shows.end())
            found->second({});
        m_shown.clear();
    }

private:
    std::map<QString, Show> m_shows;
    QString m_shown;
};

} // namespace fleetwright::app
