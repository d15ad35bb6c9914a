-- SPDX-License-Identifier: GPL-3.0-or-later
-- Version 6: ranges of power and embodied carbon, tariffs in their currency, vendor and last day of a price; catalogs of network
-- gear and of currencies, which start empty in an older project.
ALTER TABLE accelerator ADD COLUMN embodied_carbon_low_kg_co2e REAL;
-- cut
ALTER TABLE accelerator ADD COLUMN embodied_carbon_high_kg_co2e REAL;
-- cut
ALTER TABLE accelerator ADD COLUMN embodied_carbon_scope TEXT;
-- cut
ALTER TABLE node ADD COLUMN max_power_low_kw REAL;
-- cut
ALTER TABLE node ADD COLUMN max_power_high_kw REAL;
-- cut
ALTER TABLE node ADD COLUMN typical_power_kw REAL;
-- cut
ALTER TABLE node ADD COLUMN embodied_carbon_kg_co2e REAL;
-- cut
ALTER TABLE node ADD COLUMN embodied_carbon_low_kg_co2e REAL;
-- cut
ALTER TABLE node ADD COLUMN embodied_carbon_high_kg_co2e REAL;
-- cut
ALTER TABLE node ADD COLUMN embodied_carbon_scope TEXT;
-- cut
ALTER TABLE grid ADD COLUMN electricity_currency TEXT;
-- cut
ALTER TABLE grid ADD COLUMN electricity_industrial_per_kwh REAL;
-- cut
ALTER TABLE grid ADD COLUMN electricity_units_per_usd REAL;
-- cut
ALTER TABLE grid ADD COLUMN electricity_fx_period TEXT;
-- cut
ALTER TABLE price ADD COLUMN vendor TEXT;
-- cut
ALTER TABLE price ADD COLUMN valid_until TEXT;
-- cut
CREATE TABLE network_gear (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE CHECK (id <> ''),
    name TEXT NOT NULL CHECK (name <> ''),
    shipped INTEGER NOT NULL CHECK (shipped IN (0, 1)),
    vendor TEXT,
    kind TEXT,
    asic TEXT,
    capacity_tbit_per_s REAL,
    rate_gbit_per_s REAL,
    ports INTEGER,
    ports_by_rate_gbit_1 INTEGER,
    ports_by_rate_gbit_100 INTEGER,
    ports_by_rate_gbit_200 INTEGER,
    ports_by_rate_gbit_400 INTEGER,
    ports_by_rate_gbit_800 INTEGER,
    ports_by_rate_gbit_1600 INTEGER,
    cages TEXT,
    reach_m REAL,
    media TEXT,
    rack_units INTEGER,
    power_typical_w REAL,
    power_max_w REAL,
    power_w_per_end REAL,
    power_basis TEXT,
    price_usd_per_m REAL,
    lead_time_weeks REAL,
    transports TEXT CHECK (transports LIKE '[%]'),
    fabric_ids TEXT CHECK (fabric_ids LIKE '[%]'),
    known_confusions TEXT NOT NULL CHECK (known_confusions LIKE '[%]'),
    notes TEXT NOT NULL
) STRICT;
-- cut
CREATE TABLE currency (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE CHECK (id <> ''),
    name TEXT NOT NULL CHECK (name <> ''),
    shipped INTEGER NOT NULL CHECK (shipped IN (0, 1)),
    code TEXT,
    units_per_usd REAL,
    period TEXT,
    previous TEXT,
    known_confusions TEXT NOT NULL CHECK (known_confusions LIKE '[%]'),
    notes TEXT NOT NULL
) STRICT;
