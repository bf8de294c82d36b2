#include "silhouette_object.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "arguments.hpp"
#include "engine.hpp"
#include "job.hpp"

namespace centroid_lab {
namespace {

std::size_t whole(const Napi::Value& value, const char* name) {
  const double number = value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : -1;
  if (!(number >= 1) || number > 2147483647.0 || number != std::floor(number)) {
    refuse(value.Env(), "a whole number of at least 1", name);
  }
  return static_cast<std::size_t>(number);
}

/// What a job reads and fills, kept alive while it runs.
struct Request {
  std::vector<Napi::ObjectReference> arrays;
  ClusteredInput input{};
  double* values = nullptr;
  bool complete = false;
};

/// (x, d, labels, k, values)
std::shared_ptr<Request> request_of(const Napi::CallbackInfo& info) {
  const std::size_t d = whole(info[1], "d");
  const std::size_t k = whole(info[3], "k");
  Napi::Int32Array labels = read_integers(info[2], "labels");
  const std::size_t n = labels.ElementLength();
  Napi::Float32Array x = read_floats(info[0], "x", n * d);
  Napi::Float64Array values = read_doubles(info[4], "values");
  if (values.ElementLength() != n) refuse(info.Env(), "room for each point", "values");
  const std::int32_t* first = labels.Data();
  const auto is_cluster = [k](std::int32_t label) { return label >= 0 && static_cast<std::size_t>(label) < k; };
  if (n == 0 || !std::all_of(first, first + n, is_cluster)) refuse(info.Env(), "clusters 0 to k - 1", "labels");
  if (std::all_of(first, first + n, [&](std::int32_t label) { return label == *first; })) {
    refuse(info.Env(), "at least two clusters", "labels");
  }
  auto request = std::make_shared<Request>();
  for (const Napi::Object& array : {x.As<Napi::Object>(), labels.As<Napi::Object>(), values.As<Napi::Object>()}) {
    request->arrays.push_back(Napi::Persistent(array));
  }
  request->input = {x.Data(), n, d, first, k};
  request->values = values.Data();
  return request;
}

}  // namespace

Napi::Function SilhouetteObject::define(Napi::Env env) {
  return DefineClass(env, "Silhouettes",
                     {
                         InstanceMethod<&SilhouetteObject::compute>("compute"),
                         InstanceMethod<&SilhouetteObject::share>("share"),
                         InstanceMethod<&SilhouetteObject::cancel>("cancel"),
                     });
}

SilhouetteObject::SilhouetteObject(const Napi::CallbackInfo& info)
    : Napi::ObjectWrap<SilhouetteObject>(info),
      device_(info[0].IsNumber() ? info[0].As<Napi::Number>().Int64Value() : 0) {}

/// compute(x, d, labels, k, values) fills `values`; true, or null when cancelled.
Napi::Value SilhouetteObject::compute(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (busy_) throw coded_error(env, "state", "The silhouettes are busy with another call.");
  const std::shared_ptr<Request> request = request_of(info);
  const std::shared_ptr<SilhouetteState> state = state_;
  state->cancel = false;
  state->progress.done = 0;
  state->progress.total = 0;
  busy_ = true;
  const std::int64_t device = device_;
  Ref();
  return Job::start(
      env,
      [=] { request->complete = engine_silhouettes(request->input, device, state->cancel, state->progress, request->values); },
      [=](Napi::Env here) -> Napi::Value { return request->complete ? Napi::Boolean::New(here, true) : here.Null(); },
      [this, request] {
        request->arrays.clear();
        busy_ = false;
        Unref();
      });
}

/// share() of the pairs that are done, 0 to 1.
Napi::Value SilhouetteObject::share(const Napi::CallbackInfo& info) {
  const double total = static_cast<double>(state_->progress.total.load());
  const double done = static_cast<double>(state_->progress.done.load());
  return Napi::Number::New(info.Env(), total > 0 ? std::min(1.0, done / total) : 0);
}

void SilhouetteObject::cancel(const Napi::CallbackInfo&) { state_->cancel = true; }

}  // namespace centroid_lab
