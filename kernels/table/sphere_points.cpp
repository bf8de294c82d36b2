#include "sphere_points.hpp"

#include <cmath>
#include <limits>

#include "pieces.hpp"

namespace centroid_lab::table {
namespace {

/// The largest magnitude is taken out first, so that no square overflows or vanishes; a row of zeros stays as it is.
void normalise(double* row, std::size_t d) {
  double largest = 0;
  for (std::size_t j = 0; j < d; j++) largest = std::max(largest, std::abs(row[j]));
  if (largest == 0) return;
  double squares = 0;
  for (std::size_t j = 0; j < d; j++) {
    row[j] /= largest;
    squares += row[j] * row[j];
  }
  const double norm = std::sqrt(squares);
  for (std::size_t j = 0; j < d; j++) row[j] /= norm;
}

/// Calls visit(row, point) for the rows of points first..last-1 in order.
template <class Visit>
void each_row(const std::vector<Series>& columns, std::size_t first, std::size_t last, const Visit& visit) {
  const std::size_t d = columns.size();
  const std::size_t at_once = std::clamp((std::size_t{1} << 15) / d, std::size_t{1}, values_at_once);
  std::vector<double> values(at_once), rows(at_once * d);
  for (std::size_t at = first; at < last; at += at_once) {
    const std::size_t count = std::min(at_once, last - at);
    for (std::size_t j = 0; j < d; j++) {
      const double unit = std::ldexp(1.0, columns[j].exponent);
      columns[j].read(at, at + count, values.data());
      for (std::size_t i = 0; i < count; i++) rows[i * d + j] = columns[j].offset + values[i] * unit;
    }
    for (std::size_t i = 0; i < count; i++) {
      normalise(rows.data() + i * d, d);
      visit(rows.data() + i * d, at + i);
    }
  }
}

}  // namespace

std::vector<double> ranges_on_sphere(const std::vector<Series>& columns, std::size_t threads) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::size_t d = columns.size();
  const std::size_t n = columns.front().length;
  std::vector<double> low(piece_count(n) * d, infinity), high(low.size(), -infinity);
  each_piece(n, threads, [&](std::size_t piece, std::size_t first, std::size_t last) {
    double* const least = low.data() + piece * d;
    double* const greatest = high.data() + piece * d;
    each_row(columns, first, last, [=](const double* row, std::size_t) {
      for (std::size_t j = 0; j < d; j++) {
        if (row[j] < least[j]) least[j] = row[j];
        if (row[j] > greatest[j]) greatest[j] = row[j];
      }
    });
  });
  ProcessGroup* const group = columns.front().group;
  std::vector<double> all = joined(low, std::vector<double>(d, infinity), group,
                                   [](double least, double own) { return own < least ? own : least; });
  const std::vector<double> greatest = joined(high, std::vector<double>(d, -infinity), group,
                                              [](double most, double own) { return own > most ? own : most; });
  all.insert(all.end(), greatest.begin(), greatest.end());
  return all;
}

template <class Real>
FilledPoints fill_on_sphere(const std::vector<Series>& columns, const std::vector<double>& offsets,
                            const std::vector<double>& factors, std::size_t threads, Real* x) {
  const std::size_t d = columns.size();
  const std::size_t n = columns.front().length;
  std::vector<double> sums(piece_count(n) * d), rounded(sums.size());
  each_piece(n, threads, [&](std::size_t piece, std::size_t first, std::size_t last) {
    double* const sum = sums.data() + piece * d;
    double* const errors = rounded.data() + piece * d;
    each_row(columns, first, last, [&](const double* row, std::size_t point) {
      for (std::size_t j = 0; j < d; j++) {
        const double value = (row[j] - offsets[j]) * factors[j];
        const Real held = static_cast<Real>(value);
        const double error = value - static_cast<double>(held);
        x[point * d + j] = held;
        sum[j] += static_cast<double>(held);
        errors[j] += error * error;
      }
    });
  });
  ProcessGroup* const group = columns.front().group;
  return {added_up(sums, d, group), added_up(rounded, d, group)};
}

template FilledPoints fill_on_sphere(const std::vector<Series>&, const std::vector<double>&, const std::vector<double>&,
                                     std::size_t, float*);
template FilledPoints fill_on_sphere(const std::vector<Series>&, const std::vector<double>&, const std::vector<double>&,
                                     std::size_t, double*);

}  // namespace centroid_lab::table
