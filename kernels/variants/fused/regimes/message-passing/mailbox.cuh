// How the blocks of a launch tell each other the sums of few clusters: by mail, without atomics and without a barrier. A block writes each
// of its sums into a letter for all, with the round as its date in the same sixteen bytes, which are written and read as one; everybody reads
// all letters of a round, asking again until they are dated so. What would be a round trip for the atomics, one for the barrier behind them
// and one for the totals is one way to the second cache and back.
#pragma once

#include <cstdint>

#include "finish.cuh"

namespace centroid_lab::cuda::whole_runs {

/// Letters of three rounds: who has all letters of a round knows that the round before has been read by all workers, and the scribe may be
/// `most_ahead` rounds behind.
constexpr unsigned mail_sets = 3;
/// Letters that a lane reads at once.
constexpr unsigned letters_at_once = 4;

/// A sum of one block. `other` goes with it: members of the cluster, or labels that changed.
struct Letter {
  long long sum;
  unsigned other;
  unsigned date;
};

/// Letters of a block: sums of each cluster and feature. The number of labels that changed goes with the second; where there is but one
/// feature it has a letter of its own.
template <int D>
__host__ __device__ constexpr int letters_of(int k) {
  return k * D + (D == 1 ? 1 : 0);
}

/// Where blocks write to each other. Dates go on from launch to launch, so that nothing has to be cleared: all letters of a launch are dated
/// after `base`, all before it `base` or earlier.
struct Mail {
  /// (mail_sets, letters, workers), sixteen bytes each.
  ulonglong2* letters;
  /// The scribe's: rounds judged, and above them the rounds that count once that is known, both dated.
  unsigned long long* verdict;
  unsigned base;
  unsigned workers;
  /// Cycles to wait before the first look. Where many ask for many letters, questions asked too early hold the letters up.
  unsigned patience;

  __device__ ulonglong2* place(unsigned round, int letters_of_block, int letter) const {
    return letters + (static_cast<size_t>(round % mail_sets) * letters_of_block + letter) * workers;
  }
  __device__ unsigned date(unsigned round) const { return base + round + 1; }
};

__device__ __forceinline__ void write_letter(ulonglong2* to, const Letter& letter) {
  const unsigned long long second = static_cast<unsigned long long>(letter.date) << 32 | letter.other;
  asm volatile(
      "{ .reg .b128 both; mov.b128 both, {%1, %2}; st.relaxed.gpu.global.b128 [%0], both; }" ::"l"(to), "l"(letter.sum), "l"(second)
      : "memory");
}

__device__ __forceinline__ Letter read_letter(const ulonglong2* from) {
  Letter letter;
  unsigned long long second;
  asm volatile("{ .reg .b128 both; ld.relaxed.gpu.global.b128 both, [%2]; mov.b128 {%0, %1}, both; }"
               : "=l"(letter.sum), "=l"(second)
               : "l"(from)
               : "memory");
  letter.other = static_cast<unsigned>(second);
  letter.date = static_cast<unsigned>(second >> 32);
  return letter;
}

__device__ __forceinline__ unsigned long long read_verdict(const Mail& mail) {
  unsigned long long value;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(mail.verdict) : "memory");
  return value;
}

/// @param counting rounds that count, 0 while that is not known.
__device__ __forceinline__ void write_verdict(const Mail& mail, unsigned judged, unsigned counting) {
  const unsigned long long dated = static_cast<unsigned long long>(mail.base + counting) << 32 | (mail.base + judged);
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(mail.verdict), "l"(dated) : "memory");
}

/// Rounds that count, 0 while that is not known.
__device__ __forceinline__ unsigned counting_of(const Mail& mail, unsigned long long verdict) {
  const auto rounds = static_cast<int>(static_cast<unsigned>(verdict >> 32) - mail.base);
  return rounds > 0 ? static_cast<unsigned>(rounds) : 0;
}

/// Waits until the scribe has judged so many rounds, or for good. @returns rounds that count, 0 while that is not known.
__device__ __forceinline__ unsigned await_verdict(const Mail& mail, unsigned long long verdict, int judged) {
  while (counting_of(mail, verdict) == 0 && static_cast<int>(static_cast<unsigned>(verdict) - mail.base) < judged) {
    verdict = read_verdict(mail);
  }
  return counting_of(mail, verdict);
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

/// Lanes that share a letter: a power of two.
__host__ __device__ inline unsigned readers_of(unsigned workers) {
  unsigned lanes = 1;
  while (lanes < 32 && lanes < workers) lanes *= 2;
  return lanes;
}

/// Writes a block's letters, a thread each; its sums, (k, D + 1) with the members last, are zero after.
template <int D>
__device__ __forceinline__ void send(const Mail& mail, unsigned round, int k, long long* sums, unsigned* changed) {
  const int letter = static_cast<int>(threadIdx.x), letters = letters_of<D>(k);
  if (letter >= letters) return;
  Letter mine{0, 0, mail.date(round)};
  if (letter < k * D) {
    const int c = letter / D, j = letter % D;
    long long* of_cluster = sums + c * (D + 1);
    mine.sum = of_cluster[j];
    of_cluster[j] = 0;
    if (j == 0) {
      mine.other = static_cast<unsigned>(of_cluster[D]);
      of_cluster[D] = 0;
    }
  }
  if (letter == (D == 1 ? k : 1)) {
    mine.other = *changed;
    *changed = 0;
  }
  write_letter(mail.place(round, letters, letter) + blockIdx.x, mine);
}

/// Reads all letters of a round and adds them up, some lanes a letter. Not synchronised after.
template <int D>
__device__ __forceinline__ void receive(const Mail& mail, unsigned round, int k, const RoundTotals<D>& to) {
  const unsigned readers = readers_of(mail.workers);
  const int letter = static_cast<int>(threadIdx.x / readers), letters = letters_of<D>(k);
  const unsigned lane = threadIdx.x % readers, date = mail.date(round);
  long long sum = 0;
  unsigned other = 0;
  if (letter < letters) {
    const ulonglong2* from = mail.place(round, letters, letter);
    Letter read[letters_at_once];
    for (const long long began = clock64(); clock64() - began < mail.patience;) {
    }
#pragma unroll
    for (unsigned part = 0; part < letters_at_once; part++) {
      if (lane + part * readers < mail.workers) read[part] = read_letter(from + lane + part * readers);
    }
#pragma unroll
    for (unsigned part = 0; part < letters_at_once; part++) {
      const unsigned block = lane + part * readers;
      if (block >= mail.workers) continue;
      while (read[part].date != date) read[part] = read_letter(from + block);
      sum += read[part].sum;
      other += read[part].other;
    }
  }
  __syncwarp();
  for (unsigned step = readers / 2; step > 0; step /= 2) {
    sum += __shfl_xor_sync(everyone, sum, step);
    other += __shfl_xor_sync(everyone, other, step);
  }
  if (lane != 0 || letter >= letters) return;
  if (letter < k * D) {
    to.sums[letter] = sum;
    if (letter % D == 0) to.counts[letter / D] = other;
  }
  if (letter == (D == 1 ? k : 1)) *to.changed = other;
}

}  // namespace centroid_lab::cuda::whole_runs
