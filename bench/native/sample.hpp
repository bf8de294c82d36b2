#pragma once

#include <cstddef>
#include <random>
#include <vector>

namespace centroid_lab {

/// Points around twenty centres in the unit cube; the same at every call.
inline std::vector<float> blobs(std::size_t n, std::size_t d) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> centre(-0.8F, 0.8F);
  std::uniform_real_distribution<float> around(-0.1F, 0.1F);
  std::vector<float> centres(20 * d);
  for (float& value : centres) value = centre(random);
  std::vector<float> x(n * d);
  for (std::size_t i = 0; i < n; i++) {
    const std::size_t blob = random() % 20;
    for (std::size_t j = 0; j < d; j++) x[i * d + j] = centres[blob * d + j] + around(random) + around(random) * 0.5F;
  }
  return x;
}

/// Points without any structure, uniform in the unit cube; the same at every call.
inline std::vector<float> noise(std::size_t n, std::size_t d) {
  std::mt19937 random(2);
  std::uniform_real_distribution<float> anywhere(-1.0F, 1.0F);
  std::vector<float> x(n * d);
  for (float& value : x) value = anywhere(random);
  return x;
}

}  // namespace centroid_lab
