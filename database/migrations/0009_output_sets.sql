-- SPDX-License-Identifier: GPL-3.0-or-later
-- Version 9: output sets, the files that a project hands over.
CREATE TABLE output_set (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    document TEXT NOT NULL CHECK (document LIKE '{%}')
) STRICT;
