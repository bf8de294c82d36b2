#include "transfer.hpp"

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>

#include "../machine.hpp"
#include "../thread_pool.hpp"
#include "memory.hpp"

namespace centroid_lab::cuda {
namespace {

/// Of a slot: long against what a copy costs to begin with, and still in the cache when the device reads it.
constexpr std::size_t slot_bytes = std::size_t{1} << 20;
constexpr std::size_t max_threads = 8;
/// What is worth a thread, and page-locked memory for it.
constexpr std::size_t thread_bytes = std::size_t{4} << 20;
constexpr std::size_t slots_per_thread = 2;
/// Below this the driver's own copy is over before threads have begun.
constexpr std::size_t min_bytes = std::size_t{2} << 20;

/// The driver reaches such memory by itself.
bool is_page_locked(const void* memory) {
  cudaPointerAttributes attributes{};
  const cudaError_t known = cudaPointerGetAttributes(&attributes, memory);
  if (known != cudaSuccess) cudaGetLastError();
  return known == cudaSuccess && attributes.type == cudaMemoryTypeHost;
}

/// Where a thread puts what it copies; whatever it had there before has left.
struct Slot {
  char* data;
  Event* passed;
};

/// Threads with two slots each and a stream between them; one copy of the process at a time.
class Staging {
 public:
  /// Calls visit(slot, first, last, stream) for every stretch of `bytes`, one after the other or at once; it says what went wrong.
  /// @returns false where the system grants no page-locked memory.
  template <class Visit>
  bool run(std::size_t bytes, const Visit& visit) {
    const std::lock_guard<std::mutex> lock(one_at_a_time_);
    const std::size_t threads = std::min({thread_count(), max_threads, (bytes + thread_bytes - 1) / thread_bytes});
    if (!has_slots(threads)) return false;
    int device = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    const Stream stream;
    std::vector<Event> events(threads * slots_per_thread);
    std::vector<std::size_t> turns(threads, 0);
    std::atomic<cudaError_t> failure{cudaSuccess};
    const auto take = [&](std::size_t worker, std::size_t first, std::size_t last) {
      const std::size_t slot = worker * slots_per_thread + turns[worker]++ % slots_per_thread;
      cudaError_t status = cudaSetDevice(device);
      if (status == cudaSuccess) status = cudaEventSynchronize(events[slot].get());
      if (status == cudaSuccess) status = visit(Slot{slots_[worker] + slot % slots_per_thread * slot_bytes, &events[slot]}, first, last, stream.get());
      if (status != cudaSuccess) failure.store(status, std::memory_order_relaxed);
    };
    ThreadPool pool(threads);
    pool.share(bytes, slot_bytes, take, [&] { return failure.load(std::memory_order_relaxed) != cudaSuccess; });
    const cudaError_t arrived = cudaStreamSynchronize(stream.get());
    check(failure.load(std::memory_order_relaxed), "copy through page-locked memory");
    check(arrived, "cudaStreamSynchronize");
    return true;
  }

 private:
  /// Makes those that no thread has needed yet.
  bool has_slots(std::size_t threads) {
    while (slots_.size() < threads) {
      void* slots = nullptr;
      if (cudaHostAlloc(&slots, slots_per_thread * slot_bytes, cudaHostAllocPortable) != cudaSuccess) {
        cudaGetLastError();
        return false;
      }
      slots_.push_back(static_cast<char*>(slots));
    }
    return true;
  }

  std::mutex one_at_a_time_;
  /// Of each thread. Left to the end of the process, when the driver may be gone before any destructor.
  std::vector<char*> slots_;
};

Staging& staging() {
  static Staging only;
  return only;
}

/// Labels usually go where nobody has written yet: large pages, where the system has them, are far fewer to come by.
void prefer_large_pages(void* memory, std::size_t bytes) {
#ifdef __linux__
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
  // Advice only: no harm where it is not taken.
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#else
  (void)memory;
  (void)bytes;
#endif
}

void map_labels(std::int32_t* to, const std::int32_t* from, std::size_t count, const std::vector<std::int32_t>* clusters) {
  if (clusters == nullptr) return void(std::memcpy(to, from, count * sizeof(std::int32_t)));
  for (std::size_t i = 0; i < count; i++) to[i] = (*clusters)[static_cast<std::size_t>(from[i])];
}

}  // namespace

void copy_to_device(void* to, const void* from, std::size_t bytes) {
  const auto stage = [&](const Slot& slot, std::size_t first, std::size_t last, cudaStream_t stream) {
    std::memcpy(slot.data, static_cast<const char*>(from) + first, last - first);
    const cudaError_t status =
        cudaMemcpyAsync(static_cast<char*>(to) + first, slot.data, last - first, cudaMemcpyHostToDevice, stream);
    return status == cudaSuccess ? cudaEventRecord(slot.passed->get(), stream) : status;
  };
  if (bytes >= min_bytes && !is_page_locked(from) && staging().run(bytes, stage)) return;
  check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "cudaMemcpy to the device");
  // From pageable memory the copy may return before the last of it has arrived.
  check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
}

void copy_labels(std::int32_t* to, const std::int32_t* from, std::size_t count, const std::vector<std::int32_t>* clusters) {
  const std::size_t size = sizeof(std::int32_t);
  const auto stage = [&](const Slot& slot, std::size_t first, std::size_t last, cudaStream_t stream) {
    const void* begin = reinterpret_cast<const char*>(from) + first;
    cudaError_t status = cudaMemcpyAsync(slot.data, begin, last - first, cudaMemcpyDeviceToHost, stream);
    if (status == cudaSuccess) status = cudaEventRecord(slot.passed->get(), stream);
    if (status == cudaSuccess) status = cudaEventSynchronize(slot.passed->get());
    if (status != cudaSuccess) return status;
    map_labels(to + first / size, reinterpret_cast<const std::int32_t*>(slot.data), (last - first) / size, clusters);
    return status;
  };
  if (count * size >= min_bytes) prefer_large_pages(to, count * size);
  if (count * size >= min_bytes && !is_page_locked(to) && staging().run(count * size, stage)) return;
  check(cudaMemcpy(to, from, count * size, cudaMemcpyDeviceToHost), "cudaMemcpy from the device");
  if (clusters != nullptr) map_labels(to, to, count, clusters);
}

}  // namespace centroid_lab::cuda
