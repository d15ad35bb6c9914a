-- SPDX-License-Identifier: GPL-3.0-or-later
-- Version 7: offers of vendors.
CREATE TABLE offer (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    document TEXT NOT NULL CHECK (document LIKE '{%}')
) STRICT;
