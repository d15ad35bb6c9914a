// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/readfile.h"

#include "exchange/systemreason.h"
#include "exchange/textreader.h"

#include <QFile>

namespace fleetwright::exchange {

Expected<std::string> readFile(const QString &path, std::size_t longest)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return refuse(ErrorCode::IoError, path.toStdString(),
            "The file cannot be read: " + whyNotReadable(path).toStdString() + ".");
    auto text = file.read(qint64(longest) + 1).toStdString();
    if (text.size() > longest)
        return refuseTooLong(longest, path.toStdString());
    return text;
}

} // namespace fleetwright::exchange
