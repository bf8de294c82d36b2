// How the blocks of a launch tell each other the sums of few clusters: through mailboxes, without atomics and without a barrier. A block writes each
// of its sums into a message for all, with the round as its epoch in the same sixteen bytes, which are written and read as one; everybody reads
// all messages of a round, asking again until they are stamped so. What would be a round trip for the atomics, one for the barrier behind them
// and one for the totals is one way to the second cache and back.
#pragma once

#include <cstdint>

#include "finish.cuh"

namespace centroid_lab::cuda::whole_runs {

/// Messages of three rounds: who has all messages of a round knows that the round before has been read by all workers, and the coordinator may be
/// `max_ahead` rounds behind.
constexpr unsigned mailbox_sets = 3;
/// Messages that a lane reads at once.
constexpr unsigned messages_at_once = 4;

/// A sum of one block. `other` goes with it: members of the cluster, or labels that changed.
struct PartialSumMessage {
  long long sum;
  unsigned other;
  unsigned epoch;
};

/// Messages of a block: sums of each cluster and feature. The number of labels that changed goes with the second; where there is but one
/// feature it has a message of its own.
template <int D>
__host__ __device__ constexpr int messages_of(int k) {
  return k * D + (D == 1 ? 1 : 0);
}

/// Where blocks write to each other. Epochs go on from launch to launch, so that nothing has to be cleared: all messages of a launch are stamped
/// after `base`, all before it `base` or earlier.
struct Mailbox {
  /// (mailbox_sets, messages, workers), sixteen bytes each.
  ulonglong2* messages;
  /// The coordinator's: rounds decided, and above them the rounds that count once that is known, both stamped.
  unsigned long long* stop_decision;
  unsigned base;
  unsigned workers;
  /// Cycles to wait before the first look. Where many ask for many messages, questions asked too early hold the messages up.
  unsigned poll_delay_cycles;

  __device__ ulonglong2* slot_of(unsigned round, int messages_of_block, int message) const {
    return messages + (static_cast<size_t>(round % mailbox_sets) * messages_of_block + message) * workers;
  }
  __device__ unsigned epoch(unsigned round) const { return base + round + 1; }
};

__device__ __forceinline__ void write_message(ulonglong2* to, const PartialSumMessage& message) {
  const unsigned long long second = static_cast<unsigned long long>(message.epoch) << 32 | message.other;
  asm volatile(
      "{ .reg .b128 both; mov.b128 both, {%1, %2}; st.relaxed.gpu.global.b128 [%0], both; }" ::"l"(to), "l"(message.sum), "l"(second)
      : "memory");
}

__device__ __forceinline__ PartialSumMessage read_message(const ulonglong2* from) {
  PartialSumMessage message;
  unsigned long long second;
  asm volatile("{ .reg .b128 both; ld.relaxed.gpu.global.b128 both, [%2]; mov.b128 {%0, %1}, both; }"
               : "=l"(message.sum), "=l"(second)
               : "l"(from)
               : "memory");
  message.other = static_cast<unsigned>(second);
  message.epoch = static_cast<unsigned>(second >> 32);
  return message;
}

__device__ __forceinline__ unsigned long long read_stop_decision(const Mailbox& mailbox) {
  unsigned long long value;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(mailbox.stop_decision) : "memory");
  return value;
}

/// @param counting rounds that count, 0 while that is not known.
__device__ __forceinline__ void write_stop_decision(const Mailbox& mailbox, unsigned decided, unsigned counting) {
  const unsigned long long stamped = static_cast<unsigned long long>(mailbox.base + counting) << 32 | (mailbox.base + decided);
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(mailbox.stop_decision), "l"(stamped) : "memory");
}

/// Rounds that count, 0 while that is not known.
__device__ __forceinline__ unsigned counting_of(const Mailbox& mailbox, unsigned long long stop_decision) {
  const auto rounds = static_cast<int>(static_cast<unsigned>(stop_decision >> 32) - mailbox.base);
  return rounds > 0 ? static_cast<unsigned>(rounds) : 0;
}

/// Waits until the coordinator has decided so many rounds, or for good. @returns rounds that count, 0 while that is not known.
__device__ __forceinline__ unsigned await_stop_decision(const Mailbox& mailbox, unsigned long long stop_decision, int decided) {
  while (counting_of(mailbox, stop_decision) == 0 && static_cast<int>(static_cast<unsigned>(stop_decision) - mailbox.base) < decided) {
    stop_decision = read_stop_decision(mailbox);
  }
  return counting_of(mailbox, stop_decision);
}

/// The totals of a round, in shared memory.
template <int D>
struct RoundTotals {
  /// (k, D)
  long long* sums;
  /// (k)
  unsigned* counts;
  unsigned* changed;
};

/// Lanes that share a message: a power of two.
__host__ __device__ inline unsigned readers_of(unsigned workers) {
  unsigned lanes = 1;
  while (lanes < 32 && lanes < workers) lanes *= 2;
  return lanes;
}

/// Writes a block's messages, a thread each; its sums, (k, D + 1) with the members last, are zero after.
template <int D>
__device__ __forceinline__ void send(const Mailbox& mailbox, unsigned round, int k, long long* sums, unsigned* changed) {
  const int message = static_cast<int>(threadIdx.x), messages = messages_of<D>(k);
  if (message >= messages) return;
  PartialSumMessage mine{0, 0, mailbox.epoch(round)};
  if (message < k * D) {
    const int c = message / D, j = message % D;
    long long* of_cluster = sums + c * (D + 1);
    mine.sum = of_cluster[j];
    of_cluster[j] = 0;
    if (j == 0) {
      mine.other = static_cast<unsigned>(of_cluster[D]);
      of_cluster[D] = 0;
    }
  }
  if (message == (D == 1 ? k : 1)) {
    mine.other = *changed;
    *changed = 0;
  }
  write_message(mailbox.slot_of(round, messages, message) + blockIdx.x, mine);
}

/// Reads all messages of a round and adds them up, some lanes a message. Not synchronised after.
template <int D>
__device__ __forceinline__ void receive(const Mailbox& mailbox, unsigned round, int k, const RoundTotals<D>& to) {
  const unsigned readers = readers_of(mailbox.workers);
  const int message = static_cast<int>(threadIdx.x / readers), messages = messages_of<D>(k);
  const unsigned lane = threadIdx.x % readers, epoch = mailbox.epoch(round);
  long long sum = 0;
  unsigned other = 0;
  if (message < messages) {
    const ulonglong2* from = mailbox.slot_of(round, messages, message);
    PartialSumMessage read[messages_at_once];
    for (const long long began = clock64(); clock64() - began < mailbox.poll_delay_cycles;) {
    }
#pragma unroll
    for (unsigned part = 0; part < messages_at_once; part++) {
      if (lane + part * readers < mailbox.workers) read[part] = read_message(from + lane + part * readers);
    }
#pragma unroll
    for (unsigned part = 0; part < messages_at_once; part++) {
      const unsigned block = lane + part * readers;
      if (block >= mailbox.workers) continue;
      while (read[part].epoch != epoch) read[part] = read_message(from + block);
      sum += read[part].sum;
      other += read[part].other;
    }
  }
  __syncwarp();
  for (unsigned step = readers / 2; step > 0; step /= 2) {
    sum += __shfl_xor_sync(everyone, sum, step);
    other += __shfl_xor_sync(everyone, other, step);
  }
  if (lane != 0 || message >= messages) return;
  if (message < k * D) {
    to.sums[message] = sum;
    if (message % D == 0) to.counts[message / D] = other;
  }
  if (message == (D == 1 ? k : 1)) *to.changed = other;
}

}  // namespace centroid_lab::cuda::whole_runs
