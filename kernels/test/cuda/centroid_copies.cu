#include "centroid_copies.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "../native/check.hpp"
#include "../native/fixtures.hpp"
#include "cuda/centroid_copies.hpp"
#include "cuda/cuda_engine.hpp"
#include "cuda/device_session.hpp"
#include "plans.hpp"
#include "reference.hpp"
#include "row_copies.hpp"
#include "share.hpp"

namespace centroid_lab::cuda_test {
namespace {

const CancelFlag never{false};

/// Whether `found` are the rows of `centroids`, with NaN for copies of rows before them and for nothing else.
bool leaves_copies_out(const std::vector<float>& centroids, const std::vector<float>& found, std::size_t d) {
  RowCopies noted;
  noted.begin(centroids.size() / d);
  bool right = true;
  for (std::size_t at = 0; at < centroids.size(); at += d) {
    const bool is_copy = noted.is_copy(centroids.data() + at, d, key_of_row(centroids.data() + at, d));
    for (std::size_t j = at; j < at + d; j++) {
      right = right && (is_copy ? std::isnan(found[j]) : std::memcmp(&found[j], &centroids[j], sizeof(float)) == 0);
    }
  }
  return right;
}

/// (k, d): rows of so many kinds that differ in their last feature alone, zeros of either sign among them.
std::vector<float> rows_of_kinds(std::size_t k, std::size_t d, std::size_t kinds) {
  std::mt19937 random(static_cast<unsigned>(k * 7 + d));
  std::vector<float> rows(k * d, 0.25F);
  for (std::size_t c = 0; c < k; c++) {
    const std::size_t kind = random() % kinds;
    rows[c * d + d - 1] = kind == 0 ? -0.0F : kind == 1 ? 0.0F : static_cast<float>(kind) / static_cast<float>(kinds);
  }
  return rows;
}

void check_rows(std::size_t k, std::size_t d, std::size_t kinds) {
  const cuda::CentroidCopies copies(k, d);
  const cuda::Buffer<int> halted(1);
  halted.clear(nullptr);
  // Other rows than before, the second time fewer.
  for (const std::size_t rows : {k, std::max<std::size_t>(1, k - k / 3)}) {
    const std::vector<float> centroids = rows_of_kinds(rows, d, kinds);
    const cuda::Buffer<float> on_device(centroids);
    std::vector<float> found(centroids.size());
    const float* const there = copies.enqueue(on_device.get(), static_cast<int>(rows), halted.get(), nullptr);
    cuda::check(cudaMemcpy(found.data(), there, found.size() * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
    expect(leaves_copies_out(centroids, found, d), "copies of ", rows, " rows of ", d, " features, ", kinds, " kinds: others were found");
  }
}

/// Whether a pass of the regime is given centroids without copies.
void check_pass(const char* regime, const Points& points, const std::vector<float>& centroids, std::size_t k) {
  unless_refused(plan_of("fused", {regime}), [&](const cuda::VariantPlan& plan) {
    Rules rules;
    rules.k = k;
    cuda::DeviceSession session(points, rules, plan, 0);
    session.set_centroids(centroids.data());
    const cuda::Pass pass = session.whole_pass({});
    session.stream().wait();
    std::vector<float> found(centroids.size());
    cuda::check(cudaMemcpy(found.data(), pass.centroids, found.size() * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
    expect(leaves_copies_out(centroids, found, points.d), name_of(plan), " k=", k, ": a pass is given copies of centroids");
  });
}

/// Rows of a table in which each stands many times, and starts from more of them than there are different ones.
void check_table(std::size_t n, std::size_t d, std::size_t k, std::size_t kinds) {
  const std::vector<float> noise = values_of(Kind::noise, kinds * d);
  std::vector<float> x(n * d);
  std::mt19937 random(static_cast<unsigned>(n + d));
  for (std::size_t i = 0; i < n; i++) std::copy_n(noise.begin() + static_cast<std::ptrdiff_t>(random() % kinds * d), d, x.begin() + static_cast<std::ptrdiff_t>(i * d));
  const Fixture fixture(x, n, d);
  const std::vector<float> start(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(k * d));
  for (const char* regime : {"tiled", "staged-points", "row-pieces", "matrix-scores", "matrix-filter", "neighbour-boxes"}) {
    check_pass(regime, fixture.points, start, k);
  }
  // Labels of the first passes, in which copies go their own ways as their originals move.
  for (const cuda::VariantPlan& every : plans_of("fused")) {
    unless_refused(every, [&](const cuda::VariantPlan& plan) {
      Rules rules;
      rules.k = k;
      const auto session = cuda::make_clustering(plan, fixture.points, rules, 0);
      session->start(start.data());
      for (int iteration = 0; iteration < 3; iteration++) {
        const std::vector<float> centroids = session->centroids();
        std::vector<std::int32_t> labels(n);
        double inertia = 0;
        session->read(never, labels.data(), inertia);
        const std::size_t wrong = uncanonical_labels(fixture.points, centroids.data(), k, labels, 1);
        expect(wrong == 0, name_of(plan), " n=", n, " d=", d, " k=", k, " of ", kinds, " different rows, iteration ", iteration, ": ", wrong,
               " labels are not canonical");
        session->advance(1, 1e300, never);
      }
    });
  }
}

}  // namespace

void check_centroid_copies(Extent extent) {
  for (const std::size_t k : {1, 2, 31, 33, 257, 5000}) {
    if (extent == Extent::least && k > 257) continue;
    for (const std::size_t d : {1, 2, 31, 33, 300}) {
      if (is_ours()) check_rows(k, d, 1);
      if (is_ours()) check_rows(k, d, 7);
      if (is_ours()) check_rows(k, d, 2 * k);
    }
  }
  for (const std::size_t d : {1, 2, 3, 4, 5, 8, 12, 24, 33, 64, 130, 200}) {
    if (extent == Extent::least && d != 2 && d != 5 && d != 12 && d != 64 && d != 130) continue;
    const std::size_t n = extent == Extent::least ? 2100 : 4001;
    if (is_ours()) check_table(n, d, 3, 2);
    if (is_ours()) check_table(n, d, 20, 15);
    if (is_ours()) check_table(n, d, 100, 40);
    if (is_ours()) check_table(n, d, 200, 150);
  }
}

}  // namespace centroid_lab::cuda_test
