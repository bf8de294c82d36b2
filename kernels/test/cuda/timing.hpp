#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cuda/variant_plan.hpp"

namespace centroid_lab::cuda_test {

/// Gaussian-like blobs (sums of uniform numbers) around k centres, (n, d), scaled into engine units.
std::vector<float> blobs(std::size_t n, std::size_t d, std::size_t k);

/// Random rows as centroids: checks the labels of a sample and the first centroids, then prints milliseconds an iteration (best
/// and median of five stretches). @param data how many blobs, or "skew": log-normal, neighbouring features correlated, one row
/// in a thousand 20 times as far out. @returns 1 when the check failed.
int time_variant(const cuda::VariantPlan& plan, std::size_t n, std::size_t d, std::size_t k, std::size_t iterations,
                 const std::string& data);

/// Whole runs of each variant from the same random rows to the fixed point (`most` iterations at most), on `blob_count`
/// blobs, or noise for 0: prints milliseconds of opening and of the run. @returns 1 when labels or centroids differ.
int compare_runs(const std::vector<cuda::VariantPlan>& plans, std::size_t n, std::size_t d, std::size_t k,
                 std::size_t blob_count, std::size_t most);

/// The same iteration again and again, labelled in between: whatever differs from the first is a race. Prints how many
/// labels and centroids ever differed. @returns 1 when any did.
int repeat_variant(const cuda::VariantPlan& plan, std::size_t n, std::size_t d, std::size_t k, std::size_t blob_count,
                   int rounds);

}  // namespace centroid_lab::cuda_test
