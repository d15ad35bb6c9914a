// SPDX-License-Identifier: GPL-3.0-or-later
// Put before the sources that use qpdf when Clang compiles them for the fuzzers: a class in qpdf's JSON.hh holds a
// vector of the class around it behind a virtual destructor, which Clang makes at once where destructors of vectors are
// constexpr. GCC, which builds everything else, waits for the end of the file. We read PDF, not qpdf's JSON.
#pragma once

#ifdef __clang__
#define JSON_HH
#include <qpdf/PointerHolder.hh>
#include <qpdf/Types.h>

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>
class JSON;
#endif
