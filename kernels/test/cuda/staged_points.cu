#include "staged_points.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "../native/check.hpp"
#include "../native/fixtures.hpp"
#include "cuda/cuda_engine.hpp"
#include "plans.hpp"
#include "share.hpp"

namespace centroid_lab::cuda_test {
namespace {

const CancelFlag never{false};
constexpr std::int64_t iterations = 4;

struct Data {
  std::string name;
  std::size_t n, d, k;
  std::vector<float> x;
  std::vector<float> start;
};

Data data_of(const std::string& name, std::size_t n, std::size_t d, std::size_t k, std::vector<float> x) {
  Data data{name + " n=" + std::to_string(n) + " d=" + std::to_string(d) + " k=" + std::to_string(k), n, d, k, std::move(x), {}};
  data.start.assign(data.x.begin(), data.x.begin() + static_cast<std::ptrdiff_t>(k * d));
  return data;
}

Data noise_of(const std::string& name, std::size_t n, std::size_t d, std::size_t k) {
  return data_of(name, n, d, k, values_of(Kind::noise, n * d));
}

/// A column of one number, one that is constant but for a point, and points a thousand times as far out.
Data hard_columns(std::size_t n, std::size_t d, std::size_t k) {
  Data data = noise_of("columns without spread, outliers", n, d, k);
  for (std::size_t i = 0; i < n; i++) {
    float* row = data.x.data() + i * d;
    for (std::size_t j = 0; j < d; j++) row[j] *= i % 997 == 5 ? 1.0F : 0x1p-10F;
    row[0] = -0.7F;
    if (d > 2) row[d - 1] = i == n / 2 ? 1.0F : 0.125F;
  }
  data.start.assign(data.x.begin(), data.x.begin() + static_cast<std::ptrdiff_t>(k * d));
  return data;
}

/// Every second centroid the same as the first, the last ones far beyond every point: empty, dropped where that is the policy.
Data alike_and_empty(std::size_t n, std::size_t d, std::size_t k) {
  Data data = noise_of("centroids alike and empty", n, d, k);
  for (std::size_t c = 0; c < k; c++) {
    for (std::size_t j = 0; j < d; j++) {
      if (c % 2 == 1) data.start[c * d + j] = data.start[j];
      if (c + 2 >= k && k > 2) data.start[c * d + j] = 1e30F;
    }
  }
  return data;
}

/// Every number of features; clusters around what a four, a column of a product and a block hold; points around tiles, fewer than warps
/// have and so many that warps have several.
std::vector<Data> all_data(Extent extent) {
  std::vector<Data> all;
  const std::vector<std::size_t> clusters{1, 2, 3, 4, 5, 8, 9, 10, 12, 16, 17, 24, 31, 32, 33, 48, 63, 64, 65, 100, 127, 128};
  const std::vector<std::size_t> few{1, 31, 33, 255, 257, 1023, 1025, 4099};
  const std::size_t step = extent == Extent::full ? 1 : extent == Extent::small ? 5 : 21;
  for (std::size_t d = 1; d <= 64; d += step) {
    for (std::size_t turn = 0; turn < 3; turn++) {
      const std::size_t k = clusters[(d * 5 + turn * 7) % clusters.size()];
      all.push_back(noise_of("noise", std::max(k, few[(d + turn * 3) % few.size()]), d, k));
      if (extent != Extent::least) all.push_back(noise_of("noise", 16'385 + 1111 * d, d, k));
    }
  }
  for (const std::size_t d : {66, 67, 95, 96, 100, 127, 128, 129, 161, 256, 300, 511, 784, 1024}) {
    if (extent != Extent::full && d != 67 && d != 96 && d != 300 && (extent == Extent::least || d != 784)) continue;
    for (std::size_t turn = 0; turn < 3; turn++) {
      const std::size_t k = clusters[(d * 3 + turn * 5) % clusters.size()];
      all.push_back(noise_of("noise", std::max(k, few[(d + turn * 3) % few.size()]), d, k));
      if (extent != Extent::least) all.push_back(noise_of("noise", 3001 + 11 * d, d, k));
    }
  }
  for (const std::size_t d : {2, 5, 8, 12, 15, 24, 31, 40, 64, 99, 200, 768}) {
    if (extent == Extent::least && d != 5 && d != 24 && d != 99) continue;
    const std::size_t n = extent == Extent::least ? 2001 : d > 64 ? 5001 : 20'001;
    all.push_back(data_of("ties everywhere", n, d, 17, values_of(Kind::lattice, n * d)));
    all.push_back(data_of("a cloud far off", n, d, 10, values_of(Kind::far, n * d)));
    all.push_back(data_of("near the smallest floats", n, d, 5, values_of(Kind::tiny, n * d)));
    all.push_back(data_of("one point over and over", n, d, 32, values_of(Kind::equal, n * d)));
    all.push_back(hard_columns(n, d, 11));
    all.push_back(alike_and_empty(n, d, 29));
  }
  if (extent == Extent::full) {
    for (const std::size_t d : {5, 16, 48, 64}) all.push_back(noise_of("noise, many tiles", 1'500'001, d, 10));
    for (const std::size_t d : {80, 127, 256}) all.push_back(noise_of("noise, many tiles", 200'001, d, 10));
    all.push_back(noise_of("noise, many tiles", 1'500'001, 8, 32));
  }
  return all;
}

/// More clusters than the others have: steps of products in registers, in shared memory, in pieces; tiles full and not; lists of all
/// kinds.
std::vector<Data> filter_data(Extent extent) {
  std::vector<Data> all;
  const std::vector<std::size_t> clusters{9, 16, 100, 129, 300, 1000}, few{1000, 1153, 4099, 12'345};
  const std::vector<std::size_t> features{9, 12, 16, 17, 24, 32, 33, 48, 64, 65, 80, 81, 96, 100, 112, 128, 129, 191, 192, 256, 300, 784};
  for (std::size_t at = 0; at < features.size(); at++) {
    if (extent != Extent::full && at % (extent == Extent::small ? 4 : 11) != 0) continue;
    for (std::size_t turn = 0; turn < 3; turn++) {
      const std::size_t k = clusters[(at * 5 + turn * 2) % clusters.size()];
      if (extent == Extent::least && k > 300) continue;
      all.push_back(noise_of("noise", few[(at + turn) % few.size()], features[at], k));
    }
  }
  for (const std::size_t d : {12, 40, 70, 200}) {
    if (extent == Extent::least && d != 12) continue;
    const std::size_t n = extent == Extent::least ? 2001 : 9001;
    all.push_back(data_of("ties everywhere", n, d, 170, values_of(Kind::lattice, n * d)));
    all.push_back(data_of("a cloud far off", n, d, 50, values_of(Kind::far, n * d)));
    all.push_back(hard_columns(n, d, 111));
    all.push_back(alike_and_empty(n, d, 290));
  }
  if (extent == Extent::full) {
    for (const std::size_t d : {12, 24, 64, 128, 256}) all.push_back(noise_of("noise, many parts", 300'001, d, 200));
  }
  return all;
}

struct Outcome {
  Advance run;
  std::vector<std::int32_t> labels;
};

Outcome outcome_of(const cuda::VariantPlan& plan, const Data& data, const Points& points, const Rules& rules) {
  const auto session = cuda::make_clustering(plan, points, rules, 0);
  Outcome made;
  session->start(data.start.data());
  while (made.run.iterations.size() < iterations) {
    const Advance some = session->advance(iterations - static_cast<std::int64_t>(made.run.iterations.size()), 1e300, never);
    if (some.iterations.empty()) break;
    made.run.iterations.insert(made.run.iterations.end(), some.iterations.begin(), some.iterations.end());
    made.run.centroids.insert(made.run.centroids.end(), some.centroids.begin(), some.centroids.end());
  }
  made.labels.resize(data.n);
  double inertia = 0;
  session->read(never, made.labels.data(), inertia);
  return made;
}

void check_data(const cuda::VariantPlan& plan, const Data& data) {
  const Fixture fixture(data.x, data.n, data.d);
  for (const EmptyPolicy empty : {EmptyPolicy::keep, EmptyPolicy::drop}) {
    Rules rules;
    rules.k = data.k;
    rules.empty = empty;
    rules.track_changed = rules.track_inertia = rules.track_centroids = true;
    const std::string what = name_of(plan) + " " + data.name + " policy=" + std::to_string(static_cast<int>(empty));
    const Outcome expected = outcome_of(plan_of("fused", {"tiled"}), data, fixture.points, rules);
    const Outcome found = outcome_of(plan, data, fixture.points, rules);
    expect(found.labels == expected.labels, what, ": other labels than tiled's");
    const std::vector<float>&a = found.run.centroids, &b = expected.run.centroids;
    const bool same = a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
    expect(same, what, ": other centroids than tiled's");
    expect(found.run.iterations.size() == expected.run.iterations.size(), what, ": another number of iterations");
    for (std::size_t at = 0; at < std::min(found.run.iterations.size(), expected.run.iterations.size()); at++) {
      const IterationStats &one = found.run.iterations[at], &other = expected.run.iterations[at];
      expect(one.changed == other.changed && one.empty_clusters == other.empty_clusters, what, ": iteration ", at + 1, ": ", one.changed,
             " changed and ", one.empty_clusters, " empty, not ", other.changed, " and ", other.empty_clusters);
    }
  }
}

}  // namespace

void check_staged_points(Extent extent) {
  for (const Data& data : filter_data(extent)) {
    if (is_ours()) unless_refused(plan_of("fused", {"matrix-filter"}), [&](const auto& plan) { check_data(plan, data); });
  }
  for (const Data& data : all_data(extent)) {
    for (const char* regime : {"staged-points", "row-pieces"}) {
      if (is_ours()) unless_refused(plan_of("fused", {regime}), [&](const auto& plan) { check_data(plan, data); });
    }
  }
}

}  // namespace centroid_lab::cuda_test
