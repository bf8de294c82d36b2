#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "check_points.hpp"
#include "types.hpp"

namespace centroid_lab {

/// Points with their storage.
struct Fixture {
  std::vector<float> x;
  Points points;

  Fixture(std::vector<float> values, std::size_t n, std::size_t d) : x(std::move(values)) {
    points = {x.data(), n, d, checked_magnitudes(x.data(), n, d)};
  }
  Fixture(const Fixture&) = delete;
};

enum class Kind { noise, lattice, far, tiny, equal };

/// Deterministic coordinates: noise in the unit cube, a coarse lattice (ties everywhere), a small cloud far from
/// the origin (scores cannot decide), values near the smallest floats, or one point over and over.
inline std::vector<float> values_of(Kind kind, std::size_t count) {
  std::mt19937 random(static_cast<unsigned>(count) * 5 + static_cast<unsigned>(kind));
  std::uniform_real_distribution<float> unit(-1.0F, 1.0F);
  std::vector<float> x(count);
  for (float& value : x) {
    switch (kind) {
      case Kind::noise: value = unit(random); break;
      case Kind::lattice: value = static_cast<float>(static_cast<int>(random() % 5) - 2) / 4; break;
      case Kind::far: value = 0.75F + 1e-5F * unit(random); break;
      case Kind::tiny: value = std::ldexp(unit(random), -70); break;
      case Kind::equal: value = 0.3F; break;
    }
  }
  return x;
}

}  // namespace centroid_lab
