-- SPDX-License-Identifier: GPL-3.0-or-later
-- Version 10: a digest for each row. The program fills the table in the transaction of this step, as after every later one.
CREATE TABLE digest (
    item TEXT NOT NULL, -- the row's table
    key TEXT NOT NULL, -- its primary key, with a slash between several values
    digest TEXT NOT NULL, -- the first 128 bits of SHA-256, hexadecimal
    PRIMARY KEY (item, key)
) STRICT, WITHOUT ROWID;
