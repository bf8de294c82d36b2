// The CUDA engine's Node-API addon: what it offers and what it runs on. Loads on machines without a driver.
#include <napi.h>

#include <memory>

#include "cuda/cuda_engine.hpp"
#include "cuda/device_floors.hpp"
#include "cuda/exchange.hpp"
#include "cuda/streamed_passes.hpp"
#include "held_points_object.hpp"
#include "job.hpp"
#include "seeding.hpp"
#include "session.hpp"
#include "silhouette_object.hpp"

namespace centroid_lab {
namespace {

/// { compiler, flags, runtime, driver }; the driver is empty where there is none.
Napi::Value versions(const Napi::CallbackInfo& info) {
  const Napi::Object object = Napi::Object::New(info.Env());
  object.Set("compiler", CENTROID_LAB_CUDA_COMPILER);
  object.Set("flags", CENTROID_LAB_CUDA_FLAGS);
  object.Set("runtime", cuda::runtime_version());
  object.Set("driver", cuda::driver_version());
  return object;
}

Napi::Value variant_names(const Napi::CallbackInfo& info) {
  const Napi::Array names = Napi::Array::New(info.Env());
  for (const std::string& name : cuda::cuda_variants()) names.Set(names.Length(), name);
  return names;
}

/// { devices: { name, memoryBytes, computeCapability }[], reason: why there are none, or empty }
Napi::Value devices(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const cuda::Devices all = cuda::find_devices();
  const Napi::Array list = Napi::Array::New(env);
  for (const cuda::DeviceDescription& device : all.found) {
    const Napi::Object object = Napi::Object::New(env);
    object.Set("name", device.name);
    object.Set("memoryBytes", static_cast<double>(device.memory_bytes));
    object.Set("computeCapability", device.compute_capability);
    list.Set(list.Length(), object);
  }
  const Napi::Object answer = Napi::Object::New(env);
  answer.Set("devices", list);
  answer.Set("reason", all.reason);
  return answer;
}

/// deviceFacts(device index): CudaFacts of src/shared/plan.ts.
Napi::Value device_facts(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  try {
    const cuda::DeviceFacts facts = cuda::device_facts(info[0].ToNumber().Int32Value());
    const Napi::Array capability = Napi::Array::New(env, 2);
    capability.Set(0U, facts.major);
    capability.Set(1U, facts.minor);
    const Napi::Object object = Napi::Object::New(env);
    object.Set("engine", "cuda");
    object.Set("name", facts.name);
    object.Set("computeCapability", capability);
    object.Set("multiprocessors", facts.multiprocessors);
    object.Set("threadsPerMultiprocessor", facts.threads_per_multiprocessor);
    object.Set("registersPerMultiprocessor", facts.registers_per_multiprocessor);
    object.Set("sharedBytesPerBlock", static_cast<double>(facts.shared_bytes_per_block));
    object.Set("sharedBytesPerMultiprocessor", static_cast<double>(facts.shared_bytes_per_multiprocessor));
    object.Set("l2Bytes", static_cast<double>(facts.l2_bytes));
    object.Set("memoryBytes", static_cast<double>(facts.memory_bytes));
    object.Set("cooperativeLaunch", facts.cooperative_launch);
    return object;
  } catch (const std::exception& error) {
    throw coded_error(env, "failed", error.what());
  }
}

/// regimes(variant): names; none where it has one way only.
Napi::Value regime_names(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  try {
    const Napi::Array names = Napi::Array::New(env);
    for (const std::string& name : cuda::regimes_of(info[0].ToString())) names.Set(names.Length(), name);
    return names;
  } catch (const std::exception& error) {
    throw coded_error(env, "argument", error.what());
  }
}

/// mustStream(n, d, k, device index): the points do not fit on the device.
Napi::Value must_stream(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto number = [&](std::size_t at) { return static_cast<std::size_t>(info[at].ToNumber().Int64Value()); };
  try {
    return Napi::Boolean::New(env, cuda::must_stream(number(0), number(1), number(2), info[3].ToNumber().Int32Value()));
  } catch (const std::exception& error) {
    throw coded_error(env, "failed", error.what());
  }
}

/// freeBytes(device index)
Napi::Value free_bytes(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  try {
    return Napi::Number::New(env, static_cast<double>(cuda::free_bytes(info[0].ToNumber().Int32Value())));
  } catch (const std::exception& error) {
    throw coded_error(env, "failed", error.what());
  }
}

/// streams(variant, n, d, k, device index)
Napi::Value streams(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto number = [&](std::size_t at) { return static_cast<std::size_t>(info[at].ToNumber().Int64Value()); };
  try {
    const std::string variant = info[0].ToString();
    const int device = info[4].ToNumber().Int32Value();
    return Napi::Boolean::New(env, cuda::streams(variant, number(1), number(2), number(3), device));
  } catch (const std::exception& error) {
    throw coded_error(env, "failed", error.what());
  }
}

/// floors(device index): a promise of what the device can do at most, measured now.
Napi::Value floors(const Napi::CallbackInfo& info) {
  const int device = info[0].ToNumber().Int32Value();
  const auto measured = std::make_shared<cuda::DeviceFloors>();
  return Job::start(
      info.Env(), [=] { *measured = cuda::measure_device_floors(device); },
      [measured](Napi::Env env) {
        const Napi::Object object = Napi::Object::New(env);
        object.Set("productsPerMs", measured->products_per_ms);
        object.Set("bytesPerMs", measured->bytes_per_ms);
        const double matrix = measured->matrix_products_per_ms;
        object.Set("matrixProductsPerMs", matrix > 0 ? Napi::Number::New(env, matrix).As<Napi::Value>() : env.Null());
        object.Set("cacheBytes", static_cast<double>(measured->cache_bytes));
        object.Set("minMs", measured->min_ms);
        return object;
      });
}

/// ncclVersion(): empty where NCCL is not found.
Napi::Value nccl_version(const Napi::CallbackInfo& info) { return Napi::String::New(info.Env(), cuda::nccl_version()); }

Napi::Object initialise(Napi::Env env, Napi::Object exports) {
  Session::define(env);
  exports.Set("versions", Napi::Function::New(env, versions));
  exports.Set("variants", Napi::Function::New(env, variant_names));
  exports.Set("devices", Napi::Function::New(env, devices));
  exports.Set("deviceFacts", Napi::Function::New(env, device_facts));
  exports.Set("regimes", Napi::Function::New(env, regime_names));
  exports.Set("mustStream", Napi::Function::New(env, must_stream));
  exports.Set("freeBytes", Napi::Function::New(env, free_bytes));
  exports.Set("streams", Napi::Function::New(env, streams));
  exports.Set("ncclVersion", Napi::Function::New(env, nccl_version));
  exports.Set("floors", Napi::Function::New(env, floors));
  exports.Set("HeldPoints", HeldPointsObject::define(env));
  exports.Set("Seeding", SeedingObject::define(env));
  exports.Set("Silhouettes", SilhouetteObject::define(env));
  exports.Set("openSession", Napi::Function::New(env, Session::open));
  return exports;
}

}  // namespace
}  // namespace centroid_lab

static Napi::Object initialise_addon(Napi::Env env, Napi::Object exports) {
  return centroid_lab::initialise(env, exports);
}

NODE_API_MODULE(centroid_cuda, initialise_addon)
