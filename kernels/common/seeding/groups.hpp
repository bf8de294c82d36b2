// The inner loops of the seedings, once per instruction set. Arithmetic is fixed by src/engine/init/kernel.ts: each
// operation rounded on its own, vectors over points, so every instruction set gives the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace centroid_lab {

/// Points that go through the loops together: four times the eight lanes that sums are defined on.
constexpr std::size_t group_points = 32;
constexpr std::size_t sum_lanes = 8;

/// `columns (d, 32)`: 32 points, transposed; `group`: the same as float64. `centre (d)`.
struct SeedingKernels {
  /// Transposes `count` rows of x; the places after them repeat the last row.
  void (*gather)(const float* rows, std::size_t count, std::size_t d, float* columns);
  void (*widen)(const float* columns, std::size_t d, double* group);
  /// lanes[l] += min(nearest[i], |x_i - centre|^2) for i = l, l+8, ... in order.
  void (*add_potential)(const double* group, const double* centre, std::size_t d, const double* nearest,
                        double* lanes);
  /// nearest[i] = min(nearest[i], |x_i - centre|^2)
  void (*lower)(const double* group, const double* centre, std::size_t d, double* nearest);
  /// lanes[l] += nearest[i] for i = l, l+8, ... in order.
  void (*add_up)(const double* nearest, double* lanes);
  /// Where |x_i - centre|^2 < smallest[i]: it becomes smallest[i], and best[i] = number.
  void (*compare)(const double* group, const double* centre, std::size_t d, std::int64_t number, double* smallest,
                  std::int64_t* best);
};

extern const SeedingKernels baseline_seeding;
#if defined(__x86_64__)
extern const SeedingKernels avx2_seeding;
extern const SeedingKernels avx512_seeding;
#endif

/// Those of the best instruction set here.
const SeedingKernels& best_seeding_kernels();

}  // namespace centroid_lab
