// Loops over few features: their number known to the compiler, as in a program written for them.
#pragma once

#include <cstddef>
#include <type_traits>

namespace centroid_lab {

inline constexpr std::size_t max_known_features = 8;

/// Number of features, known to the compiler, or (D = 0) only when the program runs. The loops are the same; with a few
/// features that are known, a distance costs its arithmetic and nothing else.
template <std::size_t D>
struct Features {
  explicit Features(std::size_t) {}
  static constexpr std::size_t count() { return D; }
};

template <>
struct Features<0> {
  explicit Features(std::size_t d) : d_(d) {}
  std::size_t count() const { return d_; }

 private:
  std::size_t d_;
};

/// `work(std::integral_constant<std::size_t, D>)` with D = d up to `max_known_features`, else with D = 0.
template <std::size_t D = 1, class Work>
decltype(auto) with_known_features(std::size_t d, const Work& work) {
  if constexpr (D > max_known_features) {
    return work(std::integral_constant<std::size_t, 0>{});
  } else {
    if (d == D) return work(std::integral_constant<std::size_t, D>{});
    return with_known_features<D + 1>(d, work);
  }
}

}  // namespace centroid_lab
