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
#include "large_array.hpp"
#include "parts/shared_rows.hpp"
#include "parts/split_rows.hpp"

namespace centroid_lab {
namespace {

bool are_float64(const Napi::Object& points) {
  const Napi::Value x = points.Get("x");
  return x.IsTypedArray() && x.As<Napi::TypedArray>().TypedArrayType() == napi_float64_array;
}

/// Of a split among devices; none where one takes all rows.
std::vector<std::int64_t> read_devices(const Napi::Object& config) {
  std::vector<std::int64_t> devices;
  const Napi::Value value = config.Get("deviceIndices");
  if (!value.IsArray()) return devices;
  const auto numbers = value.As<Napi::Array>();
  for (std::uint32_t at = 0; at < numbers.Length(); at++) devices.push_back(Napi::Value(numbers[at]).ToNumber().Int64Value());
  return devices;
}

/// Of the addon for several processes (mpi_addon.cpp); null where there is one.
ProcessGroup* read_processes(const Napi::Object& config) {
  const Napi::Value group = config.Get("processGroup");
  return group.IsExternal() ? group.As<Napi::External<ProcessGroup>>().Data() : nullptr;
}

/// The rows that this process has of all; all of them where it is alone.
RowRange read_part(const Napi::Object& points, std::size_t n) {
  const Napi::Value value = points.Get("part");
  if (!value.IsObject()) return {0, n};
  const auto part = value.As<Napi::Object>();
  const double first = read_number(part, "first"), count = read_number(part, "count");
  if (!(first >= 0 && count >= 0 && first + count <= static_cast<double>(n))) refuse(points.Env(), "rows of the points", "part");
  return {static_cast<std::size_t>(first), static_cast<std::size_t>(count)};
}

template <class Real>
SessionRequest<Real> read_request(const Napi::Object& points, const Napi::Object& config) {
  const Napi::Env env = points.Env();
  const std::size_t n = read_count(points, "n");
  const std::size_t d = read_count(points, "d");
  if (n > 0x7fffffff || d > 0x7fffffff) refuse(env, "at most 2147483647", "n and d");
  ProcessGroup* const processes = read_processes(config);
  const RowRange own = read_part(points, n);
  const Real* x = read_reals<Real>(points.Get("x"), "x", own.count * d).Data();
  const Rules rules = read_rules(config);
  const std::string variant = read_word(config, "variant");
  if (!engine_offers(variant)) refuse(env, "a variant of this engine", "variant");
  if (rules.k > n) refuse(env, "a number of at most n", "k");
  const std::int64_t device = config.Has("deviceIndex") ? config.Get("deviceIndex").ToNumber().Int64Value() : 0;
  return {x,
          n,
          d,
          rules,
          variant,
          device,
          read_word_or_none(config, "regime"),
          read_word_or_none(config, "otherwise"),
          read_word_or_none(config, "otherPasses"),
          read_count_or_none(config, "workers"),
          read_count_or_none(config, "threads"),
          read_devices(config),
          read_word_or_none(config, "processorRegime"),
          read_word_or_none(config, "processorOtherwise"),
          read_word_or_none(config, "exchange"),
          processes,
          own.count,
          own.first};
}

/// What opens the clustering on another thread; arguments are looked at before.
template <class Real>
Job::Work opening(const SessionRequest<Real>& request, const std::shared_ptr<SessionState>& state) {
  return [=] { state->clustering = open_clustering(request); };
}

template <class Real>
void start_from(ClusteringOf<Real>& clustering, const Napi::Value& value) {
  const std::size_t size = clustering.rules().k * clustering.points().d;
  const Real* centroids = read_reals<Real>(value, "centroids", size).Data();
  if (!std::all_of(centroids, centroids + size, [](Real each) { return std::isfinite(each); })) {
    refuse(value.Env(), "finite values", "centroids");
  }
  clustering.start(centroids);
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
                                                     InstanceMethod<&Session::losses>("losses"),
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
  const auto state = std::make_shared<SessionState>();
  const Job::Work work = are_float64(points) ? opening(read_request<double>(points, config), state)
                                             : opening(read_request<float>(points, config), state);

  const Napi::Object object = env.GetInstanceData<AddonData>()->session.New({});
  Session* session = Session::Unwrap(object);
  session->x_ = Napi::Persistent(points.Get("x").As<Napi::Object>());
  session->state_ = state;
  // The reference keeps the session, and with it the points, alive while the job runs.
  auto kept = std::make_shared<Napi::ObjectReference>(Napi::Persistent(object));
  return Job::start(
      env, work, [=](Napi::Env) -> Napi::Value { return kept->Value(); }, session->hold());
}

void Session::start(const Napi::CallbackInfo& info) {
  auto state = idle_state(info.Env());
  std::visit([&](const auto& clustering) { start_from(*clustering, info[0]); }, state->clustering);
}

Napi::Value Session::advance(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  auto state = idle_state(env);
  if (!info[0].IsNumber() || !info[1].IsNumber()) refuse(env, "iterations and milliseconds", "advance");
  const std::int64_t iterations = std::max<std::int64_t>(1, info[0].As<Napi::Number>().Int64Value());
  const double milliseconds = info[1].As<Napi::Number>().DoubleValue();
  state->cancel = false;
  const auto advance = [&]<class Real>(const std::unique_ptr<ClusteringOf<Real>>& held) -> Napi::Value {
    ClusteringOf<Real>& clustering = *held;
    const auto answer = std::make_shared<AdvanceOf<Real>>();
    const auto work = [=, &clustering] { *answer = clustering.advance(iterations, milliseconds, state->cancel); };
    const auto done = [=](Napi::Env here) { return advance_answer(here, *answer); };
    // What waits for other processes must not hold up this one's event loop.
    const bool waits = clustering.points().whole != 0;
    if (waits || !clustering.is_brief(iterations)) return Job::start(env, work, done, hold());
    work();
    return done(env);
  };
  return std::visit(advance, state->clustering);
}

Napi::Value Session::centroids(const Napi::CallbackInfo& info) {
  const auto copy = [&](const auto& clustering) -> Napi::Value { return copy_of(info.Env(), clustering->centroids()); };
  return std::visit(copy, idle_state(info.Env())->clustering);
}

Napi::Value Session::plan(const Napi::CallbackInfo& info) {
  const auto state = idle_state(info.Env());
  const BuiltPlan built = std::visit([](const auto& clustering) { return clustering->built(); }, state->clustering);
  const Napi::Object findings = Napi::Object::New(info.Env());
  for (const auto& [probe, found] : built.findings) findings.Set(probe, found);
  const Napi::Object answer = Napi::Object::New(info.Env());
  answer.Set("regime", built.regime);
  answer.Set("findings", findings);
  const auto exchange = [](const auto& clustering) {
    const auto* shared = dynamic_cast<const SharedRows*>(clustering.get());
    return shared != nullptr ? shared->exchange() : std::string();
  };
  answer.Set("exchange", std::visit(exchange, state->clustering));
  return answer;
}

Napi::Value Session::losses(const Napi::CallbackInfo& info) {
  const auto state = idle_state(info.Env());
  const auto losses = std::visit([](const auto& clustering) { return clustering->losses(); }, state->clustering);
  const Napi::Array answer = Napi::Array::New(info.Env(), losses.size());
  for (std::uint32_t at = 0; at < losses.size(); at++) answer.Set(at, losses[at]);
  return answer;
}

Napi::Value Session::read(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  auto state = idle_state(env);
  state->cancel = false;
  const auto read = [&]<class Real>(const std::unique_ptr<ClusteringOf<Real>>& held) -> Napi::Value {
    ClusteringOf<Real>& clustering = *held;
    const std::size_t n = clustering.points().n;
    const Napi::ArrayBuffer held_labels = large_buffer(env, n * sizeof(std::int32_t));
    Napi::Int32Array labels = Napi::Int32Array::New(env, n, held_labels, 0);
    auto kept = std::make_shared<Napi::ObjectReference>(Napi::Persistent(labels.As<Napi::Object>()));
    auto inertia = std::make_shared<double>(-1);
    std::int32_t* to = labels.Data();
    const auto work = [=, &clustering] { clustering.read(state->cancel, to, *inertia); };
    const auto done = [=, &clustering](Napi::Env here) {
      return read_answer(here, kept->Value(), clustering, *inertia);
    };
    return Job::start(env, work, done, hold());
  };
  return std::visit(read, state->clustering);
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
