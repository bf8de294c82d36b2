#include "split.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <sstream>

#include "../native/check.hpp"
#include "check_points.hpp"
#include "clock.hpp"
#include "cuda/cuda_engine.hpp"
#include "cuda/split_clustering.hpp"
#include "machine.hpp"
#include "plans.hpp"
#include "timing.hpp"

namespace centroid_lab::cuda_test {
namespace {

const CancelFlag never{false};

/// A run, and what it left behind.
struct Outcome {
  std::vector<float> centroids;
  std::vector<std::int32_t> labels;
  std::vector<std::int64_t> changed;
  std::vector<double> inertias;
  double inertia = 0;
  double ms = 0;
};

bool same_bytes(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

bool are_same(const Outcome& a, const Outcome& b) {
  return same_bytes(a.centroids, b.centroids) && a.labels == b.labels && a.changed == b.changed && a.inertias == b.inertias;
}

Outcome run(Clustering& session, std::size_t iterations, int stretches) {
  const Points& points = session.points();
  const std::size_t k = session.rules().k;
  std::vector<float> start(k * points.d);
  for (std::size_t c = 0; c < k; c++) std::copy_n(points.row(c * (points.n / k)), points.d, start.begin() + static_cast<std::ptrdiff_t>(c * points.d));
  Outcome outcome;
  outcome.ms = 1e300;
  for (int stretch = 0; stretch < stretches; stretch++) {
    session.start(start.data());
    outcome.changed.clear();
    outcome.inertias.clear();
    const double began = now_ms();
    while (outcome.changed.size() < iterations) {
      const Advance answer = session.advance(static_cast<std::int64_t>(iterations - outcome.changed.size()), 1e300, never);
      for (const IterationStats& done : answer.iterations) {
        outcome.changed.push_back(done.changed);
        outcome.inertias.push_back(done.inertia);
      }
      if (answer.iterations.empty() || answer.iterations.back().stop) break;
    }
    outcome.ms = std::min(outcome.ms, (now_ms() - began) / static_cast<double>(outcome.changed.size()));
  }
  outcome.centroids = session.centroids();
  outcome.labels.resize(points.n);
  session.read(never, outcome.labels.data(), outcome.inertia);
  return outcome;
}

cuda::SplitPlan split_of(std::vector<int> devices, const cuda::VariantPlan& plan, std::size_t k) {
  const bool many = k >= 32;
  return {std::move(devices), plan, {"fused", many ? "tiled-scores" : "tiled"}, std::max<std::size_t>(1, thread_count() - 1), 1024};
}

void check_one(const std::vector<int>& devices, const std::string& word, std::size_t n, std::size_t d, std::size_t k, EmptyPolicy empty) {
  const std::vector<float> x = blobs(n, d, k);
  const Points points{x.data(), n, d, checked_magnitudes(x.data(), n, d)};
  Rules rules;
  rules.k = k;
  rules.stop = StopRule::labels;
  rules.empty = empty;
  rules.track_inertia = true;
  const cuda::VariantPlan plan = plans_of(word).front();
  const Outcome expected = run(*cuda::make_clustering(plan, points, rules, devices.front()), 12, 1);
  std::vector<int> twice = devices, beside = devices;
  twice.insert(twice.end(), devices.begin(), devices.end());
  beside.push_back(cuda::processor);
  for (const std::vector<int>& several : {devices, twice, beside}) {
    const Outcome found = run(*cuda::make_split_clustering(split_of(several, plan, k), points, rules), 12, 1);
    if (!are_same(found, expected)) {
      std::printf("centroids %d, labels %d, changed %d, J %d\n", same_bytes(found.centroids, expected.centroids),
                  found.labels == expected.labels, found.changed == expected.changed, found.inertias == expected.inertias);
    }
    expect(are_same(found, expected), word, " n=", n, " d=", d, " k=", k, ": ", several.size(), " parts give other bytes than one device");
  }
}

}  // namespace

std::vector<int> devices_of(const std::string& words) {
  std::vector<int> numbers;
  std::istringstream rest(words);
  for (std::string word; std::getline(rest, word, ',');) numbers.push_back(word == "cpu" ? cuda::processor : std::stoi(word));
  return numbers;
}

void check_split(const std::vector<int>& devices) {
  check_one(devices, "fused:staged-points", 100'003, 8, 12, EmptyPolicy::keep);
  check_one(devices, "fused:neighbour-boxes", 200'000, 3, 60, EmptyPolicy::keep);
  check_one(devices, "fused:matrix-filter", 60'000, 48, 200, EmptyPolicy::farthest);
  check_one(devices, "fused:matrix-scores", 50'000, 16, 300, EmptyPolicy::drop);
  check_one(devices, "fused:row-pieces", 30'000, 100, 20, EmptyPolicy::keep);
  check_one(devices, "fused:tiled", 9'000, 40, 150, EmptyPolicy::keep);
}

void time_split(const std::vector<int>& devices, std::size_t n, std::size_t d, std::size_t k, std::size_t iterations) {
  const std::vector<float> x = blobs(n, d, std::min<std::size_t>(k, 20));
  const Points points{x.data(), n, d, checked_magnitudes(x.data(), n, d)};
  Rules rules;
  rules.k = k;
  const cuda::VariantPlan plan = plans_of(d <= 32 ? "fused:neighbour-boxes,matrix-scores" : "fused:matrix-filter,tiled").front();
  const Outcome one = run(*cuda::make_clustering(plan, points, rules, devices.front()), iterations, 3);
  const Outcome all = run(*cuda::make_split_clustering(split_of(devices, plan, k), points, rules), iterations, 3);
  expect(are_same(one, all), "n=", n, " d=", d, " k=", k, ": other bytes on several devices");
  std::printf("split n=%zu d=%zu k=%zu  one %.4f  %zu devices %.4f ms/iteration  %.2f times\n", n, d, k, one.ms, devices.size(), all.ms,
              one.ms / all.ms);
  std::fflush(stdout);
}

}  // namespace centroid_lab::cuda_test
