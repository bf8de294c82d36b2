#include "opening.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "../native/check.hpp"
#include "check_points.hpp"
#include "clock.hpp"
#include "cuda/cuda_engine.hpp"
#include "cuda/memory.hpp"
#include "cuda/point_statistics.hpp"
#include "cuda/transfer.hpp"
#include "plans.hpp"
#include "reference.hpp"
#include "timing.hpp"

namespace centroid_lab::cuda_test {
namespace {

const CancelFlag never{false};
constexpr int rounds = 4;

/// Enough coordinates and labels for copies by threads, and no whole number of their slots.
constexpr std::size_t many_points = 700'001;
constexpr std::size_t few_features = 3;

void check_refused(std::vector<float> x, float value, const char* expected) {
  x.back() = value;
  Rules rules;
  rules.k = 2;
  std::string said;
  try {
    cuda::open_points(plan_of("fused", {"staged-points"}), x.data(), many_points, few_features, rules, 0);
  } catch (const std::invalid_argument& refusal) {
    said = refusal.what();
  }
  expect(said.find(expected) != std::string::npos, "points with ", value, " are met with '", said, "'");
}

void check_statistics(const std::vector<float>& x, std::size_t n, std::size_t d) {
  const Points points{x.data(), n, d, {}};
  const cuda::Buffer<float> there(x.size());
  cuda::copy_to_device(there.get(), x.data(), there.bytes());
  expect(cuda::checked_device_magnitudes(there.get(), n, d) == checked_magnitudes(x.data(), n, d), "magnitudes, d=", d);
  const Moments here = moments_of(points), found = cuda::device_moments(there.get(), n, d);
  double off = std::abs(here.squares - found.squares) / std::max(here.squares, 1e-30);
  for (std::size_t j = 0; j < d; j++) off = std::max(off, std::abs(here.mean[j] - found.mean[j]));
  expect(off < 1e-12, "moments are off by ", off, ", d=", d);
}

/// A cluster far away is dropped by the first iteration: labels of the others come back as clusters.
void check_dropped_labels(const std::vector<float>& x) {
  Rules rules;
  rules.k = 4;
  rules.empty = EmptyPolicy::drop;
  const auto session = cuda::open_points(plan_of("fused", {"staged-points"}), x.data(), many_points, few_features, rules, 0);
  std::vector<float> centroids(x.begin(), x.begin() + 4 * few_features);
  std::fill_n(centroids.begin() + few_features, few_features, 50.0F);
  session->start(centroids.data());
  session->advance(2, 1e300, never);
  std::vector<std::int32_t> labels(many_points);
  double inertia = 0;
  session->read(never, labels.data(), inertia);
  const std::size_t wrong = inexact_labels({x.data(), many_points, few_features, {}}, session->centroids().data(), 4, labels, 1);
  expect(wrong == 0 && std::isnan(session->centroids()[few_features]), "after a dropped cluster ", wrong, " labels are wrong");
}

double ms_of(const std::function<void()>& work) {
  const double began = now_ms();
  work();
  return now_ms() - began;
}

}  // namespace

void check_opening() {
  const std::vector<float> x = blobs(many_points, few_features, 5);
  check_refused(x, NAN, "not finite");
  check_refused(x, -INFINITY, "not finite");
  check_refused(x, -1.5F, "above 1");
  check_statistics(x, many_points, few_features);
  check_statistics(blobs(100, 5000, 5), 100, 5000);
  check_statistics(blobs(1, 3, 1), 1, 3);
  check_dropped_labels(x);
  std::printf("opening: %s\n", failures == 0 ? "ok" : "FAILED");
}

void time_opening(const cuda::VariantPlan& plan, std::size_t n, std::size_t d, std::size_t k, std::int64_t iterations,
                  std::size_t blob_count) {
  const std::vector<float> x = blobs(n, d, blob_count);
  // The first to ask for the device would pay for its start.
  const double device = ms_of([] { cuda::free_bytes(0); });
  std::printf("%s n=%zu d=%zu k=%zu, %lld iterations, %.1f MB; device %.1f ms\n", name_of(plan).c_str(), n, d, k,
              static_cast<long long>(iterations), 4e-6 * static_cast<double>(n * d), device);
  for (int round = 0; round < rounds; round++) {
    Rules rules;
    rules.k = k;
    rules.track_inertia = round == rounds - 1;
    std::unique_ptr<Clustering> session;
    // As a caller has it: memory of its own that nobody has touched.
    const std::unique_ptr<std::int32_t[]> labels(new std::int32_t[n]);
    double inertia = 0;
    std::size_t done = 0;
    const double open = ms_of([&] { session = cuda::open_points(plan, x.data(), n, d, rules, 0); });
    const double start = ms_of([&] { session->start(x.data()); });
    const double run = ms_of([&] {
      while (done < static_cast<std::size_t>(iterations)) {
        done += session->advance(iterations - static_cast<std::int64_t>(done), 1e300, never).iterations.size();
      }
    });
    const double read = ms_of([&] { session->read(never, labels.get(), inertia); });
    const double close = ms_of([&] { session.reset(); });
    std::printf("  open %8.3f  start %7.3f  iterations %8.3f  read %7.3f  close %7.3f  together %8.3f ms%s\n", open, start,
                run, read, close, open + start + run + read + close, rules.track_inertia ? "  with inertia" : "");
  }
  std::fflush(stdout);
}

}  // namespace centroid_lab::cuda_test
