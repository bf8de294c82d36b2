#include "engine_points.hpp"

#include <cmath>

#include "pieces.hpp"

namespace centroid_lab::table {
namespace {

/// Features that are written side by side: the sums of one are a chain of additions that waits for itself.
constexpr std::size_t side_by_side = 4;
/// Points of them that are read at a time: they stay in the first cache.
constexpr std::size_t points_read = values_at_once / side_by_side;

/// Points that are written at a time: their coordinates stay in the second cache.
std::size_t points_at_once(std::size_t d) {
  constexpr std::size_t coordinates = 1 << 16;
  return std::clamp(coordinates / d, std::size_t{16}, points_read);
}

/// How one feature is written, and what its coordinates come to.
struct Feature {
  const Series* column;
  Stretch stretch;
  double factor;
  double* sum;
  double* rounded;
};

/// `Width` neighbouring features of points first..last-1. @param x of the first of them of point `first`
template <std::size_t Width, class Real>
void fill_features(const Feature* features, std::size_t first, std::size_t last, std::size_t d, Real* x) {
  double values[Width][points_read];
  double centres[Width], gains[Width], factors[Width], sums[Width], rounded[Width];
  for (std::size_t f = 0; f < Width; f++) {
    const Feature& feature = features[f];
    feature.column->read(first, last, values[f]);
    centres[f] = feature.stretch.centre;
    gains[f] = feature.stretch.gain;
    factors[f] = feature.factor;
    sums[f] = *feature.sum;
    rounded[f] = *feature.rounded;
  }
  for (std::size_t i = 0; i < last - first; i++) {
    for (std::size_t f = 0; f < Width; f++) {
      const double value = (values[f][i] - centres[f]) * gains[f] * factors[f];
      const Real held = static_cast<Real>(value);
      const double error = value - static_cast<double>(held);
      x[i * d + f] = held;
      sums[f] += static_cast<double>(held);
      rounded[f] += error * error;
    }
  }
  for (std::size_t f = 0; f < Width; f++) {
    *features[f].sum = sums[f];
    *features[f].rounded = rounded[f];
  }
}

}  // namespace

template <class Real>
FilledPoints fill_points(const std::vector<Series>& columns, const std::vector<Stretch>& stretches,
                         const std::vector<double>& factors, std::size_t threads, Real* x) {
  const std::size_t d = columns.size();
  const std::size_t n = columns.front().length;
  const std::size_t at_once = points_at_once(d);
  std::vector<double> sums(piece_count(n) * d);
  std::vector<double> rounded(sums.size());
  each_piece(n, threads, [&](std::size_t piece, std::size_t first, std::size_t last) {
    std::vector<Feature> features;
    for (std::size_t j = 0; j < d; j++) {
      features.push_back({&columns[j], stretches[j], factors[j], &sums[piece * d + j], &rounded[piece * d + j]});
    }
    for (std::size_t at = first; at < last; at += at_once) {
      const std::size_t end = std::min(last, at + at_once);
      std::size_t j = 0;
      for (; j + side_by_side <= d; j += side_by_side) {
        fill_features<side_by_side>(features.data() + j, at, end, d, x + at * d + j);
      }
      if (j + 2 <= d) {
        fill_features<2>(features.data() + j, at, end, d, x + at * d + j);
        j += 2;
      }
      if (j < d) fill_features<1>(features.data() + j, at, end, d, x + at * d + j);
    }
  });
  ProcessGroup* const group = columns.front().group;
  return {added_up(sums, d, group), added_up(rounded, d, group)};
}

template <class Real>
std::vector<double> squares_of_points(const Real* x, std::size_t n, const std::vector<double>& mean, std::size_t threads,
                                      ProcessGroup* group) {
  const std::size_t d = mean.size();
  std::vector<double> squares(piece_count(n) * d);
  each_piece(n, threads, [&](std::size_t piece, std::size_t first, std::size_t last) {
    double* const own = squares.data() + piece * d;
    for (std::size_t point = first; point < last; point++) {
      for (std::size_t j = 0; j < d; j++) {
        const double difference = static_cast<double>(x[point * d + j]) - mean[j];
        own[j] += difference * difference;
      }
    }
  });
  return added_up(squares, d, group);
}

template FilledPoints fill_points(const std::vector<Series>&, const std::vector<Stretch>&, const std::vector<double>&,
                                  std::size_t, float*);
template FilledPoints fill_points(const std::vector<Series>&, const std::vector<Stretch>&, const std::vector<double>&,
                                  std::size_t, double*);
template std::vector<double> squares_of_points(const float*, std::size_t, const std::vector<double>&, std::size_t,
                                               ProcessGroup*);
template std::vector<double> squares_of_points(const double*, std::size_t, const std::vector<double>&, std::size_t,
                                               ProcessGroup*);

}  // namespace centroid_lab::table
