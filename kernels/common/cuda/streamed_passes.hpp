// Passes over points that do not fit into the device's memory: they stay on the host and pass through two buffers.
#pragma once

#include <cstddef>
#include <memory>

#include "../types.hpp"
#include "../variant.hpp"
#include "variant_plan.hpp"

namespace centroid_lab::cuda {

/// Whether points (n, d) with all that a session keeps for them need more memory than the device has free.
/// CENTROID_LAB_CUDA_MEMORY (bytes) takes the place of what is free where it is less, so that the way of larger
/// data can be tried with small ones.
bool must_stream(std::size_t n, std::size_t d, std::size_t k, int device);

/// A variant of fixed-point sums, piece by piece: while one piece is assigned the next one is copied, so that an iteration
/// takes as long as the slower of the two; at best the bytes of the points over the link's bandwidth. Labels and sums are
/// those of a card that holds all points, to the last bit.
/// @throws std::bad_alloc when not even the buffers fit, RegimeRefused for a regime that keeps something of the points.
std::unique_ptr<Variant> make_streamed_passes(const Points& points, const Rules& rules, const VariantPlan& plan, int device);

}  // namespace centroid_lab::cuda
