#include "whole_runs.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "check_points.hpp"
#include "clock.hpp"
#include "lloyd.hpp"
#include "machine.hpp"
#include "sample.hpp"

namespace centroid_lab {
namespace {

struct Case {
  const char* name;
  std::size_t n;
  std::size_t d;
  std::size_t k;
  /// At most so many iterations.
  std::int64_t limit;
  bool clustered;
  /// A regime of brute force, and the one that regimes.cpu.ts plans.
  const char* brute;
  const char* planned;
};

constexpr Case cases[] = {
    {"D 32768*2*250", 32'768, 2, 250, 300, true, "tiled-scores", "ordered-boxes"},
    {"50k*2*512", 50'000, 2, 512, 300, true, "tiled-scores", "ordered-boxes"},
    {"A 100k*2*5", 100'000, 2, 5, 300, true, "tiled", "ordered-boxes"},
    {"F 1M*2*10", 1'000'000, 2, 10, 300, true, "tiled", "ordered-boxes"},
    {"1M*3*20", 1'000'000, 3, 20, 100, true, "tiled", "ordered-boxes"},
    {"1M*2*40 noise", 1'000'000, 2, 40, 60, false, "tiled-scores", "ordered-boxes"},
    {"1M*2*100", 1'000'000, 2, 100, 100, true, "tiled-scores", "ordered-boxes"},
    {"1M*3*200", 1'000'000, 3, 200, 60, true, "tiled-scores", "ordered-boxes"},
    {"300k*8*400", 300'000, 8, 400, 60, true, "tiled-scores", "ordered-boxes"},
    {"100k*5*300", 100'000, 5, 300, 100, true, "tiled-scores", "ordered-boxes"},
    {"100k*5*300 noise", 100'000, 5, 300, 100, false, "tiled-scores", "ordered-boxes"},
    {"100k*2*100 noise", 100'000, 2, 100, 200, false, "tiled-scores", "ordered-boxes"},
    {"100k*64*256", 100'000, 64, 256, 60, true, "tiled", "tiled-scores"},
    {"100k*16*128", 100'000, 16, 128, 100, true, "tiled", "tiled-scores"},
    {"50k*64*128 noise", 50'000, 64, 128, 60, false, "tiled", "tiled-scores"},
};

struct Run {
  double open_ms = 1e300;
  double run_ms = 1e300;
  std::int64_t iterations = 0;

  double total() const { return open_ms + run_ms; }
};

/// Opening and all iterations up to the fixed point.
Run run_once(const Case& what, const VariantPlan& plan, const std::vector<float>& x) {
  const Points points{x.data(), what.n, what.d, checked_magnitudes(x.data(), what.n, what.d)};
  Rules rules;
  rules.k = what.k;
  rules.stop = StopRule::coordinate_shift;
  const CancelFlag cancel{false};
  const double began = now_ms();
  Lloyd lloyd(points, rules, make_variant(plan, points, what.k, Machine{thread_count()}));
  const double opened = now_ms();
  lloyd.start(x.data());
  const Advance done = lloyd.advance(what.limit, 1e300, cancel);
  return {opened - began, now_ms() - opened, static_cast<std::int64_t>(done.iterations.size())};
}

}  // namespace

void report_whole_runs(const std::string& only) {
  std::printf("\n%-18s %-28s %9s %9s %6s %9s %9s\n", "whole run", "variant", "open ms", "run ms", "iter", "ms/iter",
              "of first");
  for (const Case& what : cases) {
    if (std::string(what.name).find(only) == std::string::npos) continue;
    const std::vector<float> x = what.clustered ? blobs(what.n, what.d) : noise(what.n, what.d);
    const VariantPlan plans[] = {{"fused", what.brute}, {"fused", what.planned}};
    Run best[2];
    // In turn, so that whatever else the machine does meets both of them.
    for (int round = 0; round < 3; round++) {
      for (std::size_t at = 0; at < 2; at++) {
        const Run run = run_once(what, plans[at], x);
        if (run.total() < best[at].total()) best[at] = run;
      }
    }
    for (std::size_t at = 0; at < 2; at++) {
      const Run& run = best[at];
      const std::string name = plans[at].variant + ":" + plans[at].regime;
      std::printf("%-18s %-28s %9.2f %9.2f %6lld %9.4f %9.3f\n", what.name, name.c_str(), run.open_ms, run.run_ms,
                  static_cast<long long>(run.iterations), run.run_ms / static_cast<double>(run.iterations),
                  run.total() / best[0].total());
    }
  }
}

}  // namespace centroid_lab
