#include "totals.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "cluster_totals.hpp"
#include "arguments.hpp"
#include "job.hpp"
#include "machine.hpp"

namespace centroid_lab {
namespace {

/// What a job reads, kept alive while it runs.
struct Request {
  Napi::ObjectReference x;
  Napi::ObjectReference labels;
  std::vector<double> centroids;
  LabelledPoints<float> labelled{};
  ClusterTotals totals;
  bool with_distances = false;
  ProcessGroup* processes = nullptr;
  bool complete = false;
};

Napi::Float64Array array_of(Napi::Env env, const std::vector<double>& values) {
  Napi::Float64Array array = Napi::Float64Array::New(env, values.size());
  std::copy(values.begin(), values.end(), array.Data());
  return array;
}

Napi::Value answer_of(Napi::Env env, const Request& request) {
  if (!request.complete) return env.Null();
  const Napi::Object object = Napi::Object::New(env);
  object.Set("sizes", array_of(env, request.totals.sizes));
  object.Set("inertias", array_of(env, request.totals.inertias));
  if (request.with_distances) object.Set("distances", array_of(env, request.totals.distances));
  return object;
}

}  // namespace

Napi::Value cluster_totals_of(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const double features = info[1].IsNumber() ? info[1].As<Napi::Number>().DoubleValue() : 0;
  if (!(features >= 1) || features > 2147483647.0 || features != std::floor(features)) {
    refuse(env, "a whole number of at least 1", "d");
  }
  const auto d = static_cast<std::size_t>(features);
  Napi::Int32Array labels = read_integers(info[2], "labels");
  Napi::Float32Array x = read_floats(info[0], "x", labels.ElementLength() * d);
  Napi::Float64Array centroids = read_doubles(info[3], "centroids");
  const std::size_t k = centroids.ElementLength() / d;
  if (k == 0 || centroids.ElementLength() != k * d) refuse(env, "whole rows", "centroids");
  const auto request = std::make_shared<Request>();
  request->x = Napi::Persistent(x.As<Napi::Object>());
  request->labels = Napi::Persistent(labels.As<Napi::Object>());
  request->centroids.assign(centroids.Data(), centroids.Data() + k * d);
  request->labelled = {x.Data(), labels.ElementLength(), d, labels.Data(), request->centroids.data(), k};
  request->with_distances = info[4].IsBoolean() && info[4].As<Napi::Boolean>().Value();
  if (info[5].IsExternal()) request->processes = info[5].As<Napi::External<ProcessGroup>>().Data();
  const auto work = [request] {
    request->complete = cluster_totals(request->labelled, thread_count(), CancelFlag{false}, request->totals,
                                       request->with_distances, request->processes);
  };
  return Job::start(env, work, [request](Napi::Env here) { return answer_of(here, *request); });
}

}  // namespace centroid_lab
