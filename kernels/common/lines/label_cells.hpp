// The cells that labels.csv has behind those of the source: the cluster of a row and its distance to the centroid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "lines/text_buffer.hpp"

namespace centroid_lab {

/// A view of whole numbers that somebody else owns.
struct Numbers {
  const std::uint32_t* data = nullptr;
  std::size_t size = 0;
};

/// The points that rows of the table became. Nothing in it is owned.
struct LabelledRows {
  /// x (n, d), row-major, engine units.
  std::variant<const float*, const double*> x;
  std::size_t n = 0;
  std::size_t d = 0;
  /// (n)
  const std::int32_t* labels = nullptr;
  /// (k, d) engine units.
  std::vector<double> centroids;
  /// (k) the cell of each cluster's name, quoted where it must be; empty where no such column is written.
  std::vector<std::string> names;
  /// Units of the scaled data in one engine unit.
  double scale = 1;
  /// Record numbers that are no rows, ascending.
  Numbers left_out;
  /// (n) the row of each point, ascending; null where every row is a point.
  Numbers point_rows;
};

/// Where the records and rows of a text begin to count.
struct Position {
  /// Number of its first record; blank lines count.
  std::uint64_t record = 0;
  /// Number of its first row.
  std::uint64_t row = 0;
};

/// Walks records, rows and points side by side; all three keep the order of the file.
class RowWalk {
 public:
  RowWalk(const LabelledRows& rows, Position from);

  /// The point of a record, -1 for none. Records come in ascending order, blank lines left out.
  std::int64_t point_of(std::uint64_t record);

 private:
  const LabelledRows& rows_;
  std::size_t left_out_ = 0;
  std::size_t point_ = 0;
  std::uint64_t row_;
};

/// How the two cells of a label are written.
struct LabelCells {
  char separator = ',';
  /// Decimal mark of the distance.
  char mark = '.';
};

/// Where so many lines behind a position stand, `records` of them no blank ones.
Position behind(const LabelledRows& rows, Position from, std::uint64_t lines, std::uint64_t records);

/// A separator, the label of a point, a separator, its distance to the centroid, and, where clusters have names, a separator and the
/// name; all cells empty for point -1.
void append_label(TextBuffer& to, const LabelledRows& rows, std::int64_t point, LabelCells form);

}  // namespace centroid_lab
