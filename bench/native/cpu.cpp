// Milliseconds per iteration of the CPU variants beside the machine's own floor, measured in the same run.
//   cmake --build .native/build --target cpu_bench && .native/build/cpu_bench [-case ...] [variant[:regime] ...]
// -case: only cases whose names begin so, e.g. -A -tiny.
//   .native/build/cpu_bench runs [part of a name]: whole runs to the fixed point, planned regimes against brute force.
// Floor: the larger of n k d multiply-adds at the measured rate and the bytes of the points at the measured bandwidth.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "check_points.hpp"
#include "clock.hpp"
#include "floors.hpp"
#include "isa.hpp"
#include "lloyd.hpp"
#include "machine.hpp"
#include "sample.hpp"
#include "variant.hpp"
#include "whole_runs.hpp"

namespace centroid_lab {
namespace {

struct Case {
  const char* name;
  std::size_t n;
  std::size_t d;
  std::size_t k;
  std::int64_t iterations;
};

constexpr Case cases[] = {
    {"tiny 100*2*5", 100, 2, 5, 300},         {"A 100k*2*5", 100'000, 2, 5, 100},
    {"C 50k*2*512", 50'000, 2, 512, 40},      {"D 32768*2*250", 32'768, 2, 250, 100},
    {"E 1M*8*400", 1'000'000, 8, 400, 5},     {"F 1M*2*10", 1'000'000, 2, 10, 40},
    {"G 200k*64*256", 200'000, 64, 256, 6},
};

struct Measured {
  double open_ms;
  double first_ms;
  double later_ms;
};

/// "fused:tiled": a variant and its regime.
VariantPlan plan_of(const std::string& name) {
  const std::size_t colon = name.find(':');
  if (colon == std::string::npos) return {name};
  return {name.substr(0, colon), name.substr(colon + 1)};
}

/// Smallest time of three runs of the same iterations, first-k start.
Measured measure(const Case& what, const std::string& variant, const std::vector<float>& x) {
  const double opening = now_ms();
  const Points points{x.data(), what.n, what.d, checked_magnitudes(x.data(), what.n, what.d)};
  Rules rules;
  rules.k = what.k;
  Lloyd lloyd(points, rules, make_variant(plan_of(variant), points, what.k, Machine{thread_count()}));
  Measured best{now_ms() - opening, 1e300, 1e300};
  const CancelFlag cancel{false};
  for (int run = 0; run < 3; run++) {
    lloyd.start(x.data());
    const double began = now_ms();
    lloyd.advance(1, 1e300, cancel);
    const double first = now_ms();
    lloyd.advance(what.iterations, 1e300, cancel);
    best.first_ms = std::min(best.first_ms, first - began);
    best.later_ms = std::min(best.later_ms, (now_ms() - first) / static_cast<double>(what.iterations));
  }
  return best;
}

bool is_asked_for(const Case& what, const std::vector<std::string>& only) {
  const std::string name = what.name;
  return only.empty() || std::any_of(only.begin(), only.end(), [&](const auto& start) { return name.starts_with(start); });
}

void report(const Floors& floors, const std::vector<std::string>& variants, const std::vector<std::string>& only) {
  std::printf("%-16s %-16s %9s %9s %9s %9s %7s\n", "case", "variant", "open ms", "first ms", "later ms", "floor ms",
              "ratio");
  for (const Case& what : cases) {
    if (!is_asked_for(what, only)) continue;
    const std::vector<float> x = blobs(what.n, what.d);
    const double work = static_cast<double>(what.n) * static_cast<double>(what.d * what.k);
    const double bytes = 4.0 * static_cast<double>(what.n * what.d);
    const double floor = std::max(work / floors.products_per_ms, bytes / floors.bytes_per_ms);
    for (const std::string& variant : variants) {
      const Measured ms = measure(what, variant, x);
      std::printf("%-16s %-16s %9.3f %9.4f %9.4f %9.4f %7.2f\n", what.name, variant.c_str(), ms.open_ms, ms.first_ms,
                  ms.later_ms, floor, ms.later_ms / floor);
    }
  }
}

}  // namespace
}  // namespace centroid_lab

int main(int count, char** arguments) {
  using namespace centroid_lab;
  if (count > 1 && std::string(arguments[1]) == "runs") {
    report_whole_runs(count > 2 ? arguments[2] : "");
    return 0;
  }
  std::vector<std::string> variants;
  std::vector<std::string> only;
  for (int at = 1; at < count; at++) {
    const std::string word = arguments[at];
    if (word.starts_with("-")) only.push_back(word.substr(1));
    else variants.push_back(word);
  }
  if (variants.empty()) variants = {"fused:tiled-scores"};
  const Floors floors = measure_floors(thread_count());
  std::printf("%s, %zu threads: %.1f G multiply-adds/s, %.1f GB/s\n", name_of(best_isa()), thread_count(),
              floors.products_per_ms / 1e6, floors.bytes_per_ms / 1e6);
  report(floors, variants, only);
}
