// Silhouettes as a JavaScript object.
#pragma once

#include <napi.h>

#include <memory>

#include "methods/silhouette/silhouette.hpp"
#include "types.hpp"

namespace centroid_lab {

/// What the object and its job share: closing while a job runs frees it when the job is done.
struct SilhouetteState {
  CancelFlag cancel{false};
  PairProgress progress;
};

/// new Silhouettes(device index), see NativeSilhouettes in src/engine/engines/native.ts. One call at a time; `cancel` and `share` may
/// come at any moment, and the answer of a cancelled call is null.
class SilhouetteObject final : public Napi::ObjectWrap<SilhouetteObject> {
 public:
  static Napi::Function define(Napi::Env env);

  explicit SilhouetteObject(const Napi::CallbackInfo& info);

 private:
  Napi::Value compute(const Napi::CallbackInfo& info);
  Napi::Value share(const Napi::CallbackInfo& info);
  void cancel(const Napi::CallbackInfo& info);

  std::shared_ptr<SilhouetteState> state_ = std::make_shared<SilhouetteState>();
  std::int64_t device_;
  bool busy_ = false;
};

}  // namespace centroid_lab
