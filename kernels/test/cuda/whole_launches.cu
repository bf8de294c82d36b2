#include "whole_launches.hpp"

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "../native/check.hpp"
#include "../native/fixtures.hpp"
#include "cuda/cuda_engine.hpp"
#include "plans.hpp"
#include "share.hpp"

namespace centroid_lab::cuda_test {
namespace {

const CancelFlag never{false};
constexpr std::int64_t max_iterations = 40;

struct Data {
  std::string name;
  std::size_t n, d, k;
  std::vector<float> x;
  std::vector<float> start;
};

Data data_of(std::string name, std::size_t n, std::size_t d, std::size_t k, std::vector<float> x) {
  Data data{std::move(name), n, d, k, std::move(x), {}};
  data.start.assign(data.x.begin(), data.x.begin() + static_cast<std::ptrdiff_t>(k * d));
  return data;
}

/// Points to mislead boxes: all alike, one far from the others, on the edges between centroids, of the smallest numbers.
std::vector<Data> all_data() {
  std::vector<Data> all;
  const std::size_t many = 3'000, some = 1'500;
  const auto noise = [](std::size_t n, std::size_t d) { return values_of(Kind::noise, n * d); };
  all.push_back(data_of("noise", many, 2, 70, noise(many, 2)));
  all.push_back(data_of("noise", 2 * many, 2, 5, noise(2 * many, 2)));
  all.push_back(data_of("noise", some + 3, 3, 33, noise(some + 3, 3)));
  all.push_back(data_of("noise", some, 4, 50, noise(some, 4)));
  all.push_back(data_of("noise", many, 1, 40, noise(many, 1)));
  all.push_back(data_of("few points", 150, 4, 3, noise(150, 4)));
  all.push_back(data_of("as many clusters as points", 257, 2, 257, noise(257, 2)));
  all.push_back(data_of("many clusters", 1'500, 3, 1'300, noise(1'500, 3)));
  all.push_back(data_of("ties everywhere", some, 2, 60, values_of(Kind::lattice, 2 * some)));
  all.push_back(data_of("ties everywhere", some, 3, 30, values_of(Kind::lattice, 3 * some)));
  all.push_back(data_of("a cloud far off", some, 2, 90, values_of(Kind::far, 2 * some)));
  all.push_back(data_of("near the smallest floats", some, 2, 40, values_of(Kind::tiny, 2 * some)));
  all.push_back(data_of("one point over and over", some, 2, 50, values_of(Kind::equal, 2 * some)));
  Data outlier = data_of("one outlier", some, 2, 100, noise(some, 2));
  for (float& value : outlier.x) value *= 0x1p-20F;
  outlier.x[some] = 1.0F;
  for (float& value : outlier.start) value *= 0x1p-20F;
  all.push_back(std::move(outlier));
  Data alike = data_of("centroids alike and empty", some, 3, 64, noise(some, 3));
  for (std::size_t at = 30; at < alike.start.size(); at++) alike.start[at] = at < 120 ? alike.start[at % 3] : 3.0F + at % 3;
  all.push_back(std::move(alike));
  Data beyond = data_of("centroids whose squares overflow", some, 2, 48, noise(some, 2));
  for (std::size_t at = 0; at < beyond.start.size(); at += 4) beyond.start[at] = 1e30F;
  all.push_back(std::move(beyond));
  all.push_back(data_of("noise, many blocks", 40'000, 2, 5, noise(40'000, 2)));
  all.push_back(data_of("noise, one feature", 9'000, 1, 6, noise(9'000, 1)));
  all.push_back(data_of("one cluster", 70, 3, 1, noise(70, 3)));
  return all;
}

Advance whole(Clustering& session, const std::vector<float>& start) {
  session.start(start.data());
  Advance all;
  while (all.iterations.size() < max_iterations) {
    const auto left = max_iterations - static_cast<std::int64_t>(all.iterations.size());
    const Advance some = session.advance(left, 1e300, never);
    all.iterations.insert(all.iterations.end(), some.iterations.begin(), some.iterations.end());
    all.centroids.insert(all.centroids.end(), some.centroids.begin(), some.centroids.end());
    if (some.iterations.empty() || some.iterations.back().stop) break;
  }
  return all;
}

bool close(double a, double b) { return std::abs(a - b) <= 1e-9 * (std::abs(a) + std::abs(b)); }

void compare(const Advance& one, const Advance& other, const std::string& what) {
  expect(one.iterations.size() == other.iterations.size(), what, ": ", one.iterations.size(), " iterations, not ",
         other.iterations.size());
  if (one.iterations.size() != other.iterations.size() || one.centroids.size() != other.centroids.size()) return;
  expect(std::memcmp(one.centroids.data(), other.centroids.data(), one.centroids.size() * sizeof(float)) == 0, what,
         ": other centroids");
  for (std::size_t at = 0; at < one.iterations.size(); at++) {
    const IterationStats &a = one.iterations[at], &b = other.iterations[at];
    const bool same = a.iteration == b.iteration && a.changed == b.changed && a.empty_clusters == b.empty_clusters &&
                      a.stop == b.stop && a.max_coordinate_shift == b.max_coordinate_shift &&
                      close(a.shift_squared, b.shift_squared) &&
                      std::abs(a.inertia - b.inertia) <= 1e-9 * one.iterations[0].inertia;
    expect(same, what, ": iteration ", a.iteration, " differs: changed ", a.changed, " and ", b.changed, ", J ", a.inertia, " and ",
           b.inertia, ", shift ", a.shift_squared, " and ", b.shift_squared);
    if (!same) return;
  }
}

void check_run(const cuda::VariantPlan& plan, const Data& data, const Points& points, Rules rules, const std::string& what) {
  rules.k = data.k;
  const auto launches = cuda::make_clustering(plan, points, rules, 0);
  Rules timed = rules;
  timed.timing = Timing::iterations;
  const auto passes = cuda::make_clustering(plan, points, timed, 0);
  const Advance expected = whole(*passes, data.start);
  // Twice, for what one run leaves behind for the next.
  for (int turn = 0; turn < 2; turn++) compare(whole(*launches, data.start), expected, what);
}

/// Under each policy on empty clusters, and with each rule.
void check_data(const cuda::VariantPlan& plan, const Data& data) {
  const Fixture fixture(data.x, data.n, data.d);
  const std::string what = name_of(plan) + " whole run, " + data.name + " n=" + std::to_string(data.n) + " d=" +
                           std::to_string(data.d) + " k=" + std::to_string(data.k);
  Rules rules;
  rules.track_changed = rules.track_inertia = rules.track_centroids = true;
  check_run(plan, data, fixture.points, rules, what);
  for (const EmptyPolicy empty : {EmptyPolicy::farthest, EmptyPolicy::drop}) {
    rules.empty = empty;
    rules.stop = StopRule::labels;
    check_run(plan, data, fixture.points, rules, what + " policy=" + std::to_string(static_cast<int>(empty)));
  }
  rules.empty = EmptyPolicy::keep;
  for (const auto& [rule, threshold] : {std::pair{StopRule::relative_shift, 1e-4}, {StopRule::coordinate_shift, 1e-2},
                                        {StopRule::inertia, 1e-1}, {StopRule::labels, 1e-2}}) {
    rules.stop = rule;
    rules.threshold = threshold;
    check_run(plan, data, fixture.points, rules, what + " rule=" + std::to_string(static_cast<int>(rule)));
  }
}

}  // namespace

void check_whole_launches(Extent extent) {
  std::size_t number = 0;
  for (const Data& data : all_data()) {
    if (extent == Extent::least && number++ % 5 != 0) continue;
    for (const char* regime : {"register-resident", "message-passing"}) {
      if (is_ours()) unless_refused(plan_of("fused", {regime}), [&](const auto& plan) { check_data(plan, data); });
    }
  }
}

}  // namespace centroid_lab::cuda_test
