// One clustering on several devices of the host, each with a part of the rows; the processor may be one of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "../clustering.hpp"
#include "../parts/split_rows.hpp"
#include "../variant.hpp"
#include "exchange.hpp"
#include "variant_plan.hpp"

namespace centroid_lab::cuda {

/// The processor among the devices of a split.
constexpr int processor = -1;

struct SplitPlan {
  /// CUDA's numbers, or `processor`. One may be named more than once, for tests.
  std::vector<int> devices;
  /// How a device carries out its part, and the processor its own.
  VariantPlan plan;
  centroid_lab::VariantPlan on_processor;
  std::size_t threads = 1;
  /// Parts begin at multiples of so many rows; fewer are for tests.
  std::size_t step = part_rows;
  /// Who adds their sums up, where all parts lie on devices.
  Exchange exchange = Exchange::peer_copies;
};

/// Rows are split by measured speed where devices differ; whole numbers of their sums are added, so that the result is that of one
/// device with all rows, bit for bit: on the devices where all parts lie there (device_team.hpp), else on the host. A device that is
/// lost leaves its rows to the others.
/// @param points of all rows, with their magnitudes.
/// @throws as make_clustering, and WorkerLost where no device is left.
std::unique_ptr<Clustering> make_split_clustering(const SplitPlan& split, Points points, Rules rules);

}  // namespace centroid_lab::cuda
