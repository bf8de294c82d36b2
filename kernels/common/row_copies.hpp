// Rows that are copies of rows before them, bit by bit: ties go to the lowest index, so that no point comes to a centroid that is one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace centroid_lab {

/// Slots of a hash table for so many rows, a power of two.
inline std::size_t slots_for_rows(std::size_t count) {
  std::size_t slots = 2;
  while (slots < 2 * count) slots *= 2;
  return slots;
}

class RowCopies {
 public:
  /// Forgets all rows; there will be up to `most`.
  void begin(std::size_t most) { rows_.assign(slots_for_rows(most), Row{}); }

  /// Whether a row noted since is the same as `row (d)`, which is noted otherwise and must stay where it is.
  /// @param key the same for equal rows, mostly another one for others.
  bool is_copy(const float* row, std::size_t d, std::uint64_t key) {
    const std::size_t mask = rows_.size() - 1;
    std::size_t slot = static_cast<std::size_t>(key * 0x9E3779B97F4A7C15ULL >> 32) & mask;
    for (; rows_[slot].values != nullptr; slot = (slot + 1) & mask) {
      if (rows_[slot].key == key && std::memcmp(rows_[slot].values, row, d * sizeof(float)) == 0) return true;
    }
    rows_[slot] = {row, key};
    return false;
  }

 private:
  struct Row {
    const float* values = nullptr;
    std::uint64_t key = 0;
  };
  std::vector<Row> rows_;
};

/// A key of a row for `RowCopies`.
inline std::uint64_t key_of_row(const float* row, std::size_t d) {
  // Four side by side: none waits for another.
  std::uint64_t keys[4] = {1, 2, 3, 4};
  for (std::size_t j = 0; j < d; j++) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, row + j, sizeof bits);
    keys[j % 4] = (keys[j % 4] ^ bits) * 0x9E3779B97F4A7C15ULL;
  }
  return ((keys[0] * 31 + keys[1]) * 31 + keys[2]) * 31 + keys[3];
}

/// How many of `rows (count, d)` are copies of one before them.
inline std::size_t count_copies(const float* rows, std::size_t count, std::size_t d) {
  RowCopies noted;
  noted.begin(count);
  std::size_t copies = 0;
  for (std::size_t i = 0; i < count; i++) copies += noted.is_copy(rows + i * d, d, key_of_row(rows + i * d, d)) ? 1 : 0;
  return copies;
}

}  // namespace centroid_lab
