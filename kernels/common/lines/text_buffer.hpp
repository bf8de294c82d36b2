// Text that is written from front to back.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace centroid_lab {

/// A buffer that is written from front to back and keeps its memory.
class TextBuffer {
 public:
  /// Room for so many characters more. @throws std::bad_alloc
  char* room(std::size_t characters);
  void end_at(const char* end) { size_ = static_cast<std::size_t>(end - data_.get()); }
  void append(std::string_view text);
  void append(char character) { append({&character, 1}); }
  void clear() { size_ = 0; }
  std::string_view text() const { return {data_.get(), size_}; }

 private:
  std::unique_ptr<char[]> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

/// A cell of a table whose cells are parted by `separator`, quoted only where it must be.
void append_cell(TextBuffer& to, std::string_view text, char separator);

}  // namespace centroid_lab
