#include "centroid_copies.hpp"

#include "../row_copies.hpp"
#include "check.hpp"

namespace centroid_lab::cuda {
namespace {

constexpr unsigned whole_warp = 0xffffffffU;
constexpr int threads = 256, warps = threads / 32;
constexpr unsigned free_slot = ~0U;

/// Of a row, by a warp; every lane gets it.
__device__ unsigned hash_of_row(const float* row, int d) {
  unsigned hash = 0;
  for (int j = static_cast<int>(threadIdx.x % 32); j < d; j += 32) {
    unsigned mixed = __float_as_uint(row[j]) * 0x9E3779B1U + static_cast<unsigned>(j) * 0x85EBCA6BU;
    mixed = (mixed ^ mixed >> 15) * 0xC2B2AE35U;
    hash += mixed ^ mixed >> 13;
  }
  for (int step = 16; step > 0; step /= 2) hash += __shfl_xor_sync(whole_warp, hash, step);
  return hash;
}

/// Bit by bit, by a warp.
__device__ bool are_equal(const float* row, const float* other, int d) {
  bool equal = true;
  for (int j = static_cast<int>(threadIdx.x % 32); j < d; j += 32) equal = equal && __float_as_uint(row[j]) == __float_as_uint(other[j]);
  return __all_sync(whole_warp, equal) != 0;
}

/// A warp a row: the first slot from its hash on that is free or has rows like it, whose lowest number stays there. A slot that is taken
/// keeps rows of that kind, so that rows of one kind share one slot whoever comes first.
__global__ void __launch_bounds__(threads) note_rows(const float* centroids, int k, int d, const int* halted, unsigned* slots, unsigned mask,
                                                     unsigned* own_slot) {
  if (*halted != 0) return;
  const int row = static_cast<int>(blockIdx.x) * warps + static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x % 32);
  if (row >= k) return;
  const float* const own = centroids + static_cast<std::size_t>(row) * d;
  unsigned slot = hash_of_row(own, d) & mask;
  for (;; slot = (slot + 1) & mask) {
    unsigned there = lane == 0 ? atomicCAS(slots + slot, free_slot, static_cast<unsigned>(row)) : 0;
    there = __shfl_sync(whole_warp, there, 0);
    if (there == free_slot) break;
    if (!are_equal(own, centroids + static_cast<std::size_t>(there) * d, d)) continue;
    if (lane == 0) atomicMin(slots + slot, static_cast<unsigned>(row));
    break;
  }
  if (lane == 0) own_slot[row] = slot;
}

/// A warp a row, when all rows are noted.
__global__ void __launch_bounds__(threads) leave_copies_out(const float* centroids, int k, int d, const int* halted, const unsigned* slots,
                                                            const unsigned* own_slot, float* to) {
  if (*halted != 0) return;
  const int row = static_cast<int>(blockIdx.x) * warps + static_cast<int>(threadIdx.x) / 32;
  if (row >= k) return;
  const bool is_copy = slots[own_slot[row]] != static_cast<unsigned>(row);
  const std::size_t first = static_cast<std::size_t>(row) * d;
  for (int j = static_cast<int>(threadIdx.x % 32); j < d; j += 32) to[first + j] = is_copy ? __uint_as_float(0x7fffffffU) : centroids[first + j];
}

}  // namespace

CentroidCopies::CentroidCopies(std::size_t k, std::size_t d)
    : d_(static_cast<int>(d)), slots_(slots_for_rows(k)), own_slot_(k), without_copies_(k * d) {}

const float* CentroidCopies::enqueue(const float* centroids, int k, const int* halted, cudaStream_t stream) const {
  const auto blocks = static_cast<unsigned>((k + warps - 1) / warps);
  check(cudaMemsetAsync(slots_.get(), 0xff, slots_.bytes(), stream), "cudaMemsetAsync of slots");
  note_rows<<<blocks, threads, 0, stream>>>(centroids, k, d_, halted, slots_.get(), static_cast<unsigned>(slots_.size()) - 1, own_slot_.get());
  check_launch("note_rows");
  leave_copies_out<<<blocks, threads, 0, stream>>>(centroids, k, d_, halted, slots_.get(), own_slot_.get(), without_copies_.get());
  check_launch("leave_copies_out");
  return without_copies_.get();
}

}  // namespace centroid_lab::cuda
