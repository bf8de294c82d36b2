// Labels by projections: those of all distances, to the last bit, whatever the data are; and where projections pay.
#include <algorithm>
#include <cmath>
#include <limits>

#include "check.hpp"
#include "fixtures.hpp"
#include "methods/projections/projected_session.hpp"
#include "tests.hpp"
#include "variant.hpp"

namespace centroid_lab {
namespace {

const CancelFlag never{false};

/// Points near a few planes through a few centres: some directions, and a little of everything.
std::vector<float> low_rank(std::size_t n, std::size_t d, std::size_t rank, float rest) {
  const std::vector<float> mix = values_of(Kind::noise, n * rank + 1);
  const std::vector<float> directions = values_of(Kind::noise, rank * d + 2);
  std::vector<float> x = values_of(Kind::noise, n * d);
  for (std::size_t i = 0; i < n; i++) {
    for (std::size_t j = 0; j < d; j++) {
      float value = rest * x[i * d + j];
      for (std::size_t r = 0; r < rank; r++) value += mix[i * rank + r] * directions[r * d + j];
      x[i * d + j] = value / static_cast<float>(rank + 1);
    }
  }
  return x;
}

/// Brought to magnitudes of at most 1, as engine units are.
std::vector<float> in_units(std::vector<float> x) {
  float largest = 1;
  for (const float value : x) largest = std::max(largest, std::abs(value));
  for (float& value : x) value /= std::exp2(std::ceil(std::log2(largest)));
  return x;
}

/// Passes of both from the same centroids, each moved to the means before the next; then one with a dropped cluster.
void check_labels(std::vector<float> x, std::size_t n, std::size_t d, std::size_t k, const std::string& what) {
  const Fixture fixture(in_units(std::move(x)), n, d);
  std::vector<float> centroids;
  for (std::size_t c = 0; c < k; c++) {
    const float* row = fixture.points.row((c * 7919) % n);
    centroids.insert(centroids.end(), row, row + d);
  }
  auto plain = make_variant({"fused", "tiled"}, fixture.points, k, Machine{1}).variant;
  for (const std::size_t threads : {1, 3}) {
    auto projected = make_variant({"fused", "projected-scores"}, fixture.points, k, Machine{threads}).variant;
    plain->restart();
    std::vector<float> moving = centroids;
    for (int pass = 0; pass < 5; pass++) {
      if (pass == 4) moving[(k / 2) * d] = std::numeric_limits<float>::quiet_NaN();
      PassResult expected, got;
      plain->pass(moving.data(), false, never, expected);
      expect(projected->pass(moving.data(), false, never, got), what, ": not cancelled");
      std::vector<std::int32_t> right(n), labels(n);
      plain->labels_of_pass(right.data());
      projected->labels_of_pass(labels.data());
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < n; i++) wrong += right[i] != labels[i];
      expect(wrong == 0, what, ", d ", d, ", k ", k, ", pass ", pass, ": ", wrong, " labels differ");
      expect(expected.sums == got.sums && expected.counts == got.counts, what, ": sums differ in pass ", pass);
      expect(pass == 0 || expected.changed == got.changed, what, ": changed differs in pass ", pass);
      for (std::size_t c = 0; c < k; c++) {
        if (expected.counts[c] == 0) continue;
        for (std::size_t j = 0; j < d; j++) {
          moving[c * d + j] = static_cast<float>(expected.sums[c * d + j] / static_cast<double>(expected.counts[c]));
        }
      }
    }
  }
}

void check_kinds() {
  struct Shape {
    std::size_t n, d, k;
  };
  for (const auto& [n, d, k] : {Shape{1, 40, 1}, Shape{40, 17, 13}, Shape{700, 33, 50}, Shape{1500, 130, 200}}) {
    check_labels(values_of(Kind::noise, n * d), n, d, k, "noise");
    check_labels(values_of(Kind::lattice, n * d), n, d, k, "a lattice");
    check_labels(values_of(Kind::far, n * d), n, d, k, "a cloud far out");
    check_labels(values_of(Kind::tiny, n * d), n, d, k, "tiny values");
    check_labels(values_of(Kind::equal, n * d), n, d, k, "equal points");
    check_labels(low_rank(n, d, 5, 0.01F), n, d, k, "five directions");
    // Every row several times: centroids that are equal, and points between them.
    std::vector<float> twice = low_rank(n, d, 3, 0.1F);
    for (std::size_t at = n / 3 * d; at < twice.size(); at++) twice[at] = twice[at - n / 3 * d];
    check_labels(std::move(twice), n, d, k, "rows three times");
    // A row in a hundred far out, which the sample need not hold.
    std::vector<float> skewed = low_rank(n, d, 8, 0.2F);
    for (std::size_t i = 0; i < n; i += 97) {
      for (std::size_t j = 0; j < d; j++) skewed[i * d + j] *= 50;
    }
    check_labels(std::move(skewed), n, d, k, "rows far out");
  }
}

void check_choice() {
  const std::size_t n = 4000, d = 256, k = 300;
  const Fixture flat(in_units(low_rank(n, d, 12, 0.05F)), n, d);
  const Fixture noise(values_of(Kind::noise, n * d), n, d);
  const double pays = choose_directions(flat.points, k).share;
  const double loses = choose_directions(noise.points, k).share;
  expect(pays < 0.4, "few directions are not seen to pay: ", pays);
  expect(loses > 0.9, "noise is said to have few directions: ", loses);
}

/// Orthonormal whatever the points are: the bound rests on it.
void check_directions() {
  const std::size_t n = 900, d = 70;
  for (const float rest : {0.0F, 1.0F}) {
    const Fixture fixture(in_units(low_rank(n, d, 4, rest)), n, d);
    const Directions found = choose_directions(fixture.points, 100).directions;
    for (std::size_t a = 0; a < found.width; a++) {
      for (std::size_t b = 0; b <= a; b++) {
        double product = 0;
        for (std::size_t j = 0; j < d; j++) product += found.columns[j * found.width + a] * found.columns[j * found.width + b];
        const bool is_nothing = a == b && product == 0;
        expect(is_nothing || std::abs(product - (a == b ? 1 : 0)) < 1e-13, "directions ", a, ", ", b, ": ", product);
      }
    }
  }
}

}  // namespace

void test_projections() {
  check_directions();
  check_kinds();
  check_choice();
}

}  // namespace centroid_lab
