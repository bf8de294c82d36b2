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

/// Rows far from each other.
std::vector<float> start_of(const Points& points, std::size_t k) {
  std::vector<float> start(k * points.d);
  for (std::size_t c = 0; c < k; c++) std::copy_n(points.row(c * (points.n / k)), points.d, start.begin() + static_cast<std::ptrdiff_t>(c * points.d));
  return start;
}

Outcome run(Clustering& session, const std::vector<float>& start, std::size_t iterations, int stretches) {
  const Points& points = session.points();
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

cuda::SplitPlan split_of(std::vector<int> devices, const cuda::VariantPlan& plan, std::size_t k, cuda::Exchange exchange) {
  const bool many = k >= 32;
  return {std::move(devices), plan, {"fused", many ? "tiled-scores" : "tiled"}, std::max<std::size_t>(1, thread_count() - 1), 1024, exchange};
}

/// Those there are; NCCL takes each device once.
std::vector<cuda::Exchange> exchanges() {
  if (!cuda::nccl_version().empty()) return {cuda::Exchange::peer_copies, cuda::Exchange::nccl};
  return {cuda::Exchange::peer_copies};
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
  const std::vector<float> start = start_of(points, k);
  const Outcome expected = run(*cuda::make_clustering(plan, points, rules, devices.front()), start, 12, 1);
  std::vector<int> twice = devices, beside = devices;
  twice.insert(twice.end(), devices.begin(), devices.end());
  beside.push_back(cuda::processor);
  const auto check_several = [&](const std::vector<int>& several, cuda::Exchange exchange) {
    const Outcome found = run(*cuda::make_split_clustering(split_of(several, plan, k, exchange), points, rules), start, 12, 1);
    if (!are_same(found, expected)) {
      std::printf("centroids %d, labels %d, changed %d, J %d\n", same_bytes(found.centroids, expected.centroids),
                  found.labels == expected.labels, found.changed == expected.changed, found.inertias == expected.inertias);
    }
    expect(are_same(found, expected), word, " n=", n, " d=", d, " k=", k, ": ", several.size(), " parts by ", cuda::exchange_name(exchange),
           " give other bytes than one device");
  };
  for (const std::vector<int>& several : {devices, twice, beside}) check_several(several, cuda::Exchange::peer_copies);
  if (exchanges().size() > 1) check_several(devices, cuda::Exchange::nccl);
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

/// What the parts of an iteration take on the first device, by its own clock.
void print_parts(Clustering& session, const std::vector<float>& start) {
  session.start(start.data());
  double own = 0, waiting = 0, finishing = 0;
  int count = 0;
  while (count < 20) {
    for (const IterationStats& done : session.advance(20 - count, 1e300, never).iterations) {
      // The first of a stretch waits for the host.
      if (++count <= 4) continue;
      own += done.iterate_ms;
      finishing += done.converge_ms;
      waiting += done.total_ms - done.iterate_ms - done.converge_ms;
    }
  }
  std::printf("    one by one: own rows %.4f  sums of all %.4f  means %.4f ms\n", own / 16, waiting / 16, finishing / 16);
}

}  // namespace

std::vector<int> devices_of(const std::string& words) {
  std::vector<int> numbers;
  std::istringstream rest(words);
  for (std::string word; std::getline(rest, word, ',');) numbers.push_back(word == "cpu" ? cuda::processor : std::stoi(word));
  return numbers;
}

void check_split(const std::vector<int>& devices) {
  const std::string nccl = cuda::nccl_version();
  std::printf("NCCL %s\n", nccl.empty() ? "is not there: SKIPPED" : nccl.c_str());
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
  const std::vector<float> start = start_of(points, k);
  Rules timed = rules;
  timed.timing = Timing::phases;
  const Outcome one = run(*cuda::make_clustering(plan, points, rules, devices.front()), start, iterations, 3);
  std::printf("split n=%zu d=%zu k=%zu\n  one device %.4f ms/iteration\n", n, d, k, one.ms);
  const Points part{x.data(), n / devices.size(), d, points.max_abs, n};
  std::printf("  one with its part %.4f\n", run(*cuda::make_clustering(plan, part, rules, devices.front()), start, iterations, 3).ms);
  print_parts(*cuda::make_clustering(plan, part, timed, devices.front()), start);
  for (const cuda::Exchange exchange : exchanges()) {
    const double began = now_ms();
    const auto session = cuda::make_split_clustering(split_of(devices, plan, k, exchange), points, rules);
    const double opened = now_ms();
    const Outcome all = run(*session, start, iterations, 3);
    expect(are_same(one, all), "n=", n, " d=", d, " k=", k, ": other bytes on several devices by ", cuda::exchange_name(exchange));
    std::printf("  %zu devices by %s %.4f, %.2f times; opened in %.0f\n", devices.size(), cuda::exchange_name(exchange), all.ms, one.ms / all.ms, opened - began);
    print_parts(*cuda::make_split_clustering(split_of(devices, plan, k, exchange), points, timed), start);
  }
  std::fflush(stdout);
}

}  // namespace centroid_lab::cuda_test
