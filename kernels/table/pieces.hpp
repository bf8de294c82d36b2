// Points in pieces that do not depend on the number of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "parts/in_order.hpp"
#include "statistics.hpp"
#include "thread_pool.hpp"

namespace centroid_lab::table {

inline std::size_t piece_count(std::size_t points) { return (points + points_of_piece - 1) / points_of_piece; }

/// Calls visit(piece, first, last) once for every piece, on all threads.
template <class Visit>
void each_piece(std::size_t points, std::size_t threads, const Visit& visit) {
  const std::size_t pieces = piece_count(points);
  ThreadPool pool(std::clamp(pieces, std::size_t{1}, threads));
  pool.share(
      pieces, 1,
      [&](std::size_t, std::size_t first, std::size_t last) {
        for (std::size_t piece = first; piece < last; piece++) {
          const std::size_t begin = piece * points_of_piece;
          visit(piece, begin, std::min(points, begin + points_of_piece));
        }
      },
      [] { return false; });
}

/// Figures of pieces (pieces, d), put together in order by `all[j] = join(all[j], piece[j])`, those of other processes among them.
/// @param all (d) what they begin from
template <class Join>
std::vector<double> joined(const std::vector<double>& pieces, std::vector<double> all, ProcessGroup* group, const Join& join) {
  const CancelFlag never{false};
  const std::size_t d = all.size();
  in_order(group, all, never, [&](std::vector<double>& figures) {
    for (std::size_t at = 0; at < pieces.size(); at++) figures[at % d] = join(figures[at % d], pieces[at]);
  });
  return all;
}

/// Sums of pieces (pieces, d), added up in order.
inline std::vector<double> added_up(const std::vector<double>& pieces, std::size_t d, ProcessGroup* group) {
  return joined(pieces, std::vector<double>(d), group, [](double all, double piece) { return all + piece; });
}

/// Values read at a time: they stay in the first cache.
inline constexpr std::size_t values_at_once = 1 << 11;

/// Calls visit(value) for the values of points first..last-1 in order, missing ones left out.
template <class Visit>
void each_value(const Series& series, std::size_t first, std::size_t last, const Visit& visit) {
  double values[values_at_once];
  for (std::size_t at = first; at < last; at += values_at_once) {
    const std::size_t count = std::min(values_at_once, last - at);
    series.read(at, at + count, values);
    for (std::size_t i = 0; i < count; i++) {
      if (values[i] == values[i]) visit(values[i]);
    }
  }
}

}  // namespace centroid_lab::table
