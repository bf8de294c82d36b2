#include <algorithm>
#include <cmath>
#include <utility>

#include "../clock.hpp"
#include "device_lloyd.hpp"

namespace centroid_lab::cuda {
namespace {

/// A batch may keep the host waiting this long: half of what a cancel may take, less a margin.
constexpr double batch_ms = 50;
constexpr std::int64_t largest_ring = 256;
/// What the caller's thread may be kept waiting: far below what a cancel may take, or a picture.
constexpr double brief_ms = 4;
/// Centroids up to so many numbers come back with each batch.
constexpr std::size_t max_reported = PinnedBlocks::block_bytes / sizeof(float);
constexpr std::size_t ring_bytes = std::size_t{64} << 20;
/// Iterations of one recorded graph: a launch of it costs about what one kernel does.
constexpr std::int64_t recorded_iterations = 8;
constexpr std::size_t marks_per_iteration = 4;

std::int64_t ring_for(const Rules& rules, std::size_t d) {
  if (!rules.track_centroids) return largest_ring;
  const auto rows = static_cast<std::int64_t>(ring_bytes / (rules.k * d * sizeof(float)));
  return std::clamp<std::int64_t>(rows, 1, largest_ring);
}

/// What lies on the first device.
Points first_part(const Points& points, const std::vector<TeamPart>& parts) {
  if (parts.size() == 1) return points;
  const RowRange& rows = parts.front().rows;
  return {points.row(rows.first), rows.count, points.d, points.max_abs, points.whole_n()};
}

/// Iterations that a first batch in one launch may have, by shape and device alone: what a cancel can wait for, cautiously.
std::int64_t first_batch(const Points& points, std::size_t k, const DeviceVariant& variant, int device) {
  int multiprocessors = 0;
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
  const double affordable = 1e-3 * batch_ms * cautious_rate(multiprocessors, device, variant.speed());
  const double iterations = affordable / (static_cast<double>(points.n) * static_cast<double>(points.d * k));
  return static_cast<std::int64_t>(std::clamp(iterations, 4.0, static_cast<double>(largest_ring)));
}

}  // namespace

DeviceLloyd::DeviceLloyd(Points points, Rules rules, const VariantPlan& plan, int device)
    : DeviceLloyd(points, rules, plan, std::vector<TeamPart>{{device, {0, points.n}}}) {}

DeviceLloyd::DeviceLloyd(Points points, Rules rules, const VariantPlan& plan, const std::vector<TeamPart>& parts, Exchange exchange)
    : session_(std::make_unique<DeviceSession>(first_part(points, parts), rules, plan, parts.front().device)), centroids_(rules.k * points.d),
      ring_(ring_for(rules, points.d)), finished_(static_cast<std::size_t>(ring_)),
      history_(rules.track_centroids ? static_cast<std::size_t>(ring_) * rules.k * points.d : 0),
      finished_here_(static_cast<std::size_t>(ring_)), state_here_(1) {
  // Its rows come back all at once, the unused ones too.
  finished_.clear(session_->stream().get());
  std::unique_ptr<Variant> passes;
  if (parts.size() > 1) {
    team_ = std::make_unique<DeviceTeam>(points, rules, plan, *session_, std::vector<TeamPart>(parts.begin() + 1, parts.end()), exchange);
    auto of_team = team_->passes(points, rules, parts.front().rows);
    team_passes_ = of_team.get();
    passes = std::move(of_team);
  } else {
    auto of_one = std::make_unique<DevicePasses>(*session_, rules);
    passes_ = of_one.get();
    passes = std::move(of_one);
  }
  // Looked at on the device, where nobody has before: `farthest` needs the scale of whole numbers here too.
  if (points.max_abs.empty()) points.max_abs = session_->magnitudes();
  Moments moments;
  if (rules.needs_inertia()) moments = team_ != nullptr ? moments_of(points) : session_->moments();
  host_ = std::make_unique<Lloyd>(std::move(points), rules, std::move(passes), std::move(moments));
  if (host_->rules().needs_inertia()) mean_ = Buffer<double>(host_->moments().mean);
  if (team_ != nullptr) team_->prepare(host_->rules().needs_inertia() ? host_->moments().mean : std::vector<double>{}, ring_);
  if (runs_whole()) longest_batch_ = first_batch(this->points(), rules.k, session_->variant(), parts.front().device);
  if (runs_whole() || centroids_.size() <= max_reported) reported_ = Pinned<float>(centroids_.size());
}

DeviceLloyd::~DeviceLloyd() {
  // Freed on whatever thread drops the last reference.
  cudaSetDevice(session_->device());
  // Page-locked blocks go to the next session: a launch that a cancel left behind must not write into them any more.
  cudaStreamSynchronize(session_->stream().get());
  if (recorded_ != nullptr) cudaGraphExecDestroy(recorded_);
}

void DeviceLloyd::start(const float* centroids) {
  session_->enter();
  std::copy_n(centroids, centroids_.size(), centroids_.begin());
  host_->start(centroids);
  set_centroids(centroids);
  iteration_ = 0;
  inertia_before_ = -1;
}

Advance DeviceLloyd::advance(std::int64_t iterations, double milliseconds, const CancelFlag& cancel) {
  session_->enter();
  if (is_slow()) {
    Advance answer = host_->advance(iterations, milliseconds, cancel);
    centroids_ = host_->centroids();
    return answer;
  }
  Advance answer;
  is_reported_ = false;
  advance_on_device(iterations, milliseconds, cancel, answer);
  if (is_reported_) {
    centroids_.clear();
    session_->spread(reported_.get(), centroids_);
  } else {
    session_->fetch_centroids(centroids_.data());
  }
  return answer;
}

void DeviceLloyd::advance_on_device(std::int64_t iterations, double milliseconds, const CancelFlag& cancel,
                                    Advance& answer) {
  const double began = now_ms();
  while (!cancel.load(std::memory_order_relaxed)) {
    const auto done = static_cast<std::int64_t>(answer.iterations.size());
    const double left = milliseconds - (now_ms() - began);
    if (done >= iterations || (done > 0 && left <= 0)) return;
    const double batch_began = now_ms();
    const std::int64_t first = iteration_;
    const std::int64_t batch = next_batch(iterations - done, left);
    begin_batch(batch);
    enqueue_batch(batch);
    const Halt halt = finish_batch(first, answer);
    iteration_ms_ = (now_ms() - batch_began) / static_cast<double>(std::max<std::int64_t>(1, iteration_ - first));
    longest_batch_ = std::min(2 * longest_batch_, largest_ring);
    if (halt == rule_met) return;
    if (halt == empty_cluster) iterate_on_host(answer);
    if (!answer.iterations.empty() && answer.iterations.back().stop) return;
  }
}

std::int64_t DeviceLloyd::next_batch(std::int64_t most, double milliseconds) const {
  if (team_ != nullptr && rules().empty != EmptyPolicy::keep && !team_->heeds_halt()) return 1;
  const double affordable = std::min(batch_ms, std::max(0.0, milliseconds)) / std::max(iteration_ms_, 1e-4);
  const auto fitting = static_cast<std::int64_t>(std::min(affordable, static_cast<double>(longest_batch_)));
  return std::clamp<std::int64_t>(fitting, 1, std::min(most, ring_));
}

void DeviceLloyd::begin_batch(std::int64_t iterations) {
  *state_here_.get() = {running, 0, iteration_, iteration_ + iterations, inertia_before_};
  if (runs_whole()) return;
  check(cudaMemcpyAsync(session_->state(), state_here_.get(), sizeof(RunState), cudaMemcpyHostToDevice,
                        session_->stream().get()),
        "cudaMemcpyAsync of the state");
  if (team_ != nullptr) team_->enqueue_state(state_here_.get());
}

void DeviceLloyd::set_centroids(const float* centroids) {
  if (team_ != nullptr) team_->set_centroids(centroids);
  else session_->set_centroids(centroids);
}

bool DeviceLloyd::runs_whole() const {
  return team_ == nullptr && rules().timing == Timing::total && session_->variant().runs_whole() && !session_->leaves_copies_out();
}

void DeviceLloyd::enqueue_batch(std::int64_t iterations) {
  const bool timed = rules().timing != Timing::total;
  DeviceVariant& variant = session_->variant();
  if (runs_whole()) return variant.enqueue_run(session_->whole_pass(want()), finish_arguments());
  if (!timed && team_ == nullptr && variant.can_be_recorded()) return launch_recorded(iterations);
  const auto needed = timed ? static_cast<std::size_t>(iterations) * marks_per_iteration : 0;
  while (marks_.size() < needed) marks_.emplace_back();
  for (std::int64_t slot = 0; slot < iterations; slot++) enqueue_iteration(static_cast<std::size_t>(slot));
}

void DeviceLloyd::enqueue_iteration(std::size_t slot) {
  const cudaStream_t stream = session_->stream().get();
  DeviceVariant& variant = session_->variant();
  const bool completes = marks_.empty() && team_ == nullptr && variant.completes();
  if (completes) return variant.enqueue_complete(session_->whole_pass(want()), finish_arguments());
  const auto note = [&](std::size_t which) {
    if (!marks_.empty()) marks_[slot * marks_per_iteration + which].record(stream);
  };
  note(0);
  if (team_ != nullptr) team_->enqueue_passes(want());
  const Pass pass = session_->whole_pass(want());
  variant.enqueue_assign(pass);
  note(1);
  if (!variant.is_fused()) variant.enqueue_update(pass);
  if (team_ != nullptr) team_->enqueue_sums();
  note(2);
  if (team_ != nullptr) team_->enqueue_finish(finish_arguments());
  enqueue_finish(finish_arguments(), stream);
  note(3);
}

void DeviceLloyd::launch_recorded(std::int64_t iterations) {
  std::int64_t left = iterations;
  const bool is_recorded = recorded_ != nullptr && recorded_rows_ == session_->rows() && recorded_copies_ == session_->leaves_copies_out();
  if (left >= recorded_iterations && !is_recorded) record();
  for (; left >= recorded_iterations; left -= recorded_iterations) {
    check(cudaGraphLaunch(recorded_, session_->stream().get()), "cudaGraphLaunch");
  }
  // What a graph has beyond the batch would be launched to do nothing, and libraries' kernels would even work.
  for (; left > 0; left--) enqueue_iteration(0);
}

void DeviceLloyd::record() {
  const cudaStream_t stream = session_->stream().get();
  cudaGraph_t graph = nullptr;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
  for (std::int64_t i = 0; i < recorded_iterations; i++) enqueue_iteration(0);
  check(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
  if (recorded_ != nullptr) cudaGraphExecDestroy(recorded_);
  recorded_ = nullptr;
  const cudaError_t made = cudaGraphInstantiate(&recorded_, graph, 0);
  cudaGraphDestroy(graph);
  check(made, "cudaGraphInstantiate");
  recorded_rows_ = session_->rows();
  recorded_copies_ = session_->leaves_copies_out();
}

Halt DeviceLloyd::finish_batch(std::int64_t first, Advance& answer) {
  const cudaStream_t stream = session_->stream().get();
  if (!runs_whole()) {
    const std::size_t bytes = static_cast<std::size_t>(ring_) * sizeof(FinishedIteration);
    check(cudaMemcpyAsync(finished_here_.get(), finished_.get(), bytes, cudaMemcpyDeviceToHost, stream), "cudaMemcpyAsync");
    check(cudaMemcpyAsync(state_here_.get(), session_->state(), sizeof(RunState), cudaMemcpyDeviceToHost, stream),
          "cudaMemcpyAsync of the state");
    if (reported_.size() > 0) {
      const std::size_t values = static_cast<std::size_t>(session_->rows()) * points().d;
      check(cudaMemcpyAsync(reported_.get(), finish_arguments().centroids, values * sizeof(float), cudaMemcpyDeviceToHost, stream),
            "cudaMemcpyAsync of the centroids");
    }
  }
  if (team_ != nullptr) team_->wait();
  else session_->stream().wait();
  is_reported_ = reported_.size() > 0;
  if (is_reported_ && session_->leaves_copies_out()) session_->look_for_copies(reported_.get());
  const RunState state = *state_here_.get();
  for (std::int64_t done = first; done < state.iteration; done++) {
    append(finished_here_.get()[done % ring_], static_cast<std::size_t>(done - first), answer);
  }
  if (rules().track_centroids) append_history(first, state.iteration, answer);
  iteration_ = state.iteration;
  inertia_before_ = state.inertia_before;
  return static_cast<Halt>(state.halted);
}

void DeviceLloyd::append(const FinishedIteration& done, std::size_t slot, Advance& answer) {
  IterationStats stats;
  stats.iteration = done.iteration;
  stats.inertia = done.inertia;
  stats.shift_squared = done.shift_squared;
  stats.max_shift = std::sqrt(done.max_squared_norm);
  stats.max_coordinate_shift = done.max_coordinate;
  stats.changed = rules().needs_changed() ? done.changed : -1;
  stats.empty_clusters = done.empty_clusters;
  stats.stop = done.rule_met != 0;
  note_times(slot, stats);
  answer.iterations.push_back(stats);
}

/// The centroids after iterations first + 1 .. last: at most two stretches of the ring.
void DeviceLloyd::append_history(std::int64_t first, std::int64_t last, Advance& answer) {
  const std::size_t row = static_cast<std::size_t>(session_->rows()) * points().d;
  history_here_.resize(static_cast<std::size_t>(last - first) * row);
  float* to = history_here_.data();
  for (std::int64_t done = first; done < last;) {
    const std::int64_t count = std::min(last - done, ring_ - done % ring_);
    const std::size_t values = static_cast<std::size_t>(count) * row;
    const float* from = history_.get() + static_cast<std::size_t>(done % ring_) * row;
    check(cudaMemcpy(to, from, values * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy of the centroids");
    to += values;
    done += count;
  }
  for (const float* values = history_here_.data(); values < to; values += row) session_->spread(values, answer.centroids);
}

void DeviceLloyd::note_times(std::size_t slot, IterationStats& stats) const {
  if (rules().timing == Timing::total) return;
  const Event* marks = marks_.data() + slot * marks_per_iteration;
  stats.total_ms = marks[3].since(marks[0]);
  if (rules().timing != Timing::phases) return;
  if (session_->variant().is_fused()) {
    stats.iterate_ms = marks[1].since(marks[0]);
  } else {
    stats.assign_ms = marks[1].since(marks[0]);
    stats.update_ms = marks[2].since(marks[1]);
  }
  stats.converge_ms = marks[3].since(marks[2]);
}

/// The iteration whose sums lie on the device is completed by the host, which knows what to do with empty clusters.
void DeviceLloyd::iterate_on_host(Advance& answer) {
  // What is left is short, and half an iteration could not be taken back.
  const CancelFlag never{false};
  is_reported_ = false;
  session_->fetch_centroids(centroids_.data());
  host_->resume(centroids_.data(), iteration_, inertia_before_);
  if (team_passes_ != nullptr) team_passes_->expect_pass_made();
  else passes_->expect_pass_made();
  Advance one = host_->advance(1, 0, never);
  answer.iterations.push_back(one.iterations.front());
  answer.centroids.insert(answer.centroids.end(), one.centroids.begin(), one.centroids.end());
  iteration_ = one.iterations.front().iteration;
  inertia_before_ = one.iterations.front().inertia;
  set_centroids(host_->centroids().data());
}

bool DeviceLloyd::read(const CancelFlag& cancel, std::int32_t* labels, double& inertia) {
  session_->enter();
  if (team_ != nullptr) return host_->read_against(centroids_.data(), cancel, labels, inertia);
  session_->set_centroids(centroids_.data());
  return session_->assign(cancel, labels, &inertia);
}

bool DeviceLloyd::is_brief(std::int64_t iterations) const {
  return iteration_ms_ > 0 && iteration_ms_ * static_cast<double>(iterations) <= brief_ms && !is_slow();
}

double DeviceLloyd::download_ms() const { return session_->download_ms(); }

DeviceSession::Want DeviceLloyd::want() const {
  DeviceSession::Want want;
  want.changes = rules().needs_changed();
  return want;
}

FinishArguments DeviceLloyd::finish_arguments() const {
  FinishArguments to = session_->finish_arguments();
  to.n = static_cast<long long>(points().n);
  to.mean = mean_.get();
  to.squares = host_->moments().squares;
  to.halt_on_empty = rules().empty != EmptyPolicy::keep;
  to.stop = rules().stop;
  to.threshold = rules().threshold;
  to.finished = finished_.get();
  to.history = history_.get();
  to.ring = ring_;
  if (!runs_whole()) return to;
  to.begin = *state_here_.get();
  to.report = {state_here_.get(), finished_here_.get(), reported_.get()};
  return to;
}

}  // namespace centroid_lab::cuda
