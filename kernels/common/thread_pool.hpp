// Threads that live as long as their owner. A task is handed over in about a microsecond while they still spin.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

#include "aligned.hpp"

namespace centroid_lab {

class ThreadPool {
 public:
  /// @param threads workers including the caller of `run`; at least 1.
  explicit ThreadPool(std::size_t threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  std::size_t size() const { return helpers_.size() + 1; }

  /// Calls task(worker) once for every worker 0..size-1, the caller being worker 0, and waits for all. One `run` at a time.
  /// @throws what the first of the workers threw that did.
  template <class Task>
  void run(const Task& task) {
    start(&call<Task>, &task);
    attempt(0);
    wait();
    if (failed_.load(std::memory_order_acquire)) rethrow();
  }

  /// Cuts 0..count-1 into chunks: visit(worker, first, last). Every worker has its own part of the range, the same in every
  /// call, so that it finds in its cache what it left there, and helps the others when it is done. Stops taking chunks
  /// when `stopped()` says so. @returns whether everything was visited.
  template <class Visit, class Stopped>
  bool share(std::size_t count, std::size_t chunk, const Visit& visit, const Stopped& stopped) {
    if (count <= chunk) return visit_all(count, visit, stopped);
    divide(count, chunk);
    std::atomic<bool> complete{true};
    run([&](std::size_t worker) {
      for (std::size_t turn = 0; turn < size(); turn++) {
        Part& part = parts_[(worker + turn) % size()];
        for (;;) {
          const std::size_t first = part.next.fetch_add(chunk, std::memory_order_relaxed);
          if (first >= part.last) break;
          if (stopped()) {
            complete.store(false, std::memory_order_relaxed);
            return;
          }
          visit(worker, first, first + chunk < part.last ? first + chunk : part.last);
          relieve_memory();
        }
      }
    });
    return complete.load(std::memory_order_relaxed);
  }

 private:
  using Call = void (*)(const void* task, std::size_t worker);

  template <class Task>
  static void call(const void* task, std::size_t worker) {
    (*static_cast<const Task*>(task))(worker);
  }

  /// What one worker begins with, apart from the others' cache lines.
  struct alignas(128) Part {
    std::atomic<std::size_t> next{0};
    std::size_t last = 0;
  };

  template <class Visit, class Stopped>
  static bool visit_all(std::size_t count, const Visit& visit, const Stopped& stopped) {
    if (count == 0) return true;
    if (stopped()) return false;
    visit(std::size_t{0}, std::size_t{0}, count);
    return true;
  }

  /// Parts of whole chunks, as even as can be.
  void divide(std::size_t count, std::size_t chunk);
  void start(Call function, const void* task);
  void wait();
  /// The task by one worker; what it throws is kept for the caller.
  void attempt(std::size_t worker);
  [[noreturn]] void rethrow();
  void help(std::size_t worker);

  Call call_ = nullptr;
  const void* task_ = nullptr;
  /// Raised by one for every task; the last one ends the threads.
  std::atomic<std::uint32_t> ticket_{0};
  std::atomic<std::uint32_t> working_{0};
  std::atomic<bool> ending_{false};
  std::atomic<bool> failing_{false};
  std::atomic<bool> failed_{false};
  std::exception_ptr failure_;
  std::vector<Part> parts_;
  std::vector<std::thread> helpers_;
};

}  // namespace centroid_lab
