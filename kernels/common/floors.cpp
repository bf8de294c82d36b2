#include "floors.hpp"

#include <unistd.h>

#include <algorithm>
#include <vector>

#include "clock.hpp"
#include "isa.hpp"
#include "thread_pool.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace centroid_lab {
namespace {

constexpr std::size_t rounds = 2'000'000;
constexpr int chains = 12;

/// Keeps a value that nobody reads from being optimised away.
volatile float sink;

#if defined(__x86_64__)
__attribute__((target("avx512f"))) std::size_t products_avx512() {
  __m512 sums[chains];
  for (auto& sum : sums) sum = _mm512_set1_ps(1.0F);
  const __m512 factor = _mm512_set1_ps(0.999F);
  for (std::size_t round = 0; round < rounds; round++) {
    for (auto& sum : sums) sum = _mm512_fmadd_ps(sum, factor, factor);
  }
  for (auto& sum : sums) sink = _mm512_cvtss_f32(sum);
  return rounds * chains * 16;
}

__attribute__((target("avx2,fma"))) std::size_t products_avx2() {
  __m256 sums[chains];
  for (auto& sum : sums) sum = _mm256_set1_ps(1.0F);
  const __m256 factor = _mm256_set1_ps(0.999F);
  for (std::size_t round = 0; round < rounds; round++) {
    for (auto& sum : sums) sum = _mm256_fmadd_ps(sum, factor, factor);
  }
  for (auto& sum : sums) sink = _mm256_cvtss_f32(sum);
  return rounds * chains * 8;
}
#endif

std::size_t products_baseline() {
  using Four = float __attribute__((vector_size(16)));
  Four sums[chains];
  for (auto& sum : sums) sum = Four{1, 1, 1, 1};
  for (std::size_t round = 0; round < rounds; round++) {
    for (auto& sum : sums) sum = sum * 0.999F + 0.999F;
  }
  for (auto& sum : sums) sink = sum[0];
  return rounds * chains * 4;
}

std::size_t products(Isa isa) {
#if defined(__x86_64__)
  if (isa == Isa::avx512) return products_avx512();
  if (isa == Isa::avx2) return products_avx2();
#endif
  (void)isa;
  return products_baseline();
}

double best_of_five(const auto& work) {
  double best = 1e300;
  for (int run = 0; run < 5; run++) {
    const double began = now_ms();
    work();
    best = std::min(best, now_ms() - began);
  }
  return best;
}

double read_all(const std::vector<double>& values, ThreadPool& pool) {
  const std::size_t share = values.size() / pool.size();
  return best_of_five([&] {
    pool.run([&](std::size_t worker) {
      using Eight = double __attribute__((vector_size(64), aligned(8), may_alias));
      const auto* from = reinterpret_cast<const Eight*>(values.data() + worker * share);
      Eight sums[4]{};
      for (std::size_t i = 0; i + 4 <= share / 8; i += 4) {
        for (std::size_t chain = 0; chain < 4; chain++) sums[chain] += from[i + chain];
      }
      sink = static_cast<float>(sums[0][0] + sums[1][0] + sums[2][0] + sums[3][0]);
    });
  });
}

std::size_t second_level_cache() {
#ifdef _SC_LEVEL2_CACHE_SIZE
  const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  if (bytes > 0) return static_cast<std::size_t>(bytes);
#endif
  return 0;
}

}  // namespace

Floors measure_floors(std::size_t threads) {
  ThreadPool pool(threads);
  const Isa isa = best_isa();
  std::size_t each = 0;
  const double ms = best_of_five([&] {
    pool.run([&](std::size_t worker) {
      const std::size_t done = products(isa);
      if (worker == 0) each = done;
    });
  });
  const std::vector<double> values(std::size_t{1} << 25, 1.0);
  const double bytes = 8.0 * static_cast<double>(values.size());
  return {static_cast<double>(each * threads) / ms, bytes / read_all(values, pool),
          threads * second_level_cache()};
}

}  // namespace centroid_lab
