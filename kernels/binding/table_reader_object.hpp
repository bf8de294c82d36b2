// A file as a table for JavaScript: engine/csv/native-reader.ts.
#pragma once

#include <napi.h>

#include <memory>

#include "reader/table_reader.hpp"

namespace centroid_lab {

class TableReaderObject final : public Napi::ObjectWrap<TableReaderObject> {
 public:
  static Napi::Function define(Napi::Env env);

  /// new TableReader({ file, delimiter, quote, decimal, kept, watched, leadingLines, firstRecord, blockBytes,
  /// maxThreads })
  explicit TableReaderObject(const Napi::CallbackInfo& info);

 private:
  /// next(buffer) -> a promise of what a batch brought
  Napi::Value next(const Napi::CallbackInfo& info);
  /// facts() -> what is known of all rows so far
  Napi::Value facts(const Napi::CallbackInfo& info);
  void cancel(const Napi::CallbackInfo& info);

  std::shared_ptr<reader::TableReader> reader_;
  bool busy_ = false;
};

}  // namespace centroid_lab
