#include "isa.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace centroid_lab {
namespace {

Isa supported() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (avx512 && avx2) return Isa::avx512;
  if (avx2) return Isa::avx2;
#endif
  return Isa::baseline;
}

Isa asked_for() {
  const char* name = std::getenv("CENTROID_LAB_ISA");
  if (name == nullptr) return Isa::avx512;
  if (std::strcmp(name, "baseline") == 0) return Isa::baseline;
  if (std::strcmp(name, "avx2") == 0) return Isa::avx2;
  return Isa::avx512;
}

}  // namespace

Isa best_isa() { return std::min(supported(), asked_for()); }

const char* name_of(Isa isa) {
  switch (isa) {
    case Isa::avx512:
      return "avx512";
    case Isa::avx2:
      return "avx2";
    case Isa::baseline:
      break;
  }
  return "baseline";
}

}  // namespace centroid_lab
