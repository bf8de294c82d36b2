#include "thread_pool.hpp"

#include <algorithm>
#include <utility>

#include "clock.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace centroid_lab {
namespace {

/// How long a thread spins before it is put to sleep, from which it takes several microseconds to come back: longer than
/// what lies between two passes. By the clock, since a pause takes 40 to 140 cycles, depending on the processor.
constexpr double spin_ms = 0.04;
constexpr int pauses_between_clock_reads = 32;

void pause() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

/// Waits until `value` is no longer `old`.
void await_change(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
  double began = -1;
  do {
    for (int spin = 0; spin < pauses_between_clock_reads; spin++) {
      if (value.load(std::memory_order_acquire) != old) return;
      pause();
    }
    if (began < 0) began = now_ms();
  } while (now_ms() - began < spin_ms);
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

ThreadPool::ThreadPool(std::size_t threads) : parts_(threads) {
  for (std::size_t worker = 1; worker < threads; worker++) {
    helpers_.emplace_back([this, worker] { help(worker); });
  }
}

ThreadPool::~ThreadPool() {
  ending_.store(true, std::memory_order_relaxed);
  ticket_.fetch_add(1, std::memory_order_release);
  ticket_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void ThreadPool::divide(std::size_t count, std::size_t chunk) {
  const std::size_t chunks = (count + chunk - 1) / chunk;
  std::size_t first = 0;
  for (std::size_t worker = 0; worker < size(); worker++) {
    const std::size_t last = std::min(count, chunks * (worker + 1) / size() * chunk);
    parts_[worker].next.store(first, std::memory_order_relaxed);
    parts_[worker].last = last;
    first = last;
  }
}

void ThreadPool::start(Call function, const void* task) {
  call_ = function;
  task_ = task;
  working_.store(static_cast<std::uint32_t>(helpers_.size()), std::memory_order_relaxed);
  ticket_.fetch_add(1, std::memory_order_release);
  ticket_.notify_all();
}

void ThreadPool::wait() {
  for (std::uint32_t left; (left = working_.load(std::memory_order_acquire)) != 0;) await_change(working_, left);
}

void ThreadPool::attempt(std::size_t worker) {
  try {
    call_(task_, worker);
  } catch (...) {
    if (failing_.exchange(true)) return;
    failure_ = std::current_exception();
    failed_.store(true, std::memory_order_release);
  }
}

void ThreadPool::rethrow() {
  const std::exception_ptr failure = std::exchange(failure_, nullptr);
  failed_.store(false, std::memory_order_relaxed);
  failing_.store(false, std::memory_order_relaxed);
  std::rethrow_exception(failure);
}

void ThreadPool::help(std::size_t worker) {
  for (std::uint32_t seen = 0;; seen++) {
    await_change(ticket_, seen);
    while (ticket_.load(std::memory_order_acquire) == seen) ticket_.wait(seen, std::memory_order_acquire);
    if (ending_.load(std::memory_order_relaxed)) return;
    attempt(worker);
    if (working_.fetch_sub(1, std::memory_order_acq_rel) == 1) working_.notify_one();
  }
}

}  // namespace centroid_lab
