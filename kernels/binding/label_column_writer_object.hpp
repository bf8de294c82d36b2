// The writer of labels.csv of a table that lies in columns, as a JavaScript object.
#pragma once

#include <napi.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "lines/labelled_columns.hpp"

namespace centroid_lab {

/// What the object and its job share. The arrays are read in place.
struct LabelColumnWriterState {
  LabelledColumns lines;
  /// The arrays that are read.
  std::vector<Napi::ObjectReference> kept;

  LabelColumnWriterState(LabelCells form, LabelledRows rows, std::size_t threads, std::size_t chunk)
      : lines(form, std::move(rows), threads, chunk) {}
};

/// new LabelColumnWriter({ x, d, labels, centroids, scale, leftOut, pointRows }, { separator, mark, chunkRows }):
/// write(columns, count, record, row, out) -> Promise<bytes written>. A column is { values, first, step, missing } or
/// { texts, ends }. One call at a time.
class LabelColumnWriterObject final : public Napi::ObjectWrap<LabelColumnWriterObject> {
 public:
  static Napi::Function define(Napi::Env env);

  explicit LabelColumnWriterObject(const Napi::CallbackInfo& info);

 private:
  Napi::Value write(const Napi::CallbackInfo& info);

  std::shared_ptr<LabelColumnWriterState> state_;
  bool busy_ = false;
};

}  // namespace centroid_lab
