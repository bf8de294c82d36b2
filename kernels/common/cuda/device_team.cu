#include "device_team.hpp"

#include <algorithm>
#include <utility>

#include "../clock.hpp"
#include "../fixed_point.hpp"
#include "check.hpp"

namespace centroid_lab::cuda {
namespace {

constexpr unsigned threads = 256;
constexpr unsigned max_blocks = 256;

/// Sums (k, d), counts (k) and the changed count, as a pass leaves them.
struct PartSums {
  long long* sums;
  unsigned* counts;
  unsigned* changed;
};

/// Puts them to another device, and leaves zeros.
__global__ void __launch_bounds__(threads) send_part(PartSums from, PartSums to, size_t values, size_t k) {
  for (size_t at = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x; at < values; at += static_cast<size_t>(gridDim.x) * threads) {
    to.sums[at] = from.sums[at];
    from.sums[at] = 0;
    if (at < k) to.counts[at] = from.counts[at], from.counts[at] = 0;
    if (at == 0) *to.changed = *from.changed, *from.changed = 0;
  }
}

__global__ void __launch_bounds__(threads) add_part(PartSums from, PartSums to, size_t values, size_t k) {
  for (size_t at = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x; at < values; at += static_cast<size_t>(gridDim.x) * threads) {
    to.sums[at] += from.sums[at];
    if (at < k) to.counts[at] += from.counts[at];
    if (at == 0) *to.changed += *from.changed;
  }
}

__global__ void __launch_bounds__(threads) take_state(const float* from, float* to, size_t values, const RunState* state, RunState* own) {
  for (size_t at = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x; at < values; at += static_cast<size_t>(gridDim.x) * threads) {
    to[at] = from[at];
    if (at == 0) *own = *state;
  }
}

unsigned blocks_for(std::size_t values) { return static_cast<unsigned>(std::min<std::size_t>((values + threads - 1) / threads, max_blocks)); }

/// Whether kernels of `device`, which is current, may write to the memory of `other`.
bool reaches(int device, int other) {
  if (device == other) return true;
  int can = 0;
  check(cudaDeviceCanAccessPeer(&can, device, other), "cudaDeviceCanAccessPeer");
  if (can == 0) return false;
  const cudaError_t status = cudaDeviceEnablePeerAccess(other, 0);
  if (status == cudaErrorPeerAccessAlreadyEnabled) {
    cudaGetLastError();
    return true;
  }
  return status == cudaSuccess;
}

Points part_of(const Points& points, const RowRange& rows) {
  return {points.row(rows.first), rows.count, points.d, points.max_abs, points.whole_n()};
}

PartSums sums_of(const DeviceSession& session) {
  const FinishArguments of = session.finish_arguments();
  return {of.fixed_sums, of.counts, of.changed};
}

}  // namespace

struct DeviceTeam::Other {
  Other(const Points& points, const Rules& rules, const VariantPlan& plan, const TeamPart& part, int first)
      : rows(part.rows), session(part_of(points, part.rows), rules, plan, part.device), reaches_first(reaches(part.device, first)) {}

  RowRange rows;
  DeviceSession session;
  bool reaches_first;
  /// Its sums are with the first device.
  Event sent;
  /// There.
  Buffer<long long> sums;
  Buffer<unsigned> counts;
  Buffer<unsigned> changed;
};

DeviceTeam::DeviceTeam(const Points& points, const Rules& rules, const VariantPlan& plan, DeviceSession& first,
                       const std::vector<TeamPart>& others)
    : first_(first), k_(rules.k), d_(points.d) {
  for (const TeamPart& part : others) others_.push_back(std::make_unique<Other>(points, rules, plan, part, first.device()));
  first_.enter();
  for (auto& other : others_) {
    other->sums = Buffer<long long>(k_ * d_);
    other->counts = Buffer<unsigned>(k_);
    other->changed = Buffer<unsigned>(1);
  }
}

DeviceTeam::~DeviceTeam() {
  for (auto& other : others_) {
    cudaSetDevice(other->session.device());
    cudaStreamSynchronize(other->session.stream().get());
    other.reset();
  }
  cudaSetDevice(first_.device());
}

void DeviceTeam::enqueue_passes(const DeviceSession::Want& want) {
  const std::size_t k = static_cast<std::size_t>(first_.rows()), values = k * d_;
  for (auto& other : others_) {
    DeviceSession& session = other->session;
    session.enter();
    const cudaStream_t stream = session.stream().get();
    const Pass pass = session.whole_pass(want);
    session.variant().enqueue_assign(pass);
    if (!session.variant().is_fused()) session.variant().enqueue_update(pass);
    const PartSums from = sums_of(session);
    if (other->reaches_first) {
      send_part<<<blocks_for(values), threads, 0, stream>>>(from, {other->sums.get(), other->counts.get(), other->changed.get()}, values, k);
      check_launch("send_part");
    } else {
      const auto send = [&](void* to, void* here, std::size_t bytes) {
        check(cudaMemcpyPeerAsync(to, first_.device(), here, session.device(), bytes, stream), "cudaMemcpyPeerAsync of sums");
        check(cudaMemsetAsync(here, 0, bytes, stream), "cudaMemsetAsync");
      };
      send(other->sums.get(), from.sums, values * sizeof(long long));
      send(other->counts.get(), from.counts, k * sizeof(unsigned));
      send(other->changed.get(), from.changed, sizeof(unsigned));
    }
    other->sent.record(stream);
  }
  first_.enter();
}

void DeviceTeam::enqueue_addition() {
  const std::size_t k = static_cast<std::size_t>(first_.rows()), values = k * d_;
  const cudaStream_t stream = first_.stream().get();
  for (auto& other : others_) {
    check(cudaStreamWaitEvent(stream, other->sent.get(), 0), "cudaStreamWaitEvent");
    add_part<<<blocks_for(values), threads, 0, stream>>>({other->sums.get(), other->counts.get(), other->changed.get()}, sums_of(first_),
                                                         values, k);
    check_launch("add_part");
  }
}

void DeviceTeam::enqueue_sharing() {
  completed_.record(first_.stream().get());
  const FinishArguments of_first = first_.finish_arguments();
  const std::size_t values = static_cast<std::size_t>(first_.rows()) * d_;
  for (auto& other : others_) {
    DeviceSession& session = other->session;
    session.enter();
    const cudaStream_t stream = session.stream().get();
    check(cudaStreamWaitEvent(stream, completed_.get(), 0), "cudaStreamWaitEvent");
    const FinishArguments own = session.finish_arguments();
    if (other->reaches_first) {
      take_state<<<blocks_for(values), threads, 0, stream>>>(of_first.centroids, own.centroids, values, of_first.state, own.state);
      check_launch("take_state");
      continue;
    }
    check(cudaMemcpyPeerAsync(own.centroids, session.device(), of_first.centroids, first_.device(), values * sizeof(float), stream),
          "cudaMemcpyPeerAsync of centroids");
    check(cudaMemcpyPeerAsync(own.state, session.device(), of_first.state, first_.device(), sizeof(RunState), stream),
          "cudaMemcpyPeerAsync of the state");
  }
  first_.enter();
}

void DeviceTeam::set_centroids(const float* centroids) {
  for (auto& other : others_) {
    other->session.enter();
    other->session.set_centroids(centroids);
  }
  first_.enter();
  first_.set_centroids(centroids);
}

void DeviceTeam::restart() {
  for (auto& other : others_) {
    other->session.enter();
    other->session.restart();
  }
  first_.enter();
  first_.restart();
}

bool DeviceTeam::is_slow() const {
  return first_.is_slow() || std::any_of(others_.begin(), others_.end(), [](const auto& other) { return other->session.is_slow(); });
}

std::unique_ptr<DeviceTeam::Passes> DeviceTeam::passes(const Points& points, const Rules& rules, const RowRange& of_first) {
  return std::make_unique<Passes>(*this, points, rules, of_first);
}

DeviceTeam::Passes::Passes(DeviceTeam& team, const Points& points, const Rules& rules, const RowRange& of_first)
    : team_(team), fixed_(points), rules_(rules), of_first_(of_first) {}

/// Calls use(session, rows) for each device. @returns whether all said yes.
template <class Use>
bool DeviceTeam::Passes::each(const Use& use) const {
  bool all = true;
  for (auto& other : team_.others_) {
    other->session.enter();
    all = all && use(other->session, other->rows);
  }
  team_.first_.enter();
  return all && use(team_.first_, of_first_);
}

void DeviceTeam::Passes::restart() { team_.restart(); }

bool DeviceTeam::Passes::pass(const float* centroids, bool timed, const CancelFlag& cancel, PassResult& result) {
  const double began = mark(timed);
  const bool made = std::exchange(pass_made_, false);
  DeviceSession::Want want;
  want.changes = rules_.needs_changed();
  want.labels = !made && rules_.empty == EmptyPolicy::farthest;
  has_labels_ = want.changes || want.labels || team_.first_.variant().needs_labels();
  if (!made) {
    team_.set_centroids(centroids);
    if (!each([&](DeviceSession& session, const RowRange&) { return session.pass(want, cancel); })) return false;
  }
  std::vector<std::int64_t> sums(rules_.k * team_.d_, 0), counts(rules_.k, 0);
  std::int64_t changed = 0;
  PassResult part;
  part.wants_fixed = true;
  // Of a pass made already the others have zeros: they were sent.
  each([&](DeviceSession& session, const RowRange&) {
    session.collect(part);
    for (std::size_t at = 0; at < sums.size(); at++) sums[at] += part.fixed[at];
    for (std::size_t c = 0; c < counts.size(); c++) counts[c] += part.counts[c];
    changed += part.changed;
    return true;
  });
  ExactSums::store_sums(fixed_, sums.data(), sums.size(), result);
  result.counts = std::move(counts);
  result.changed = changed;
  if (timed) result.iterate_ms = now_ms() - began;
  return true;
}

void DeviceTeam::Passes::labels_of_pass(std::int32_t* labels) const {
  each([&](DeviceSession& session, const RowRange& rows) {
    double ignored = 0;
    if (has_labels_) session.fetch_labels(labels + rows.first);
    else session.assign(CancelFlag{false}, labels + rows.first, &ignored);
    return true;
  });
}

bool DeviceTeam::Passes::assign(const float* centroids, const CancelFlag& cancel, std::int32_t* labels) {
  team_.set_centroids(centroids);
  double ignored = 0;
  return each([&](DeviceSession& session, const RowRange& rows) { return session.assign(cancel, labels + rows.first, &ignored); });
}

}  // namespace centroid_lab::cuda
