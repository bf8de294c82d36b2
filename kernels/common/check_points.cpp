#include "check_points.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "machine.hpp"
#include "thread_pool.hpp"

namespace centroid_lab {
namespace {

/// An unsigned integer as wide as a number, whose order is that of magnitudes without the sign.
template <class Real>
using BitsOf = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;

/// Coordinates that are compared side by side, as whole points: few features would leave vectors idle.
constexpr std::size_t side_by_side = 64;
/// Fewer coordinates than this are faster looked at than shared out.
constexpr std::size_t worth_sharing = std::size_t{1} << 20;
constexpr std::size_t chunk_coordinates = std::size_t{1} << 17;

/// Magnitudes are ordered as their bits are, and what is not finite comes after everything that is.
template <class Real>
void raise(BitsOf<Real>* largest, const Real* from, std::size_t count) {
  constexpr BitsOf<Real> all_but_sign = std::numeric_limits<BitsOf<Real>>::max() >> 1;
  for (std::size_t at = 0; at < count; at++) {
    BitsOf<Real> bits = 0;
    std::memcpy(&bits, from + at, sizeof(bits));
    bits &= all_but_sign;
    largest[at] = largest[at] < bits ? bits : largest[at];
  }
}

/// Raises `largest` (d) by the points x (n, d).
template <class Real>
void look_at(const Real* x, std::size_t n, std::size_t d, BitsOf<Real>* largest) {
  const std::size_t rows = std::max<std::size_t>(1, side_by_side / d);
  std::vector<BitsOf<Real>> wide(rows * d, 0);
  std::size_t i = 0;
  for (; i + rows <= n; i += rows) raise(wide.data(), x + i * d, rows * d);
  if (i < n) raise(wide.data(), x + i * d, (n - i) * d);
  for (std::size_t at = 0; at < wide.size(); at++) largest[at % d] = std::max(largest[at % d], wide[at]);
}

}  // namespace

template <class Real>
std::vector<Real> checked_magnitudes(const Real* x, std::size_t n, std::size_t d) {
  const std::size_t threads = n * d < worth_sharing ? 1 : thread_count();
  ThreadPool pool(threads);
  std::vector<BitsOf<Real>> bits(threads * d, 0);
  const std::size_t chunk = std::max<std::size_t>(1, chunk_coordinates / d);
  const auto visit = [&](std::size_t worker, std::size_t first, std::size_t last) {
    look_at(x + first * d, last - first, d, bits.data() + worker * d);
  };
  pool.share(n, chunk, visit, [] { return false; });
  for (std::size_t at = d; at < bits.size(); at++) bits[at % d] = std::max(bits[at % d], bits[at]);
  std::vector<Real> largest(d);
  std::memcpy(largest.data(), bits.data(), d * sizeof(Real));
  require_engine_units(largest);
  return largest;
}

template <class Real>
void require_engine_units(const std::vector<Real>& largest) {
  if (!std::all_of(largest.begin(), largest.end(), [](Real value) { return std::isfinite(value); })) {
    throw std::invalid_argument("points hold a value that is not finite");
  }
  if (*std::max_element(largest.begin(), largest.end()) > 1) {
    throw std::invalid_argument("points hold a value above 1: they are not in engine units");
  }
}

template std::vector<float> checked_magnitudes(const float*, std::size_t, std::size_t);
template std::vector<double> checked_magnitudes(const double*, std::size_t, std::size_t);
template void require_engine_units(const std::vector<float>&);

}  // namespace centroid_lab
