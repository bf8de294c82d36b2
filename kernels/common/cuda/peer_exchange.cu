// Sums by kernels that write to the memory of the other devices, or by copies where they cannot.
#include <algorithm>
#include <utility>

#include "check.hpp"
#include "memory.hpp"
#include "sum_exchange.hpp"

namespace centroid_lab::cuda {
namespace {

constexpr unsigned threads = 256;
constexpr unsigned max_blocks = 256;
/// Others that one kernel writes to, or adds up.
constexpr int max_together = 8;

struct SeveralSums {
  PartSums of[max_together];
  int count = 0;
};

__device__ __forceinline__ void copy_at(const PartSums& from, const PartSums& to, size_t at, size_t k) {
  to.sums[at] = from.sums[at];
  if (at < k) to.counts[at] = from.counts[at];
  if (at == 0) *to.changed = *from.changed;
}

__global__ void __launch_bounds__(threads) send_sums(PartSums from, SeveralSums to, size_t values, size_t k, const int* halted) {
  if (*halted != 0) return;
  for (size_t at = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x; at < values; at += static_cast<size_t>(gridDim.x) * threads) {
    for (int i = 0; i < to.count; i++) copy_at(from, to.of[i], at, k);
  }
}

__global__ void __launch_bounds__(threads) add_sums(SeveralSums from, PartSums to, size_t values, size_t k, const int* halted) {
  if (*halted != 0) return;
  for (size_t at = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x; at < values; at += static_cast<size_t>(gridDim.x) * threads) {
    for (int i = 0; i < from.count; i++) {
      to.sums[at] += from.of[i].sums[at];
      if (at < k) to.counts[at] += from.of[i].counts[at];
      if (at == 0) *to.changed += *from.of[i].changed;
    }
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

void enter(int device) { check(cudaSetDevice(device), "cudaSetDevice"); }

/// Room for sums of another part. In turns, so that a part may send its next ones while the last are still being added: those after
/// the next it sends only once it has the next of all, which come after these were added.
struct Slot {
  Slot(std::size_t k, std::size_t d) : sums(k * d), counts(k), changed(1) {}

  PartSums of() const { return {sums.get(), counts.get(), changed.get()}; }

  Buffer<long long> sums;
  Buffer<unsigned> counts;
  Buffer<unsigned> changed;
};

class PeerExchange final : public SumExchange {
 public:
  PeerExchange(const std::vector<ExchangePart>& parts, std::size_t k, std::size_t d) : d_(d) {
    for (const ExchangePart& part : parts) {
      enter(part.device);
      members_.emplace_back(part);
    }
    for (Member& member : members_) {
      enter(member.part.device);
      for (const Member& other : members_) {
        if (&other == &member) continue;
        member.reaches.push_back(reaches(member.part.device, other.part.device));
        for (auto& turn : member.slots) turn.emplace_back(k, d);
      }
    }
  }

  ~PeerExchange() override {
    for (Member& member : members_) {
      cudaSetDevice(member.part.device);
      for (auto& turn : member.slots) turn.clear();
    }
  }

  void enqueue(std::size_t k) override {
    for (std::size_t from = 0; from < members_.size(); from++) send(from, k);
    for (std::size_t to = 0; to < members_.size(); to++) add(to, k);
    turn_ = 1 - turn_;
  }
  /// What copies bring is not looked at.
  bool heeds_halt() const override { return true; }
  /// A stream that waits for an event of a device that fails gets the failure.
  bool waits_on_devices() const override { return false; }

 private:
  struct Member {
    /// Its device is current.
    explicit Member(const ExchangePart& its_part) : part(its_part), sent(Event::without_time()) {}

    ExchangePart part;
    Event sent;
    /// Others, in their order: whether kernels may write there, and what comes from there in either turn.
    std::vector<bool> reaches;
    std::vector<Slot> slots[2];
  };

  /// Index of `other` among the others of `member`.
  static std::size_t index_among(std::size_t other, std::size_t member) { return other < member ? other : other - 1; }

  PartSums slot_of(std::size_t from, std::size_t to) const { return members_[to].slots[turn_][index_among(from, to)].of(); }

  void send(std::size_t from, std::size_t k) {
    const Member& member = members_[from];
    enter(member.part.device);
    SeveralSums together;
    const auto launch = [&] {
      if (together.count == 0) return;
      send_sums<<<blocks_for(k * d_), threads, 0, member.part.stream>>>(member.part.sums, together, k * d_, k, member.part.halted);
      check_launch("send_sums");
      together.count = 0;
    };
    for (std::size_t to = 0; to < members_.size(); to++) {
      if (to == from) continue;
      if (!member.reaches[index_among(to, from)]) {
        copy(from, to, k);
        continue;
      }
      together.of[together.count++] = slot_of(from, to);
      if (together.count == max_together) launch();
    }
    launch();
    member.sent.record(member.part.stream);
  }

  void copy(std::size_t from, std::size_t to, std::size_t k) const {
    const ExchangePart& part = members_[from].part;
    const PartSums slot = slot_of(from, to);
    const auto send = [&](void* there, const void* here, std::size_t bytes) {
      check(cudaMemcpyPeerAsync(there, members_[to].part.device, here, part.device, bytes, part.stream), "cudaMemcpyPeerAsync of sums");
    };
    send(slot.sums, part.sums.sums, k * d_ * sizeof(long long));
    send(slot.counts, part.sums.counts, k * sizeof(unsigned));
    send(slot.changed, part.sums.changed, sizeof(unsigned));
  }

  void add(std::size_t to, std::size_t k) const {
    const ExchangePart& part = members_[to].part;
    enter(part.device);
    SeveralSums together;
    const auto launch = [&] {
      if (together.count == 0) return;
      add_sums<<<blocks_for(k * d_), threads, 0, part.stream>>>(together, part.sums, k * d_, k, part.halted);
      check_launch("add_sums");
      together.count = 0;
    };
    for (std::size_t from = 0; from < members_.size(); from++) {
      if (from == to) continue;
      check(cudaStreamWaitEvent(part.stream, members_[from].sent.get(), 0), "cudaStreamWaitEvent");
      together.of[together.count++] = slot_of(from, to);
      if (together.count == max_together) launch();
    }
    launch();
  }

  std::size_t d_;
  std::vector<Member> members_;
  int turn_ = 0;
};

}  // namespace

std::unique_ptr<SumExchange> make_peer_exchange(const std::vector<ExchangePart>& parts, std::size_t k, std::size_t d) {
  return std::make_unique<PeerExchange>(parts, k, d);
}

}  // namespace centroid_lab::cuda
