#include "block_room.hpp"

#include <algorithm>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace centroid_lab::reader {
namespace {

constexpr std::size_t huge_page = std::size_t{1} << 21, line = 64;
/// Of a chunk that others follow; what is taken first has one of its own size, for the file may end there.
constexpr std::size_t chunk_bytes = 4 * huge_page;

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
    const bool is_first = size_ == 0;
    size_ = std::max(whole(bytes, huge_page), is_first ? 0 : chunk_bytes);
    chunk_ = new_chunk(size_);
    used_ = 0;
  }
  const Piece piece{chunk_, chunk_.get() + used_, bytes};
  used_ += whole(bytes, line);
  return piece;
}

}  // namespace centroid_lab::reader
