// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <boost/units/base_dimension.hpp>
#include <boost/units/base_unit.hpp>
#include <boost/units/derived_dimension.hpp>
#include <boost/units/make_system.hpp>
#include <boost/units/operators.hpp>
#include <boost/units/quantity.hpp>
#include <boost/units/unit.hpp>

/// The one unit system of the program. Base units: byte, FLOP, second, joule, US dollar, kilogram of CO2 equivalent,
/// litre. Dimensionless shares and counts are plain doubles and integers. Decimal prefixes only: GB is 1e9 bytes; GiB
/// is 2^30 bytes and is made with gibibyte. A rate in bits per second is made with gigabitPerSecond and is held as
/// bytes per second like every bandwidth.
namespace fleetwright {

namespace units {
namespace bu = boost::units;

struct InformationBase : bu::base_dimension<InformationBase, 101> { };
struct ComputationBase : bu::base_dimension<ComputationBase, 102> { };
struct TimeBase : bu::base_dimension<TimeBase, 103> { };
struct EnergyBase : bu::base_dimension<EnergyBase, 104> { };
struct MoneyBase : bu::base_dimension<MoneyBase, 105> { };
struct CarbonBase : bu::base_dimension<CarbonBase, 106> { };
struct WaterBase : bu::base_dimension<WaterBase, 107> { };

struct ByteUnit : bu::base_unit<ByteUnit, InformationBase::dimension_type, 1101> { };
struct FlopUnit : bu::base_unit<FlopUnit, ComputationBase::dimension_type, 1102> { };
struct SecondUnit : bu::base_unit<SecondUnit, TimeBase::dimension_type, 1103> { };
struct JouleUnit : bu::base_unit<JouleUnit, EnergyBase::dimension_type, 1104> { };
struct DollarUnit : bu::base_unit<DollarUnit, MoneyBase::dimension_type, 1105> { };
struct KilogramCo2eUnit : bu::base_unit<KilogramCo2eUnit, CarbonBase::dimension_type, 1106> { };
struct LitreUnit : bu::base_unit<LitreUnit, WaterBase::dimension_type, 1107> { };

using System =
    bu::make_system<ByteUnit, FlopUnit, SecondUnit, JouleUnit, DollarUnit, KilogramCo2eUnit, LitreUnit>::type;

template <class Top, class Bottom> using Ratio = typename bu::derived_dimension<Top, 1, Bottom, -1>::type;

template <class Dimension> using Quantity = bu::quantity<bu::unit<Dimension, System>, double>;
} // namespace units

using Bytes = units::Quantity<units::InformationBase::dimension_type>;
using Flops = units::Quantity<units::ComputationBase::dimension_type>; ///< an amount of work, not a rate
using Seconds = units::Quantity<units::TimeBase::dimension_type>;
using Joules = units::Quantity<units::EnergyBase::dimension_type>;
using Dollars = units::Quantity<units::MoneyBase::dimension_type>;
using KilogramsCo2e = units::Quantity<units::CarbonBase::dimension_type>;
using Litres = units::Quantity<units::WaterBase::dimension_type>;
using Bandwidth = units::Quantity<units::Ratio<units::InformationBase, units::TimeBase>>; ///< bytes per second
using FlopRate = units::Quantity<units::Ratio<units::ComputationBase, units::TimeBase>>; ///< FLOP per second
using Watts = units::Quantity<units::Ratio<units::EnergyBase, units::TimeBase>>;
using ArithmeticIntensity =
    units::Quantity<units::Ratio<units::ComputationBase, units::InformationBase>>; ///< FLOP per byte
using Frequency = units::Quantity<boost::units::derived_dimension<units::TimeBase, -1>::type>; ///< events per second
using DollarRate = units::Quantity<units::Ratio<units::MoneyBase, units::TimeBase>>; ///< US dollars per second
using EnergyPrice = units::Quantity<units::Ratio<units::MoneyBase, units::EnergyBase>>; ///< US dollars per joule
using CarbonIntensity =
    units::Quantity<units::Ratio<units::CarbonBase, units::EnergyBase>>; ///< kilograms of CO2e per joule
using WaterIntensity = units::Quantity<units::Ratio<units::WaterBase, units::EnergyBase>>; ///< litres per joule

inline const Bytes byte = Bytes::from_value(1.0);
inline const Bytes gigabyte = Bytes::from_value(1e9);
inline const Bytes gibibyte = Bytes::from_value(1073741824.0);
inline const Flops flop = Flops::from_value(1.0);
inline const Flops teraflop = Flops::from_value(1e12);
inline const Seconds second = Seconds::from_value(1.0);
inline const Seconds millisecond = Seconds::from_value(1e-3);
inline const Seconds microsecond = Seconds::from_value(1e-6);
inline const Seconds hour = Seconds::from_value(3600.0);
inline const Seconds day = Seconds::from_value(86400.0);
inline const Frequency perDay = Frequency::from_value(1.0 / 86400.0);
inline const Joules joule = Joules::from_value(1.0);
inline const Joules kilowattHour = Joules::from_value(3.6e6);
inline const Dollars dollar = Dollars::from_value(1.0);
inline const Watts watt = Watts::from_value(1.0);
inline const Watts kilowatt = Watts::from_value(1e3);
inline const Bandwidth bytePerSecond = Bandwidth::from_value(1.0);
inline const Bandwidth gigabytePerSecond = Bandwidth::from_value(1e9);
inline const Bandwidth gigabitPerSecond = Bandwidth::from_value(1e9 / 8.0);
inline const FlopRate flopPerSecond = FlopRate::from_value(1.0);
inline const FlopRate teraflopPerSecond = FlopRate::from_value(1e12);
inline const DollarRate dollarPerHour = DollarRate::from_value(1.0 / 3600.0);
inline const EnergyPrice dollarPerKilowattHour = EnergyPrice::from_value(1.0 / 3.6e6);

} // namespace fleetwright
