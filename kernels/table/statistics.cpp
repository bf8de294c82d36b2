#include "statistics.hpp"

#include <limits>

#include "pieces.hpp"

namespace centroid_lab::table {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Moments piece_moments(const Series& series, std::size_t first, std::size_t last) {
  Moments own{0, infinity, -infinity, 0};
  each_value(series, first, last, [&](double value) {
    own.count++;
    if (value < own.min) own.min = value;
    if (value > own.max) own.max = value;
    own.sum += value;
  });
  return own;
}

}  // namespace

Moments moments_of(const Series& series, std::size_t threads) {
  std::vector<Moments> pieces(piece_count(series.length));
  each_piece(series.length, threads, [&](std::size_t piece, std::size_t first, std::size_t last) {
    pieces[piece] = piece_moments(series, first, last);
  });
  Moments all{0, infinity, -infinity, 0};
  const CancelFlag never{false};
  std::vector<double> figures{0, infinity, -infinity, 0};
  in_order(series.group, figures, never, [&](std::vector<double>& before) {
    all = {static_cast<std::uint64_t>(before[0]), before[1], before[2], before[3]};
    for (const Moments& own : pieces) {
      all.count += own.count;
      all.min = std::min(all.min, own.min);
      all.max = std::max(all.max, own.max);
      all.sum += own.sum;
    }
    before = {static_cast<double>(all.count), all.min, all.max, all.sum};
  });
  return {static_cast<std::uint64_t>(figures[0]), figures[1], figures[2], figures[3]};
}

double squares_about(const Series& series, double mean, std::size_t threads) {
  std::vector<double> pieces(piece_count(series.length));
  each_piece(series.length, threads, [&](std::size_t piece, std::size_t first, std::size_t last) {
    double squares = 0;
    each_value(series, first, last, [&](double value) { squares += (value - mean) * (value - mean); });
    pieces[piece] = squares;
  });
  return added_up(pieces, 1, series.group).front();
}

std::uint64_t mark_incomplete(const std::vector<Series>& columns, std::uint8_t* marks, std::size_t threads) {
  const std::size_t points = columns.front().length;
  std::vector<std::uint64_t> pieces(piece_count(points));
  each_piece(points, threads, [&](std::size_t piece, std::size_t first, std::size_t last) {
    std::fill(marks + first, marks + last, std::uint8_t{0});
    double values[values_at_once];
    for (const Series& column : columns) {
      for (std::size_t at = first; at < last; at += values_at_once) {
        const std::size_t count = std::min(values_at_once, last - at);
        column.read(at, at + count, values);
        for (std::size_t i = 0; i < count; i++) marks[at + i] |= static_cast<std::uint8_t>(values[i] != values[i]);
      }
    }
    pieces[piece] = static_cast<std::uint64_t>(std::count(marks + first, marks + last, std::uint8_t{1}));
  });
  std::uint64_t all = 0;
  for (const std::uint64_t own : pieces) all += own;
  return all;
}

void mark_between(const Series& series, double low, double high, std::uint8_t* marks, std::size_t threads) {
  each_piece(series.length, threads, [&](std::size_t, std::size_t first, std::size_t last) {
    double values[values_at_once];
    for (std::size_t at = first; at < last; at += values_at_once) {
      const std::size_t count = std::min(values_at_once, last - at);
      series.read(at, at + count, values);
      for (std::size_t i = 0; i < count; i++) marks[at + i] = static_cast<std::uint8_t>(values[i] >= low && values[i] <= high);
    }
  });
}

}  // namespace centroid_lab::table
