// Sums of fixed-point coordinates on integer matrix units, exact: a matrix of ones and zeros (clusters by points, a one where the point
// is the cluster's) times the bytes of the coordinates (points by features, a matrix for each byte of the numbers).
#pragma once

#include <cstddef>
#include <cstdint>

namespace centroid_lab::cuda::staged_points {

/// Points of a product, its clusters and its features: mma.m16n8k32.
constexpr int product_points = 32;
constexpr int product_clusters = 16;
constexpr int product_features = 8;
/// A label that no cluster has: of rows that are no points.
constexpr unsigned no_label = 0x7f;
/// What stands for one in products: the highest bit of a byte, which is where a comparison leaves it.
constexpr int one_bit = 7;
/// Points after which sums of bytes, in 32 bits, are emptied: 255 ones of each stay below 2^31.
constexpr unsigned max_points = 1U << 16;

/// Point of a product whose byte is number `slot` (0 .. 7) of lanes with lane % 4 == `quarter`. The order of points is free; this one
/// spreads four rows over the banks where lanes read rows in vectors of V.
template <int V>
__host__ __device__ constexpr int point_of(int quarter, int slot) {
  constexpr int run = 8 / V;
  return run * quarter + slot % run + 4 * run * (slot / run);
}

/// Where the label of a point lies among the 32 of a product: word 4 half + quarter holds slots 4 half .. 4 half + 3.
template <int V>
__host__ __device__ constexpr int label_slot(int point) {
  constexpr int run = 8 / V;
  const int quarter = point / run % 4;
  const int slot = point % run + run * (point / (4 * run));
  return (slot / 4 * 4 + quarter) * 4 + slot % 4;
}

/// sums (16 clusters, 8 features) += ones (16, 32) * bytes (32, 8); `Signed` bytes are the highest of their numbers.
template <bool Signed>
__device__ __forceinline__ void add_product(int (&sums)[4], const unsigned (&ones)[4], unsigned first, unsigned second) {
#if __CUDA_ARCH__ >= 800
  if constexpr (Signed) {
    asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
        : "r"(ones[0]), "r"(ones[1]), "r"(ones[2]), "r"(ones[3]), "r"(first), "r"(second));
  } else {
    asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
        : "r"(ones[0]), "r"(ones[1]), "r"(ones[2]), "r"(ones[3]), "r"(first), "r"(second));
  }
#endif
}

/// A one in each byte of `labels` (below 128) that is `label`, else 0.
__device__ __forceinline__ unsigned ones_at(unsigned labels, unsigned label) {
  return (0x80808080U - (labels ^ label * 0x01010101U)) & 0x80808080U;
}

/// Bytes of four words become four words, one of all lowest bytes, and so on.
__device__ __forceinline__ void transpose_bytes(const unsigned (&from)[4], unsigned (&to)[4]) {
  const unsigned low = __byte_perm(from[0], from[1], 0x5140), low_too = __byte_perm(from[2], from[3], 0x5140);
  const unsigned high = __byte_perm(from[0], from[1], 0x7362), high_too = __byte_perm(from[2], from[3], 0x7362);
  to[0] = __byte_perm(low, low_too, 0x5410);
  to[1] = __byte_perm(low, low_too, 0x7632);
  to[2] = __byte_perm(high, high_too, 0x5410);
  to[3] = __byte_perm(high, high_too, 0x7632);
}

/// A warp's sums of the bytes of eight features over 16 * Blocks clusters; `Bytes` of each number, the rest are its sign.
template <int Blocks, int Bytes>
struct ByteSums {
  int sums[Blocks][Bytes][4];
  int counts[Blocks][4];

  __device__ __forceinline__ void clear() {
#pragma unroll
    for (int block = 0; block < Blocks; block++) {
#pragma unroll
      for (int at = 0; at < 4; at++) {
        counts[block][at] = 0;
#pragma unroll
        for (int byte = 0; byte < Bytes; byte++) sums[block][byte][at] = 0;
      }
    }
  }

  /// Adds 32 points. @param labels theirs, see `label_slot`. @param row of the first point, at the lane's feature, rows `stride` apart.
  template <int V>
  __device__ __forceinline__ void add(const unsigned* labels, const float* row, int stride, float scale, unsigned first_cluster,
                                      bool counting) {
    const int lane = threadIdx.x % 32, quarter = lane % 4;
    unsigned ones[Blocks][4];
#pragma unroll
    for (int block = 0; block < Blocks; block++) {
      const unsigned cluster = first_cluster + block * product_clusters + lane / 4;
#pragma unroll
      for (int at = 0; at < 4; at++) ones[block][at] = ones_at(labels[at / 2 * 4 + quarter], cluster + at % 2 * 8);
      if (counting) add_product<false>(counts[block], ones[block], 0x01010101U, 0x01010101U);
    }
    unsigned bytes[2][8];
#pragma unroll
    for (int half = 0; half < 2; half++) {
      unsigned low[4], high[4], transposed[4];
#pragma unroll
      for (int at = 0; at < 4; at++) {
        const long long value = __float2ll_rn(row[point_of<V>(quarter, half * 4 + at) * stride] * scale);
        low[at] = static_cast<unsigned>(value);
        high[at] = static_cast<unsigned>(value >> 32);
      }
      transpose_bytes(low, transposed);
#pragma unroll
      for (int byte = 0; byte < 4; byte++) bytes[half][byte] = transposed[byte];
      transpose_bytes(high, transposed);
#pragma unroll
      for (int byte = 4; byte < Bytes; byte++) bytes[half][byte] = transposed[byte - 4];
    }
#pragma unroll
    for (int block = 0; block < Blocks; block++) {
#pragma unroll
      for (int byte = 0; byte + 1 < Bytes; byte++) add_product<false>(sums[block][byte], ones[block], bytes[0][byte], bytes[1][byte]);
      add_product<true>(sums[block][Bytes - 1], ones[block], bytes[0][Bytes - 1], bytes[1][Bytes - 1]);
    }
  }

  /// Adds what was summed to `to (k, d)` and `to_counts (k)`, in shared or global memory, and is empty again.
  __device__ __forceinline__ void empty_into(unsigned long long* to, unsigned* to_counts, int k, int d, int first_cluster,
                                             int first_feature, bool counting) {
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int block = 0; block < Blocks; block++) {
#pragma unroll
      for (int at = 0; at < 4; at++) {
        const int cluster = first_cluster + block * product_clusters + lane / 4 + at / 2 * 8;
        const int feature = first_feature + lane % 4 * 2 + at % 2;
        unsigned long long sum = 0;
#pragma unroll
        for (int byte = 0; byte < Bytes; byte++) {
          sum += static_cast<unsigned long long>(static_cast<long long>(sums[block][byte][at] >> one_bit)) << 8 * byte;
        }
        if (cluster < k && feature < d && sum != 0) atomicAdd(to + static_cast<std::size_t>(cluster) * d + feature, sum);
        if (counting && cluster < k && lane % 4 == 0 && at % 2 == 0) {
          atomicAdd(to_counts + cluster, static_cast<unsigned>(counts[block][at] >> one_bit));
        }
      }
    }
    clear();
  }
};

}  // namespace centroid_lab::cuda::staged_points
