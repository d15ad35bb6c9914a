-- SPDX-License-Identifier: GPL-3.0-or-later
-- Version 3: the catalog of calibration constants and the runs that the user measured.
CREATE TABLE calibration_constant (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE CHECK (id <> ''),
    name TEXT NOT NULL CHECK (name <> ''),
    shipped INTEGER NOT NULL CHECK (shipped IN (0, 1)),
    constant TEXT,
    family TEXT,
    symbol TEXT,
    value REAL,
    unit TEXT,
    range_low REAL,
    range_high REAL,
    least REAL,
    most REAL,
    fitted INTEGER CHECK (fitted IN (0, 1)),
    runs INTEGER,
    as_of TEXT,
    meaning TEXT,
    known_confusions TEXT NOT NULL CHECK (known_confusions LIKE '[%]'),
    notes TEXT NOT NULL
) STRICT;
-- cut
-- Runs that the user measured, to judge and calibrate cost models with.
CREATE TABLE measured_run (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    document TEXT NOT NULL CHECK (document LIKE '{%}') -- as one run of a file of measured runs
) STRICT;
