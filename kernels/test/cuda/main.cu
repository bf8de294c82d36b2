// Every CUDA variant against float64, and its speed. Skips loudly where there is no GPU.
// VARIANT is a variant, which is each of its regimes in turn, or "variant:regime" or "variant:regime,regime", the latter where a
// probe of the data finds nothing; behind a slash the regimes of `fused` for other passes, as plans name them:
// "fused:tile-bounds/neighbour-boxes,matrix-scores".
//   cuda_tests [--small|--least] [VARIANT ...]               checks; sizes for compute-sanitizer, and for its slow tools
//   cuda_tests --part 2/8 [--small|--least] [variant ...]    every eighth of the checks, from the third on; the least ones not streamed
//   cuda_tests --repeat VARIANT n d k blobs [rounds]         the same pass again and again: all labels and sums the same
//   cuda_tests --bounded                                     whole runs with bounds of points against those without
//   cuda_tests --seeding n d k                               k-means++ on the device and on the processor: same rows, times
//   cuda_tests --time VARIANT n d k [iterations [blobs]]     milliseconds an iteration, checked first; k blobs unless told, "skew" or "normal"
//   cuda_tests --silhouettes [n d k]                        silhouettes against float64; with a size, what they take
//   cuda_tests --open VARIANT n d k [iterations [blobs]]     what the parts of a whole run take
//   cuda_tests --whole [--least]                             runs in one launch against the same pass by pass; small data
//   cuda_tests --staged [--small|--least]                    regimes that keep sums against `tiled`: the same bytes
//   cuda_tests --copies [--least]                            copies of centroids: found, left out of passes, labels as they were there
//   cuda_tests --split [DEVICE,...]                          rows split among devices, each twice, and the processor: the same bytes
//   cuda_tests --split DEVICE,... n d k [iterations]         what an iteration takes on the first and on all of them
//   cuda_tests --run n d k blobs iterations VARIANT ...      whole runs to the fixed point: the same results, times; 0 blobs: noise
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "../native/check.hpp"
#include "bounded_runs.hpp"
#include "centroid_copies.hpp"
#include "check_steps.hpp"
#include "cuda/cuda_engine.hpp"
#include "near_sums.hpp"
#include "opening.hpp"
#include "plans.hpp"
#include "seeding.hpp"
#include "share.hpp"
#include "silhouettes.hpp"
#include "split.hpp"
#include "staged_points.hpp"
#include "timing.hpp"
#include "whole_launches.hpp"

using namespace centroid_lab;

namespace {

/// Of "2/8": 2 and 8.
void take_part(const char* words) {
  char* rest = nullptr;
  const std::size_t part = std::strtoull(words, &rest, 10), of = *rest == '/' ? std::strtoull(rest + 1, nullptr, 10) : 0;
  if (part < of) cuda_test::share = {part, of, 0};
  else centroid_lab::expect(false, "--part ", words, ": no part of a whole, such as 2/8");
}

/// Each regime that "variant" names, or "variant:regime,regime" as a chain; says which of them refuse.
template <class Use>
int by_each_plan(const char* word, const Use& use) {
  int failed = 0;
  for (const cuda::VariantPlan& plan : cuda_test::plans_of(word)) {
    try {
      failed |= use(plan);
    } catch (const cuda::RegimeRefused& refusal) {
      std::printf("%-44s refused: %s\n", cuda_test::name_of(plan).c_str(), refusal.what());
    }
  }
  return failed;
}

}  // namespace

int main(int count, char** words) {
  const cuda::Devices devices = cuda::find_devices();
  if (devices.found.empty()) {
    std::printf("SKIPPED: no CUDA device: %s\n", devices.reason.c_str());
    return 0;
  }
  std::printf("on %s, driver %s\n", devices.found[0].name.c_str(), cuda::driver_version().c_str());
  if (count >= 6 && std::strcmp(words[1], "--time") == 0) {
    const auto number = [&](int at) { return static_cast<std::size_t>(std::atoll(words[at])); };
    return by_each_plan(words[2], [&](const auto& plan) {
      return cuda_test::time_variant(plan, number(3), number(4), number(5), count > 6 ? number(6) : 100, count > 7 ? words[7] : words[5]);
    });
  }
  if (count >= 7 && std::strcmp(words[1], "--repeat") == 0) {
    const auto number = [&](int at) { return static_cast<std::size_t>(std::atoll(words[at])); };
    return by_each_plan(words[2], [&](const auto& plan) {
      return cuda_test::repeat_variant(plan, number(3), number(4), number(5), number(6), count > 7 ? std::atoi(words[7]) : 40);
    });
  }
  if (count >= 5 && std::strcmp(words[1], "--seeding") == 0) {
    const auto number = [&](int at) { return static_cast<std::size_t>(std::atoll(words[at])); };
    return cuda_test::time_seeding(number(2), number(3), number(4));
  }
  if (count >= 2 && std::strcmp(words[1], "--silhouettes") == 0) {
    const auto number = [&](int at) { return static_cast<std::size_t>(std::atoll(words[at])); };
    if (count >= 5) return cuda_test::time_silhouettes(number(2), number(3), number(4));
    cuda_test::check_silhouettes();
    std::printf("silhouettes %s\n", failures == 0 ? "ok" : "FAILED");
    return failures == 0 ? 0 : 1;
  }
  if (count >= 6 && std::strcmp(words[1], "--open") == 0) {
    const auto number = [&](int at) { return static_cast<std::size_t>(std::atoll(words[at])); };
    const std::size_t k = number(5);
    return by_each_plan(words[2], [&](const auto& plan) {
      cuda_test::time_opening(plan, number(3), number(4), k, count > 6 ? std::atoll(words[6]) : 20, count > 7 ? number(7) : k);
      return 0;
    });
  }
  if (count >= 8 && std::strcmp(words[1], "--run") == 0) {
    const auto number = [&](int at) { return static_cast<std::size_t>(std::atoll(words[at])); };
    std::vector<cuda::VariantPlan> plans;
    for (int at = 7; at < count; at++) {
      for (cuda::VariantPlan& plan : cuda_test::plans_of(words[at])) plans.push_back(std::move(plan));
    }
    return cuda_test::compare_runs(plans, number(2), number(3), number(4), number(5), number(6));
  }
  if (count >= 2 && std::strcmp(words[1], "--split") == 0) {
    const std::vector<int> numbers = cuda_test::devices_of(count > 2 ? words[2] : "0");
    const auto number = [&](int at) { return static_cast<std::size_t>(std::atoll(words[at])); };
    if (count >= 6) cuda_test::time_split(numbers, number(3), number(4), number(5), count > 6 ? number(6) : 30);
    else cuda_test::check_split(numbers);
    std::printf("split %s\n", failures == 0 ? "ok" : "FAILED");
    return failures == 0 ? 0 : 1;
  }
  if (count >= 2 && std::strcmp(words[1], "--whole") == 0) {
    using cuda_test::Extent;
    cuda_test::check_whole_launches(count > 2 && std::strcmp(words[2], "--least") == 0 ? Extent::least : Extent::small);
    std::printf("whole runs %s\n", failures == 0 ? "ok" : "FAILED");
    cuda_test::report_runs("fused");
    return failures == 0 ? 0 : 1;
  }
  if (count >= 2 && std::strcmp(words[1], "--copies") == 0) {
    using cuda_test::Extent;
    cuda_test::check_centroid_copies(count > 2 && std::strcmp(words[2], "--least") == 0 ? Extent::least : Extent::small);
    std::printf("copies of centroids %s\n", failures == 0 ? "ok" : "FAILED");
    cuda_test::report_runs("fused");
    return failures == 0 ? 0 : 1;
  }
  if (count >= 2 && std::strcmp(words[1], "--staged") == 0) {
    using cuda_test::Extent;
    const char* word = count > 2 ? words[2] : "";
    cuda_test::check_staged_points(std::strcmp(word, "--least") == 0   ? Extent::least
                                   : std::strcmp(word, "--small") == 0 ? Extent::small
                                                                       : Extent::full);
    std::printf("staged points %s\n", failures == 0 ? "ok" : "FAILED");
    cuda_test::report_runs("fused");
    return failures == 0 ? 0 : 1;
  }
  if (count == 2 && std::strcmp(words[1], "--bounded") == 0) {
    cuda_test::check_bounded_runs(cuda_test::Extent::full);
    std::printf("%s\n", failures == 0 ? "ok" : "FAILED");
    cuda_test::report_runs("fused");
    return failures == 0 ? 0 : 1;
  }
  using cuda_test::Extent;
  Extent extent = Extent::full;
  std::vector<std::string> variants;
  for (int at = 1; at < count; at++) {
    if (std::strcmp(words[at], "--small") == 0) extent = Extent::small;
    else if (std::strcmp(words[at], "--least") == 0) extent = Extent::least;
    else if (std::strcmp(words[at], "--part") == 0 && at + 1 < count) take_part(words[++at]);
    else variants.emplace_back(words[at]);
  }
  if (variants.empty()) variants = cuda::cuda_variants();
  const bool whole = cuda_test::share.of == 1;
  if (extent != Extent::least && whole) {
    cuda_test::check_seeding();
    cuda_test::check_silhouettes();
    cuda_test::check_opening();
  }
  const bool with_fused = std::find(variants.begin(), variants.end(), "fused") != variants.end();
  if (with_fused && extent != Extent::least && whole) cuda_test::check_near_sums(extent == Extent::small);
  const int failed = cuda_test::check_variants(variants, extent);
  variants.erase(std::remove_if(variants.begin(), variants.end(), [](const auto& word) { return !cuda::can_stream(cuda_test::variant_of(word)); }),
                 variants.end());
  if (variants.empty() || (!whole && extent == Extent::least)) return failed;
  // Points larger than the card: pieces of a few thousand bytes.
  setenv("CENTROID_LAB_CUDA_MEMORY", "100000", 1);
  std::printf("streamed:\n");
  return cuda_test::check_variants(variants, extent == Extent::full ? Extent::small : extent) | failed;
}
