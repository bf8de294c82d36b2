#include "lines/text_buffer.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "lines/cells.hpp"

namespace centroid_lab {

char* TextBuffer::room(std::size_t characters) {
  if (size_ + characters > capacity_) {
    const std::size_t larger = std::max(size_ + characters, capacity_ + capacity_ / 2);
    std::unique_ptr<char[]> data(new char[larger]);
    if (size_ > 0) std::memcpy(data.get(), data_.get(), size_);
    data_ = std::move(data);
    capacity_ = larger;
  }
  return data_.get() + size_;
}

void TextBuffer::append(std::string_view text) {
  char* at = room(text.size());
  if (!text.empty()) std::memcpy(at, text.data(), text.size());
  size_ += text.size();
}

void append_cell(TextBuffer& to, std::string_view text, char separator) {
  if (!needs_quotes(text, separator)) return to.append(text);
  char* at = to.room(2 * text.size() + 2);
  *at++ = '"';
  for (const char character : text) {
    if (character == '"') *at++ = '"';
    *at++ = character;
  }
  *at++ = '"';
  to.end_at(at);
}

}  // namespace centroid_lab
