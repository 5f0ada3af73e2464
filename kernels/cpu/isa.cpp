#include "kernels/cpu/isa.h"

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace parley::kernels::cpu {

std::string_view isa_name(Isa isa) {
  switch (isa) {
    case Isa::portable:
      return "portable";
    case Isa::avx2:
      return "avx2";
    case Isa::avx512:
      return "avx512";
  }
  return "unknown";
}

Isa best_isa() {
  // The compiler's builtins also ask the operating system whether it saves the wide registers.
  // Every processor with AVX2 and FMA has F16C.
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512vnni");
  if (avx2 && avx512) return Isa::avx512;
  return avx2 ? Isa::avx2 : Isa::portable;
}

Isa selected_isa() {
  const char* wanted = std::getenv("PARLEY_ISA");
  const Isa best = best_isa();
  if (wanted == nullptr || *wanted == '\0') return best;
  for (const Isa isa : {Isa::portable, Isa::avx2, Isa::avx512}) {
    if (isa_name(isa) != wanted) continue;
    if (isa > best) {
      throw std::runtime_error("PARLEY_ISA=" + std::string(wanted) +
                               " is not supported by this processor; best is " + std::string(isa_name(best)));
    }
    return isa;
  }
  throw std::runtime_error("PARLEY_ISA=" + std::string(wanted) + " is unknown; use portable, avx2 or avx512");
}

}  // namespace parley::kernels::cpu
