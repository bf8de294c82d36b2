// The writer of labels.csv as a JavaScript object.
#pragma once

#include <napi.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "lines/labelled_lines.hpp"

namespace centroid_lab {

/// What the object and its job share. The arrays are read in place.
struct LabelWriterState {
  LabelledLines lines;
  /// The arrays that are read.
  std::vector<Napi::ObjectReference> kept;

  LabelWriterState(LabelledForm form, LabelledRows rows, std::size_t threads, std::size_t chunk)
      : lines(form, std::move(rows), threads, chunk) {}
};

/// new LabelWriter({ x, d, labels, centroids, scale, leftOut, pointRows }, { delimiter, quote, separator, mark, width,
/// surplus, chunkBytes }): write(text, record, row, out) -> Promise<{ read, records, written, record, row }>.
/// One call at a time.
class LabelWriterObject final : public Napi::ObjectWrap<LabelWriterObject> {
 public:
  static Napi::Function define(Napi::Env env);

  explicit LabelWriterObject(const Napi::CallbackInfo& info);

 private:
  Napi::Value write(const Napi::CallbackInfo& info);

  std::shared_ptr<LabelWriterState> state_;
  bool busy_ = false;
};

}  // namespace centroid_lab
