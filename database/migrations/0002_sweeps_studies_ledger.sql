-- SPDX-License-Identifier: GPL-3.0-or-later
-- Version 2: sweeps and their results, the user's own studies, progress in studies, the ledger of decisions.
CREATE TABLE sweep (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    document TEXT NOT NULL CHECK (document LIKE '{%}')
) STRICT;
-- cut
-- The last complete run of a sweep; a cancelled run leaves it as it is.
CREATE TABLE sweep_result (
    sweep_id INTEGER PRIMARY KEY REFERENCES sweep (id) ON DELETE CASCADE,
    input_hash TEXT NOT NULL,
    solved_at TEXT NOT NULL, -- ISO 8601, UTC
    result TEXT NOT NULL CHECK (result LIKE '{%}')
) STRICT;
-- cut
-- Studies that the user brought; the shipped ones are in the program.
CREATE TABLE study (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    document TEXT NOT NULL CHECK (document LIKE '{%}')
) STRICT;
-- cut
-- How far the reader of a study has come, shipped studies included.
CREATE TABLE study_progress (
    study TEXT PRIMARY KEY CHECK (study <> ''), -- the study document's own id
    progress TEXT NOT NULL CHECK (progress LIKE '{%}')
) STRICT, WITHOUT ROWID;
-- cut
CREATE TABLE ledger_entry (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    document TEXT NOT NULL CHECK (document LIKE '{%}')
) STRICT;
