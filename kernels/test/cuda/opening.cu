#include "opening.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <vector>

#include "clock.hpp"
#include "cuda/cuda_engine.hpp"
#include "timing.hpp"

namespace centroid_lab::cuda_test {
namespace {

const CancelFlag never{false};
constexpr int rounds = 4;

double ms_of(const std::function<void()>& work) {
  const double began = now_ms();
  work();
  return now_ms() - began;
}

}  // namespace

void time_opening(const std::string& variant, std::size_t n, std::size_t d, std::size_t k, std::int64_t iterations) {
  const std::vector<float> x = blobs(n, d, k);
  // The first to ask for the device would pay for its start.
  const double device = ms_of([] { cuda::free_bytes(0); });
  std::printf("%s n=%zu d=%zu k=%zu, %lld iterations, %.1f MB; device %.1f ms\n", variant.c_str(), n, d, k,
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
    const double open = ms_of([&] { session = cuda::open_points(variant, x.data(), n, d, rules, 0); });
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
