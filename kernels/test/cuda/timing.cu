#include "timing.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

#include "check_points.hpp"
#include "clock.hpp"
#include "cuda/cuda_engine.hpp"
#include "plans.hpp"
#include "reference.hpp"

namespace centroid_lab::cuda_test {
namespace {

const CancelFlag never{false};
constexpr std::size_t sampled_points = 20'000;
constexpr int stretches = 5;

/// By a power of two, so that the largest magnitude lies in [0.5, 1).
void bring_to_engine_units(std::vector<float>& x) {
  float largest = 0;
  for (const float value : x) largest = std::max(largest, std::abs(value));
  const float unit = std::ldexp(1.0F, -(std::ilogb(largest) + 1));
  for (float& value : x) value *= unit;
}

/// (n, d), in engine units: noise.
std::vector<float> normals(std::size_t n, std::size_t d) {
  std::mt19937_64 random(11);
  std::normal_distribution<float> normal;
  std::vector<float> x(n * d);
  for (float& value : x) value = normal(random);
  bring_to_engine_units(x);
  return x;
}

/// (n, d), in engine units.
std::vector<float> skewed(std::size_t n, std::size_t d) {
  std::mt19937_64 random(11);
  std::normal_distribution<float> normal;
  std::vector<float> x(n * d), logs(d + 2);
  for (std::size_t i = 0; i < n; i++) {
    for (float& value : logs) value = 0.6F / std::sqrt(3.0F) * normal(random);
    const float size = random() % 1000 == 0 ? 20 : 1;
    for (std::size_t j = 0; j < d; j++) {
      x[i * d + j] = size * (std::exp(logs[j] + logs[j + 1] + logs[j + 2]) - std::exp(0.18F));
    }
  }
  bring_to_engine_units(x);
  return x;
}

}  // namespace

std::vector<float> blobs(std::size_t n, std::size_t d, std::size_t k) {
  std::uint64_t state = 0x9e3779b97f4a7c15ULL;
  const auto next = [&] {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
  };
  const auto unit = [&] { return static_cast<float>(next() >> 40) * 0x1p-24F; };
  std::vector<float> centres(k * d);
  for (float& value : centres) value = 0.6F * unit() - 0.3F;
  std::vector<float> x(n * d);
  for (std::size_t i = 0; i < n; i++) {
    const float* centre = centres.data() + next() % k * d;
    for (std::size_t j = 0; j < d; j++) {
      const std::uint64_t bits = next();
      const float sum = static_cast<float>((bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff)) / 65536;
      x[i * d + j] = centre[j] + 0.06F * (sum - 1.5F);
    }
  }
  x[0] = 0.9F;
  return x;
}

int time_variant(const cuda::VariantPlan& plan, std::size_t n, std::size_t d, std::size_t k, std::size_t iterations,
                 const std::string& data) {
  const std::vector<float> x = data == "skew"     ? skewed(n, d)
                               : data == "normal" ? normals(n, d)
                                                  : blobs(n, d, std::strtoull(data.c_str(), nullptr, 10));
  const Points points{x.data(), n, d, checked_magnitudes(x.data(), n, d)};
  Rules rules;
  rules.k = k;
  auto session = cuda::make_clustering(plan, points, rules, 0);
  std::mt19937_64 random(7);
  std::vector<float> centroids(k * d);
  for (std::size_t c = 0; c < k; c++) std::copy_n(points.row(random() % n), d, centroids.begin() + static_cast<std::ptrdiff_t>(c * d));
  session->start(centroids.data());
  std::vector<std::int32_t> labels(n);
  double inertia = 0;
  session->read(never, labels.data(), inertia);
  const std::size_t work = std::max<std::size_t>(1, k * d / 4096);
  const std::size_t step = std::max<std::size_t>(1, n * work / sampled_points);
  const std::size_t wrong = inexact_labels(points, centroids.data(), k, labels, step) +
                            (plan.variant == "fused" ? uncanonical_labels(points, centroids.data(), k, labels, step) : 0);
  session->advance(1, 1e300, never);
  std::vector<std::int64_t> counts;
  const std::vector<double> means = means_of(points, centroids.data(), k, labels, counts);
  session->read(never, labels.data(), inertia);
  double error = 0;
  for (std::size_t at = 0; at < means.size(); at++) error = std::max(error, std::abs(session->centroids()[at] - means[at]));
  std::vector<double> times;
  for (int stretch = 0; stretch <= stretches; stretch++) {
    session->start(centroids.data());
    session->advance(1, 1e300, never);
    const double began = now_ms();
    std::size_t done = 0;
    while (done < iterations) done += session->advance(static_cast<std::int64_t>(iterations - done), 1e300, never).iterations.size();
    if (stretch > 0) times.push_back((now_ms() - began) / static_cast<double>(iterations));
  }
  std::sort(times.begin(), times.end());
  const bool good = wrong == 0 && error < 1e-6;
  std::printf("%-44s n=%zu d=%zu k=%zu data=%s  best %.5f  median %.5f ms/iteration  wrong labels %zu  centroid error %.1e  %s\n",
              name_of(plan).c_str(), n, d, k, data.c_str(), times.front(), times[times.size() / 2], wrong, error, good ? "ok" : "FAILED");
  std::fflush(stdout);
  return good ? 0 : 1;
}

namespace {

struct Run {
  double open_ms = 0;
  double run_ms = 1e300;
  std::size_t iterations = 0;
  std::vector<float> centroids;
  std::vector<std::int32_t> labels;
};

/// Opens a session and makes whole runs to the fixed point, `most` iterations at most; the best of three counts.
Run whole_run(const cuda::VariantPlan& plan, const Points& points, std::size_t k, const std::vector<float>& start,
              std::size_t most) {
  Rules rules;
  rules.k = k;
  rules.stop = StopRule::relative_shift;
  Run run;
  double began = now_ms();
  auto session = cuda::make_clustering(plan, points, rules, 0);
  run.open_ms = now_ms() - began;
  for (int turn = 0; turn < 3; turn++) {
    session->start(start.data());
    began = now_ms();
    run.iterations = 0;
    bool stopped = false;
    while (run.iterations < most && !stopped) {
      const Advance some = session->advance(static_cast<std::int64_t>(most - run.iterations), 1e300, never);
      run.iterations += some.iterations.size();
      stopped = some.iterations.back().stop;
    }
    run.run_ms = std::min(run.run_ms, now_ms() - began);
  }
  run.centroids = session->centroids();
  run.labels.resize(points.n);
  double inertia = 0;
  session->read(never, run.labels.data(), inertia);
  return run;
}

}  // namespace

int compare_runs(const std::vector<cuda::VariantPlan>& plans, std::size_t n, std::size_t d, std::size_t k,
                 std::size_t blob_count, std::size_t most) {
  std::vector<float> x = blobs(n, d, std::max<std::size_t>(1, blob_count));
  std::mt19937_64 random(7);
  if (blob_count == 0) {
    for (float& value : x) value = static_cast<float>(random() >> 40) * 0x1p-23F - 1;
  }
  const Points points{x.data(), n, d, checked_magnitudes(x.data(), n, d)};
  std::vector<float> start(k * d);
  for (std::size_t c = 0; c < k; c++) std::copy_n(points.row(random() % n), d, start.begin() + static_cast<std::ptrdiff_t>(c * d));
  // The first to ask for the device would pay for its start.
  cuda::free_bytes(0);
  Run first;
  bool same = true;
  for (const cuda::VariantPlan& plan : plans) {
    const Run run = whole_run(plan, points, k, start, most);
    if (first.labels.empty()) first = run;
    const bool equal = run.labels == first.labels && run.iterations == first.iterations &&
                       std::memcmp(run.centroids.data(), first.centroids.data(), run.centroids.size() * sizeof(float)) == 0;
    same = same && equal;
    std::printf("%-44s n=%zu d=%zu k=%zu blobs=%zu  %zu iterations  opening %.1f ms  run %.3f ms  %.4f ms/iteration  of the first %.3f  %s\n",
                name_of(plan).c_str(), n, d, k, blob_count, run.iterations, run.open_ms, run.run_ms,
                run.run_ms / static_cast<double>(run.iterations), run.run_ms / first.run_ms,
                equal ? "same labels and centroids" : "FAILED: another result");
    std::fflush(stdout);
  }
  return same ? 0 : 1;
}

int repeat_variant(const cuda::VariantPlan& plan, std::size_t n, std::size_t d, std::size_t k, std::size_t blob_count,
                   int rounds) {
  const std::vector<float> x = blobs(n, d, blob_count);
  const Points points{x.data(), n, d, checked_magnitudes(x.data(), n, d)};
  Rules rules;
  rules.k = k;
  auto session = cuda::make_clustering(plan, points, rules, 0);
  std::vector<float> centroids(k * d);
  for (std::size_t c = 0; c < k; c++) std::copy_n(points.row(c * (n / k)), d, centroids.begin() + static_cast<std::ptrdiff_t>(c * d));
  std::vector<std::int32_t> first(n), labels(n);
  std::vector<float> means;
  double inertia = 0;
  std::size_t labels_off = 0, rounds_off = 0;
  const double began = now_ms();
  for (int round = 0; round < rounds; round++) {
    session->start(centroids.data());
    if (round % 10 == 0) {
      session->read(never, round == 0 ? first.data() : labels.data(), inertia);
      for (std::size_t i = 0; round > 0 && i < n; i++) labels_off += labels[i] != first[i];
      session->start(centroids.data());
    }
    session->advance(1, 1e300, never);
    if (round == 0) means = session->centroids();
    else rounds_off += means != session->centroids();
  }
  std::vector<std::int64_t> counts;
  const std::vector<double> expected = means_of(points, centroids.data(), k, first, counts);
  double error = 0;
  for (std::size_t at = 0; at < expected.size(); at++) error = std::max(error, std::abs(means[at] - expected[at]));
  std::uint64_t hash = 14695981039346656037ULL;
  for (const std::int32_t label : first) hash = (hash ^ static_cast<std::uint32_t>(label)) * 1099511628211ULL;
  std::printf("%-44s n=%zu d=%zu k=%zu blobs=%zu  labels %016llx  labels that differed %zu  rounds that differed %zu of %d  "
              "centroid error %.1e  %.0f ms  %s\n", name_of(plan).c_str(), n, d, k, blob_count, static_cast<unsigned long long>(hash), labels_off,
              rounds_off, rounds, error, now_ms() - began, labels_off + rounds_off == 0 && error < 1e-6 ? "ok" : "FAILED");
  std::fflush(stdout);
  return labels_off + rounds_off == 0 && error < 1e-6 ? 0 : 1;
}

}  // namespace centroid_lab::cuda_test
