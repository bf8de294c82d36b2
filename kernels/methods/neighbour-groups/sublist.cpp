#include "methods/neighbour-groups/sublist.hpp"

#include <algorithm>

namespace centroid_lab {

void Sublist::take(const PackedCentroids& packed, const std::int32_t* members, std::size_t count, TileJob& job) {
  if (members_.size() != count || !std::equal(members_.begin(), members_.end(), members)) {
    members_.assign(members, members + count);
    copy(packed, job.d);
  }
  job.centroids = values_.data();
  job.half_norms = half_norms_.data();
  job.original = original_.data();
  job.live = count;
  job.blocks = blocks_;
}

void Sublist::copy(const PackedCentroids& packed, std::size_t d) {
  blocks_ = (members_.size() + block_size - 1) / block_size;
  values_.resize(blocks_ * block_size * d);
  half_norms_.resize(blocks_ * block_size);
  original_.resize(members_.size());
  for (std::size_t at = 0; at < half_norms_.size(); at++) {
    if (at >= members_.size()) {
      float* padding = values_.data() + at / block_size * d * block_size + at % block_size;
      for (std::size_t j = 0; j < d; j++) padding[j * block_size] = coordinate_of_padding;
      half_norms_[at] = half_norm_of_padding;
      continue;
    }
    const std::size_t position = static_cast<std::size_t>(members_[at]);
    const float* from = packed.values.data() + position / block_size * d * block_size + position % block_size;
    float* to = values_.data() + at / block_size * d * block_size + at % block_size;
    for (std::size_t j = 0; j < d; j++) to[j * block_size] = from[j * block_size];
    half_norms_[at] = packed.half_norms[position];
    original_[at] = packed.original[position];
  }
}

}  // namespace centroid_lab
