// Whole variants: sums after several passes against float64, any number of threads, cancel and restart.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
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

std::string name_of(const VariantPlan& plan) { return plan.variant + ":" + plan.regime; }

void check_passes(const VariantPlan& plan, std::size_t n, std::size_t d, std::size_t k, std::size_t threads) {
  const std::string name = name_of(plan);
  const Fixture fixture(values_of(Kind::noise, n * d), n, d);
  auto variant = make_variant(plan, fixture.points, k, Machine{threads}).variant;
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
void check_cancel(const VariantPlan& plan, std::size_t d) {
  const std::string name = name_of(plan);
  const std::size_t n = 20'000, k = 40;
  const Fixture fixture(values_of(Kind::noise, n * d), n, d);
  Rules rules;
  rules.k = k;
  rules.track_changed = true;
  rules.track_centroids = true;
  Lloyd straight(fixture.points, rules, make_variant(plan, fixture.points, k, Machine{3}));
  straight.start(fixture.x.data());
  const Advance expected = straight.advance(8, 1e300, never);

  Lloyd lloyd(fixture.points, rules, make_variant(plan, fixture.points, k, Machine{3}));
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

/// Features that a regime is built for, at most (regimes.cpu.ts has them for the product).
std::size_t max_features(const std::string& regime) {
  return regime == "ordered-boxes" ? 8 : 16383;
}

/// Clusters, likewise.
std::size_t max_clusters(const std::string& regime) { return regime == "ordered-boxes" ? 4096 : 100'000; }

void check_plan_shapes(const VariantPlan& plan) {
  const auto check = [&](std::size_t n, std::size_t d, std::size_t k, std::size_t threads) {
    if (d <= max_features(plan.regime) && k <= max_clusters(plan.regime)) check_passes(plan, n, d, k, threads);
  };
  for (const std::size_t threads : {1, 4}) {
    check(1, 1, 1, threads);
    check(1000, 2, 5, threads);
    check(5000, 3, 256, threads);
    check(5000, 3, 300, threads);
    check(3000, 17, 50, threads);
  }
  // Two bytes a label, and four.
  check(3000, 1, 257, 2);
  if (plan.variant == "fused") check(2000, 1, 65'600, 2);
  check_cancel(plan, std::min<std::size_t>(6, max_features(plan.regime)));
}

/// A probe decides between two regimes, and what it found is told.
void check_probe() {
  const std::size_t n = 40'000, d = 6, k = 100;
  const VariantPlan plan{"fused", "ordered-boxes", "tiled-scores"};
  for (const bool clustered : {false, true}) {
    std::vector<float> x = values_of(Kind::noise, n * d);
    // Some places, and next to nothing around them.
    for (std::size_t at = 0; clustered && at < x.size(); at++) x[at] = x[(at / d) % 29 * d + at % d] + 1e-3F * x[at];
    const Fixture fixture(std::move(x), n, d);
    const BuiltPlan built = make_variant(plan, fixture.points, k, Machine{2}).plan;
    expect(built.regime == (clustered ? plan.regime : plan.otherwise), "the probe led to ", built.regime);
    expect(built.findings.size() == 1 && built.findings[0].first == "narrow-boxes", "the probe has no name");
    expect(built.findings.size() == 1 && built.findings[0].second == clustered, "the probe's finding is not told");
  }
}

}  // namespace

void test_variants(const std::vector<std::string>& names) {
  for (const CpuRegime& regime : cpu_regimes()) {
    if (std::find(names.begin(), names.end(), regime.variant) == names.end()) continue;
    check_plan_shapes({regime.variant, regime.name});
    std::printf("%s:%s passed through the tests of variants\n", regime.variant, regime.name);
  }
  check_probe();
}

}  // namespace centroid_lab
