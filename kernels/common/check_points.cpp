#include "check_points.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "machine.hpp"
#include "thread_pool.hpp"

namespace centroid_lab {
namespace {

constexpr std::uint32_t all_but_sign = 0x7fffffff;
/// Coordinates that are compared side by side, as whole points: few features would leave vectors idle.
constexpr std::size_t side_by_side = 64;
/// Fewer coordinates than this are faster looked at than shared out.
constexpr std::size_t worth_sharing = std::size_t{1} << 20;
constexpr std::size_t chunk_coordinates = std::size_t{1} << 17;

/// Magnitudes are ordered as their bits are, and what is not finite comes after everything that is.
void raise(std::uint32_t* largest, const float* from, std::size_t count) {
  for (std::size_t at = 0; at < count; at++) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, from + at, sizeof(bits));
    bits &= all_but_sign;
    largest[at] = largest[at] < bits ? bits : largest[at];
  }
}

/// Raises `largest` (d) by the points x (n, d).
void look_at(const float* x, std::size_t n, std::size_t d, std::uint32_t* largest) {
  const std::size_t rows = std::max<std::size_t>(1, side_by_side / d);
  std::vector<std::uint32_t> wide(rows * d, 0);
  std::size_t i = 0;
  for (; i + rows <= n; i += rows) raise(wide.data(), x + i * d, rows * d);
  if (i < n) raise(wide.data(), x + i * d, (n - i) * d);
  for (std::size_t at = 0; at < wide.size(); at++) largest[at % d] = std::max(largest[at % d], wide[at]);
}

}  // namespace

std::vector<float> checked_magnitudes(const float* x, std::size_t n, std::size_t d) {
  const std::size_t threads = n * d < worth_sharing ? 1 : thread_count();
  ThreadPool pool(threads);
  std::vector<std::uint32_t> bits(threads * d, 0);
  const std::size_t chunk = std::max<std::size_t>(1, chunk_coordinates / d);
  const auto visit = [&](std::size_t worker, std::size_t first, std::size_t last) {
    look_at(x + first * d, last - first, d, bits.data() + worker * d);
  };
  pool.share(n, chunk, visit, [] { return false; });
  for (std::size_t at = d; at < bits.size(); at++) bits[at % d] = std::max(bits[at % d], bits[at]);
  std::vector<float> largest(d);
  std::memcpy(largest.data(), bits.data(), d * sizeof(float));
  require_engine_units(largest);
  return largest;
}

void require_engine_units(const std::vector<float>& largest) {
  if (!std::all_of(largest.begin(), largest.end(), [](float value) { return std::isfinite(value); })) {
    throw std::invalid_argument("points hold a value that is not finite");
  }
  if (*std::max_element(largest.begin(), largest.end()) > 1.0F) {
    throw std::invalid_argument("points hold a value above 1: they are not in engine units");
  }
}

}  // namespace centroid_lab
