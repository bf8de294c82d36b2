// A bounded set of texts: which different ones a column has, up to a limit, each with a code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace centroid_lab::reader {

/// As many are told apart (src/engine/csv/distinct-texts.ts).
inline constexpr std::size_t max_distinct = 1000;

class DistinctTexts {
 public:
  /// There were more than are told apart.
  bool many = false;

  std::size_t size() const { return texts_.size(); }

  /// @returns the code of the text, from 1 on in the order in which they came; 0 where there are too many
  std::uint16_t add(std::string_view text) { return many ? 0 : insert(text, hash_of(text)); }

  /// @param codes set to the codes of the others' texts here, by their codes there, that of no text first
  void add_all(const DistinctTexts& others, std::vector<std::uint16_t>& codes);
  std::string_view text(std::size_t index) const { return at(texts_[index]); }
  void clear();

 private:
  struct Text {
    std::uint64_t hash;
    std::size_t offset;
    std::size_t length;
  };

  static std::uint64_t hash_of(std::string_view text);
  std::string_view at(const Text& text) const { return {bytes_.data() + text.offset, text.length}; }
  std::uint16_t insert(std::string_view text, std::uint64_t hash);
  void grow();

  std::string bytes_;
  std::vector<Text> texts_;
  /// Index of a text plus one; 0 where there is none. Open addressing, a power of two.
  std::vector<std::uint16_t> slots_;
};

}  // namespace centroid_lab::reader
