// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/shippedstudies.h"

#include "exchange/studydocuments.h"

#include <QFile>

using namespace Qt::StringLiterals;

// Outside any namespace, as the macro requires: resources of a static library are linked only when they are asked for.
static void initialiseStudies() { Q_INIT_RESOURCE(studies); }

namespace fleetwright::storage {

Expected<std::vector<StudyDocument>> shippedStudies()
{
    initialiseStudies();
    std::vector<StudyDocument> studies;
    for (const auto &name : {u"data-parallel-wall"_s, u"cube-of-1024"_s}) {
        QFile file(u":/fleetwright/studies/%1.yaml"_s.arg(name));
        if (!file.open(QIODevice::ReadOnly))
            return refuse(ErrorCode::IoError, name.toStdString(),
                "A shipped study is missing from the program; install Fleetwright again.");
        auto study = exchange::studyFromText(file.readAll().toStdString());
        if (!study)
            return std::unexpected(study.error());
        studies.push_back(std::move(*study));
    }
    return studies;
}

} // namespace fleetwright::storage
