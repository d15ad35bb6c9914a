-- SPDX-License-Identifier: GPL-3.0-or-later
-- Version 8: decisions with their answers, and decisions as they were approved.
CREATE TABLE decision (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    document TEXT NOT NULL CHECK (document LIKE '{%}')
) STRICT;
-- cut
-- The last complete answer to a decision; input_hash tells whether it is stale.
CREATE TABLE decision_result (
    decision_id INTEGER PRIMARY KEY REFERENCES decision (id) ON DELETE CASCADE,
    input_hash TEXT NOT NULL,
    solved_at TEXT NOT NULL, -- ISO 8601, UTC
    result TEXT NOT NULL CHECK (result LIKE '{%}')
) STRICT;
-- cut
-- Decisions as they were approved, with their answers and what those rested on; what became of them is added later.
CREATE TABLE approved_decision (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    document TEXT NOT NULL CHECK (document LIKE '{%}')
) STRICT;
