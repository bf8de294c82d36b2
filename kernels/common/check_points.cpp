#include "check_points.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace centroid_lab {

std::vector<float> checked_magnitudes(const float* x, std::size_t n, std::size_t d) {
  std::vector<float> largest(d, 0.0F);
  // NaN loses every comparison, so it is looked for on its own: 0 * NaN and 0 * infinity are NaN.
  float poison = 0;
  for (std::size_t i = 0; i < n; i++) {
    const float* row = x + i * d;
    for (std::size_t j = 0; j < d; j++) {
      const float magnitude = std::fabs(row[j]);
      poison += 0.0F * magnitude;
      largest[j] = std::max(largest[j], magnitude);
    }
  }
  if (std::isnan(poison)) throw std::invalid_argument("points hold a value that is not finite");
  if (*std::max_element(largest.begin(), largest.end()) > 1.0F) {
    throw std::invalid_argument("points hold a value above 1: they are not in engine units");
  }
  return largest;
}

}  // namespace centroid_lab
