#include "whole_numbers.hpp"

#include "fit_groups.hpp"
#include "isa.hpp"

namespace centroid_lab::reader {

const WholeNumbers& whole_number_kernels() {
  static const WholeNumbers baseline{fit_groups, write_whole, add_up};
#if defined(__x86_64__)
  const Isa isa = best_isa();
  if (isa == Isa::avx512) return avx512_whole_numbers;
  if (isa == Isa::avx2) return avx2_whole_numbers;
#endif
  return baseline;
}

}  // namespace centroid_lab::reader
