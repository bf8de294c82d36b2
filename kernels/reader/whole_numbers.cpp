#include "whole_numbers.hpp"

#include "fit_groups.hpp"
#include "isa.hpp"

namespace centroid_lab::reader {

FitGroups group_fitter() {
#if defined(__x86_64__)
  const Isa isa = best_isa();
  if (isa == Isa::avx512) return avx512_groups;
  if (isa == Isa::avx2) return avx2_groups;
#endif
  return fit_groups;
}

}  // namespace centroid_lab::reader
