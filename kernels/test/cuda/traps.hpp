// Points and centroids made to mislead scores and filters that round, above all those that work with float16.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace centroid_lab::cuda_test {

struct Trap {
  std::string name;
  std::size_t n;
  std::size_t d;
  std::size_t k;
  /// Coordinates are integers times a power of two: labels must be exact, ties lowest first.
  bool exact;
  std::vector<float> x;
  std::vector<float> centroids;
};

/// Draws points and centroids of a trap.
class TrapMaker {
 public:
  TrapMaker(std::string name, std::size_t n, std::size_t d, std::size_t k, bool exact = false)
      : random_(static_cast<unsigned>(n * 31 + d * 7 + k)),
        trap_{std::move(name), n, d, k, exact, std::vector<float>(n * d), std::vector<float>(k * d)} {}

  float unit() { return std::uniform_real_distribution<float>(-0.9F, 0.9F)(random_); }
  std::size_t below(std::size_t limit) { return random_() % limit; }

  /// `value(i, j)` for every point, then `centroid(c, j)` for every centroid.
  template <class Point, class Centroid>
  Trap from(Point point, Centroid centroid) {
    for (std::size_t c = 0; c < trap_.k; c++) {
      for (std::size_t j = 0; j < trap_.d; j++) trap_.centroids[c * trap_.d + j] = centroid(c, j);
    }
    for (std::size_t i = 0; i < trap_.n; i++) {
      for (std::size_t j = 0; j < trap_.d; j++) trap_.x[i * trap_.d + j] = point(i, j);
    }
    return trap_;
  }

  /// Points in the middle of `ways` centroids, a few last bits off.
  Trap middles(std::size_t ways) {
    for (float& value : trap_.centroids) value = unit();
    std::vector<double> sum(trap_.d);
    for (std::size_t i = 0; i < trap_.n; i++) {
      std::fill(sum.begin(), sum.end(), 0.0);
      for (std::size_t way = 0; way < ways; way++) {
        const std::size_t c = below(trap_.k);
        for (std::size_t j = 0; j < trap_.d; j++) sum[j] += trap_.centroids[c * trap_.d + j];
      }
      for (std::size_t j = 0; j < trap_.d; j++) {
        const float off = 1 + static_cast<float>(below(5)) * 0x1p-22F;
        trap_.x[i * trap_.d + j] = static_cast<float>(sum[j] / static_cast<double>(ways)) * off;
      }
    }
    return trap_;
  }

  float centroid(std::size_t c, std::size_t j) const { return trap_.centroids[c * trap_.d + j]; }

 private:
  std::mt19937 random_;
  Trap trap_;
};

inline std::vector<Trap> traps() {
  std::vector<Trap> all;
  for (const std::size_t ways : {2, 3, 8}) {
    all.push_back(TrapMaker("middles of " + std::to_string(ways), 700, 64, 200).middles(ways));
    all.push_back(TrapMaker("middles of " + std::to_string(ways), 333, 130, 75).middles(ways));
  }
  const auto add = [&all](TrapMaker maker, auto point, auto centroid) {
    all.push_back(maker.from([&](std::size_t i, std::size_t j) { return point(maker, i, j); },
                             [&](std::size_t c, std::size_t j) { return centroid(maker, c, j); }));
  };
  const auto noise = [](TrapMaker& maker, std::size_t, std::size_t) { return maker.unit(); };
  const auto lattice = [](TrapMaker& maker, std::size_t, std::size_t) {
    return static_cast<float>(static_cast<int>(maker.below(7)) - 3) / 4;
  };
  add(TrapMaker("coarse lattice", 900, 33, 150, true), lattice, lattice);
  add(TrapMaker("coarse lattice", 500, 160, 300, true), lattice, lattice);
  const auto fine = [](TrapMaker& maker, std::size_t, std::size_t) {
    return 0.75F + static_cast<float>(maker.below(9)) * 0x1p-20F;
  };
  add(TrapMaker("fine lattice far off", 800, 48, 90, true), fine, fine);
  const auto blob = [](std::size_t i, std::size_t j) {
    const std::size_t number = i * 5 % 6;
    return (static_cast<float>((number * 7 + j * 3 + number * j) % 11) - 5) / 8;
  };
  const auto finely = [blob](TrapMaker& maker, std::size_t i, std::size_t j) {
    return blob(i, j) + static_cast<float>(maker.below(5)) * 0x1p-20F;
  };
  add(TrapMaker("fine lattices in blobs", 900, 48, 160, true), finely, finely);
  const auto tightly = [blob](TrapMaker& maker, std::size_t i, std::size_t j) { return blob(i, j) + 1e-4F * maker.unit(); };
  add(TrapMaker("tight blobs", 3000, 100, 300), tightly, tightly);
  const auto cloud = [](TrapMaker& maker, std::size_t, std::size_t) { return 0.8F + 1e-6F * maker.unit(); };
  add(TrapMaker("cloud far off", 800, 70, 130), cloud, cloud);
  add(TrapMaker("equal centroids", 600, 40, 200, true), lattice,
      [](TrapMaker& maker, std::size_t c, std::size_t j) {
        if (c < 10) return static_cast<float>(static_cast<int>(maker.below(7)) - 3) / 4;
        return 0.25F * static_cast<float>((c * 7 + j) % 3);
      });
  add(TrapMaker("equal points", 500, 64, 40), [](TrapMaker&, std::size_t, std::size_t) { return 0.3F; },
      [](TrapMaker& maker, std::size_t c, std::size_t) { return c < 20 ? 0.3F + 1e-4F * maker.unit() : 0.3F; });
  const auto scaled = [](TrapMaker& maker, std::size_t, std::size_t j) {
    return std::ldexp(maker.unit(), -static_cast<int>(j * 3 % 40));
  };
  add(TrapMaker("features of many scales", 700, 96, 140), scaled, scaled);
  const auto hidden = [](TrapMaker& maker, std::size_t, std::size_t j) {
    return j == 0 ? 0.5F : std::ldexp(maker.unit(), -30);
  };
  add(TrapMaker("one large constant feature", 700, 64, 140), hidden, hidden);
  const auto denormal = [](TrapMaker& maker, std::size_t, std::size_t j) {
    return j == 0 ? 0.5F : std::ldexp(maker.unit(), -63);
  };
  add(TrapMaker("denormal squares", 300, 50, 33), denormal, denormal);
  const auto tiny = [](TrapMaker& maker, std::size_t, std::size_t) { return std::ldexp(maker.unit(), -50); };
  add(TrapMaker("tiny data", 400, 64, 70), tiny, tiny);
  add(TrapMaker("one outlier", 700, 64, 140),
      [](TrapMaker& maker, std::size_t i, std::size_t) { return i == 5 ? 0.9F : std::ldexp(maker.unit(), -13); },
      [](TrapMaker& maker, std::size_t c, std::size_t) { return c == 77 ? 0.9F : std::ldexp(maker.unit(), -13); });
  add(TrapMaker("centroids far outside", 700, 64, 140), noise,
      [](TrapMaker& maker, std::size_t c, std::size_t) {
        return c % 9 == 4 ? std::ldexp(maker.unit(), static_cast<int>(c % 50)) : maker.unit();
      });
  add(TrapMaker("only far centroids", 300, 64, 20), noise,
      [](TrapMaker& maker, std::size_t, std::size_t) { return 30 * maker.unit(); });
  // A margin of one point must not be that of points and centroids far out, nor the other way round.
  const auto size = [](std::size_t at) { return std::ldexp(1.0F, -3 * static_cast<int>(at % 3)); };
  const auto lattices = [size](TrapMaker& maker, std::size_t at, std::size_t) {
    return size(at) * static_cast<float>(static_cast<int>(maker.below(7)) - 3) / 4;
  };
  const auto sizes = [](TrapMaker& maker, std::size_t at, std::size_t) {
    return std::ldexp(maker.unit(), -6 * static_cast<int>(at % 3));
  };
  for (const auto& [d, k] : {std::pair<std::size_t, std::size_t>{2, 40}, {4, 70}, {8, 120}, {12, 300}, {16, 31}, {24, 700}, {32, 90}}) {
    add(TrapMaker("lattices of three sizes", 900, d, k, true), lattices, lattices);
    const auto between = [k = k](TrapMaker& maker, std::size_t i, std::size_t j) {
      const std::size_t c = i * 7 % (k - 3);
      return (maker.centroid(c, j) + maker.centroid(c + 3, j)) / 2 * (1 + static_cast<float>(i % 5) * 0x1p-22F);
    };
    add(TrapMaker("middles of three sizes", 900, d, k), between, sizes);
  }
  add(TrapMaker("very many features", 150, 1031, 70), noise, noise);
  add(TrapMaker("very many features", 60, 4100, 33), noise, noise);
  add(TrapMaker("very many clusters", 9000, 34, 9000), lattice, noise);
  add(TrapMaker("one group and a bit", 400, 64, 9), noise, noise);
  return all;
}

}  // namespace centroid_lab::cuda_test
