// The seeding kernel as a JavaScript object.
#pragma once

#include <napi.h>

#include <memory>

#include "seeding/steps.hpp"

namespace centroid_lab {

/// SeedingState of src/engine/init/kernel.ts. One call at a time.
class SeedingObject final : public Napi::ObjectWrap<SeedingObject> {
 public:
  static Napi::Function define(Napi::Env env);

  /// new Seeding(x, n, d, device index, threads, {processGroup, all, first} where processes share the rows)
  explicit SeedingObject(const Napi::CallbackInfo& info);

 private:
  Napi::Value potentials(const Napi::CallbackInfo& info);
  Napi::Value commit(const Napi::CallbackInfo& info);
  Napi::Value pick(const Napi::CallbackInfo& info);
  Napi::Value distances(const Napi::CallbackInfo& info);
  Napi::Value nearest_counts(const Napi::CallbackInfo& info);
  Napi::Value greedy(const Napi::CallbackInfo& info);
  void close(const Napi::CallbackInfo& info);

  /// @throws Napi::Error with code `state` when closed or busy.
  std::shared_ptr<SeedingSteps> idle(Napi::Env env) const;
  std::vector<std::int32_t> read_rows(const Napi::CallbackInfo& info) const;
  std::function<void()> hold();

  /// Runs `work` off the event loop and answers what `convert` makes of its result.
  template <class Work, class Convert>
  Napi::Value answer(Napi::Env env, Work work, Convert convert);

  std::shared_ptr<SeedingSteps> seeding_;
  /// Keeps the points alive: the native side reads them in place.
  Napi::ObjectReference x_;
  bool busy_ = false;
};

}  // namespace centroid_lab
