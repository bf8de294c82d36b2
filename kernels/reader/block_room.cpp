#include "block_room.hpp"

#include <algorithm>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace centroid_lab::reader {
namespace {

constexpr std::size_t huge_page = std::size_t{1} << 21;
/// Each chunk is twice as large as the one before it, up to this: a small file has no large one.
constexpr std::size_t largest_chunk = 4 * huge_page;

std::size_t whole(std::size_t bytes, std::size_t units) { return (bytes + units - 1) / units * units; }

std::shared_ptr<char> new_chunk(std::size_t bytes) {
  constexpr std::align_val_t alignment{huge_page};
  auto* const memory = static_cast<char*>(::operator new(bytes, alignment));
#ifdef __linux__
  // Only advice: where huge pages are switched off nothing is lost.
  madvise(memory, bytes, MADV_HUGEPAGE);
#endif
  return {memory, [](char* held) { ::operator delete(held, alignment); }};
}

}  // namespace

Piece BlockRoom::take(std::size_t bytes) {
  if (used_ + bytes > size_) {
    size_ = std::max(whole(bytes, huge_page), std::min(2 * size_, largest_chunk));
    chunk_ = new_chunk(size_);
    used_ = 0;
  }
  const Piece piece{chunk_, chunk_.get() + used_, bytes};
  used_ += bytes;
  return piece;
}

bool BlockRoom::extend(Piece& piece, std::size_t bytes) {
  if (piece.chunk != chunk_ || used_ + bytes > size_) return false;
  used_ += bytes;
  piece.bytes += bytes;
  return true;
}

}  // namespace centroid_lab::reader
