#include "bounded_runs.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <string>

#include "../native/fixtures.hpp"
#include "cuda/cuda_engine.hpp"
#include "plans.hpp"
#include "reference.hpp"
#include "share.hpp"

namespace centroid_lab::cuda_test {
namespace {

const CancelFlag never{false};
constexpr std::int64_t iterations = 30;

enum class Cloud { tight_blobs, wide_blobs, few_blobs, copies, outliers, noise, lattice, far, tiny, equal };

const char* name_of(Cloud cloud) {
  static const char* names[] = {"tight blobs", "wide blobs", "few blobs", "copies", "outliers", "noise", "lattice", "far", "tiny", "equal"};
  return names[static_cast<int>(cloud)];
}

struct Shape {
  Cloud cloud;
  std::size_t n;
  std::size_t d;
  std::size_t k;
};

/// Normal clouds of `spread` around `count` points of the unit cube, which is shrunk to `size`.
std::vector<float> blobs(const Shape& shape, std::size_t count, float spread, float size) {
  std::mt19937 random(static_cast<unsigned>(shape.n + shape.d * 7 + count));
  std::uniform_real_distribution<float> unit(-0.8F, 0.8F);
  std::normal_distribution<float> around(0.0F, spread);
  std::vector<float> centres(count * shape.d);
  for (float& value : centres) value = unit(random) * size;
  std::vector<float> x(shape.n * shape.d);
  for (std::size_t i = 0; i < shape.n; i++) {
    const std::size_t blob = random() % count;
    for (std::size_t j = 0; j < shape.d; j++) {
      x[i * shape.d + j] = std::clamp(centres[blob * shape.d + j] + around(random), -1.0F, 1.0F);
    }
  }
  return x;
}

std::vector<float> values_of(const Shape& shape) {
  switch (shape.cloud) {
    case Cloud::tight_blobs: return blobs(shape, shape.k, 0.01F, 1);
    case Cloud::wide_blobs: return blobs(shape, shape.k, 0.3F, 1);
    case Cloud::few_blobs: return blobs(shape, 5, 0.02F, 1);
    case Cloud::copies: return blobs(shape, shape.k * 3, 0, 1);
    case Cloud::outliers: {
      std::vector<float> x = blobs(shape, 5, 1e-4F, 1e-3F);
      for (std::size_t i = 0; i < shape.n; i += 500) std::fill_n(x.begin() + static_cast<std::ptrdiff_t>(i * shape.d), shape.d, i % 1000 == 0 ? 1.0F : -0.7F);
      return x;
    }
    case Cloud::noise: return centroid_lab::values_of(Kind::noise, shape.n * shape.d);
    case Cloud::lattice: return centroid_lab::values_of(Kind::lattice, shape.n * shape.d);
    case Cloud::far: return centroid_lab::values_of(Kind::far, shape.n * shape.d);
    case Cloud::tiny: return centroid_lab::values_of(Kind::tiny, shape.n * shape.d);
    case Cloud::equal: return centroid_lab::values_of(Kind::equal, shape.n * shape.d);
  }
  return {};
}

struct Trace {
  Advance run;
  std::vector<std::int32_t> labels;
};

/// A run in pieces of 1, 2, 3 ... iterations, or in one, with labels read in between.
Trace trace(const cuda::VariantPlan& plan, const Fixture& fixture, const Rules& rules, const std::vector<float>& start, bool pieces) {
  auto session = cuda::make_clustering(plan, fixture.points, rules, 0);
  session->start(start.data());
  Trace trace;
  trace.labels.resize(fixture.points.n);
  double inertia = 0;
  std::int64_t left = iterations;
  for (std::int64_t piece = pieces ? 1 : iterations; left > 0; piece++) {
    Advance some = session->advance(std::min(piece, left), 1e300, never);
    left -= static_cast<std::int64_t>(some.iterations.size());
    trace.run.iterations.insert(trace.run.iterations.end(), some.iterations.begin(), some.iterations.end());
    trace.run.centroids.insert(trace.run.centroids.end(), some.centroids.begin(), some.centroids.end());
    if (piece == 3) session->read(never, trace.labels.data(), inertia);
  }
  session->read(never, trace.labels.data(), inertia);
  return trace;
}

/// The first iteration in which two runs differ; -1 where they are the same.
std::int64_t first_difference(const Trace& a, const Trace& b, std::size_t row) {
  for (std::size_t i = 0; i < a.run.iterations.size(); i++) {
    const IterationStats& one = a.run.iterations[i];
    const IterationStats& other = b.run.iterations[i];
    const bool same = one.changed == other.changed && one.inertia == other.inertia && one.shift_squared == other.shift_squared &&
                      std::memcmp(a.run.centroids.data() + i * row, b.run.centroids.data() + i * row, row * sizeof(float)) == 0;
    if (!same) return static_cast<std::int64_t>(i);
  }
  return a.labels == b.labels ? -1 : static_cast<std::int64_t>(a.run.iterations.size());
}

void check_run(const Shape& shape, EmptyPolicy empty, bool changes, const cuda::FilterTuning& tuning = {}) {
  const Fixture fixture(values_of(shape), shape.n, shape.d);
  std::vector<float> start(fixture.x.begin(), fixture.x.begin() + static_cast<std::ptrdiff_t>(shape.k * shape.d));
  // Clusters that nobody comes to.
  if (empty != EmptyPolicy::keep) {
    for (std::size_t c = 2; c < shape.k; c += 3) std::fill_n(start.begin() + static_cast<std::ptrdiff_t>(c * shape.d), shape.d, 3.0F);
  }
  Rules rules;
  rules.k = shape.k;
  rules.empty = empty;
  rules.track_changed = changes;
  rules.track_inertia = rules.track_centroids = true;
  const std::string what = std::string("bounded, ") + name_of(shape.cloud) + " n=" + std::to_string(shape.n) + " d=" +
                           std::to_string(shape.d) + " k=" + std::to_string(shape.k) + " policy=" + std::to_string(static_cast<int>(empty));
  cuda::VariantPlan brute = plan_of("fused", {"matrix-filter", "tiled"});
  brute.filter = tuning;
  Trace expected;
  // Points that pass through the device are refused by both.
  if (!unless_refused(brute, [&](const auto&) { expected = trace(brute, fixture, rules, start, false); })) return;
  for (const bool always : {false, true}) {
    cuda::VariantPlan plan = plan_of("fused", {"point-bounds"});
    plan.filter = tuning;
    plan.filter.visits_always = always;
    unless_refused(plan, [&](const cuda::VariantPlan&) {
      const Trace got = trace(plan, fixture, rules, start, !changes);
      const std::int64_t first = first_difference(expected, got, shape.k * shape.d);
      expect(first < 0, what, always ? ", visits always" : "", ": differs from brute force from iteration ", first, " on");
    });
  }
}

/// Has the filter part its points into cells, or balls, or as it likes.
cuda::FilterTuning parted_by(std::size_t number) {
  cuda::FilterTuning tuning;
  if (number % 5 == 1) tuning.cells = 5;
  tuning.balls = number % 5 == 3;
  return tuning;
}

}  // namespace

void check_bounded_runs(Extent extent) {
  const bool small = extent != Extent::full;
  const std::size_t every = extent == Extent::full ? 1 : extent == Extent::small ? 9 : 67;
  const Cloud clouds[] = {Cloud::tight_blobs, Cloud::wide_blobs, Cloud::few_blobs, Cloud::copies, Cloud::outliers,
                          Cloud::noise, Cloud::lattice, Cloud::far, Cloud::tiny, Cloud::equal};
  const std::size_t dimensions[] = {33, 64, 100, 128, 200};
  const std::size_t clusters[] = {9, 40, 257, 1024};
  std::size_t number = 0;
  for (const Cloud cloud : clouds) {
    for (const std::size_t d : dimensions) {
      for (const std::size_t k : clusters) {
        number++;
        if (number % every != 0 || !is_ours()) continue;
        const std::size_t n = small ? 1500 : std::max<std::size_t>(k * 4, 6000) + number;
        check_run({cloud, n, d, k}, static_cast<EmptyPolicy>(number % 3), number % 2 == 0, parted_by(number));
      }
    }
  }
  if (extent == Extent::least) return;
  for (const EmptyPolicy empty : {EmptyPolicy::keep, EmptyPolicy::farthest, EmptyPolicy::drop}) {
    check_run({Cloud::few_blobs, small ? std::size_t{1200} : 40'001, 64, 12}, empty, true);
    check_run({Cloud::wide_blobs, small ? std::size_t{1200} : 60'001, 64, 300}, empty, false);
  }
}

}  // namespace centroid_lab::cuda_test
