// The processor's half of the hybrid variants as a JavaScript object.
#pragma once

#include <napi.h>

#include <memory>

#include "member_sums.hpp"

namespace centroid_lab {

/// What the object and its job share: closing while a job runs frees it when the job is done.
struct MemberSumsState {
  MemberSums member_sums;
  CancelFlag cancel{false};

  MemberSumsState(Points points, std::size_t threads) : member_sums(std::move(points), threads) {}
};

/// new MemberSums(x, n, d, maxAbs, parallel): sum(labels, first, k) -> Promise<{ sums, counts } or null when
/// cancelled>, cancel(), close(). One call at a time; `cancel` may come at any moment.
class MemberSumsObject final : public Napi::ObjectWrap<MemberSumsObject> {
 public:
  static Napi::Function define(Napi::Env env);

  explicit MemberSumsObject(const Napi::CallbackInfo& info);

 private:
  Napi::Value sum(const Napi::CallbackInfo& info);
  void cancel(const Napi::CallbackInfo& info);
  void close(const Napi::CallbackInfo& info);

  /// @throws Napi::Error with code `state` when closed or busy.
  std::shared_ptr<MemberSumsState> idle(Napi::Env env) const;

  std::shared_ptr<MemberSumsState> state_;
  /// Keeps the points alive: the native side reads them in place.
  Napi::ObjectReference x_;
  bool busy_ = false;
};

}  // namespace centroid_lab
