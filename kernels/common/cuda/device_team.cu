#include "device_team.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "../clock.hpp"
#include "../fixed_point.hpp"
#include "check.hpp"

namespace centroid_lab::cuda {
namespace {

Points part_of(const Points& points, const RowRange& rows) {
  return {points.row(rows.first), rows.count, points.d, points.max_abs, points.whole_n()};
}

ExchangePart exchange_part(const DeviceSession& session) {
  const FinishArguments of = session.finish_arguments();
  return {session.device(), {of.fixed_sums, of.counts, of.changed}, &of.state->halted, session.stream().get()};
}

}  // namespace

struct DeviceTeam::Other {
  Other(const Points& points, const Rules& rules, const VariantPlan& plan, const TeamPart& part)
      : rows(part.rows), session(part_of(points, part.rows), rules, plan, part.device) {}

  RowRange rows;
  DeviceSession session;
  Buffer<double> mean;
  /// Noted as the first notes it, and not looked at.
  Buffer<FinishedIteration> finished;
};

DeviceTeam::DeviceTeam(const Points& points, const Rules& rules, const VariantPlan& plan, DeviceSession& first,
                       const std::vector<TeamPart>& others, Exchange exchange)
    : first_(first), kind_(exchange) {
  std::vector<ExchangePart> parts{exchange_part(first)};
  for (const TeamPart& part : others) {
    others_.push_back(std::make_unique<Other>(points, rules, plan, part));
    parts.push_back(exchange_part(others_.back()->session));
  }
  exchange_ = make_exchange(exchange, parts, rules.k, points.d);
  first_.enter();
}

DeviceTeam::~DeviceTeam() {
  // What is on the way writes to the memory of others.
  cudaSetDevice(first_.device());
  cudaStreamSynchronize(first_.stream().get());
  for (auto& other : others_) {
    cudaSetDevice(other->session.device());
    cudaStreamSynchronize(other->session.stream().get());
  }
  exchange_.reset();
  for (auto& other : others_) {
    cudaSetDevice(other->session.device());
    other.reset();
  }
  cudaSetDevice(first_.device());
}

void DeviceTeam::prepare(const std::vector<double>& mean, std::int64_t ring) {
  for (auto& other : others_) {
    other->session.enter();
    other->mean = Buffer<double>(mean);
    other->finished = Buffer<FinishedIteration>(static_cast<std::size_t>(ring));
  }
  first_.enter();
}

void DeviceTeam::enqueue_state(const RunState* state) {
  for (auto& other : others_) {
    const DeviceSession& session = other->session;
    session.enter();
    check(cudaMemcpyAsync(session.state(), state, sizeof(RunState), cudaMemcpyHostToDevice, session.stream().get()),
          "cudaMemcpyAsync of the state");
  }
  first_.enter();
}

void DeviceTeam::enqueue_passes(const DeviceSession::Want& want) {
  for (auto& other : others_) {
    DeviceSession& session = other->session;
    session.enter();
    const Pass pass = session.whole_pass(want);
    session.variant().enqueue_assign(pass);
    if (!session.variant().is_fused()) session.variant().enqueue_update(pass);
  }
  first_.enter();
}

void DeviceTeam::enqueue_sums() {
  exchange_->enqueue(static_cast<std::size_t>(first_.rows()));
  first_.enter();
}

void DeviceTeam::enqueue_finish(const FinishArguments& of_first) {
  for (auto& other : others_) {
    const DeviceSession& session = other->session;
    session.enter();
    FinishArguments to = session.finish_arguments();
    to.n = of_first.n;
    to.mean = other->mean.get();
    to.squares = of_first.squares;
    to.halt_on_empty = of_first.halt_on_empty;
    to.stop = of_first.stop;
    to.threshold = of_first.threshold;
    to.finished = other->finished.get();
    to.ring = of_first.ring;
    cuda::enqueue_finish(to, session.stream().get());
  }
  first_.enter();
}

void DeviceTeam::wait() const {
  const cudaStream_t first = first_.stream().get();
  if (!exchange_->waits_on_devices()) return first_.stream().wait();
  const auto is_done = [&](cudaStream_t stream) {
    const cudaError_t status = cudaStreamQuery(stream);
    if (status == cudaErrorNotReady) return false;
    if (status != cudaSuccess) exchange_->give_up();
    check(status, "cudaStreamQuery");
    return true;
  };
  while (!is_done(first)) {
    for (const auto& other : others_) is_done(other->session.stream().get());
    std::this_thread::yield();
  }
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
    : team_(team), fixed_(points), rules_(rules), d_(points.d), of_first_(of_first) {}

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
  std::vector<std::int64_t> sums(rules_.k * d_, 0), counts(rules_.k, 0);
  std::int64_t changed = 0;
  PassResult part;
  part.wants_fixed = true;
  each([&](DeviceSession& session, const RowRange&) {
    session.collect(part);
    // Of a pass made already each has the sums of all.
    if (made && &session != &team_.first_) return true;
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
