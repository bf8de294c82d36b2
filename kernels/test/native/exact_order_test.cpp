// exact_order against __float128 and whole numbers, the margin of float32 distances against exact order.
#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include "check.hpp"
#include "exact_order.hpp"
#include "methods/canonical/near_tie.hpp"
#include "tests.hpp"

namespace centroid_lab {
namespace {

using Row = std::vector<float>;

/// The order by whole numbers alone.
int whole_order(const Row& x, const Row& a, const Row& b) {
  exact::WholeSum sum;
  for (std::size_t j = 0; j < x.size(); j++) {
    exact::add_relative(sum, x, a, j, false);
    exact::add_relative(sum, x, b, j, true);
  }
  return sum.sign();
}

float any_float(std::mt19937& random) {
  for (;;) {
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (std::isfinite(value)) return value;
  }
}

/// Of the same power of two: __float128 holds the difference of the squares.
int quad_order(const Row& x, const Row& a, const Row& b) {
  __extension__ using Quad = __float128;
  Quad sum = 0;
  for (std::size_t j = 0; j < x.size(); j++) {
    const Quad to_a = Quad(x[j]) - Quad(a[j]), to_b = Quad(x[j]) - Quad(b[j]);
    sum += to_a * to_a - to_b * to_b;
  }
  return sum > 0 ? 1 : sum < 0 ? -1 : 0;
}

void check_order(const Row& x, const Row& a, const Row& b, int expected, const char* what) {
  expect(exact_order(x, a, b, x.size()) == expected, what, ": order of d = ", x.size());
  expect(exact_order(x, b, a, x.size()) == -expected, what, ": reversed order of d = ", x.size());
  expect(whole_order(x, a, b) == expected, what, ": whole numbers of d = ", x.size());
  expect(exact_order(x, a, x, b, x.size()) == expected, what, ": of two points of d = ", x.size());
}

/// Coordinates with 24 bits each in [0.5, 1): sums of 300 squares of differences have at most 60 bits.
void check_near_ties() {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> unit(0.5F, 1.0F);
  for (int round = 0; round < 4000; round++) {
    const std::size_t d = 1 + random() % (round % 10 == 0 ? 300 : 9);
    Row x(d), a(d), b(d);
    for (std::size_t j = 0; j < d; j++) x[j] = unit(random), a[j] = unit(random), b[j] = a[j];
    // The same distances in another order: a tie, or one unit in the last place from it.
    for (std::size_t j = 0; j < d; j++) b[j] = 2 * x[j] - a[j];
    if (round % 2 == 0) b[random() % d] = std::nextafter(b[0], 2.0F);
    check_order(x, a, b, quad_order(x, a, b), "near tie");
  }
}

void check_extremes() {
  std::mt19937 random(11);
  for (int round = 0; round < 4000; round++) {
    const std::size_t d = 1 + random() % 6;
    Row x(d), a(d), b(d);
    for (std::size_t j = 0; j < d; j++) x[j] = any_float(random), a[j] = any_float(random), b[j] = any_float(random);
    const int whole = whole_order(x, a, b);
    check_order(x, a, b, whole, "any floats");
    // Copies in reversed order of features are as near to the origin.
    const Row zero(d, 0.0F), reversed(a.rbegin(), a.rend());
    check_order(zero, a, reversed, 0, "the same coordinates in another order");
  }
  const float least = 0x1p-149F, most = 0x1.fffffep127F;
  check_order({0, 0}, {most, least}, {-most, 0}, 1, "a difference of 2^-298 beside 2^256");
  check_order({most}, {-most}, {0}, 1, "the largest distance");
  check_order({least}, {0}, {2 * least}, 0, "between subnormal numbers");
  check_order({0.0F}, {-0.0F}, {0.0F}, 0, "minus zero");
}

template <bool fused>
float computed(const Row& x, const Row& a, bool backwards) {
  float sum = 0;
  for (std::size_t i = 0; i < x.size(); i++) {
    const std::size_t j = backwards ? x.size() - 1 - i : i;
    const float difference = x[j] - a[j];
    sum = fused ? std::fma(difference, difference, sum) : sum + difference * difference;
  }
  return sum;
}

/// Beyond the margin the order of computed distances is the exact one, however they were computed.
void check_margin() {
  std::mt19937 random(13);
  std::uniform_real_distribution<float> unit(-1.0F, 1.0F);
  int decided = 0, undecided = 0;
  for (int round = 0; round < 20000; round++) {
    const std::size_t d = 1 + random() % 40;
    Row x(d), a(d), b(d);
    for (std::size_t j = 0; j < d; j++) x[j] = unit(random), a[j] = unit(random), b[j] = 2 * x[j] - a[j];
    b[random() % d] *= 1 + static_cast<float>(random() % 64) * 0x1p-24F * static_cast<float>(d);
    const float first = round % 2 == 0 ? computed<true>(x, a, false) : computed<false>(x, a, true);
    const float second = round % 2 == 0 ? computed<true>(x, b, false) : computed<false>(x, b, true);
    const float least = std::min(first, second);
    const float bound = least * near_tie_factor(units_of_distance(d)) + near_tie_rest(d);
    if (std::max(first, second) <= bound) {
      undecided++;
      continue;
    }
    decided++;
    expect(whole_order(x, a, b) == (first < second ? -1 : 1), "beyond the margin, d = ", d);
  }
  expect(decided > 2000 && undecided > 2000, "the margin was tried on both sides: ", decided, ", ", undecided);
}

}  // namespace

void test_exact_order() {
  check_near_ties();
  check_extremes();
  check_margin();
  const Row x{0}, centroids{2, -1, 1, -1};
  const auto centroid = [&](std::size_t at) { return centroids.data() + at; };
  expect(exact_nearest(x, 4, 1, centroid) == 1, "the lowest of equals");
}

}  // namespace centroid_lab
