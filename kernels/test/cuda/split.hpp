// Rows split among devices, against one device with all of them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace centroid_lab::cuda_test {

/// Of "0,1": 0 and 1.
std::vector<int> devices_of(const std::string& words);

/// Whole runs: the same bytes on the first device alone, on each device twice, and with the processor beside them.
void check_split(const std::vector<int>& devices);

/// Prints what an iteration takes on the first device and on all of them; the results must be the same bytes.
void time_split(const std::vector<int>& devices, std::size_t n, std::size_t d, std::size_t k, std::size_t iterations);

}  // namespace centroid_lab::cuda_test
