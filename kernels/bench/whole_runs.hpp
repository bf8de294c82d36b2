#pragma once

#include <string>
#include <vector>

namespace centroid_lab {

/// Whole runs to the fixed point from the first k points, opening included: best of three of each variant, and its
/// share of the first one's time. @param only part of the names of the cases to run; empty: all.
void report_whole_runs(const std::vector<std::string>& variants, const std::string& only);

}  // namespace centroid_lab
