// Arrays as vector units and threads like them: on cache lines that hold nothing else, from a few megabytes on huge
// pages, not filled with zeros; on a disk where somebody lends one.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace centroid_lab {

/// Where large arrays lie instead of in memory (scratch/scratch_file.hpp).
class LargeMemory {
 public:
  virtual ~LargeMemory() = default;
  /// On a page of its own. @throws std::bad_alloc
  virtual void* take(std::size_t bytes) = 0;
  /// @returns whether it was taken here, and given back
  virtual bool give_back(void* memory) = 0;
  /// Called by threads between stretches of work: what stays in memory may have become too much.
  virtual void relieve() = 0;
};

/// Null where there is none. Of all that was ever lent, none may end before the arrays in it.
inline std::atomic<LargeMemory*> lent_memory{nullptr};
/// Whether new arrays are to lie there.
inline std::atomic<bool> takes_lent_memory{false};

/// Between stretches of work on large arrays.
inline void relieve_memory() {
  if (takes_lent_memory.load(std::memory_order_relaxed)) lent_memory.load()->relieve();
}

/// Leaves new elements uninitialised, so that the threads that fill a page are the first to touch it.
template <class Value>
struct AlignedAllocator {
  using value_type = Value;

  AlignedAllocator() = default;
  template <class Other>
  AlignedAllocator(const AlignedAllocator<Other>&) {}

  Value* allocate(std::size_t count) {
    const std::size_t bytes = whole_lines(count);
    LargeMemory* const lent = bytes >= huge_from && takes_lent_memory.load() ? lent_memory.load() : nullptr;
    if (lent != nullptr) return static_cast<Value*>(lent->take(bytes));
    void* memory = ::operator new(bytes, alignment_of(bytes));
#ifdef __linux__
    // Only advice: where huge pages are switched off nothing is lost.
    if (bytes >= huge_from) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return static_cast<Value*>(memory);
  }
  void deallocate(Value* memory, std::size_t count) {
    const std::size_t bytes = whole_lines(count);
    LargeMemory* const lent = bytes >= huge_from ? lent_memory.load() : nullptr;
    if (lent == nullptr || !lent->give_back(memory)) ::operator delete(memory, alignment_of(bytes));
  }

  template <class Element>
  void construct(Element* element) {
    ::new (static_cast<void*>(element)) Element;
  }
  template <class Element, class... Arguments>
  void construct(Element* element, Arguments&&... arguments) {
    ::new (static_cast<void*>(element)) Element(std::forward<Arguments>(arguments)...);
  }

  bool operator==(const AlignedAllocator&) const { return true; }

 private:
  /// Two lines: processors fetch them in pairs.
  static constexpr std::size_t cache_lines = 128;
  static constexpr std::size_t huge_page = std::size_t{1} << 21;
  static constexpr std::size_t huge_from = 2 * huge_page;

  static std::size_t whole_lines(std::size_t count) {
    return (count * sizeof(Value) + cache_lines - 1) / cache_lines * cache_lines;
  }

  static std::align_val_t alignment_of(std::size_t bytes) {
    return std::align_val_t{bytes >= huge_from ? huge_page : cache_lines};
  }
};

template <class Value>
using Aligned = std::vector<Value, AlignedAllocator<Value>>;

}  // namespace centroid_lab
