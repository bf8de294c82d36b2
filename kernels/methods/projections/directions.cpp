#include "methods/projections/directions.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace centroid_lab {
namespace {

/// Rows that stand for all points.
constexpr std::size_t sample_rows = 512;
constexpr std::size_t width_step = 16;
constexpr int power_rounds = 2;
constexpr int sweeps = 12;

/// (rows, columns), row-major.
struct Matrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> values;

  Matrix(std::size_t row_count, std::size_t column_count)
      : rows(row_count), columns(column_count), values(row_count * column_count, 0.0) {}
  double* row(std::size_t i) { return values.data() + i * columns; }
  const double* row(std::size_t i) const { return values.data() + i * columns; }
};

/// The sample without its mean, and the same transposed: as float32, for directions need no more digits.
struct Sample {
  std::size_t count;
  std::size_t d;
  std::vector<float> rows;
  std::vector<float> columns;
};

std::vector<double> mean_of_sample(const Points& points, std::size_t count) {
  std::vector<double> mean(points.d, 0.0);
  for (std::size_t i = 0; i < count; i++) {
    const float* row = points.row(i * points.n / count);
    for (std::size_t j = 0; j < points.d; j++) mean[j] += static_cast<double>(row[j]);
  }
  for (double& value : mean) value /= static_cast<double>(count);
  return mean;
}

Sample sample_of(const Points& points, const std::vector<double>& mean, std::size_t count) {
  const std::size_t d = points.d;
  Sample sample{count, d, std::vector<float>(count * d), std::vector<float>(count * d)};
  for (std::size_t i = 0; i < count; i++) {
    const float* row = points.row(i * points.n / count);
    for (std::size_t j = 0; j < d; j++) {
      const float value = static_cast<float>(static_cast<double>(row[j]) - mean[j]);
      sample.rows[i * d + j] = value;
      sample.columns[j * count + i] = value;
    }
  }
  return sample;
}

Matrix product(const std::vector<float>& rows, std::size_t count, const Matrix& with, const ProjectionKernels& kernels) {
  Matrix to(count, with.columns);
  const std::vector<double> nothing(with.columns, 0.0);
  kernels.project(rows.data(), count, with.rows, with.values.data(), with.columns, nothing.data(), to.values.data());
  return to;
}

/// Gram and Schmidt over the columns, twice: what is left of a column after the first time need not be orthogonal to the others.
/// A column that depends on the ones before it becomes 0.
void orthonormalise(Matrix& matrix) {
  // Columns as rows, so that sums go along memory.
  Matrix turned(matrix.columns, matrix.rows);
  for (std::size_t i = 0; i < matrix.rows; i++) {
    for (std::size_t c = 0; c < matrix.columns; c++) turned.row(c)[i] = matrix.row(i)[c];
  }
  const std::size_t length = matrix.rows;
  for (std::size_t c = 0; c < turned.rows; c++) {
    double* column = turned.row(c);
    const double before = std::sqrt(std::inner_product(column, column + length, column, 0.0));
    for (int round = 0; round < 2; round++) {
      for (std::size_t other = 0; other < c; other++) {
        const double* done = turned.row(other);
        const double part = std::inner_product(column, column + length, done, 0.0);
        for (std::size_t i = 0; i < length; i++) column[i] -= part * done[i];
      }
    }
    const double norm = std::sqrt(std::inner_product(column, column + length, column, 0.0));
    const double factor = norm > before * 1e-10 && norm > 0 ? 1 / norm : 0;
    for (std::size_t i = 0; i < length; i++) column[i] *= factor;
  }
  for (std::size_t i = 0; i < matrix.rows; i++) {
    for (std::size_t c = 0; c < matrix.columns; c++) matrix.row(i)[c] = turned.row(c)[i];
  }
}

/// Rows of the sample combined by numbers from a fixed generator: always the same directions for the same points.
Matrix beginning(const Sample& sample, std::size_t width, const ProjectionKernels& kernels) {
  Matrix mix(sample.count, width);
  std::uint64_t state = 0x9E3779B97F4A7C15U;
  for (double& value : mix.values) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    value = static_cast<double>(state >> 11) * 0x1p-53 - 0.5;
  }
  return product(sample.columns, sample.d, mix, kernels);
}

Matrix as_columns(const Matrix& of, const Matrix& by) {
  Matrix to(of.rows, by.columns);
  for (std::size_t i = 0; i < of.rows; i++) {
    for (std::size_t j = 0; j < of.columns; j++) {
      const double value = of.row(i)[j];
      for (std::size_t c = 0; c < by.columns; c++) to.row(i)[c] += value * by.row(j)[c];
    }
  }
  return to;
}

/// One rotation of Jacobi's method between p and q.
void rotate(Matrix& a, Matrix& vectors, std::size_t p, std::size_t q) {
  const double between = a.row(p)[q];
  if (std::abs(between) <= 1e-15 * std::sqrt(std::abs(a.row(p)[p] * a.row(q)[q]))) return;
  const double theta = (a.row(q)[q] - a.row(p)[p]) / (2 * between);
  const double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1);
  const double s = t * c;
  const auto turn = [&](double& one, double& other) {
    const double first = c * one - s * other;
    other = s * one + c * other;
    one = first;
  };
  for (std::size_t i = 0; i < a.rows; i++) turn(a.row(i)[p], a.row(i)[q]);
  for (std::size_t i = 0; i < a.rows; i++) turn(a.row(p)[i], a.row(q)[i]);
  // Kept as rows.
  for (std::size_t i = 0; i < a.rows; i++) turn(vectors.row(p)[i], vectors.row(q)[i]);
}

/// Columns: eigenvectors of the symmetric matrix, largest eigenvalue first.
Matrix eigenvectors(Matrix a) {
  const std::size_t size = a.rows;
  Matrix vectors(size, size);
  for (std::size_t i = 0; i < size; i++) vectors.row(i)[i] = 1;
  for (int sweep = 0; sweep < sweeps; sweep++) {
    for (std::size_t p = 0; p + 1 < size; p++) {
      for (std::size_t q = p + 1; q < size; q++) rotate(a, vectors, p, q);
    }
  }
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto i, auto j) { return a.row(i)[i] > a.row(j)[j]; });
  Matrix sorted(size, size);
  for (std::size_t c = 0; c < size; c++) {
    for (std::size_t i = 0; i < size; i++) sorted.row(i)[c] = vectors.row(order[c])[i];
  }
  return sorted;
}

Matrix squares_of(const Matrix& matrix) {
  Matrix to(matrix.columns, matrix.columns);
  for (std::size_t i = 0; i < matrix.rows; i++) {
    const double* row = matrix.row(i);
    for (std::size_t p = 0; p < matrix.columns; p++) {
      for (std::size_t q = 0; q < matrix.columns; q++) to.row(p)[q] += row[p] * row[q];
    }
  }
  return to;
}

}  // namespace

Directions Directions::first(std::size_t count) const {
  Directions fewer{middle, std::vector<double>(middle.size() * count), count};
  for (std::size_t j = 0; j < middle.size(); j++) {
    std::copy_n(columns.data() + j * width, count, fewer.columns.data() + j * count);
  }
  return fewer;
}

std::vector<double> Directions::offset() const {
  std::vector<double> sums(width, 0.0);
  for (std::size_t j = 0; j < middle.size(); j++) {
    for (std::size_t i = 0; i < width; i++) sums[i] += middle[j] * columns[j * width + i];
  }
  return sums;
}

Directions principal_directions(const Points& points, const ProjectionKernels& kernels) {
  const std::size_t count = std::min(points.n, sample_rows);
  const std::size_t width = std::min({points.d, count, max_directions}) / width_step * width_step;
  Directions found{mean_of_sample(points, count), {}, width};
  if (width == 0) return found;
  const Sample sample = sample_of(points, found.middle, count);
  Matrix basis = beginning(sample, width, kernels);
  for (int round = 0; round < power_rounds; round++) {
    orthonormalise(basis);
    basis = product(sample.columns, sample.d, product(sample.rows, count, basis, kernels), kernels);
  }
  orthonormalise(basis);
  basis = as_columns(basis, eigenvectors(squares_of(product(sample.rows, count, basis, kernels))));
  orthonormalise(basis);
  found.columns = std::move(basis.values);
  return found;
}

}  // namespace centroid_lab
