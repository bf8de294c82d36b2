#include "engine_points.hpp"

#include <cmath>

#include "pieces.hpp"

namespace centroid_lab::table {
namespace {

/// Points that are written at a time: their coordinates stay in the second cache.
std::size_t points_at_once(std::size_t d) {
  constexpr std::size_t coordinates = 1 << 16;
  return std::clamp(coordinates / d, std::size_t{16}, values_at_once);
}

/// One feature of points first..last-1. @param x of feature j of point `first`
template <class Real>
void fill_feature(const Series& column, const Stretch& stretch, double factor, std::size_t first, std::size_t last,
                  std::size_t d, Real* x, double& sum, double& rounded) {
  double values[values_at_once];
  column.read(first, last, values);
  for (std::size_t i = 0; i < last - first; i++) {
    const double value = (values[i] - stretch.centre) * stretch.gain * factor;
    const Real held = static_cast<Real>(value);
    const double error = value - static_cast<double>(held);
    x[i * d] = held;
    sum += static_cast<double>(held);
    rounded += error * error;
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
    for (std::size_t at = first; at < last; at += at_once) {
      const std::size_t end = std::min(last, at + at_once);
      for (std::size_t j = 0; j < d; j++) {
        fill_feature(columns[j], stretches[j], factors[j], at, end, d, x + at * d + j, sums[piece * d + j],
                     rounded[piece * d + j]);
      }
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
