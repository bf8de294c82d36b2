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
#include "cuda/device_session.hpp"
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

/// A pass in parts against the pass as a whole: a slow one is cut, so that a cancel is answered.
void check_parts_of_passes(const std::string& word, std::size_t n, std::size_t d, std::size_t k) {
  const std::vector<float> x = blobs(n, d, k);
  const Points points{x.data(), n, d, checked_magnitudes(x.data(), n, d)};
  Rules rules;
  rules.k = k;
  cuda::DeviceSession session(points, rules, plans_of(word).front(), 0);
  session.set_centroids(x.data());
  cuda::DeviceSession::Want want;
  want.labels = true;
  PassResult whole, parts;
  whole.wants_fixed = parts.wants_fixed = true;
  std::vector<std::int32_t> labels(n), others(n);
  session.pass(want, never);
  session.collect(whole);
  session.fetch_labels(labels.data());
  session.restart();
  cuda::Pass pass = session.whole_pass(want);
  for (const std::size_t part : {n / 7 + 1, std::size_t{5000}}) {
    for (pass.first = 0; pass.first < n; pass.first += pass.count) {
      pass.count = std::min(part, n - pass.first);
      session.variant().enqueue_assign(pass);
    }
    session.collect(parts);
    session.fetch_labels(others.data());
    expect(parts.fixed == whole.fixed && parts.counts == whole.counts && others == labels, word, ": parts of ", part, " rows make another pass");
    session.restart();
  }
}

/// What the parts of an iteration take on several devices, by their own clocks.
void print_parts(Clustering& session, std::size_t k) {
  const Points& points = session.points();
  session.start(std::vector<float>(points.x, points.x + k * points.d).data());
  double own = 0, waiting = 0, finishing = 0;
  int count = 0;
  while (count < 12) {
    for (const IterationStats& done : session.advance(12 - count, 1e300, never).iterations) {
      // The first of a stretch waits for the host.
      if (++count <= 4) continue;
      own += done.iterate_ms;
      finishing += done.converge_ms;
      waiting += done.total_ms - done.iterate_ms - done.converge_ms;
    }
  }
  std::printf("  of an iteration: own rows %.4f  the others' sums %.4f  means %.4f ms\n", own / 8, waiting / 8, finishing / 8);
}

}  // namespace

std::vector<int> devices_of(const std::string& words) {
  std::vector<int> numbers;
  std::istringstream rest(words);
  for (std::string word; std::getline(rest, word, ',');) numbers.push_back(word == "cpu" ? cuda::processor : std::stoi(word));
  return numbers;
}

void check_split(const std::vector<int>& devices) {
  check_parts_of_passes("fused:neighbour-boxes", 100'003, 8, 60);
  check_parts_of_passes("fused:neighbour-boxes", 100'003, 2, 40);
  check_parts_of_passes("fused:tile-bounds/neighbour-boxes,matrix-scores", 100'003, 8, 200);
  check_parts_of_passes("fused:matrix-scores", 50'003, 16, 200);
  check_parts_of_passes("fused:staged-points", 50'003, 8, 20);
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
  const Points half{x.data(), n / devices.size(), d, points.max_abs, n};
  const double part_ms = run(*cuda::make_clustering(plan, half, rules, devices.front()), iterations, 3).ms;
  const Outcome all = run(*cuda::make_split_clustering(split_of(devices, plan, k), points, rules), iterations, 3);
  expect(are_same(one, all), "n=", n, " d=", d, " k=", k, ": other bytes on several devices");
  std::printf("split n=%zu d=%zu k=%zu  one %.4f  one with its part %.4f  %zu devices %.4f ms/iteration  %.2f times\n", n, d, k, one.ms, part_ms,
              devices.size(), all.ms, one.ms / all.ms);
  Rules timed = rules;
  timed.timing = Timing::phases;
  print_parts(*cuda::make_split_clustering(split_of(devices, plan, k), points, timed), k);
  std::fflush(stdout);
}

}  // namespace centroid_lab::cuda_test
