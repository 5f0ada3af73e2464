#pragma once
// Lets GoogleTest name a type, as in "Q4_K", where it would print a byte. Any thread.

#include <ostream>

#include "kernels/dtypes/dtype.h"

namespace parley::kernels::dtypes {

inline void PrintTo(DType dtype, std::ostream* out) { *out << traits(dtype).name; }

}  // namespace parley::kernels::dtypes
