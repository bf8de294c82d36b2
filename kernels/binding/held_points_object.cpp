#include "held_points_object.hpp"

#include "arguments.hpp"
#include "engine.hpp"
#include "job.hpp"

namespace centroid_lab {

Napi::Function HeldPointsObject::define(Napi::Env env) {
  return DefineClass(env, "HeldPoints",
                     {
                         InstanceMethod<&HeldPointsObject::upload>("upload"),
                         InstanceMethod<&HeldPointsObject::close>("close"),
                     });
}

HeldPointsObject::HeldPointsObject(const Napi::CallbackInfo& info)
    : Napi::ObjectWrap<HeldPointsObject>(info), n_(info[1].ToNumber().Int64Value()), d_(info[2].ToNumber().Int64Value()),
      device_(info[3].ToNumber().Int64Value()) {
  x_ = Napi::Persistent(read_floats(info[0], "x", n_ * d_).As<Napi::Object>());
}

/// upload(): a promise that the points are there.
Napi::Value HeldPointsObject::upload(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (x_.IsEmpty()) throw coded_error(env, "state", "The points are closed.");
  const float* x = x_.Value().As<Napi::Float32Array>().Data();
  Ref();
  return Job::start(
      env, [held = held_, x, n = n_, d = d_, device = device_] { *held = engine_points(x, n, d, device); },
      [](Napi::Env here) { return here.Undefined(); }, [this] { Unref(); });
}

void HeldPointsObject::close(const Napi::CallbackInfo&) {
  held_->reset();
  x_.Reset();
}

}  // namespace centroid_lab
