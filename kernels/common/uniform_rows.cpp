#include "uniform_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "thread_pool.hpp"

namespace centroid_lab {
namespace {

constexpr std::size_t values_at_once = std::size_t{1} << 14;
constexpr std::size_t words_of_block = 4;
using Block = std::array<std::uint32_t, words_of_block>;

/// Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011).
Block philox(Block counter, std::uint64_t seed) {
  auto key0 = static_cast<std::uint32_t>(seed);
  auto key1 = static_cast<std::uint32_t>(seed >> 32);
  for (int round = 0; round < 10; round++) {
    const std::uint64_t product0 = std::uint64_t{0xd2511f53} * counter[0];
    const std::uint64_t product1 = std::uint64_t{0xcd9e8d57} * counter[2];
    counter = {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key0, static_cast<std::uint32_t>(product1),
               static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key1, static_cast<std::uint32_t>(product0)};
    key0 += 0x9e3779b9;
    key1 += 0xbb67ae85;
  }
  return counter;
}

template <class Real>
void write_row(const UniformRows& spec, std::uint64_t row, Real* out) {
  for (std::size_t from = 0; from < spec.d; from += words_of_block) {
    const Block words = philox({static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(row >> 32),
                                static_cast<std::uint32_t>(from / words_of_block), spec.stream},
                               spec.seed);
    for (std::size_t j = from; j < std::min(spec.d, from + words_of_block); j++) {
      const double value = std::floor(words[j - from] * spec.scales[j] * spec.units[j]) / spec.units[j];
      out[j] = static_cast<Real>(value - spec.origin);
    }
  }
}

}  // namespace

template <class Real>
void uniform_rows(const UniformRows& spec, std::uint64_t first, std::size_t count, std::size_t threads,
                  const CancelFlag& cancel, Real* out) {
  const std::size_t chunk = values_at_once / spec.d + 1;
  ThreadPool pool(std::clamp<std::size_t>(count / chunk, 1, threads));
  const auto write = [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; i++) write_row(spec, first + i, out + i * spec.d);
  };
  pool.share(count, chunk, write, [&] { return cancel.load(std::memory_order_relaxed); });
}

template void uniform_rows(const UniformRows&, std::uint64_t, std::size_t, std::size_t, const CancelFlag&, double*);
template void uniform_rows(const UniformRows&, std::uint64_t, std::size_t, std::size_t, const CancelFlag&, float*);

}  // namespace centroid_lab
