// native_tests [variant ...]: all variants unless some are named (under ThreadSanitizer `openmp` and
// `distance-matrix` are left out: libgomp synchronises in ways it cannot see).
#include <algorithm>
#include <cstdio>

#include "check.hpp"
#include "tests.hpp"
#include "variant.hpp"

int main(int count, char** arguments) {
  using namespace centroid_lab;
  std::vector<std::string> names(arguments + 1, arguments + count);
  if (names.empty()) names = cpu_variants();
  // Approximate: no reference has its centroids.
  names.erase(std::remove(names.begin(), names.end(), "mini-batch"), names.end());
  test_exact_order();
  test_parts();
  test_projections();
  test_joined_parts();
  test_process_parts();
  test_kernels();
  test_regimes();
  test_float64();
  test_mini_batch();
  test_reader();
  test_scratch();
  test_silhouettes();
  test_variants(names);
  if (failures == 0) std::printf("all native tests passed\n");
  return failures == 0 ? 0 : 1;
}
