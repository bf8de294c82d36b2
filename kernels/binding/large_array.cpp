#include "large_array.hpp"

#include <cmath>

#include "arguments.hpp"
#include "job.hpp"

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace centroid_lab {
namespace {

#ifdef __linux__

constexpr std::size_t huge_page = std::size_t{1} << 21;

/// Of an array, what is mapped: whole huge pages, unless most of the last one would be idle.
std::size_t mapped(std::size_t bytes) {
  const std::size_t beyond = bytes % huge_page;
  return beyond > huge_page / 2 ? bytes - beyond + huge_page : bytes;
}

/// On the border of a huge page. @returns null where there is no room
char* map_pages(std::size_t bytes) {
  const std::size_t whole = mapped(bytes) + huge_page;
  void* const memory = mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  char* const begin = static_cast<char*>(memory);
  const std::size_t before = (huge_page - reinterpret_cast<std::uintptr_t>(begin) % huge_page) % huge_page;
  if (before > 0) munmap(begin, before);
  munmap(begin + before + mapped(bytes), huge_page - before);
  // Only advice: where huge pages are switched off nothing is lost.
  madvise(begin + before, mapped(bytes), MADV_HUGEPAGE);
  return begin + before;
}

#endif

}  // namespace

Napi::ArrayBuffer large_buffer(Napi::Env env, std::size_t bytes) {
#ifdef __linux__
  if (bytes > huge_page / 2) {
    char* const data = map_pages(bytes);
    if (data == nullptr) throw coded_error(env, "memory", "out of memory");
    return Napi::ArrayBuffer::New(env, data, bytes, [bytes](Napi::Env, void* held) { munmap(held, mapped(bytes)); });
  }
#endif
  return Napi::ArrayBuffer::New(env, bytes);
}

Napi::Value large_buffer_of(const Napi::CallbackInfo& info) {
  const double bytes = info[0].IsNumber() ? info[0].As<Napi::Number>().DoubleValue() : -1;
  if (!(bytes >= 0) || bytes > 9007199254740992.0 || bytes != std::floor(bytes)) {
    refuse(info.Env(), "a whole number", "bytes");
  }
  return large_buffer(info.Env(), static_cast<std::size_t>(bytes));
}

}  // namespace centroid_lab
