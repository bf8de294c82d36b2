// A clustering session as a JavaScript object.
#pragma once

#include <napi.h>

#include <memory>
#include <variant>

#include "clustering.hpp"

namespace centroid_lab {

/// What a session's jobs share. Jobs hold it, so closing while one runs frees it when the job is done.
struct SessionState {
  /// In the precision that the points came in.
  std::variant<std::unique_ptr<Clustering>, std::unique_ptr<ClusteringOf<double>>> clustering;
  CancelFlag cancel{false};
};

/// openSession(points, config) -> Promise<Session>. Points and centroids are Float32Array, or all Float64Array for a run in
/// float64. Session: start(centroids), advance(iterations, ms), centroids(),
/// plan(), read(), cancel(), close(). One call at a time; `cancel` may come at any moment.
class Session final : public Napi::ObjectWrap<Session> {
 public:
  static void define(Napi::Env env);
  static Napi::Value open(const Napi::CallbackInfo& info);

  explicit Session(const Napi::CallbackInfo& info);

 private:
  void start(const Napi::CallbackInfo& info);
  Napi::Value advance(const Napi::CallbackInfo& info);
  Napi::Value centroids(const Napi::CallbackInfo& info);
  /// { regime, findings: { [probe]: boolean } } of what was built; the regime is empty where the variant has one way only.
  Napi::Value plan(const Napi::CallbackInfo& info);
  /// string[]: devices that were lost on the way.
  Napi::Value losses(const Napi::CallbackInfo& info);
  Napi::Value read(const Napi::CallbackInfo& info);
  void cancel(const Napi::CallbackInfo& info);
  void close(const Napi::CallbackInfo& info);

  /// @throws Napi::Error with code `state` when closed or busy.
  std::shared_ptr<SessionState> idle_state(Napi::Env env) const;
  std::function<void()> hold();

  std::shared_ptr<SessionState> state_;
  /// Keeps the points alive: the native side reads them in place.
  Napi::ObjectReference x_;
  bool busy_ = false;
};

}  // namespace centroid_lab
