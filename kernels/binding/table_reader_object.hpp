// A file as a table for JavaScript: engine/csv/native-reader.ts.
#pragma once

#include <napi.h>

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>

#include "reader/table_reader.hpp"

namespace centroid_lab {

/// Work of several threads, in its order.
class Turns {
 public:
  /// The number of a piece of work that waits for all before it.
  std::uint64_t take() { return taken_++; }

  template <class Work>
  void run(std::uint64_t turn, const Work& work) {
    {
      std::unique_lock lock(mutex_);
      moved_.wait(lock, [&] { return turn == next_; });
    }
    const Advance advance{*this};
    work();
  }

 private:
  struct Advance {
    Turns& turns;
    ~Advance() {
      const std::lock_guard lock(turns.mutex_);
      turns.next_++;
      turns.moved_.notify_all();
    }
  };

  std::mutex mutex_;
  std::condition_variable moved_;
  /// Of the event loop's thread alone.
  std::uint64_t taken_ = 0;
  std::uint64_t next_ = 0;
};

class TableReaderObject final : public Napi::ObjectWrap<TableReaderObject> {
 public:
  static Napi::Function define(Napi::Env env);

  /// new TableReader({ file, delimiter, quote, decimal, kept, watched, leadingLines, firstRecord, blockBytes,
  /// maxThreads })
  explicit TableReaderObject(const Napi::CallbackInfo& info);

 private:
  /// next(buffer) -> a promise of what a batch brought; those asked for meanwhile follow in their order
  Napi::Value next(const Napi::CallbackInfo& info);
  /// facts() -> what is known of all rows so far
  Napi::Value facts(const Napi::CallbackInfo& info);
  void cancel(const Napi::CallbackInfo& info);

  std::shared_ptr<reader::TableReader> reader_;
  std::shared_ptr<Turns> turns_ = std::make_shared<Turns>();
  /// Batches that are being read or wait for it.
  int pending_ = 0;
};

}  // namespace centroid_lab
