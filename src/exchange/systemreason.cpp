// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/systemreason.h"

#include <QFileInfo>

#include <cerrno>

using namespace Qt::StringLiterals;

namespace fleetwright::exchange {

QString systemReason(int reason)
{
    switch (reason) {
    case ENOSPC: return u"the disk is full"_s;
#ifdef EDQUOT
    case EDQUOT: return u"your share of the disk is used up"_s;
#endif
    case EFBIG: return u"it would be larger than this disk, or the limit of your account, lets a file be"_s;
    case EROFS: return u"the disk can only be read"_s;
    case EACCES:
    case EPERM: return u"you may not write there"_s;
    case ENAMETOOLONG: return u"the name is too long"_s;
    case EIO: return u"the disk reports a fault (input/output error)"_s;
    case EMFILE:
    case ENFILE: return u"too many files are open"_s;
    case ENOMEM: return u"not enough memory"_s;
    default: return u"the system refused it (its number for that: %1)"_s.arg(reason);
    }
}

QString whyNotReadable(const QString &path)
{
    const QFileInfo info(path);
    if (!info.exists())
        return u"there is no such file"_s;
    if (info.isDir())
        return u"it is a folder"_s;
    if (!info.isFile())
        return u"it is not an ordinary file"_s;
    if (!info.isReadable())
        return u"you may not read it"_s;
    return u"the system does not open it"_s;
}

} // namespace fleetwright::exchange
