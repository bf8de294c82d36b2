// Rows split among simulated devices: the bytes of one, whatever the split, and when devices are lost on the way.
#include <algorithm>
#include <bit>
#include <memory>

#include "check.hpp"
#include "fixtures.hpp"
#include "lloyd.hpp"
#include "parts/joined_parts.hpp"
#include "parts/lasting_clustering.hpp"
#include "tests.hpp"

namespace centroid_lab {
namespace {

const CancelFlag never{false};
/// Few rows are to be many parts.
constexpr std::size_t step = 1024;

/// Passes that a simulated device makes before it is gone; negative: never.
struct Fate {
  int passes = -1;
  int labels = -1;
  bool at_once = false;
};

class Simulated final : public Variant {
 public:
  Simulated(std::unique_ptr<Variant> inner, Fate& fate) : inner_(std::move(inner)), fate_(fate) {}

  void restart() override { inner_->restart(); }
  bool pass(const float* centroids, bool timed, const CancelFlag& cancel, PassResult& result) override {
    if (fate_.passes >= 0 && fate_.passes-- == 0) throw WorkerLost("gone");
    return inner_->pass(centroids, timed, cancel, result);
  }
  void labels_of_pass(std::int32_t* labels) const override {
    if (fate_.labels >= 0 && fate_.labels-- == 0) throw WorkerLost("gone");
    inner_->labels_of_pass(labels);
  }
  bool assign(const float* centroids, const CancelFlag& cancel, std::int32_t* labels) override {
    if (fate_.labels >= 0 && fate_.labels-- == 0) throw WorkerLost("gone");
    return inner_->assign(centroids, cancel, labels);
  }

 private:
  std::unique_ptr<Variant> inner_;
  Fate& fate_;
};

/// Devices of these speeds, of different kinds in turns: regimes differ as mixed cards and a processor do.
std::vector<Worker> devices_of(const std::vector<double>& speeds, std::size_t k, std::vector<Fate>& fates) {
  static const char* const regimes[] = {"tiled", "tiled-scores"};
  fates.resize(speeds.size());
  std::vector<Worker> workers;
  for (std::size_t at = 0; at < speeds.size(); at++) {
    workers.push_back({"device " + std::to_string(at), speeds[at], [at, k, &fates](const Points& part) -> std::unique_ptr<Variant> {
                         if (fates[at].at_once) throw WorkerLost("gone");
                         auto inner = make_variant({"fused", regimes[at % 2]}, part, k, Machine{1}).variant;
                         return std::make_unique<Simulated>(std::move(inner), fates[at]);
                       }});
  }
  return workers;
}

/// What a run leaves behind.
struct Outcome {
  /// As bits: those of a dropped cluster are NaN.
  std::vector<std::uint32_t> centroids;
  std::vector<std::int64_t> changed;
  std::vector<double> inertias;
  std::vector<std::int32_t> labels;
  double inertia = 0;

  bool operator==(const Outcome&) const = default;
};

Rules rules_for(std::size_t k, EmptyPolicy empty) {
  Rules rules;
  rules.k = k;
  rules.stop = StopRule::labels;
  rules.empty = empty;
  rules.track_inertia = true;
  return rules;
}

Outcome run(Lloyd& lloyd, std::size_t k) {
  const Points& points = lloyd.points();
  // The first rows, two of them alike: one cluster is empty at first.
  std::vector<float> start(points.x, points.x + k * points.d);
  std::copy_n(start.begin(), points.d, start.begin() + points.d);
  lloyd.start(start.data());
  Outcome outcome;
  for (int call = 0; call < 3; call++) {
    for (const IterationStats& done : lloyd.advance(4, 1e9, never).iterations) {
      outcome.changed.push_back(done.changed);
      outcome.inertias.push_back(done.inertia);
    }
  }
  for (const float coordinate : lloyd.centroids()) outcome.centroids.push_back(std::bit_cast<std::uint32_t>(coordinate));
  outcome.labels.resize(points.n);
  expect(lloyd.read(never, outcome.labels.data(), outcome.inertia), "parts: read");
  return outcome;
}

Outcome run_split(const Fixture& fixture, const Rules& rules, const std::vector<double>& speeds, std::vector<Fate> fates,
                  std::size_t losses, const std::string& what) {
  auto parts = std::make_unique<JoinedParts>(fixture.points, rules.k, devices_of(speeds, rules.k, fates), step);
  const JoinedParts& joined = *parts;
  Lloyd lloyd(fixture.points, rules, std::move(parts));
  Outcome outcome = run(lloyd, rules.k);
  expect(joined.losses().size() == losses, what, ": ", joined.losses().size(), " losses, not ", losses);
  std::size_t rows = 0;
  for (const RowRange& range : joined.ranges()) rows += range.count;
  expect(rows == fixture.points.n, what, ": ", rows, " rows in the parts");
  return outcome;
}

void check_runs(Kind kind, std::size_t n, std::size_t d, std::size_t k, EmptyPolicy empty) {
  const Fixture fixture(values_of(kind, n * d), n, d);
  const Rules rules = rules_for(k, empty);
  Lloyd whole(fixture.points, rules, make_variant({"fused", "tiled"}, fixture.points, k, Machine{2}).variant);
  const Outcome expected = run(whole, k);
  const std::string what = "parts: kind " + std::to_string(static_cast<int>(kind)) + ", n " + std::to_string(n);
  const auto same = [&](const std::vector<double>& speeds, const std::vector<Fate>& fates, std::size_t losses, const char* how) {
    expect(run_split(fixture, rules, speeds, fates, losses, what) == expected, what, ": ", how, " give other bytes");
  };
  same({1}, {}, 0, "one device");
  same({1, 1}, {}, 0, "two devices");
  same({3, 1, 0.25}, {}, 0, "three devices of different speeds");
  same({1, 1, 1, 1, 1, 1, 1, 1}, {}, 0, "eight devices");
  same({1, 1}, {{}, {2}}, 1, "two devices, of which one is lost in the third pass");
  same({1, 2, 1}, {{1}, {}, {1}}, 2, "three devices, of which two are lost in the same pass");
  same({1, 1, 1}, {{}, {0}, {3}}, 2, "three devices, of which two are lost one after the other");
  same({1, 1}, {{-1, -1, true}, {}}, 1, "two devices, of which one is lost at once");
  same({1, 1}, {{}, {-1, 0}}, 1, "two devices, of which one is lost as its labels are read");
}

/// A clustering that fails once so many calls of it were made, after which one of its devices is gone.
class Failing final : public Clustering {
 public:
  Failing(std::unique_ptr<Lloyd> inner, int& calls, bool& alive) : inner_(std::move(inner)), calls_(calls), alive_(alive) {}

  void start(const float* centroids) override { inner_->start(centroids); }
  Advance advance(std::int64_t iterations, double, const CancelFlag& cancel) override {
    count_call();
    return inner_->advance(std::min<std::int64_t>(iterations, 2), 1e300, cancel);
  }
  bool read(const CancelFlag& cancel, std::int32_t* labels, double& inertia) override {
    count_call();
    return inner_->read(cancel, labels, inertia);
  }
  const std::vector<float>& centroids() const override { return inner_->centroids(); }
  const Points& points() const override { return inner_->points(); }
  const Rules& rules() const override { return inner_->rules(); }

 private:
  void count_call() {
    if (calls_-- != 0) return;
    alive_ = false;
    throw std::runtime_error("gone");
  }

  std::unique_ptr<Lloyd> inner_;
  int& calls_;
  bool& alive_;
};

/// Lost in any of the calls of a run, it is the same run.
void test_lasting() {
  const std::size_t k = 9;
  const Fixture fixture(values_of(Kind::noise, 12'000), 4000, 3);
  const Rules rules = rules_for(k, EmptyPolicy::farthest);
  const auto fresh = [&] {
    return std::make_unique<Lloyd>(fixture.points, rules, make_variant({"fused", "tiled"}, fixture.points, k, Machine{1}).variant);
  };
  std::vector<float> start(fixture.x.begin(), fixture.x.begin() + static_cast<std::ptrdiff_t>(k * 3));
  const auto outcome_of = [&](Clustering& clustering) {
    clustering.start(start.data());
    Outcome outcome;
    while (outcome.changed.size() < 10) {
      for (const IterationStats& done : clustering.advance(2, 1e300, never).iterations) {
        outcome.changed.push_back(done.changed);
        outcome.inertias.push_back(done.inertia);
      }
    }
    for (const float coordinate : clustering.centroids()) outcome.centroids.push_back(std::bit_cast<std::uint32_t>(coordinate));
    outcome.labels.resize(fixture.points.n);
    clustering.read(never, outcome.labels.data(), outcome.inertia);
    return outcome;
  };
  const Outcome expected = outcome_of(*fresh());
  for (int at = 0; at < 6; at++) {
    int calls = at;
    bool alive = true;
    const auto make = [&](const std::vector<int>&) { return std::make_unique<Failing>(fresh(), calls, alive); };
    LastingClustering lasting({0, 1}, make, [&](int device) { return device == 0 || alive; },
                              [](int device) { return "device " + std::to_string(device); });
    expect(outcome_of(lasting) == expected, "lasting: another run where call ", at, " fails");
    expect(lasting.losses().size() == 1 && lasting.losses()[0] == "device 1 was lost (gone)", "lasting: what was lost is said");
  }
  // Gone from the first; and a second one while the others begin again.
  for (const std::vector<int>& gone : {std::vector<int>{1}, std::vector<int>{1, 2}}) {
    std::vector<int> lost;
    std::size_t opened = 0;
    const auto open = [&](const std::vector<int>&) -> std::unique_ptr<Clustering> {
      if (opened < gone.size()) {
        lost.push_back(gone[opened++]);
        throw std::runtime_error("gone");
      }
      return fresh();
    };
    LastingClustering some({0, 1, 2}, open, [&](int device) { return std::find(lost.begin(), lost.end(), device) == lost.end(); },
                           [](int device) { return "device " + std::to_string(device); });
    expect(outcome_of(some) == expected, "lasting: another run where devices are gone at once");
    expect(some.losses().size() == gone.size(), "lasting: each device that is gone is said");
  }
  int calls = 1;
  bool alive = true, caught = false;
  const auto make = [&](const std::vector<int>&) { return std::make_unique<Failing>(fresh(), calls, alive); };
  LastingClustering lasting({0, 1}, make, [](int) { return true; }, [](int) { return std::string("a device"); });
  try {
    outcome_of(lasting);
  } catch (const std::runtime_error& error) {
    caught = std::string(error.what()) == "gone";
  }
  expect(caught && lasting.losses().empty(), "lasting: a failure without a loss stays one");
}

void test_all_lost() {
  const Fixture fixture(values_of(Kind::noise, 8192), 4096, 2);
  std::vector<Fate> fates{{1}, {2}};
  JoinedParts parts(fixture.points, 3, devices_of({1, 1}, 3, fates), step);
  PassResult result;
  bool caught = false;
  try {
    for (int pass = 0; pass < 4; pass++) parts.pass(fixture.x.data(), false, never, result);
  } catch (const WorkerLost& error) {
    caught = std::string(error.what()).find("All devices of this run were lost") == 0;
  }
  expect(caught, "parts: no device left is said");
}

void test_split() {
  using Ranges = std::vector<RowRange>;
  expect(split_rows(10'000, {1, 1}, step) == Ranges{{0, 5120}, {5120, 4880}}, "split: halves");
  expect(split_rows(1000, {1, 1}, step) == Ranges{{0, 0}, {0, 1000}} || split_rows(1000, {1, 1}, step) == Ranges{{0, 1000}, {1000, 0}},
         "split: no border in few rows");
  expect(split_rows(4096, {0, 1, 0}) == Ranges{{0, 0}, {0, 4096}, {4096, 0}}, "split: one has all");
  for (std::size_t n : {1, 1024, 1025, 123'457, 2'000'003}) {
    const Ranges ranges = split_rows(n, {0.3, 0, 7, 1e-9, 2.5}, step);
    std::size_t next = 0;
    for (const RowRange& range : ranges) {
      if (range.count == 0) continue;
      expect(range.first == next && (range.first % step) == 0, "split: ranges follow each other at borders");
      next = range.end();
    }
    expect(next == n, "split: all rows of ", n);
  }
}

}  // namespace

void test_joined_parts() {
  test_split();
  test_all_lost();
  test_lasting();
  check_runs(Kind::noise, 20'000, 3, 7, EmptyPolicy::keep);
  check_runs(Kind::lattice, 9'001, 4, 40, EmptyPolicy::farthest);
  check_runs(Kind::noise, 6'000, 20, 35, EmptyPolicy::drop);
  check_runs(Kind::far, 5'000, 8, 10, EmptyPolicy::farthest);
}

}  // namespace centroid_lab
