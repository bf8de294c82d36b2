// Points that lie on a device for many sessions, as a JavaScript object.
#pragma once

#include <napi.h>

#include <cstdint>
#include <memory>

namespace centroid_lab {

/// HeldPoints of src/engine/engines/engine.ts. `close` after the upload has ended.
class HeldPointsObject final : public Napi::ObjectWrap<HeldPointsObject> {
 public:
  static Napi::Function define(Napi::Env env);

  /// new HeldPoints(x, n, d, device index)
  explicit HeldPointsObject(const Napi::CallbackInfo& info);

 private:
  Napi::Value upload(const Napi::CallbackInfo& info);
  void close(const Napi::CallbackInfo& info);

  std::size_t n_;
  std::size_t d_;
  std::int64_t device_;
  /// Whatever the engine holds; filled by the upload.
  std::shared_ptr<std::shared_ptr<const void>> held_ = std::make_shared<std::shared_ptr<const void>>();
  /// Keeps the points alive: sessions are recognised by where they lie.
  Napi::ObjectReference x_;
};

}  // namespace centroid_lab
