// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <zlib.h>

#include <QByteArray>
#include <QMap>
#include <QString>
#include <QtEndian>

/// Spreadsheets as the zip files that they are.
namespace fleetwright::test {

inline quint32 number32(const QByteArray &zip, qsizetype at)
{
    return qFromLittleEndian<quint32>(zip.constData() + at);
}
inline quint16 number16(const QByteArray &zip, qsizetype at)
{
    return qFromLittleEndian<quint16>(zip.constData() + at);
}

inline QByteArray inflated(QByteArray packed, qsizetype size)
{
    QByteArray plain(size, '\0');
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        return {};
    stream.next_in = reinterpret_cast<Bytef *>(packed.data());
    stream.avail_in = uInt(packed.size());
    stream.next_out = reinterpret_cast<Bytef *>(plain.data());
    stream.avail_out = uInt(plain.size());
    const int status = inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    return status == Z_STREAM_END ? plain : QByteArray();
}

/// Name and content of every file, by the zip file's directory.
inline QMap<QString, QByteArray> unzipped(const QByteArray &zip)
{
    QMap<QString, QByteArray> files;
    auto entry = qsizetype(number32(zip, zip.size() - 22 + 16));
    for (int count = number16(zip, zip.size() - 22 + 10); count > 0; --count) {
        if (zip.mid(entry, 4) != "PK\1\2")
            qFatal("no directory entry at %lld", qint64(entry));
        const auto local = qsizetype(number32(zip, entry + 42));
        const auto start = local + 30 + number16(zip, local + 26) + number16(zip, local + 28);
        const auto packed = zip.mid(start, number32(zip, entry + 20));
        const auto name = QString::fromUtf8(zip.mid(entry + 46, number16(zip, entry + 28)));
        files[name] = number16(zip, entry + 10) == 0 ? packed : inflated(packed, number32(zip, entry + 24));
        entry += 46 + number16(zip, entry + 28) + number16(zip, entry + 30) + number16(zip, entry + 32);
    }
    return files;
}

/// A zip file of these files, not packed.
inline QByteArray zipped(const QMap<QString, QByteArray> &files)
{
    QByteArray zip, directory;
    const auto put = [](QByteArray &to, quint32 value, int bytes) {
        for (int i = 0; i < bytes; ++i)
            to += char(value >> (8 * i) & 0xff);
    };
    for (auto file = files.cbegin(); file != files.cend(); ++file) {
        const auto name = file.key().toUtf8();
        const auto sum = quint32(::crc32(0, reinterpret_cast<const Bytef *>(file->constData()), uInt(file->size())));
        QByteArray facts;
        put(facts, 20, 2); // version
        put(facts, 0, 4); // flags, method
        put(facts, 0x00210000, 4); // 1980-01-01
        put(facts, sum, 4);
        put(facts, quint32(file->size()), 4);
        put(facts, quint32(file->size()), 4);
        put(facts, quint32(name.size()), 2);
        put(facts, 0, 2);
        directory += "PK\1\2";
        put(directory, 20, 2);
        directory += facts;
        put(directory, 0, 6); // comment, disk, internal attributes
        put(directory, 0, 4); // external attributes
        put(directory, quint32(zip.size()), 4);
        directory += name;
        zip += "PK\3\4" + facts + name + *file;
    }
    const auto start = quint32(zip.size());
    zip += directory + "PK\5\6";
    put(zip, 0, 4);
    put(zip, quint32(files.size()), 2);
    put(zip, quint32(files.size()), 2);
    put(zip, quint32(directory.size()), 4);
    put(zip, start, 4);
    put(zip, 0, 2);
    return zip;
}

} // namespace fleetwright::test
