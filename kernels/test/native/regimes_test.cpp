// What leaves distances out, against brute force: same labels, sums and counts to the last bit, whatever the centroids do between passes.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "check.hpp"
#include "fixtures.hpp"
#include "lloyd.hpp"
#include "methods/neighbour-groups/grouped_passes.hpp"
#include "tests.hpp"
#include "variant.hpp"

namespace centroid_lab {
namespace {

const CancelFlag never{false};
/// One way to make passes over points.
struct Way {
  std::string name;
  std::function<std::unique_ptr<Variant>(const Points& points, std::size_t k, std::size_t threads)> make;
};

Way regime(const std::string& name) {
  return {name, [name](const Points& points, std::size_t k, std::size_t threads) {
            return make_variant({"fused", name}, points, k, Machine{threads}).variant;
          }};
}

/// Groups of neighbours as soon as `rule` has it.
Way grouped(const std::string& name, Choice choice, const GroupingRule& rule) {
  return {name, [=](const Points& points, std::size_t k, std::size_t threads) {
            return make_grouped_passes(points, k, Machine{threads}, choice, rule);
          }};
}

const Way brute_force = regime("tiled");
const Way boxes = regime("ordered-boxes");
const Way scores = regime("tiled-scores");
/// Groups after two passes, whatever they leave.
const GroupingRule soon{0, 1, 0};
const Way groups = grouped("groups of tiled-scores", Choice::by_scores, soon);
const Way projected_groups = grouped("groups of projected-scores", Choice::by_projections, soon);
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

enum class Cloud { blobs, shifted_blobs, noise, lattice, far, tiny, denormal, equal, duplicates, line };

constexpr Cloud clouds[] = {Cloud::blobs, Cloud::shifted_blobs, Cloud::noise, Cloud::lattice,    Cloud::far,
                            Cloud::tiny,  Cloud::denormal,      Cloud::equal, Cloud::duplicates, Cloud::line};

std::vector<float> blobs_of(std::size_t n, std::size_t d, float width, float offset) {
  std::mt19937 random(static_cast<unsigned>(n + d));
  std::uniform_real_distribution<float> unit(-1.0F, 1.0F);
  std::vector<float> centres(12 * d);
  for (float& value : centres) value = 0.4F * unit(random);
  std::vector<float> x(n * d);
  for (std::size_t i = 0; i < n; i++) {
    const std::size_t blob = random() % 12;
    for (std::size_t j = 0; j < d; j++) {
      x[i * d + j] = offset + width * (centres[blob * d + j] + 0.05F * (unit(random) + unit(random)));
    }
  }
  return x;
}

/// Points a grid, a line, far off, tiny, or over and over: where roundings and ties decide.
std::vector<float> cloud_of(Cloud cloud, std::size_t n, std::size_t d) {
  std::vector<float> x;
  switch (cloud) {
    case Cloud::blobs: return blobs_of(n, d, 1, 0);
    case Cloud::shifted_blobs: return blobs_of(n, d, 1e-4F, 0.9F);
    case Cloud::noise: return values_of(Kind::noise, n * d);
    case Cloud::lattice: return values_of(Kind::lattice, n * d);
    case Cloud::far: return values_of(Kind::far, n * d);
    case Cloud::tiny: return values_of(Kind::tiny, n * d);
    case Cloud::equal: return values_of(Kind::equal, n * d);
    case Cloud::denormal:
      x = values_of(Kind::noise, n * d);
      for (float& value : x) value = std::ldexp(value, -136);
      return x;
    case Cloud::duplicates:
      x = blobs_of(n, d, 1, 0);
      for (std::size_t at = n / 8 * d; at < x.size(); at++) x[at] = x[at % (n / 8 * d)];
      return x;
    case Cloud::line:
      x.assign(n * d, 0.25F);
      for (std::size_t i = 0; i < n; i++) x[i * d] = static_cast<float>(i) / static_cast<float>(n);
      return x;
  }
  return x;
}

/// The centroids of each pass: steps of every size, none at all, jumps, rows that go and come back.
std::vector<float> moved(std::vector<float> centroids, const Points& points, int pass) {
  std::mt19937 random(static_cast<unsigned>(pass));
  std::uniform_real_distribution<float> unit(-1.0F, 1.0F);
  const std::size_t d = points.d;
  const std::size_t k = centroids.size() / d;
  const float steps[] = {0.1F, 1e-2F, 1e-3F, 1e-4F, 1e-4F, 1e-5F, 1e-6F, 1e-7F, 0};
  const float step = steps[pass % 9];
  for (std::size_t c = 0; c < k; c++) {
    // Every third pass only some of them move.
    if (pass % 3 == 2 && c % 7 != 0) continue;
    for (std::size_t j = 0; j < d; j++) {
      float& value = centroids[c * d + j];
      if (!std::isnan(value)) value += step * points.max_abs[j] * unit(random);
    }
  }
  const auto row = [&](std::size_t c, const float* from) {
    for (std::size_t j = 0; j < d; j++) centroids[c % k * d + j] = from[j];
  };
  if (pass % 5 == 4) row(random(), points.row(random() % points.n));
  if (pass == 11 && k > 3) std::fill_n(centroids.data() + 2 * d, d, nan);
  if (pass == 14 && k > 3) row(2, points.row(0));
  // Two in one place: the lower index has to win.
  if (pass == 16 && k > 3) row(3, centroids.data());
  return centroids;
}

struct Sight {
  PassResult result;
  std::vector<std::int32_t> labels;
};

Sight look(Variant& variant, const std::vector<float>& centroids, std::size_t n) {
  Sight sight;
  sight.labels.resize(n);
  variant.pass(centroids.data(), false, never, sight.result);
  variant.labels_of_pass(sight.labels.data());
  return sight;
}

void check_same(const Sight& got, const Sight& expected, bool first, const std::string& what) {
  std::size_t differing = 0;
  for (std::size_t i = 0; i < got.labels.size(); i++) differing += got.labels[i] != expected.labels[i];
  expect(differing == 0, what, ": ", differing, " labels differ");
  expect(got.result.counts == expected.result.counts, what, ": counts differ");
  expect(got.result.sums == expected.result.sums, what, ": sums differ");
  expect(first || got.result.changed == expected.result.changed, what, ": ", got.result.changed, " changed, not ",
         expected.result.changed);
}

void check_passes(const Way& way, Cloud cloud, std::size_t n, std::size_t d, std::size_t k,
                  std::size_t threads) {
  const Fixture fixture(cloud_of(cloud, n, d), n, d);
  const auto tested = way.make(fixture.points, k, threads);
  const auto brute = brute_force.make(fixture.points, k, threads);
  std::vector<float> centroids(fixture.x.begin(), fixture.x.begin() + static_cast<long>(k * d));
  for (int pass = 0; pass < 20; pass++) {
    const std::string what = way.name + ", cloud " + std::to_string(static_cast<int>(cloud)) + ", n " + std::to_string(n) +
                             ", d " + std::to_string(d) + ", k " + std::to_string(k) + ", pass " + std::to_string(pass);
    centroids = moved(centroids, fixture.points, pass);
    const bool restarted = pass == 0 || pass == 9;
    if (restarted) {
      tested->restart();
      brute->restart();
    }
    check_same(look(*tested, centroids, n), look(*brute, centroids, n), restarted, what);
    if (pass % 3 == 0) check_same(look(*tested, centroids, n), look(*brute, centroids, n), false, what + " again");
    if (pass % 4 != 1) continue;
    std::vector<std::int32_t> labels(n), expected(n);
    const std::vector<float> others = moved(centroids, fixture.points, pass + 2);
    tested->assign(others.data(), never, labels.data());
    brute->assign(others.data(), never, expected.data());
    expect(labels == expected, what, ": assign labels differently");
  }
}

/// A whole run, centroids of every iteration.
Advance run_of(const Way& way, const Fixture& fixture, const Rules& rules, const std::vector<float>& start,
               std::int64_t piece) {
  Lloyd lloyd(fixture.points, rules, way.make(fixture.points, rules.k, 3));
  lloyd.start(start.data());
  Advance whole;
  while (whole.iterations.size() < 60 && (whole.iterations.empty() || !whole.iterations.back().stop)) {
    const Advance part = lloyd.advance(piece, 1e300, never);
    whole.iterations.insert(whole.iterations.end(), part.iterations.begin(), part.iterations.end());
    whole.centroids.insert(whole.centroids.end(), part.centroids.begin(), part.centroids.end());
  }
  return whole;
}

void check_runs(const Way& way, Cloud cloud, std::size_t n, std::size_t d, std::size_t k, EmptyPolicy empty,
                StopRule stop = StopRule::coordinate_shift) {
  const Fixture fixture(cloud_of(cloud, n, d), n, d);
  Rules rules;
  rules.k = k;
  rules.empty = empty;
  rules.stop = stop;
  rules.track_changed = true;
  rules.track_centroids = true;
  std::vector<float> start(fixture.x.begin(), fixture.x.begin() + static_cast<long>(k * d));
  // Every ninth cluster starts empty.
  for (std::size_t c = 0; c < k; c += 9) std::fill_n(start.data() + c * d, d, 3.0F + static_cast<float>(c));
  const Advance expected = run_of(brute_force, fixture, rules, start, 60);
  for (const std::int64_t piece : {1, 60}) {
    const Advance got = run_of(way, fixture, rules, start, piece);
    bool same = got.centroids.size() == expected.centroids.size();
    for (std::size_t at = 0; same && at < got.centroids.size(); at++) {
      const bool both_gone = std::isnan(got.centroids[at]) && std::isnan(expected.centroids[at]);
      same = both_gone || got.centroids[at] == expected.centroids[at];
    }
    for (std::size_t at = 0; same && at < got.iterations.size(); at++) {
      same = got.iterations[at].changed == expected.iterations[at].changed;
    }
    expect(same, way.name, ", cloud ", static_cast<int>(cloud), ", d ", d, ", policy ", static_cast<int>(empty),
           ": the run differs from that of brute force");
  }
}

/// Groups are given up again where centroids have come so close together that lists leave nearly all of them.
void check_way_back() {
  const std::size_t n = 5000, d = 11, k = 70;
  const Fixture fixture(cloud_of(Cloud::blobs, n, d), n, d);
  const auto tested = grouped("groups", Choice::by_scores, {0, 0.4, 0}).make(fixture.points, k, 2);
  const auto brute = brute_force.make(fixture.points, k, 2);
  std::vector<float> centroids(fixture.x.begin(), fixture.x.begin() + static_cast<long>(k * d));
  for (int pass = 0; pass < 12; pass++) {
    centroids = moved(centroids, fixture.points, 6);
    for (float& value : centroids) value *= pass == 5 ? 1e-3F : 1;
    check_same(look(*tested, centroids, n), look(*brute, centroids, n), pass == 0, "way back, pass " + std::to_string(pass));
  }
}

/// Centroids that stand still, clusters without points among them: nothing is computed, and everything is told.
void check_standstill() {
  const std::size_t n = 3000, d = 5, k = 9;
  const Fixture fixture(cloud_of(Cloud::blobs, n, d), n, d);
  std::vector<float> centroids(fixture.x.begin(), fixture.x.begin() + static_cast<long>(k * d));
  std::fill_n(centroids.data() + 2 * d, d, nan);
  std::fill_n(centroids.data() + 3 * d, d, 7.0F);
  for (const Way& way : {brute_force, scores}) {
    const auto variant = way.make(fixture.points, k, 2);
    const Sight first = look(*variant, centroids, n);
    Sight again = look(*variant, centroids, n);
    expect(again.result.changed == 0 && again.result.same_labels, way.name, ": points changed though no centroid moved");
    check_same(again, first, true, way.name + " at a standstill");
    variant->restart();
    again = look(*variant, centroids, n);
    expect(!again.result.same_labels, way.name, ": labels of the run before were compared");
    check_same(again, first, true, way.name + " started again");
  }
}

}  // namespace

void test_regimes() {
  for (const Cloud cloud : clouds) {
    for (const std::size_t d : {1, 2, 3, 4, 5, 6, 7, 8}) check_passes(boxes, cloud, 8210, d, 9, 1);
    check_passes(boxes, cloud, 20'003, 2, 17, 3);
    check_passes(boxes, cloud, 12'288, 3, 60, 2);
    check_passes(boxes, cloud, 9001, 2, 300, 4);
    check_passes(boxes, cloud, 6000, 5, 100, 2);
    check_passes(boxes, cloud, 700, 2, 30, 1);
    for (const std::size_t d : {11, 33}) check_passes(groups, cloud, 5000, d, 70, 2);
    check_passes(projected_groups, cloud, 5000, 33, 70, 2);
    check_passes(scores, cloud, 3000, 5, 40, 2);
  }
  for (const Cloud cloud : {Cloud::blobs, Cloud::lattice, Cloud::duplicates}) {
    check_passes(boxes, cloud, 32'000, 2, 160, 1);
    for (const EmptyPolicy empty : {EmptyPolicy::keep, EmptyPolicy::farthest, EmptyPolicy::drop}) {
      check_runs(boxes, cloud, 9000, 2, 20, empty);
      check_runs(boxes, cloud, 9000, 3, 5, empty);
      check_runs(boxes, cloud, 5000, 6, 80, empty);
      check_runs(groups, cloud, 4500, 20, 80, empty);
      // On past the fixed point.
      check_runs(scores, cloud, 300, 2, 10, empty, StopRule::none);
    }
  }
  check_way_back();
  check_standstill();
}

}  // namespace centroid_lab
