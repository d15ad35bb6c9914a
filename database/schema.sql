-- SPDX-License-Identifier: GPL-3.0-or-later
-- A Fleetwright project, schema version 11. One file holds the catalogs that the project uses, its fleets, plans, sweeps and their last results, the
-- studies and how far their reader has come, the ledger of decisions, the runs that the user measured, offers, decisions, and output sets.
-- A line "-- cut" ends a statement. The program writes application_id and user_version itself.
--
-- Catalog tables have one column for each field of the kind (src/domain/catalogfields.cpp), in the unit that the column's name states;
-- NULL is unknown, unsupported or unpublished, never zero. Lists and objects are JSON. Ranges and references between items are checked
-- by the domain, so that a project with a faulty item still opens and can say what is wrong with it.

CREATE TABLE project (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    created_with TEXT NOT NULL, -- program version
    created_at TEXT, -- ISO 8601, UTC; NULL in the shipped templates
    catalog_sha256 TEXT NOT NULL -- of the shipped catalog files that the project started from
) STRICT;
-- cut
-- Documents that facts were taken from; ids are unique within one catalog.
CREATE TABLE source (
    position INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    title TEXT NOT NULL,
    publisher TEXT NOT NULL,
    url TEXT NOT NULL,
    published TEXT NOT NULL,
    accessed TEXT NOT NULL,
    note TEXT NOT NULL,
    UNIQUE (kind, id)
) STRICT;
-- cut
-- Which fields of a catalog item come from which source.
CREATE TABLE attribution (
    kind TEXT NOT NULL,
    item_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    source_id TEXT NOT NULL,
    fields TEXT NOT NULL CHECK (fields LIKE '[%]'), -- list of field keys, or ["*"]
    confidence TEXT NOT NULL,
    verification TEXT NOT NULL,
    PRIMARY KEY (kind, item_id, position),
    FOREIGN KEY (kind, source_id) REFERENCES source (kind, id)
) STRICT, WITHOUT ROWID;
-- cut
CREATE INDEX attribution_source ON attribution (kind, source_id);
-- cut
CREATE TABLE accelerator (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE CHECK (id <> ''),
    name TEXT NOT NULL CHECK (name <> ''),
    shipped INTEGER NOT NULL CHECK (shipped IN (0, 1)),
    vendor TEXT,
    tier TEXT,
    kind TEXT,
    form_factor TEXT,
    architecture TEXT,
    launch_year INTEGER,
    status TEXT,
    peak_dense_tflops_fp64_vector REAL,
    peak_dense_tflops_fp64_matrix REAL,
    peak_dense_tflops_fp32_vector REAL,
    peak_dense_tflops_fp32_matrix REAL,
    peak_dense_tflops_tf32 REAL,
    peak_dense_tflops_bf16 REAL,
    peak_dense_tflops_fp16 REAL,
    peak_dense_tflops_fp8 REAL,
    peak_dense_tflops_int8 REAL,
    peak_dense_tflops_fp6 REAL,
    peak_dense_tflops_fp4 REAL,
    peak_dense_tflops_int4 REAL,
    published_sparsity_factor REAL,
    achievable_matmul_bf16_tflops REAL,
    achievable_matmul_fp8_tflops REAL,
    memory_type TEXT,
    memory_capacity_nominal_gb REAL,
    memory_capacity_bytes INTEGER,
    memory_capacity_basis TEXT,
    memory_bandwidth_gb_per_s REAL,
    scale_up_link TEXT,
    scale_up_unidirectional_gb_per_s REAL,
    scale_up_bidirectional_gb_per_s REAL,
    scale_up_peer_to_peer_unidirectional_gb_per_s REAL,
    scale_up_topology TEXT,
    scale_up_domain_max_devices INTEGER,
    host_link TEXT,
    host_link_unidirectional_gb_per_s REAL,
    tdp_w REAL,
    tdp_basis TEXT,
    purchase_price_usd_low REAL,
    purchase_price_usd_typical REAL,
    purchase_price_usd_high REAL,
    cloud_usd_per_device_hour_low REAL,
    cloud_usd_per_device_hour_high REAL,
    price_refs TEXT CHECK (price_refs LIKE '[%]'),
    mlsysim TEXT,
    mlsysim_seed TEXT,
    tdp_min_w REAL,
    tdp_max_w REAL,
    sram_capacity_bytes INTEGER,
    sram_bandwidth_gb_per_s REAL,
    flash_capacity_bytes INTEGER,
    battery_wh REAL,
    embodied_carbon_kg_co2e REAL,
    embodied_carbon_low_kg_co2e REAL,
    embodied_carbon_high_kg_co2e REAL,
    embodied_carbon_scope TEXT,
    dispatch_overhead_ms REAL,
    known_confusions TEXT NOT NULL CHECK (known_confusions LIKE '[%]'),
    notes TEXT NOT NULL
) STRICT;
-- cut
CREATE TABLE node (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE CHECK (id <> ''),
    name TEXT NOT NULL CHECK (name <> ''),
    shipped INTEGER NOT NULL CHECK (shipped IN (0, 1)),
    vendor TEXT,
    kind TEXT,
    launch_year INTEGER,
    status TEXT,
    accelerator_id TEXT,
    accelerators_per_node INTEGER,
    scale_up_domain_size INTEGER,
    scale_up_unidirectional_gb_per_s_per_accelerator REAL,
    scale_up_bidirectional_gb_per_s_per_accelerator REAL,
    scale_up_fabric_id TEXT,
    accelerator_memory_total_bytes INTEGER,
    nics_scale_out_count INTEGER,
    nic_rate_gbit_per_s REAL,
    scale_out_unidirectional_gb_per_s_per_node REAL,
    scale_out_unidirectional_gb_per_s_per_accelerator REAL,
    scale_out_fabric_id TEXT,
    host_cpu TEXT,
    host_sockets INTEGER,
    host_vcpus INTEGER,
    host_dram_gib REAL,
    local_storage_tb REAL,
    max_power_kw REAL,
    max_power_low_kw REAL,
    max_power_high_kw REAL,
    typical_power_kw REAL,
    max_power_basis TEXT,
    rack_units INTEGER,
    cooling TEXT,
    psu_count INTEGER,
    external_storage_nics INTEGER,
    embodied_carbon_kg_co2e REAL,
    embodied_carbon_low_kg_co2e REAL,
    embodied_carbon_high_kg_co2e REAL,
    embodied_carbon_scope TEXT,
    price_refs TEXT CHECK (price_refs LIKE '[%]'),
    mlsysim TEXT,
    mlsysim_seed TEXT,
    known_confusions TEXT NOT NULL CHECK (known_confusions LIKE '[%]'),
    notes TEXT NOT NULL
) STRICT;
-- cut
CREATE TABLE fabric (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE CHECK (id <> ''),
    name TEXT NOT NULL CHECK (name <> ''),
    shipped INTEGER NOT NULL CHECK (shipped IN (0, 1)),
    scope TEXT,
    family TEXT,
    port_rate_gbit_per_s REAL,
    port_bandwidth_gb_per_s REAL,
    per_device_links INTEGER,
    per_device_unidirectional_gb_per_s REAL,
    per_device_bidirectional_gb_per_s REAL,
    latency_us REAL,
    latency_low_us REAL,
    latency_high_us REAL,
    latency_basis TEXT,
    switch_hop_latency_ns REAL,
    achievable_fraction REAL,
    achievable_basis TEXT,
    domain_max_devices INTEGER,
    typical_topology TEXT,
    oversubscription_typical REAL,
    oversubscription_alternatives TEXT,
    switch_example TEXT,
    switch_ports INTEGER,
    switch_port_rate_gbit_per_s REAL,
    switch_capacity_tbit_per_s REAL,
    switch_power_typical_w REAL,
    switch_power_max_w REAL,
    optic_power_w REAL,
    cable_types TEXT,
    launch_year INTEGER,
    status TEXT,
    price_refs TEXT CHECK (price_refs LIKE '[%]'),
    mlsysim TEXT,
    mlsysim_seed TEXT,
    known_confusions TEXT NOT NULL CHECK (known_confusions LIKE '[%]'),
    notes TEXT NOT NULL
) STRICT;
-- cut
CREATE TABLE cluster (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE CHECK (id <> ''),
    name TEXT NOT NULL CHECK (name <> ''),
    shipped INTEGER NOT NULL CHECK (shipped IN (0, 1)),
    kind TEXT,
    operator TEXT,
    location TEXT,
    year INTEGER,
    status TEXT,
    node_id TEXT,
    node_count INTEGER,
    accelerator_id TEXT,
    accelerators_total INTEGER,
    fabric_id TEXT,
    topology TEXT,
    oversubscription REAL,
    oversubscription_note TEXT,
    nodes_per_scalable_unit INTEGER,
    power_mw REAL,
    memory_total_tb REAL,
    ram_gib REAL,
    storage_gb REAL,
    latency_budget_ms REAL,
    typical_power_w REAL,
    mlsysim TEXT,
    mlsysim_seed TEXT,
    known_confusions TEXT NOT NULL CHECK (known_confusions LIKE '[%]'),
    notes TEXT NOT NULL
) STRICT;
-- cut
CREATE TABLE workload (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE CHECK (id <> ''),
    name TEXT NOT NULL CHECK (name <> ''),
    shipped INTEGER NOT NULL CHECK (shipped IN (0, 1)),
    family TEXT,
    kind TEXT,
    architecture TEXT,
    release_year INTEGER,
    params_label TEXT,
    params_total REAL,
    params_active REAL,
    params_total_derived INTEGER,
    params_active_derived INTEGER,
    derivation_error REAL,
    derivation_rule TEXT,
    derivation_exception TEXT,
    active_exception TEXT,
    layers INTEGER,
    hidden_size INTEGER,
    attention_heads INTEGER,
    kv_heads INTEGER,
    head_dim INTEGER,
    attention_inner_width INTEGER,
    attention_type TEXT,
    mla_q_lora_rank INTEGER,
    mla_kv_lora_rank INTEGER,
    mla_qk_nope_head_dim INTEGER,
    mla_qk_rope_head_dim INTEGER,
    mla_v_head_dim INTEGER,
    attention_bias TEXT,
    sliding_window INTEGER,
    ffn_hidden_size INTEGER,
    gated_ffn INTEGER CHECK (gated_ffn IN (0, 1)),
    ffn_bias INTEGER CHECK (ffn_bias IN (0, 1)),
    norm_type TEXT,
    vocab_size INTEGER,
    embedding_size INTEGER,
    tied_embeddings INTEGER CHECK (tied_embeddings IN (0, 1)),
    max_seq_len INTEGER,
    position_embedding TEXT,
    learned_position_count INTEGER,
    experts INTEGER,
    experts_per_token INTEGER,
    shared_experts INTEGER,
    moe_ffn_hidden_size INTEGER,
    shared_expert_ffn_hidden_size INTEGER,
    first_dense_layers INTEGER,
    moe_layer_interval INTEGER,
    extra_params INTEGER,
    extra_params_reason TEXT,
    training_tokens REAL,
    training_flops REAL,
    training_device_hours REAL,
    training_accelerator_id TEXT,
    training_energy_mwh REAL,
    training_emissions_tco2e REAL,
    inference_flops REAL,
    inference_flops_unit TEXT,
    model_size_gb REAL,
    ssm_state_size INTEGER,
    image_resolution INTEGER,
    denoising_steps INTEGER,
    action_dim INTEGER,
    action_chunk_horizon INTEGER,
    mlsysim TEXT,
    mlsysim_seed TEXT,
    known_confusions TEXT NOT NULL CHECK (known_confusions LIKE '[%]'),
    notes TEXT NOT NULL
) STRICT;
-- cut
CREATE TABLE grid (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE CHECK (id <> ''),
    name TEXT NOT NULL CHECK (name <> ''),
    shipped INTEGER NOT NULL CHECK (shipped IN (0, 1)),
    kind TEXT,
    country_code TEXT,
    cloud_provider TEXT,
    cloud_region TEXT,
    location TEXT,
    latitude REAL,
    longitude REAL,
    carbon_g_co2e_per_kwh REAL,
    carbon_year INTEGER,
    carbon_basis TEXT,
    renewable_percent REAL,
    low_carbon_percent REAL,
    carbon_free_energy_fraction REAL,
    primary_source TEXT,
    electricity_industrial_usd_per_kwh REAL,
    electricity_currency TEXT,
    electricity_industrial_per_kwh REAL,
    electricity_units_per_usd REAL,
    electricity_fx_period TEXT,
    electricity_commercial_usd_per_kwh REAL,
    electricity_all_sectors_usd_per_kwh REAL,
    electricity_non_household_eur_per_kwh REAL,
    electricity_year TEXT,
    default_pue REAL,
    default_wue_l_per_kwh REAL,
    mlsysim TEXT,
    mlsysim_seed TEXT,
    known_confusions TEXT NOT NULL CHECK (known_confusions LIKE '[%]'),
    notes TEXT NOT NULL
) STRICT;
-- cut
CREATE TABLE facility (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE CHECK (id <> ''),
    name TEXT NOT NULL CHECK (name <> ''),
    shipped INTEGER NOT NULL CHECK (shipped IN (0, 1)),
    kind TEXT,
    operator TEXT,
    location TEXT,
    year INTEGER,
    grid_id TEXT,
    cooling_id TEXT,
    cooling TEXT,
    pue REAL,
    pue_low REAL,
    pue_high REAL,
    wue_l_per_kwh REAL,
    rack_power_kw REAL,
    rack_power_min_kw REAL,
    rack_power_max_kw REAL,
    nodes_per_rack INTEGER,
    node_id TEXT,
    accelerators_per_rack INTEGER,
    support_load_kw REAL,
    capex_usd_per_watt_it REAL,
    capex_low_usd_per_watt_it REAL,
    capex_high_usd_per_watt_it REAL,
    lead_time_months INTEGER,
    annual_energy_twh REAL,
    water_withdrawal_ml REAL,
    mlsysim TEXT,
    mlsysim_seed TEXT,
    known_confusions TEXT NOT NULL CHECK (known_confusions LIKE '[%]'),
    notes TEXT NOT NULL
) STRICT;
-- cut
CREATE TABLE price (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE CHECK (id <> ''),
    name TEXT NOT NULL CHECK (name <> ''),
    shipped INTEGER NOT NULL CHECK (shipped IN (0, 1)),
    category TEXT,
    item_type TEXT,
    item_ref TEXT,
    unit TEXT,
    currency TEXT,
    low REAL,
    typical REAL,
    high REAL,
    listed_unit_total REAL,
    devices_in_listed_unit INTEGER,
    vendor TEXT,
    region TEXT,
    term TEXT,
    as_of TEXT,
    valid_until TEXT,
    confidence TEXT,
    mlsysim TEXT,
    known_confusions TEXT NOT NULL CHECK (known_confusions LIKE '[%]'),
    notes TEXT NOT NULL
) STRICT;
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
-- cut
CREATE TABLE planning_default (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE CHECK (id <> ''),
    name TEXT NOT NULL CHECK (name <> ''),
    shipped INTEGER NOT NULL CHECK (shipped IN (0, 1)),
    category TEXT,
    value REAL,
    unit TEXT,
    low REAL,
    high REAL,
    mlsysim_symbol TEXT,
    context TEXT,
    replaces TEXT, -- id of the shipped planning default whose place the user's own value takes
    known_confusions TEXT NOT NULL CHECK (known_confusions LIKE '[%]'),
    notes TEXT NOT NULL
) STRICT;
-- cut
-- The shipped constants come with the cost model and not from here: a project answers with those of the program that has it open. Rows with
-- shipped = 0 are the user's own and take their place.
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
CREATE TABLE fleet (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    document TEXT NOT NULL CHECK (document LIKE '{%}')
) STRICT;
-- cut
-- What vendors offer, as it was written down.
CREATE TABLE offer (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    document TEXT NOT NULL CHECK (document LIKE '{%}')
) STRICT;
-- cut
CREATE TABLE plan (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    document TEXT NOT NULL CHECK (document LIKE '{%}') -- as plan documents outside the project
) STRICT;
-- cut
-- The last answer for a plan; input_hash tells whether it is stale.
CREATE TABLE result (
    plan_id INTEGER PRIMARY KEY REFERENCES plan (id) ON DELETE CASCADE,
    cost_model_id TEXT NOT NULL,
    cost_model_version TEXT NOT NULL,
    input_hash TEXT NOT NULL,
    solved_at TEXT NOT NULL, -- ISO 8601, UTC
    estimate TEXT NOT NULL CHECK (estimate LIKE '{%}')
) STRICT;
-- cut
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
-- cut
-- Runs that the user measured, to judge and calibrate cost models with.
CREATE TABLE measured_run (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    document TEXT NOT NULL CHECK (document LIKE '{%}') -- as one run of a file of measured runs
) STRICT;
-- cut
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
-- cut
-- The files that the project hands over: for whom, with which sections, on which paper.
CREATE TABLE output_set (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    document TEXT NOT NULL CHECK (document LIKE '{%}')
) STRICT;
-- cut
-- What every row above should read as (src/storage/digests.h), so that damage and foreign hands are noticed and named.
CREATE TABLE digest (
    item TEXT NOT NULL, -- the row's table
    key TEXT NOT NULL, -- its primary key, with a slash between several values
    digest TEXT NOT NULL, -- the first 128 bits of SHA-256, hexadecimal
    PRIMARY KEY (item, key)
) STRICT, WITHOUT ROWID;
