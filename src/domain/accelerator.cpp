// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/accelerator.h"

#include "domain/rules.h"

namespace fleetwright {

Expected<void> check(const AcceleratorFacts &facts)
{
    rules::Checker rule("accelerator \u201c" + facts.name + "\u201d");
    rule.filled("id", facts.id).filled("name", facts.name);
    rule.positive("memory_capacity_bytes", "The memory capacity", facts.memoryCapacity);
    rule.positive("memory_bandwidth_gb_per_s", "The memory bandwidth", facts.memoryBandwidth);
    bool anyPeak = false;
    for (const auto precision : allPrecisions) {
        rule.positive("peak_dense_tflops", "The dense peak", facts.peak(precision));
        anyPeak = anyPeak || facts.peak(precision).has_value();
    }
    if (!anyPeak)
        rule.fail(ErrorCode::MissingField, "peak_dense_tflops", "At least one dense peak is needed.");
    rule.positive("scale_up_unidirectional_gb_per_s", "The scale-up bandwidth", facts.scaleUpBandwidth);
    rule.positive("host_link_unidirectional_gb_per_s", "The host link bandwidth", facts.hostLinkBandwidth);
    rule.positive("sram_capacity_bytes", "The SRAM capacity", facts.sramCapacity);
    rule.positive("sram_bandwidth_gb_per_s", "The SRAM bandwidth", facts.sramBandwidth);
    rule.notNegative("dispatch_overhead_ms", "The dispatch overhead", facts.dispatchTime);
    rule.positive("tdp_w", "The TDP", facts.tdp);
    rule.notNegative("purchase_price_usd_typical", "The purchase price", facts.purchasePrice);
    rule.notNegative("cloud_usd_per_device_hour_low", "The lowest cloud price", facts.cloudPriceLow);
    rule.notNegative("cloud_usd_per_device_hour_high", "The highest cloud price", facts.cloudPriceHigh);
    rule.notNegative("embodied_carbon_kg_co2e", "The embodied carbon", facts.embodiedCarbon);
    return rule.result();
}

Expected<Accelerator> acceleratorFrom(const CatalogRecord &record)
{
    AcceleratorFacts facts;
    facts.id = record.id;
    facts.name = record.name;
    facts.vendor = record.text("vendor").value_or("");
    facts.tier = record.text("tier").value_or("");
    facts.architecture = record.text("architecture").value_or("");
    const auto peak = [&](std::string_view key) {
        return record.quantity<FlopRate>("peak_dense_tflops." + std::string(key));
    };
    const auto set = [&](Precision precision, std::optional<FlopRate> value) {
        facts.peaks[static_cast<std::size_t>(precision)] = value;
    };
    const auto matrix = peak("fp32_matrix");
    set(Precision::Fp32, matrix ? matrix : peak("fp32_vector"));
    set(Precision::Tf32, peak("tf32"));
    set(Precision::Bf16, peak("bf16"));
    set(Precision::Fp16, peak("fp16"));
    set(Precision::Fp8, peak("fp8"));
    set(Precision::Int8, peak("int8"));
    set(Precision::Int4, peak("int4"));
    set(Precision::Fp4, peak("fp4"));
    const auto required = [&](std::string_view key, std::string_view label) {
        return refuse(ErrorCode::MissingField, std::string(key),
            std::string(label) + " of \u201c" + record.name
                + "\u201d is unknown; fill it in the accelerators catalog (duplicate a shipped item to edit it).");
    };
    const auto capacity = record.quantity<Bytes>("memory_capacity_bytes");
    if (!capacity)
        return required("memory_capacity_bytes", "The memory capacity");
    const auto bandwidth = record.quantity<Bandwidth>("memory_bandwidth_gb_per_s");
    if (!bandwidth)
        return required("memory_bandwidth_gb_per_s", "The memory bandwidth");
    facts.memoryCapacity = *capacity;
    facts.memoryBandwidth = *bandwidth;
    facts.scaleUpBandwidth = record.quantity<Bandwidth>("scale_up_unidirectional_gb_per_s");
    if (const auto both = record.quantity<Bandwidth>("scale_up_bidirectional_gb_per_s");
        both && !facts.scaleUpBandwidth)
        facts.scaleUpBandwidth = *both / 2.0;
    facts.hostLinkBandwidth = record.quantity<Bandwidth>("host_link_unidirectional_gb_per_s");
    facts.sramCapacity = record.quantity<Bytes>("sram_capacity_bytes");
    facts.sramBandwidth = record.quantity<Bandwidth>("sram_bandwidth_gb_per_s");
    facts.dispatchTime = record.quantity<Seconds>("dispatch_overhead_ms");
    facts.tdp = record.quantity<Watts>("tdp_w");
    facts.purchasePrice = record.quantity<Dollars>("purchase_price_usd_typical");
    facts.cloudPriceLow = record.quantity<DollarRate>("cloud_usd_per_device_hour_low");
    facts.cloudPriceHigh = record.quantity<DollarRate>("cloud_usd_per_device_hour_high");
    facts.embodiedCarbon = record.quantity<KilogramsCo2e>("embodied_carbon_kg_co2e");
    facts.launchYear = rules::countOf(record.number("launch_year").value_or(0));
    return Accelerator::create(std::move(facts));
}

} // namespace fleetwright
