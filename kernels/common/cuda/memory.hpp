// Device resources that free themselves.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "check.hpp"

namespace centroid_lab::cuda {

/// `size` values in device memory; empty when default made.
template <class Value>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t size) : size_(size) {
    if (size > 0) check(cudaMalloc(reinterpret_cast<void**>(&data_), size * sizeof(Value)), "cudaMalloc");
  }
  explicit Buffer(const std::vector<Value>& values) : Buffer(values.size()) { fill(values.data(), values.size()); }
  Buffer(Buffer&& other) noexcept { *this = std::move(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Buffer() {
    if (data_ != nullptr) cudaFree(data_);
  }

  Value* get() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(Value); }

  /// Waits until the first `count` values are there.
  void fill(const Value* from, std::size_t count) const {
    check(cudaMemcpy(data_, from, count * sizeof(Value), cudaMemcpyHostToDevice), "cudaMemcpy to the device");
    // From pageable memory the copy may return before the last of it has arrived.
    check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
  }
  /// Waits until the first `count` values have come.
  void read(Value* to, std::size_t count) const {
    check(cudaMemcpy(to, data_, count * sizeof(Value), cudaMemcpyDeviceToHost), "cudaMemcpy from the device");
  }
  void clear(cudaStream_t stream) const {
    if (size_ > 0) check(cudaMemsetAsync(data_, 0, bytes(), stream), "cudaMemsetAsync");
  }

 private:
  Value* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Page-locked memory is given and taken back so slowly (0.6 ms) that small pieces are kept for later sessions.
class PinnedBlocks {
 public:
  static constexpr std::size_t block_bytes = std::size_t{64} << 10;

  static void* take(std::size_t bytes) {
    PinnedBlocks& all = only();
    if (bytes <= block_bytes) {
      const std::lock_guard<std::mutex> lock(all.one_at_a_time_);
      if (!all.kept_.empty()) {
        void* block = all.kept_.back();
        all.kept_.pop_back();
        return block;
      }
    }
    void* memory = nullptr;
    check(cudaHostAlloc(&memory, std::max(bytes, block_bytes), cudaHostAllocPortable), "cudaHostAlloc");
    return memory;
  }

  static void give_back(void* memory, std::size_t bytes) {
    PinnedBlocks& all = only();
    if (bytes > block_bytes) return void(cudaFreeHost(memory));
    const std::lock_guard<std::mutex> lock(all.one_at_a_time_);
    all.kept_.push_back(memory);
  }

 private:
  /// Never destroyed: the driver may be gone before.
  static PinnedBlocks& only() {
    static auto* blocks = new PinnedBlocks;
    return *blocks;
  }

  std::mutex one_at_a_time_;
  std::vector<void*> kept_;
};

/// `size` values in page-locked host memory.
template <class Value>
class Pinned {
 public:
  Pinned() = default;
  explicit Pinned(std::size_t size) : size_(size) {
    if (size > 0) data_ = static_cast<Value*>(PinnedBlocks::take(size * sizeof(Value)));
  }
  Pinned(Pinned&& other) noexcept { *this = std::move(other); }
  Pinned& operator=(Pinned&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Pinned() {
    if (data_ != nullptr) PinnedBlocks::give_back(data_, size_ * sizeof(Value));
  }

  Value* get() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  Value* data_ = nullptr;
  std::size_t size_ = 0;
};

class Stream {
 public:
  Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate"); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { cudaStreamDestroy(stream_); }

  cudaStream_t get() const { return stream_; }
  void wait() const { check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize"); }

 private:
  cudaStream_t stream_ = nullptr;
};

class Event {
 public:
  Event() : Event(cudaEventDefault) {}
  Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  Event& operator=(Event&&) = delete;
  ~Event() {
    if (event_ != nullptr) cudaEventDestroy(event_);
  }

  /// For waiting alone, which is quicker, on the device that is current.
  static Event without_time() { return Event(cudaEventDisableTiming); }

  cudaEvent_t get() const { return event_; }
  /// Until what was recorded has happened.
  void wait() const { check(cudaEventSynchronize(event_), "cudaEventSynchronize"); }
  void record(cudaStream_t stream) const { check(cudaEventRecord(event_, stream), "cudaEventRecord"); }
  /// Milliseconds since `earlier`; both must have happened.
  double since(const Event& earlier) const {
    float ms = 0;
    check(cudaEventElapsedTime(&ms, earlier.event_, event_), "cudaEventElapsedTime");
    return ms;
  }

 private:
  explicit Event(unsigned flags) { check(cudaEventCreateWithFlags(&event_, flags), "cudaEventCreate"); }

  cudaEvent_t event_ = nullptr;
};

}  // namespace centroid_lab::cuda
