#include "machine.hpp"

#include <cstdlib>
#include <thread>

#ifdef __linux__
#include <sched.h>
#endif

namespace centroid_lab {
namespace {

std::size_t usable_processors() {
#ifdef __linux__
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return static_cast<std::size_t>(CPU_COUNT(&set));
#endif
  return std::thread::hardware_concurrency();
}

}  // namespace

std::size_t thread_count() {
  if (const char* asked = std::getenv("CENTROID_LAB_THREADS")) {
    const long threads = std::strtol(asked, nullptr, 10);
    if (threads >= 1 && threads <= 1024) return static_cast<std::size_t>(threads);
  }
  const std::size_t processors = usable_processors();
  return processors < 1 ? 1 : processors;
}

}  // namespace centroid_lab
