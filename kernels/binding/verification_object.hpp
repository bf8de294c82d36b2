// The looks of a referee as a JavaScript object.
#pragma once

#include <napi.h>

#include <functional>
#include <initializer_list>
#include <memory>

#include "verification.hpp"

namespace centroid_lab {

/// What the object and its job share: closing while a job runs frees it when the job is done.
struct VerificationState {
  Verification verification;
  CancelFlag cancel{false};
};

/// new Verification(x, n, d), see NativeVerification in src/engine/engines/native.ts. One call at a time; `cancel` may come
/// at any moment, and the answer of a cancelled call is null.
class VerificationObject final : public Napi::ObjectWrap<VerificationObject> {
 public:
  static Napi::Function define(Napi::Env env);

  explicit VerificationObject(const Napi::CallbackInfo& info);

 private:
  using Work = std::function<void(const Verification&, const CancelFlag&)>;

  Napi::Value ranges(const Napi::CallbackInfo& info);
  Napi::Value nearest(const Napi::CallbackInfo& info);
  Napi::Value inexact(const Napi::CallbackInfo& info);
  Napi::Value farther(const Napi::CallbackInfo& info);
  Napi::Value open_members(const Napi::CallbackInfo& info);
  Napi::Value sums(const Napi::CallbackInfo& info);
  Napi::Value same(const Napi::CallbackInfo& info);
  void cancel(const Napi::CallbackInfo& info);
  void close(const Napi::CallbackInfo& info);

  /// @throws Napi::Error with code `state` when closed or busy.
  const Verification& idle(Napi::Env env) const;
  Napi::Int32Array labels_of(const Napi::Value& value, const char* name) const;
  Centres centres_of(const Napi::CallbackInfo& info) const;
  LookedAt looked_at(const Napi::Value& rows) const;

  /// Work off the event loop on arrays that stay where they are until it is done.
  Napi::Value answer(Napi::Env env, std::initializer_list<Napi::Value> arrays, Work work,
                     std::function<Napi::Value(Napi::Env)> done);
  Napi::Value count(Napi::Env env, std::initializer_list<Napi::Value> arrays,
                    std::function<std::size_t(const Verification&, const CancelFlag&)> work);

  std::shared_ptr<VerificationState> state_;
  /// Keeps the points alive: the native side reads them in place.
  Napi::ObjectReference x_;
  bool busy_ = false;
};

}  // namespace centroid_lab
