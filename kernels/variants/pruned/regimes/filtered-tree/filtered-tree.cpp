// `pruned`, regime `filtered-tree`: a tree of points filtered by the centroids. See README.md.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "changed_sums.hpp"
#include "clock.hpp"
#include "fixed_point.hpp"
#include "isa.hpp"
#include "leaf_share.hpp"
#include "methods/centroid-motion/motion.hpp"
#include "point_tree.hpp"
#include "thread_pool.hpp"
#include "variant.hpp"

namespace centroid_lab {
namespace {

/// Multiply-adds of a brute-force iteration below which one thread is faster than several.
constexpr double work_for_threads = 2e6;
/// Leaves of a subtree that one thread takes at once.
constexpr std::size_t leaves_of_task = 1024;
/// Open leaves between two looks at the cancel flag.
constexpr std::size_t leaves_of_chunk = 64;
/// Passes at the present speed that a skin is made for, and its limits in spacings of centroids and of leaves.
constexpr double passes_of_skin = 8;
constexpr double centroids_of_skin = 0.5;
constexpr double leaves_of_skin = 2;
/// Room beyond a list: two vectors of the widest instruction set.
constexpr std::size_t beyond = 32;

const TreeKernels& kernels_for(Isa isa) {
#if defined(__x86_64__)
  if (isa == Isa::avx512) return avx512_tree;
  if (isa == Isa::avx2) return avx2_tree;
#endif
  (void)isa;
  return baseline_tree;
}

bool uses_threads(const Points& points, std::size_t k) {
  return static_cast<double>(points.n) * static_cast<double>(k * points.d) >= work_for_threads;
}

/// A subtree left for a thread, and its list. Vectors are read from members and columns past the end of the list: both
/// have `stride` places for it, `beyond` more than it is long.
struct Task {
  Subtree subtree;
  std::vector<std::int32_t> members;
  std::vector<float> columns;
  std::size_t stride;

  CandidateList list() const { return {members.data(), columns.data(), stride, stride - beyond}; }
};

/// An open leaf; its candidates are those of its worker from `first` on.
struct Kept {
  std::size_t node;
  std::size_t leaf;
  std::size_t first;
  std::size_t count;
};

/// What one worker has for itself, apart from every other worker's cache lines.
struct alignas(128) Worker {
  Changes changes;
  /// Room for the lists of one path, not initialised: mostly never touched.
  std::unique_ptr<float[]> columns;
  std::unique_ptr<std::int32_t[]> members;
  std::vector<Kept> kept;
  std::vector<std::int32_t> candidates;
};

/// Where the vector kernels hand back what they found.
struct Receiver {
  Worker* worker;
  std::vector<Task>* tasks;

  /// Nothing is kept from a walk without a skin: its lists would not last.
  static void keep(void* receiver, const OpenLeaf& leaf) {
    Worker& worker = *static_cast<Receiver*>(receiver)->worker;
    worker.kept.push_back({leaf.node, leaf.leaf, worker.candidates.size(), leaf.count});
    worker.candidates.insert(worker.candidates.end(), leaf.members, leaf.members + leaf.count);
  }

  static void defer(void* receiver, std::size_t d, const Subtree& subtree, const CandidateList& list) {
    Task task{subtree, {list.members, list.members + list.count}, {}, list.count + beyond};
    task.members.resize(task.stride);
    task.columns.assign(d * task.stride, std::numeric_limits<float>::infinity());
    for (std::size_t j = 0; j < d; j++) {
      std::copy_n(list.columns + j * list.stride, list.count, task.columns.data() + j * task.stride);
    }
    static_cast<Receiver*>(receiver)->tasks->push_back(std::move(task));
  }
};

class FilteredTree final : public Variant {
 public:
  FilteredTree(const Points& points, std::size_t k, const Machine& machine)
      : points_(points), k_(k), kernels_(kernels_for(best_isa())), fixed_(points),
        pool_(uses_threads(points, k) ? machine.threads : 1), tree_(points, fixed_, pool_), owners_(tree_.nodes()),
        labels_(tree_.leaves * leaf_points), workers_(pool_.size()) {
    const std::size_t levels = tree_.depth() + 1;
    for (Worker& worker : workers_) {
      worker.changes.reset(k, points.d);
      worker.columns = std::make_unique_for_overwrite<float[]>(levels * points.d * (k + beyond));
      worker.members = std::make_unique_for_overwrite<std::int32_t[]>(levels * (k + beyond));
    }
    FilteredTree::restart();
  }

  void restart() override {
    motion_.restart();
    fresh_ = true;
  }

  bool pass(const float* centroids, bool timed, const CancelFlag& cancel, PassResult& result) override {
    const double began = mark(timed);
    const bool comparable = motion_.follow(centroids, k_, points_.d) && !fresh_;
    pack(centroids);
    if (fresh_) {
      total_.reset(k_, points_.d);
      owners_[0] = owner_none;
    }
    const bool complete = comparable && lists_hold() ? revisit(cancel) : renew(comparable, cancel);
    result.changed = 0;
    for (Worker& worker : workers_) result.changed += worker.changes.hand_over(total_);
    fresh_ = !complete;
    if (complete) total_.store(fixed_, result);
    if (timed) result.iterate_ms = now_ms() - began;
    return complete;
  }

  void labels_of_pass(std::int32_t* labels) const override { unfold(tree_.root(), labels); }

  bool assign(const float* centroids, const CancelFlag& cancel, std::int32_t* labels) override {
    pack(centroids);
    TreeJob job = job_of_pass();
    job.out = labels;
    return walk(job, cancel);
  }

 private:
  /// The centroids in play, those of NaN left out.
  void pack(const float* centroids) {
    rows_.clear();
    original_.clear();
    double reach = 0;
    for (std::size_t cluster = 0; cluster < k_; cluster++) {
      const float* row = centroids + cluster * points_.d;
      if (std::isnan(row[0])) continue;
      original_.push_back(static_cast<std::int32_t>(cluster));
      rows_.insert(rows_.end(), row, row + points_.d);
      for (std::size_t j = 0; j < points_.d; j++) reach = std::max(reach, std::abs(static_cast<double>(row[j])));
    }
    // Points lie in the unit cube. The margin is 4 m (R + A) of methods/box-filter, with A <= R.
    const double d = static_cast<double>(points_.d);
    min_skin_ = 8 * (d + 6) * 0x1p-23 * std::sqrt(d) * (1 + reach);
  }

  TreeJob job_of_pass() {
    TreeJob job{};
    job.tiles = tree_.points.tiles.data();
    job.n = points_.n;
    job.d = points_.d;
    job.order = tree_.points.order.data();
    job.boxes = tree_.boxes.data();
    job.node_sums = tree_.sums.data();
    job.owners = owners_.data();
    job.labels = labels_.data();
    job.scale = fixed_.scale();
    job.centroids = rows_.data();
    job.original = original_.data();
    return job;
  }

  TreeSink sink_for(Receiver& receiver) const {
    Worker& worker = *receiver.worker;
    TreeSink sink{};
    sink.sums = worker.changes.sums.sums.data();
    sink.counts = worker.changes.sums.counts.data();
    sink.touched = worker.changes.touched.data();
    sink.columns = worker.columns.get();
    sink.members = worker.members.get();
    sink.stride = k_ + beyond;
    sink.levels = std::numeric_limits<std::size_t>::max();
    sink.owner = &receiver;
    sink.keep = skin_ > 0 ? Receiver::keep : nullptr;
    sink.defer = Receiver::defer;
    return sink;
  }

  Task whole_tree() const {
    const std::size_t live = original_.size();
    Task task{tree_.root(), std::vector<std::int32_t>(live + beyond), {}, live + beyond};
    task.columns.assign(points_.d * task.stride, std::numeric_limits<float>::infinity());
    for (std::size_t c = 0; c < live; c++) {
      task.members[c] = static_cast<std::int32_t>(c);
      for (std::size_t j = 0; j < points_.d; j++) task.columns[j * task.stride + c] = rows_[c * points_.d + j];
    }
    return task;
  }

  /// Levels above the tasks: enough of them for all threads, none of them large. 0: the whole tree is one.
  std::size_t levels_above() const {
    const std::size_t wanted = pool_.size() > 1 ? 16 * pool_.size() : 1;
    std::size_t levels = 0;
    for (std::size_t left = tree_.leaves; left > 4; left = left_leaves(left), levels++) {
      if ((std::size_t{1} << levels) >= wanted && left <= leaves_of_task) break;
    }
    return levels;
  }

  /// Filters the whole tree: the top by this thread, what is left of it by all. @returns false when cancelled.
  bool walk(const TreeJob& job, const CancelFlag& cancel) {
    const Task all = whole_tree();
    std::vector<Task> tasks;
    Receiver top{&workers_[0], &tasks};
    TreeSink sink = sink_for(top);
    const std::size_t levels = levels_above();
    if (levels > 0) sink.levels = levels - 1;
    kernels_.visit(job, all.subtree, all.list(), sink);
    workers_[0].changes.changed += sink.changed;
    const auto visit = [&](std::size_t worker, std::size_t first, std::size_t) {
      Receiver receiver{&workers_[worker], nullptr};
      TreeSink own = sink_for(receiver);
      kernels_.visit(job, tasks[first].subtree, tasks[first].list(), own);
      workers_[worker].changes.changed += own.changed;
    };
    return pool_.share(tasks.size(), 1, visit, [&] { return cancel.load(std::memory_order_relaxed); });
  }

  /// Filters anew and keeps the lists of open leaves for passes to come.
  bool renew(bool comparable, const CancelFlag& cancel) {
    for (Worker& worker : workers_) {
      worker.kept.clear();
      worker.candidates.clear();
    }
    open_.clear();
    travelled_ = 0;
    skin_ = comparable ? skin_for(motion_.largest()) : 0;
    TreeJob job = job_of_pass();
    job.skin = static_cast<float>(skin_ * (1 + 1e-6));
    return walk(job, cancel);
  }

  /// A skin that lasts for some passes, unless lists would grow long by it.
  double skin_for(double step) const {
    double volume = 1;
    for (std::size_t j = 0; j < points_.d; j++) volume *= tree_.boxes[points_.d + j] - tree_.boxes[j];
    const double d = static_cast<double>(points_.d);
    const auto spacing = [&](std::size_t count) { return std::pow(volume / static_cast<double>(count), 1 / d); };
    const double widest =
        std::min(centroids_of_skin * spacing(original_.size()), leaves_of_skin * spacing(tree_.leaves));
    const double skin = std::max(passes_of_skin * step, 2 * min_skin_);
    return skin <= widest ? skin : 0;
  }

  bool lists_hold() {
    travelled_ += motion_.largest();
    return skin_ > 0 && skin_ - 2 * travelled_ >= min_skin_;
  }

  /// Looks at the open leaves whose candidates moved; nothing else can have changed.
  bool revisit(const CancelFlag& cancel) {
    if (open_.empty()) flatten();
    const TreeJob job = job_of_pass();
    const auto visit = [&](std::size_t worker, std::size_t first, std::size_t last) {
      Receiver receiver{&workers_[worker], nullptr};
      TreeSink sink = sink_for(receiver);
      for (std::size_t at = first; at < last; at++) {
        if (any_moved(open_[at])) kernels_.revisit(job, open_[at], sink);
      }
      workers_[worker].changes.changed += sink.changed;
    };
    return pool_.share(open_.size(), leaves_of_chunk, visit, [&] { return cancel.load(std::memory_order_relaxed); });
  }

  void flatten() {
    for (const Worker& worker : workers_) {
      for (const Kept& kept : worker.kept) {
        open_.push_back({kept.node, kept.leaf, worker.candidates.data() + kept.first, kept.count});
      }
    }
  }

  bool any_moved(const OpenLeaf& leaf) const {
    std::uint8_t any = 0;
    for (std::size_t i = 0; i < leaf.count; i++) {
      any |= motion_.moved()[static_cast<std::size_t>(original_[static_cast<std::size_t>(leaf.members[i])])];
    }
    return any != 0;
  }

  void unfold(const Subtree& subtree, std::int32_t* labels) const {
    const std::int32_t owner = owners_[subtree.node];
    if (owner == owner_mixed && subtree.leaves > 1) {
      const std::size_t left = left_leaves(subtree.leaves);
      unfold({subtree.node + 1, subtree.first_leaf, left}, labels);
      unfold({subtree.node + 2 * left, subtree.first_leaf + left, subtree.leaves - left}, labels);
      return;
    }
    const std::size_t first = subtree.first_leaf * leaf_points;
    const std::size_t last = std::min(points_.n, first + subtree.leaves * leaf_points);
    const std::uint32_t* order = tree_.points.order.data();
    for (std::size_t p = first; p < last; p++) labels[order[p]] = owner == owner_mixed ? labels_[p] : owner;
  }

  Points points_;
  std::size_t k_;
  const TreeKernels& kernels_;
  FixedPoint fixed_;
  ThreadPool pool_;
  PointTree tree_;
  /// See TreeJob.
  std::vector<std::int32_t> owners_;
  std::vector<std::int32_t> labels_;
  std::vector<Worker> workers_;
  ExactSums total_;
  Motion motion_;
  /// (live, d) centroids in play and (live) their clusters.
  std::vector<float> rows_;
  std::vector<std::int32_t> original_;
  /// Open leaves of the lists kept; filled when they are first used again.
  std::vector<OpenLeaf> open_;
  /// By how much what was left out lost, what of it is used up by twice the motion since, and what must remain.
  double skin_ = 0;
  double travelled_ = 0;
  double min_skin_ = 0;
  bool fresh_ = true;
};

std::unique_ptr<Variant> make(const Points& points, std::size_t k, const Machine& machine) {
  return std::make_unique<FilteredTree>(points, k, machine);
}

/// On data without structure a tree is as fast as brute force where leaves leave .15 to .2 of the distances.
constexpr double max_leaf_share = 0.12;

bool leaves_are_narrow(const Points& points, std::size_t k) { return expected_leaf_share(points, k) <= max_leaf_share; }

}  // namespace

CpuRegime pruned_filtered_tree() { return {"pruned", "filtered-tree", make, "narrow-leaves", leaves_are_narrow}; }

}  // namespace centroid_lab
