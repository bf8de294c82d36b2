#pragma once

#include <string>
#include <vector>

namespace centroid_lab {

void test_joined_parts();
void test_kernels();
void test_parts();
void test_process_parts();
void test_projections();
void test_regimes();
void test_exact_order();
void test_float64();
void test_mini_batch();
void test_reader();
void test_scratch();
void test_silhouettes();
void test_variants(const std::vector<std::string>& names);

}  // namespace centroid_lab
