#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>

#include "../clock.hpp"
#include "../fixed_point.hpp"
#include "../row_copies.hpp"
#include "device_session.hpp"
#include "labels.hpp"
#include "lost_on_demand.hpp"
#include "registered_variants.hpp"
#include "transfer.hpp"

namespace centroid_lab::cuda {
namespace {

/// A cancel must be answered within 200 ms: no piece of work may be expected to take longer than this.
constexpr double piece_seconds = 0.05;
/// Whole runs in one launch meet copies: with a tenth of 100 centroids copies an iteration takes .010 ms, with a third of 440 .17, and pass
/// by pass .031. They give way where there are more copies than one in so many.
constexpr std::size_t share_of_many_copies = 4;
/// Float32 units of a multiprocessor; most have 128, none fewer than 64.
constexpr double lanes_per_multiprocessor = 64;

cudaDeviceProp properties_of(int device) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  return properties;
}

/// Asked for once a device: the answer takes half a millisecond.
int kilohertz_of(int device) {
  static std::mutex one_at_a_time;
  static std::map<int, int> known;
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  int& kilohertz = known[device];
  if (kilohertz == 0) {
    check(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, device), "cudaDeviceGetAttribute");
  }
  return kilohertz;
}

}  // namespace

double cautious_rate(int multiprocessors, int index, double speed) {
  return 1e3 * kilohertz_of(index) * multiprocessors * lanes_per_multiprocessor * speed;
}

std::size_t points_in_time(const Points& points, std::size_t k, const cudaDeviceProp& device, int index, double speed) {
  const double rate = cautious_rate(device.multiProcessorCount, index, speed);
  const double affordable = piece_seconds * rate / static_cast<double>(k * points.d);
  return static_cast<std::size_t>(std::clamp(affordable, 65536.0, static_cast<double>(points.n) + 65536.0));
}

void DeviceVariant::enqueue_update(const Pass&) {}

void DeviceVariant::enqueue_run(const Pass&, const FinishArguments&) {}

void DeviceVariant::enqueue_complete(const Pass&, const FinishArguments&) {}

DeviceSession::DeviceSession(const Points& points, const Rules& rules, const VariantPlan& plan, int device)
    : points_(points), rules_(rules), device_((check(cudaSetDevice(device), "cudaSetDevice"), device)),
      on_device_(device_points(points.x, points.n, points.d, device, points.max_abs)), scale_(points.d), unit_(points.d), host_unit_(points.d), centroids_(rules.k * points.d),
      counts_(rules.k), changed_(1), state_(1), totals_(rules.k) {
  if (points_.max_abs.empty()) points_.max_abs = on_device_->max_abs;
  const FixedPoint fixed(points_);
  for (std::size_t j = 0; j < points.d; j++) host_unit_[j] = fixed.unit(j);
  scale_.fill(fixed.scale(), points.d);
  unit_.fill(host_unit_.data(), points.d);
  Problem problem;
  problem.x = x();
  problem.n = points.n;
  problem.d = static_cast<int>(points.d);
  problem.k = static_cast<int>(rules.k);
  problem.max_abs = points_.max_abs.data();
  problem.scale = scale_.get();
  problem.needs_changed = rules.needs_changed();
  problem.regimes = plan.regimes;
  problem.other_passes = plan.other_passes;
  problem.filter = plan.filter;
  problem.workers = plan.workers;
  problem.device = properties_of(device);
  variant_ = registered_variant(plan.variant).make(problem);
  if (variant_->sums() == SumKind::fixed) fixed_sums_ = Buffer<long long>(rules.k * points.d);
  else real_sums_ = Buffer<double>(rules.k * points.d);
  if (rules.needs_changed() || variant_->needs_labels()) labels();
  points_per_piece_ = points_in_time(points, rules.k, problem.device, device, variant_->speed());
  restart();
  stream_.wait();
}

void DeviceSession::enter() const { check(cudaSetDevice(device_), "cudaSetDevice"); }

void DeviceSession::set_centroids(const float* centroids) {
  std::vector<std::int32_t> rows;
  std::vector<float> values;
  for (std::size_t cluster = 0; cluster < rules_.k; cluster++) {
    const float* row = centroids + cluster * points_.d;
    if (std::isnan(row[0])) continue;
    rows.push_back(static_cast<std::int32_t>(cluster));
    values.insert(values.end(), row, row + points_.d);
  }
  stream_.wait();
  centroids_.fill(values.data(), values.size());
  if (rows != in_play_) follow_rows(rows);
  leaves_copies_out_ = variant_->leaves_copies_out();
  look_for_copies(values.data());
}

void DeviceSession::look_for_copies(const float* values) {
  if (!leaves_copies_out_) return;
  const std::size_t copies = count_copies(values, in_play_.size(), points_.d);
  leaves_copies_out_ = copies > (variant_->runs_whole() ? in_play_.size() / share_of_many_copies : 0);
  if (leaves_copies_out_ && copies_ == nullptr) copies_ = std::make_unique<const CentroidCopies>(rules_.k, points_.d);
}

/// Labels are row numbers: when rows go, those behind move up.
void DeviceSession::follow_rows(const std::vector<std::int32_t>& rows) {
  if (labels_.size() > 0) {
    std::vector<std::int32_t> map(in_play_.size(), -1);
    for (std::size_t old = 0; old < in_play_.size(); old++) {
      const auto found = std::lower_bound(rows.begin(), rows.end(), in_play_[old]);
      if (found != rows.end() && *found == in_play_[old]) map[old] = static_cast<std::int32_t>(found - rows.begin());
    }
    const Buffer<std::int32_t> on_device(map);
    enqueue_relabel(labels_.get(), points_.n, on_device.get(), stream_.get());
    stream_.wait();
  }
  in_play_ = rows;
  variant_->restart(stream_.get());
}

void DeviceSession::fetch_centroids(float* centroids) const {
  std::vector<float> values(in_play_.size() * points_.d);
  std::vector<float> all;
  stream_.wait();
  centroids_.read(values.data(), values.size());
  spread(values.data(), all);
  std::copy(all.begin(), all.end(), centroids);
}

void DeviceSession::spread(const float* values, std::vector<float>& to) const {
  const std::size_t d = points_.d;
  const std::size_t first = to.size();
  to.resize(first + rules_.k * d, std::numeric_limits<float>::quiet_NaN());
  for (std::size_t row = 0; row < in_play_.size(); row++) {
    std::copy_n(values + row * d, d, to.data() + first + static_cast<std::size_t>(in_play_[row]) * d);
  }
}

void DeviceSession::restart() {
  in_play_.resize(rules_.k);
  for (std::size_t cluster = 0; cluster < rules_.k; cluster++) in_play_[cluster] = static_cast<std::int32_t>(cluster);
  fixed_sums_.clear(stream_.get());
  real_sums_.clear(stream_.get());
  counts_.clear(stream_.get());
  changed_.clear(stream_.get());
  state_.clear(stream_.get());
  if (labels_.size() > 0) {
    check(cudaMemsetAsync(labels_.get(), 0xff, labels_.bytes(), stream_.get()), "cudaMemsetAsync");
  }
  variant_->restart(stream_.get());
}

std::int32_t* DeviceSession::labels() {
  if (labels_.size() == 0) {
    labels_ = Buffer<std::int32_t>(points_.n);
    check(cudaMemsetAsync(labels_.get(), 0xff, labels_.bytes(), stream_.get()), "cudaMemsetAsync");
  }
  return labels_.get();
}

Pass DeviceSession::whole_pass(const Want& want) {
  lose_on_demand(device_, stream_.get());
  Pass pass;
  pass.centroids = centroids_.get();
  pass.k = rows();
  pass.count = points_.n;
  pass.labels = want.labels || want.changes || variant_->needs_labels() ? labels() : nullptr;
  pass.accumulate = want.accumulate;
  pass.write_labels = want.labels || want.changes;
  pass.count_changes = want.changes;
  pass.fixed_sums = fixed_sums_.get();
  pass.real_sums = real_sums_.get();
  pass.counts = counts_.get();
  pass.changed = changed_.get();
  pass.halted = &state_.get()->halted;
  pass.stream = stream_.get();
  if (leaves_copies_out_) pass.centroids = copies_->enqueue(centroids_.get(), rows(), pass.halted, pass.stream);
  return pass;
}

FinishArguments DeviceSession::finish_arguments() const {
  FinishArguments to;
  to.k = rows();
  to.d = static_cast<int>(points_.d);
  to.n = static_cast<long long>(points_.n);
  to.centroids = centroids_.get();
  to.fixed_sums = fixed_sums_.get();
  to.real_sums = real_sums_.get();
  to.unit = unit_.get();
  to.counts = counts_.get();
  to.changed = changed_.get();
  to.state = state_.get();
  to.totals = totals_.get();
  return to;
}

bool DeviceSession::pass(const Want& want, const CancelFlag& cancel) {
  state_.clear(stream_.get());
  return run_pieces(whole_pass(want), cancel);
}

bool DeviceSession::run_pieces(Pass pass, const CancelFlag& cancel) {
  for (pass.first = 0; pass.first < points_.n; pass.first += pass.count) {
    pass.count = std::min(points_per_piece_, points_.n - pass.first);
    variant_->enqueue_assign(pass);
    if (!is_slow()) break;
    stream_.wait();
    if (cancel.load(std::memory_order_relaxed)) return false;
  }
  return !pass.accumulate || variant_->is_fused() || run_updates(pass, cancel);
}

bool DeviceSession::run_updates(Pass pass, const CancelFlag& cancel) {
  const std::size_t at_once = variant_->points_per_update();
  for (pass.first = 0; pass.first < points_.n; pass.first += pass.count) {
    pass.count = std::min(at_once, points_.n - pass.first);
    variant_->enqueue_update(pass);
    if (pass.count == points_.n) break;
    stream_.wait();
    if (cancel.load(std::memory_order_relaxed)) return false;
  }
  return true;
}

void DeviceSession::collect(PassResult& result) {
  const std::size_t rows = in_play_.size();
  const std::size_t d = points_.d;
  std::vector<long long> fixed(fixed_sums_.size() > 0 ? rows * d : 0);
  std::vector<double> sums(rows * d);
  std::vector<unsigned> counts(rows);
  unsigned changed = 0;
  stream_.wait();
  if (!fixed.empty()) {
    fixed_sums_.read(fixed.data(), fixed.size());
    for (std::size_t at = 0; at < fixed.size(); at++) sums[at] = static_cast<double>(fixed[at]) * host_unit_[at % d];
  } else {
    real_sums_.read(sums.data(), sums.size());
  }
  counts_.read(counts.data(), rows);
  changed_.read(&changed, 1);
  result.sums.assign(rules_.k * d, 0.0);
  result.counts.assign(rules_.k, 0);
  result.changed = changed;
  if (result.wants_fixed) result.fixed.assign(rules_.k * d, 0);
  for (std::size_t row = 0; row < rows; row++) {
    const auto cluster = static_cast<std::size_t>(in_play_[row]);
    result.counts[cluster] = counts[row];
    if (result.wants_fixed) std::copy_n(fixed.data() + row * d, d, result.fixed.data() + cluster * d);
    std::copy_n(sums.data() + row * d, d, result.sums.data() + cluster * d);
  }
  fixed_sums_.clear(stream_.get());
  real_sums_.clear(stream_.get());
  counts_.clear(stream_.get());
  changed_.clear(stream_.get());
}

std::int64_t DeviceSession::take_changed() {
  unsigned changed = 0;
  stream_.wait();
  changed_.read(&changed, 1);
  changed_.clear(stream_.get());
  return changed;
}

void DeviceSession::fetch_labels(std::int32_t* labels) {
  stream_.wait();
  copy_clusters(labels, labels_);
}

void DeviceSession::copy_clusters(std::int32_t* to, const Buffer<std::int32_t>& labels) const {
  // Rows are clusters as long as none was dropped.
  copy_labels(to, labels.get(), points_.n, in_play_.size() == rules_.k ? nullptr : &in_play_);
}

bool DeviceSession::assign(const CancelFlag& cancel, std::int32_t* labels, double* inertia) {
  if (read_labels_.size() == 0) read_labels_ = Buffer<std::int32_t>(points_.n);
  Want want;
  want.accumulate = false;
  want.labels = true;
  state_.clear(stream_.get());
  Pass pass = whole_pass(want);
  pass.labels = read_labels_.get();
  if (!run_pieces(pass, cancel)) return false;
  const std::size_t blocks = (points_.n + inertia_block - 1) / inertia_block;
  if (read_inertia_.size() == 0) read_inertia_ = Buffer<double>(blocks);
  std::vector<double> sums(blocks);
  enqueue_inertia(x(), points_.n, static_cast<int>(points_.d), centroids_.get(), read_labels_.get(),
                  read_inertia_.get(), stream_.get());
  stream_.wait();
  read_inertia_.read(sums.data(), blocks);
  *inertia = 0;
  for (double sum : sums) *inertia += sum;
  const double waited = now_ms();
  copy_clusters(labels, read_labels_);
  download_ms_ = now_ms() - waited;
  return true;
}

}  // namespace centroid_lab::cuda
