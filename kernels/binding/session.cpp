#include "session.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "answers.hpp"
#include "arguments.hpp"
#include "engine.hpp"
#include "job.hpp"

namespace centroid_lab {
namespace {

/// Work below which a thread hop would cost more than the iterations: about a millisecond.
constexpr double max_inline_work = 2e6;

struct Shape {
  const float* x;
  std::size_t n;
  std::size_t d;
};

Shape read_points(const Napi::Object& points) {
  const std::size_t n = read_count(points, "n");
  const std::size_t d = read_count(points, "d");
  if (n > 0x7fffffff || d > 0x7fffffff) refuse(points.Env(), "at most 2147483647", "n and d");
  Napi::Float32Array x = read_floats(points.Get("x"), "x", n * d);
  return {x.Data(), n, d};
}

}  // namespace

struct AddonData {
  Napi::FunctionReference session;
};

void Session::define(Napi::Env env) {
  const Napi::Function constructor = DefineClass(env, "Session",
                                                 {
                                                     InstanceMethod<&Session::start>("start"),
                                                     InstanceMethod<&Session::advance>("advance"),
                                                     InstanceMethod<&Session::centroids>("centroids"),
                                                     InstanceMethod<&Session::plan>("plan"),
                                                     InstanceMethod<&Session::read>("read"),
                                                     InstanceMethod<&Session::cancel>("cancel"),
                                                     InstanceMethod<&Session::close>("close"),
                                                 });
  auto* data = new AddonData{Napi::Persistent(constructor)};
  env.SetInstanceData(data);
}

Session::Session(const Napi::CallbackInfo& info) : Napi::ObjectWrap<Session>(info) {}

Napi::Value Session::open(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (!info[0].IsObject() || !info[1].IsObject()) refuse(env, "points and a configuration", "openSession");
  const Napi::Object points = info[0].As<Napi::Object>();
  const Napi::Object config = info[1].As<Napi::Object>();
  const Shape shape = read_points(points);
  const Rules rules = read_rules(config);
  const std::string variant = read_word(config, "variant");
  if (!engine_offers(variant)) refuse(env, "a variant of this engine", "variant");
  if (rules.k > shape.n) refuse(env, "a number of at most n", "k");

  const std::int64_t device = config.Has("deviceIndex") ? config.Get("deviceIndex").ToNumber().Int64Value() : 0;
  const SessionRequest request{shape.x,
                               shape.n,
                               shape.d,
                               rules,
                               variant,
                               device,
                               read_word_or_none(config, "regime"),
                               read_word_or_none(config, "otherwise"),
                               read_word_or_none(config, "otherPasses"),
                               read_count_or_none(config, "workers")};

  const Napi::Object object = env.GetInstanceData<AddonData>()->session.New({});
  Session* session = Session::Unwrap(object);
  session->x_ = Napi::Persistent(points.Get("x").As<Napi::Object>());
  session->state_ = std::make_shared<SessionState>();
  auto state = session->state_;
  // The reference keeps the session, and with it the points, alive while the job runs.
  auto kept = std::make_shared<Napi::ObjectReference>(Napi::Persistent(object));
  return Job::start(
      env, [=] { state->clustering = open_clustering(request); },
      [=](Napi::Env) -> Napi::Value { return kept->Value(); }, session->hold());
}

void Session::start(const Napi::CallbackInfo& info) {
  auto state = idle_state(info.Env());
  const std::size_t size = state->clustering->rules().k * state->clustering->points().d;
  const float* centroids = read_floats(info[0], "centroids", size).Data();
  if (!std::all_of(centroids, centroids + size, [](float value) { return std::isfinite(value); })) {
    refuse(info.Env(), "finite values", "centroids");
  }
  state->clustering->start(centroids);
}

Napi::Value Session::advance(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  auto state = idle_state(env);
  if (!info[0].IsNumber() || !info[1].IsNumber()) refuse(env, "iterations and milliseconds", "advance");
  const std::int64_t iterations = std::max<std::int64_t>(1, info[0].As<Napi::Number>().Int64Value());
  const double milliseconds = info[1].As<Napi::Number>().DoubleValue();
  state->cancel = false;
  auto answer = std::make_shared<Advance>();
  const auto work = [=] { *answer = state->clustering->advance(iterations, milliseconds, state->cancel); };
  const auto done = [=](Napi::Env here) { return advance_answer(here, *answer); };
  const Clustering& clustering = *state->clustering;
  const double products = static_cast<double>(clustering.rules().k * clustering.points().d);
  const double size = static_cast<double>(clustering.points().n) * products;
  if (size * static_cast<double>(iterations) > max_inline_work) return Job::start(env, work, done, hold());
  work();
  return done(env);
}

Napi::Value Session::centroids(const Napi::CallbackInfo& info) {
  const std::vector<float>& held = idle_state(info.Env())->clustering->centroids();
  Napi::Float32Array answer = Napi::Float32Array::New(info.Env(), held.size());
  std::copy(held.begin(), held.end(), answer.Data());
  return answer;
}

Napi::Value Session::plan(const Napi::CallbackInfo& info) {
  const BuiltPlan built = idle_state(info.Env())->clustering->built();
  const Napi::Object findings = Napi::Object::New(info.Env());
  for (const auto& [probe, found] : built.findings) findings.Set(probe, found);
  const Napi::Object answer = Napi::Object::New(info.Env());
  answer.Set("regime", built.regime);
  answer.Set("findings", findings);
  return answer;
}

Napi::Value Session::read(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  auto state = idle_state(env);
  state->cancel = false;
  const Clustering& clustering = *state->clustering;
  Napi::Int32Array labels = Napi::Int32Array::New(env, clustering.points().n);
  auto kept = std::make_shared<Napi::ObjectReference>(Napi::Persistent(labels.As<Napi::Object>()));
  auto inertia = std::make_shared<double>(-1);
  std::int32_t* to = labels.Data();
  return Job::start(
      env, [=] { state->clustering->read(state->cancel, to, *inertia); },
      [=](Napi::Env here) -> Napi::Value {
        return read_answer(here, kept->Value(), *state->clustering, *inertia);
      },
      hold());
}

void Session::cancel(const Napi::CallbackInfo&) {
  if (state_) state_->cancel = true;
}

void Session::close(const Napi::CallbackInfo& info) {
  cancel(info);
  state_.reset();
  if (!busy_) x_.Reset();
}

std::shared_ptr<SessionState> Session::idle_state(Napi::Env env) const {
  if (!state_) throw coded_error(env, "state", "The session is closed.");
  if (busy_) throw coded_error(env, "state", "The session is busy with another call.");
  return state_;
}

std::function<void()> Session::hold() {
  busy_ = true;
  Ref();
  return [this] {
    busy_ = false;
    if (!state_) x_.Reset();
    Unref();
  };
}

}  // namespace centroid_lab
