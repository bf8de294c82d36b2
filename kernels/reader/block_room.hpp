// Memory for blocks that outlive their reader: large chunks on huge pages, because a page that is touched for the first time costs as
// much as reading what it holds.
#pragma once

#include <cstddef>
#include <memory>

namespace centroid_lab::reader {

/// A stretch of a chunk, which lasts as long as somebody holds it.
struct Piece {
  std::shared_ptr<char> chunk;
  char* data = nullptr;
  std::size_t bytes = 0;
};

class BlockRoom {
 public:
  /// Not filled with anything.
  Piece take(std::size_t bytes);
  /// More behind a piece that was taken last. @returns whether there is room in its chunk
  bool extend(Piece& piece, std::size_t bytes);

 private:
  std::shared_ptr<char> chunk_;
  std::size_t size_ = 0;
  std::size_t used_ = 0;
};

}  // namespace centroid_lab::reader
