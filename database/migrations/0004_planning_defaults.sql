-- SPDX-License-Identifier: GPL-3.0-or-later
-- Version 4: the user's own planning defaults take the place of shipped ones. Those of earlier versions replace nothing, as
-- until now.
ALTER TABLE planning_default ADD COLUMN replaces TEXT;
