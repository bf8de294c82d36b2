#pragma once

#include <string>

namespace centroid_lab {

/// Whole runs to the fixed point from the first k points, opening included, by brute force and as planned: best of three of
/// each, and its share of the time of brute force. @param only part of the names of the cases to run; empty: all.
void report_whole_runs(const std::string& only);

}  // namespace centroid_lab
