#pragma once
// The instruction sets that this processor can run, and their names in GoogleTest's output. Any thread.

#include <ostream>
#include <vector>

#include "kernels/cpu/isa.h"

namespace parley::kernels {

namespace cpu {
inline void PrintTo(Isa isa, std::ostream* out) { *out << isa_name(isa); }
}  // namespace cpu

inline std::vector<cpu::Isa> all_isas() {
  std::vector<cpu::Isa> isas;
  for (const cpu::Isa isa : {cpu::Isa::portable, cpu::Isa::avx2, cpu::Isa::avx512})
    if (isa <= cpu::best_isa()) isas.push_back(isa);
  return isas;
}

}  // namespace parley::kernels
