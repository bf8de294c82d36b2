#include "answers.hpp"

#include <algorithm>
#include <array>

namespace centroid_lab {
namespace {

constexpr std::size_t fields = 12;

std::array<double, fields> row_of(const IterationStats& stats) {
  return {static_cast<double>(stats.iteration),
          stats.inertia,
          stats.shift_squared,
          stats.max_shift,
          stats.max_coordinate_shift,
          static_cast<double>(stats.changed),
          static_cast<double>(stats.empty_clusters),
          stats.assign_ms,
          stats.update_ms,
          stats.converge_ms,
          stats.iterate_ms,
          stats.total_ms};
}

}  // namespace

template <class Real>
Napi::TypedArrayOf<Real> copy_of(Napi::Env env, const std::vector<Real>& values) {
  auto array = Napi::TypedArrayOf<Real>::New(env, values.size());
  std::copy(values.begin(), values.end(), array.Data());
  return array;
}

template <class Real>
Napi::Value advance_answer(Napi::Env env, const AdvanceOf<Real>& answer) {
  Napi::Float64Array stats = Napi::Float64Array::New(env, answer.iterations.size() * fields);
  double* to = stats.Data();
  for (const IterationStats& iteration : answer.iterations) {
    const std::array<double, fields> row = row_of(iteration);
    to = std::copy(row.begin(), row.end(), to);
  }
  const Napi::Object object = Napi::Object::New(env);
  object.Set("stats", stats);
  object.Set("stopped", !answer.iterations.empty() && answer.iterations.back().stop);
  object.Set("centroids", copy_of(env, answer.centroids));
  return object;
}

template <class Real>
Napi::Value read_answer(Napi::Env env, const Napi::Value& labels, const ClusteringOf<Real>& clustering, double inertia) {
  const Napi::Object object = Napi::Object::New(env);
  object.Set("labels", labels);
  object.Set("centroids", copy_of(env, clustering.centroids()));
  object.Set("inertia", inertia);
  object.Set("downloadMs", clustering.download_ms());
  return object;
}

template Napi::Value advance_answer(Napi::Env, const AdvanceOf<float>&);
template Napi::Value advance_answer(Napi::Env, const AdvanceOf<double>&);
template Napi::Value read_answer(Napi::Env, const Napi::Value&, const ClusteringOf<float>&, double);
template Napi::Value read_answer(Napi::Env, const Napi::Value&, const ClusteringOf<double>&, double);
template Napi::Float32Array copy_of(Napi::Env, const std::vector<float>&);
template Napi::Float64Array copy_of(Napi::Env, const std::vector<double>&);

}  // namespace centroid_lab
