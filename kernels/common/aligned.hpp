// Arrays as vector units and threads like them: on cache lines that hold nothing else, from a few megabytes on huge
// pages, not filled with zeros.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace centroid_lab {

/// Leaves new elements uninitialised, so that the threads that fill a page are the first to touch it.
template <class Value>
struct AlignedAllocator {
  using value_type = Value;

  AlignedAllocator() = default;
  template <class Other>
  AlignedAllocator(const AlignedAllocator<Other>&) {}

  Value* allocate(std::size_t count) {
    const std::size_t bytes = whole_lines(count);
    void* memory = ::operator new(bytes, alignment_of(bytes));
#ifdef __linux__
    // Only advice: where huge pages are switched off nothing is lost.
    if (bytes >= huge_from) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return static_cast<Value*>(memory);
  }
  void deallocate(Value* memory, std::size_t count) {
    ::operator delete(memory, alignment_of(whole_lines(count)));
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
