// Whole variants: sums after several passes against float64, any number of threads, cancel and restart.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "check.hpp"
#include "fixtures.hpp"
#include "lloyd.hpp"
#include "tests.hpp"
#include "variant.hpp"

namespace centroid_lab {
namespace {

const CancelFlag never{false};

/// Centroids that wander, so that points change their label in every pass.
std::vector<float> wandering(const std::vector<float>& start, int pass) {
  std::vector<float> centroids = start;
  for (std::size_t at = 0; at < centroids.size(); at++) {
    centroids[at] += 0.2F * std::sin(static_cast<float>(at) + 1.7F * static_cast<float>(pass));
  }
  return centroids;
}

void check_sums(const Fixture& fixture, const std::vector<std::int32_t>& labels, const PassResult& result,
                const std::string& what) {
  const std::size_t d = fixture.points.d;
  std::vector<double> sums(result.sums.size(), 0.0);
  std::vector<std::int64_t> counts(result.counts.size(), 0);
  for (std::size_t i = 0; i < fixture.points.n; i++) {
    const std::size_t label = static_cast<std::size_t>(labels[i]);
    counts[label]++;
    for (std::size_t j = 0; j < d; j++) sums[label * d + j] += fixture.points.row(i)[j];
  }
  expect(counts == result.counts, what, ": counts differ");
  for (std::size_t at = 0; at < sums.size(); at++) {
    expect(std::abs(sums[at] - result.sums[at]) < 1e-9, what, ": sum ", at, " is ", result.sums[at], ", not ",
           sums[at]);
  }
}

void check_passes(const std::string& name, std::size_t n, std::size_t d, std::size_t k, std::size_t threads) {
  const Fixture fixture(values_of(Kind::noise, n * d), n, d);
  auto variant = make_variant(name, fixture.points, k, Machine{threads});
  const std::vector<float> start = values_of(Kind::noise, k * d);
  std::vector<std::int32_t> before;
  for (int pass = 0; pass < 4; pass++) {
    const std::vector<float> centroids = wandering(start, pass);
    PassResult result;
    expect(variant->pass(centroids.data(), true, never, result), name, ": not cancelled");
    std::vector<std::int32_t> labels(n);
    variant->labels_of_pass(labels.data());
    check_sums(fixture, labels, result, name);
    std::vector<std::int32_t> again(n);
    variant->assign(centroids.data(), never, again.data());
    expect(labels == again, name, ": pass and assign label differently");
    std::int64_t changed = 0;
    for (std::size_t i = 0; i < before.size(); i++) changed += before[i] != labels[i];
    expect(before.empty() || changed == result.changed, name, ": ", result.changed, " changed, not ", changed);
    before = labels;
  }
}

/// Raises the flag again and again from another thread; what was finished must equal a run without it.
void check_cancel(const std::string& name) {
  const std::size_t n = 20'000, d = 6, k = 40;
  const Fixture fixture(values_of(Kind::noise, n * d), n, d);
  Rules rules;
  rules.k = k;
  rules.track_changed = true;
  rules.track_centroids = true;
  Lloyd straight(fixture.points, rules, make_variant(name, fixture.points, k, Machine{3}));
  straight.start(fixture.x.data());
  const Advance expected = straight.advance(8, 1e300, never);

  Lloyd lloyd(fixture.points, rules, make_variant(name, fixture.points, k, Machine{3}));
  lloyd.start(fixture.x.data());
  Advance got;
  for (int attempt = 0; attempt < 1000 && got.iterations.size() < 8; attempt++) {
    CancelFlag cancel{false};
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(200U << std::min(attempt, 14)));
      cancel = true;
    });
    const Advance part = lloyd.advance(8 - static_cast<std::int64_t>(got.iterations.size()), 1e300, cancel);
    other.join();
    got.iterations.insert(got.iterations.end(), part.iterations.begin(), part.iterations.end());
    got.centroids.insert(got.centroids.end(), part.centroids.begin(), part.centroids.end());
  }
  expect(got.centroids == expected.centroids, name, ": centroids differ after cancels");
  for (std::size_t at = 0; at < got.iterations.size() && at < expected.iterations.size(); at++) {
    expect(got.iterations[at].changed == expected.iterations[at].changed, name, ": changed differs after a cancel");
  }
}

}  // namespace

void test_variants(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    for (const std::size_t threads : {1, 4}) {
      check_passes(name, 1, 1, 1, threads);
      check_passes(name, 1000, 2, 5, threads);
      check_passes(name, 5000, 3, 300, threads);
      check_passes(name, 3000, 17, 50, threads);
    }
    // Two bytes a label, and four.
    check_passes(name, 3000, 1, 257, 2);
    check_cancel(name);
  }
  check_passes("fused", 2000, 1, 65'600, 2);
}

}  // namespace centroid_lab
