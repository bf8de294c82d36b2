// Rows held by several processes, for which threads stand here: what each of them has is what one with all rows has.
#include <algorithm>
#include <barrier>
#include <bit>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <thread>

#include "check.hpp"
#include "cluster_totals.hpp"
#include "fixtures.hpp"
#include "lloyd.hpp"
#include "parts/process_parts.hpp"
#include "parts/shared_seeding.hpp"
#include "parts/split_rows.hpp"
#include "table/statistics.hpp"
#include "tests.hpp"

namespace centroid_lab {
namespace {

const CancelFlag never{false};

/// What threads that stand for processes have in common.
struct Meeting {
  explicit Meeting(std::size_t processes)
      : size(processes), all(static_cast<std::ptrdiff_t>(processes)), values(processes), bytes(processes) {}

  const std::size_t size;
  std::barrier<> all;
  std::vector<std::int64_t*> values;
  std::vector<void*> bytes;
  std::mutex lock;
  std::condition_variable came;
  /// By sender and receiver.
  std::map<std::pair<std::size_t, std::size_t>, std::deque<std::vector<char>>> letters;
  std::atomic<std::size_t> sums{0};
};

class SimulatedGroup final : public ProcessGroup {
 public:
  SimulatedGroup(Meeting& meeting, std::size_t rank) : meeting_(meeting), rank_(rank) {}

  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return meeting_.size; }

  bool sum(std::int64_t* values, std::size_t count, const CancelFlag& cancel) override {
    if (cancel) return false;
    meeting_.values[rank_] = values;
    meeting_.all.arrive_and_wait();
    std::vector<std::int64_t> total(count, 0);
    for (const std::int64_t* each : meeting_.values) {
      for (std::size_t i = 0; i < count; i++) total[i] += each[i];
    }
    meeting_.all.arrive_and_wait();
    std::copy(total.begin(), total.end(), values);
    meeting_.sums++;
    return true;
  }

  bool send(const void* bytes, std::size_t count, std::size_t to, const CancelFlag& cancel) override {
    if (cancel) return false;
    const char* const from = static_cast<const char*>(bytes);
    const std::lock_guard held(meeting_.lock);
    meeting_.letters[{rank_, to}].emplace_back(from, from + count);
    meeting_.came.notify_all();
    return true;
  }

  bool receive(void* bytes, std::size_t count, std::size_t from, const CancelFlag& cancel) override {
    if (cancel) return false;
    std::unique_lock held(meeting_.lock);
    auto& waiting = meeting_.letters[{from, rank_}];
    meeting_.came.wait(held, [&] { return !waiting.empty(); });
    const std::vector<char> letter = std::move(waiting.front());
    waiting.pop_front();
    if (letter.size() != count) return false;
    std::memcpy(bytes, letter.data(), count);
    return true;
  }

  bool broadcast(void* bytes, std::size_t count, std::size_t from, const CancelFlag& cancel) override {
    if (cancel) return false;
    meeting_.bytes[rank_] = bytes;
    meeting_.all.arrive_and_wait();
    if (rank_ != from) std::memcpy(bytes, meeting_.bytes[from], count);
    meeting_.all.arrive_and_wait();
    return true;
  }

 private:
  Meeting& meeting_;
  std::size_t rank_;
};

/// Calls visit(group) on a thread of its own for each of so many processes. @returns sums that were made together
std::size_t as_processes(std::size_t size, const std::function<void(ProcessGroup&)>& visit) {
  Meeting meeting(size);
  {
    std::vector<std::jthread> threads;
    for (std::size_t rank = 0; rank < size; rank++) {
      threads.emplace_back([&, rank] {
        SimulatedGroup group(meeting, rank);
        visit(group);
      });
    }
  }
  return meeting.sums / size;
}

/// Of the rows of all, as src/engine/processes/collective.ts has it: some may have none.
RowRange rows_of(std::size_t n, const ProcessGroup& group) {
  return split_rows(n, std::vector<double>(group.size(), 1))[group.rank()];
}

Points part_of(const Points& whole, const RowRange& rows) {
  return {whole.row(rows.first), rows.count, whole.d, whole.max_abs, whole.n, rows.first};
}

std::vector<std::uint64_t> bits_of(const std::vector<double>& values) {
  std::vector<std::uint64_t> bits;
  for (const double value : values) bits.push_back(std::bit_cast<std::uint64_t>(value));
  return bits;
}

/// What a run leaves behind; labels of the rows that were asked.
struct Outcome {
  std::vector<std::uint32_t> centroids;
  std::vector<std::int64_t> changed;
  std::vector<std::uint64_t> inertias;
  std::vector<std::int32_t> labels;

  bool operator==(const Outcome&) const = default;
};

Outcome outcome_of(Lloyd& lloyd, const std::vector<float>& start) {
  Outcome outcome;
  lloyd.start(start.data());
  std::vector<double> inertias;
  for (const IterationStats& done : lloyd.advance(12, 1e9, never).iterations) {
    outcome.changed.push_back(done.changed);
    inertias.push_back(done.inertia);
  }
  outcome.inertias = bits_of(inertias);
  for (const float coordinate : lloyd.centroids()) outcome.centroids.push_back(std::bit_cast<std::uint32_t>(coordinate));
  outcome.labels.resize(lloyd.points().n);
  double inertia = 0;
  lloyd.read(never, outcome.labels.data(), inertia);
  return outcome;
}

/// Two and a half blocks for two processes, a block for each of three, none for some of five.
constexpr std::size_t rows = 3 * part_rows - 77;
constexpr std::size_t sizes[] = {1, 2, 3, 5};

void check_runs(Kind kind, StopRule stop, EmptyPolicy empty) {
  const std::size_t d = 3, k = 9;
  const Fixture fixture(values_of(kind, rows * d), rows, d);
  Rules rules;
  rules.k = k;
  rules.stop = stop;
  rules.empty = empty;
  rules.track_inertia = rules.track_changed = true;
  rules.threshold = 1e-4;
  // Two rows alike: one cluster is empty at first.
  std::vector<float> start(fixture.x.begin(), fixture.x.begin() + static_cast<std::ptrdiff_t>(k * d));
  std::copy_n(start.begin(), d, start.begin() + d);
  Lloyd one(fixture.points, rules, make_variant({"fused", "tiled"}, fixture.points, k, Machine{1}));
  const Outcome expected = outcome_of(one, start);
  for (const std::size_t size : sizes) {
    std::vector<Outcome> found(size);
    const std::size_t sums = as_processes(size, [&](ProcessGroup& group) {
      // Regimes differ as machines do.
      const char* const regime = group.rank() % 2 == 0 ? "tiled" : "tiled-scores";
      const auto make = [&](const Points& part) { return make_variant({"fused", regime}, part, k, Machine{1}).variant; };
      const Points points = part_of(fixture.points, rows_of(rows, group));
      BuiltVariant parts{std::make_unique<ProcessParts>(points, k, group, make), {regime, {}}};
      Lloyd lloyd(points, rules, std::move(parts), &group);
      found[group.rank()] = outcome_of(lloyd, start);
    });
    Outcome together = found.front();
    for (std::size_t rank = 1; rank < size; rank++) {
      const std::vector<std::int32_t>& labels = found[rank].labels;
      together.labels.insert(together.labels.end(), labels.begin(), labels.end());
      expect(found[rank].centroids == together.centroids && found[rank].inertias == together.inertias,
             "processes: kind ", static_cast<int>(kind), ", process ", rank, " of ", size, " has other figures");
    }
    expect(together == expected, "processes: kind ", static_cast<int>(kind), ", ", size, " give other bytes than one");
    if (empty == EmptyPolicy::keep) {
      // What is handed over is a sum a pass, and no more for each row.
      expect(sums <= expected.changed.size() + 1, "processes: ", sums, " sums for ", expected.changed.size(), " iterations");
    }
  }
}

void check_seeding(Kind kind) {
  const std::size_t d = 4, centres = 11, candidates = 4;
  const Fixture fixture(values_of(kind, rows * d), rows, d);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<double> uniforms((centres - 1) * candidates);
  for (double& value : uniforms) value = unit(random);
  const std::int32_t first = static_cast<std::int32_t>(part_rows) + 5;
  const auto all_of = [&](SeedingSteps& seeding, std::size_t from, std::size_t count) {
    std::vector<std::uint64_t> found;
    const std::vector<std::int32_t> chosen = seeding.greedy(first, uniforms, candidates);
    found.insert(found.end(), chosen.begin(), chosen.end());
    const auto add = [&](const std::vector<double>& values) {
      for (const std::uint64_t bits : bits_of(values)) found.push_back(bits);
    };
    add(seeding.potentials({3, static_cast<std::int32_t>(rows) - 1}));
    add({seeding.commit({9, static_cast<std::int32_t>(2 * part_rows)})});
    add(seeding.nearest_counts({first, 0, static_cast<std::int32_t>(rows) - 1}));
    // Of its own rows alone.
    add(count == 0 ? std::vector<double>() : seeding.distances(from, count));
    return found;
  };
  Seeding one(fixture.x.data(), rows, d, 1);
  const std::vector<std::uint64_t> expected = all_of(one, 0, rows);
  const std::size_t figures = expected.size() - rows;
  for (const std::size_t size : sizes) {
    std::vector<std::vector<std::uint64_t>> found(size);
    as_processes(size, [&](ProcessGroup& group) {
      const RowRange own = rows_of(rows, group);
      SharedSeeding seeding(part_of(fixture.points, own), group, 1);
      found[group.rank()] = all_of(seeding, own.first, own.count);
    });
    std::vector<std::uint64_t> together(found[0].begin(), found[0].begin() + static_cast<std::ptrdiff_t>(figures));
    for (const auto& each : found) {
      const auto distances = each.begin() + static_cast<std::ptrdiff_t>(figures);
      expect(std::equal(each.begin(), distances, together.begin()), "processes: figures of a seeding differ among ", size);
      together.insert(together.end(), distances, each.end());
    }
    expect(together == expected, "processes: the seeding of ", size, ", kind ", static_cast<int>(kind), " is another");
  }
}

/// Sums of float64 numbers over rows, and ranks of them.
void check_figures() {
  const std::size_t d = 2, k = 4;
  const Fixture fixture(values_of(Kind::noise, rows * d), rows, d);
  std::vector<double> column(rows);
  for (std::size_t i = 0; i < rows; i++) column[i] = i % 11 == 0 ? std::nan("") : fixture.x[2 * i] * 1e3;
  std::vector<std::int32_t> labels(rows);
  for (std::size_t i = 0; i < rows; i++) labels[i] = static_cast<std::int32_t>(i * 7919 % k);
  const std::vector<double> centroids(k * d, 0.125);
  const auto figures_of = [&](const RowRange& own, ProcessGroup* group) {
    ClusterTotals totals;
    const LabelledPoints<float> labelled{fixture.x.data() + own.first * d, own.count, d,
                                         labels.data() + own.first, centroids.data(), k};
    std::vector<double> found;
    const auto add = [&](const std::vector<double>& values) { found.insert(found.end(), values.begin(), values.end()); };
    if (cluster_totals(labelled, 1, never, totals, true, group)) {
      add(totals.sizes);
      add(totals.inertias);
      add(totals.distances);
    }
    const Moments moments = moments_of(part_of(fixture.points, own), group);
    add(moments.mean);
    found.push_back(moments.squares);
    table::Series series;
    for (std::size_t first = 0; first < own.count; first += table::block_rows) {
      table::Block block;
      block.values = column.data() + own.first + first;
      series.blocks.push_back(block);
    }
    series.length = own.count;
    series.fill = std::nan("");
    series.group = group;
    const table::Moments of_column = table::moments_of(series, 1);
    add({static_cast<double>(of_column.count), of_column.min, of_column.max, of_column.sum});
    found.push_back(table::squares_about(series, 0.25, 1));
    for (const table::Neighbours& each : table::neighbours_of(series, {0, 0.25, 0.5, 1}, 1)) {
      add({each.low, each.high, each.part});
    }
    return bits_of(found);
  };
  const std::vector<std::uint64_t> expected = figures_of({0, rows}, nullptr);
  for (const std::size_t size : sizes) {
    std::vector<std::vector<std::uint64_t>> found(size);
    as_processes(size, [&](ProcessGroup& group) { found[group.rank()] = figures_of(rows_of(rows, group), &group); });
    for (const auto& each : found) expect(each == expected, "processes: figures of all rows differ among ", size);
  }
}

/// A pass that is cancelled ends in every process, and says so.
void check_cancelled() {
  const Fixture fixture(values_of(Kind::noise, rows * 2), rows, 2);
  std::vector<char> ended(3, 0);
  as_processes(3, [&](ProcessGroup& group) {
    const auto make = [&](const Points& part) { return make_variant({"fused", "tiled"}, part, 3, Machine{1}).variant; };
    ProcessParts parts(part_of(fixture.points, rows_of(rows, group)), 3, group, make);
    PassResult result;
    ended[group.rank()] = !parts.pass(fixture.x.data(), false, CancelFlag{true}, result);
  });
  expect(ended == std::vector<char>(3, 1), "processes: a cancelled pass goes on");
}

}  // namespace

void test_process_parts() {
  check_runs(Kind::noise, StopRule::relative_shift, EmptyPolicy::keep);
  check_runs(Kind::lattice, StopRule::labels, EmptyPolicy::farthest);
  check_runs(Kind::far, StopRule::inertia, EmptyPolicy::drop);
  check_runs(Kind::equal, StopRule::coordinate_shift, EmptyPolicy::farthest);
  check_seeding(Kind::noise);
  check_seeding(Kind::lattice);
  check_figures();
  check_cancelled();
}

}  // namespace centroid_lab
