#include "lines/label_cells.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "lines/number_text.hpp"

namespace centroid_lab {
namespace {

/// -2147483648
constexpr std::size_t longest_label = 11;

/// Numbers in first..last-1.
std::uint64_t count_between(const Numbers& numbers, std::uint64_t first, std::uint64_t last) {
  const std::uint32_t* end = numbers.data + numbers.size;
  return static_cast<std::uint64_t>(std::lower_bound(numbers.data, end, last) -
                                    std::lower_bound(numbers.data, end, first));
}

template <class Real>
double squared_distance(const Real* point, const double* centroid, std::size_t d) {
  double sum = 0;
  for (std::size_t j = 0; j < d; j++) {
    const double difference = static_cast<double>(point[j]) - centroid[j];
    sum += difference * difference;
  }
  return sum;
}

/// Euclidean, units of the scaled data: as squaredDistance of src/shared/metrics/distance.ts adds it up.
double distance(const LabelledRows& rows, std::size_t point, std::size_t cluster) {
  const double* centroid = rows.centroids.data() + cluster * rows.d;
  const double squared = std::visit(
      [&](const auto* x) { return squared_distance(x + point * rows.d, centroid, rows.d); }, rows.x);
  return std::sqrt(squared) * rows.scale;
}

/// The two cells of a label.
void append_numbers(TextBuffer& to, const LabelledRows& rows, std::int64_t point, LabelCells form) {
  char* at = to.room(2 + longest_label + longest_number);
  *at++ = form.separator;
  if (point < 0) {
    *at++ = form.separator;
    return to.end_at(at);
  }
  const std::int32_t label = rows.labels[point];
  at = std::to_chars(at, at + longest_label, label).ptr;
  *at++ = form.separator;
  const bool has_centroid = label >= 0 && static_cast<std::size_t>(label) < rows.centroids.size() / rows.d;
  if (has_centroid) {
    const double value = distance(rows, static_cast<std::size_t>(point), static_cast<std::size_t>(label));
    at = number_text(value, form.mark, at);
  }
  to.end_at(at);
}

}  // namespace

RowWalk::RowWalk(const LabelledRows& rows, Position from) : rows_(rows), row_(from.row) {
  const Numbers& out = rows.left_out;
  left_out_ = static_cast<std::size_t>(std::lower_bound(out.data, out.data + out.size, from.record) - out.data);
  const Numbers& points = rows.point_rows;
  if (points.data != nullptr) {
    point_ = static_cast<std::size_t>(std::lower_bound(points.data, points.data + points.size, from.row) - points.data);
  }
}

std::int64_t RowWalk::point_of(std::uint64_t record) {
  if (left_out_ < rows_.left_out.size && rows_.left_out.data[left_out_] == record) {
    left_out_++;
    return -1;
  }
  const std::uint64_t row = row_++;
  if (rows_.point_rows.data == nullptr) return row < rows_.n ? static_cast<std::int64_t>(row) : -1;
  if (point_ >= rows_.n || rows_.point_rows.data[point_] != row) return -1;
  return static_cast<std::int64_t>(point_++);
}

Position behind(const LabelledRows& rows, Position from, std::uint64_t lines, std::uint64_t records) {
  const std::uint64_t record = from.record + lines;
  return {record, from.row + records - count_between(rows.left_out, from.record, record)};
}

void append_label(TextBuffer& to, const LabelledRows& rows, std::int64_t point, LabelCells form) {
  append_numbers(to, rows, point, form);
  if (rows.names.empty()) return;
  to.append(form.separator);
  const std::int32_t label = point < 0 ? -1 : rows.labels[point];
  if (label >= 0 && static_cast<std::size_t>(label) < rows.names.size()) to.append(rows.names[static_cast<std::size_t>(label)]);
}

}  // namespace centroid_lab
