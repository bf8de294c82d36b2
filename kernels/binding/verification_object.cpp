#include "verification_object.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "job.hpp"
#include "machine.hpp"

namespace centroid_lab {
namespace {

std::size_t whole(const Napi::Value& value, const char* name) {
  const double number = value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : -1;
  if (!(number >= 1) || number > 2147483647.0 || number != std::floor(number)) {
    refuse(value.Env(), "a whole number of at least 1", name);
  }
  return static_cast<std::size_t>(number);
}

double number(const Napi::Value& value, const char* name) {
  if (!value.IsNumber()) refuse(value.Env(), "a number", name);
  return value.As<Napi::Number>().DoubleValue();
}

}  // namespace

Napi::Function VerificationObject::define(Napi::Env env) {
  return DefineClass(env, "Verification",
                     {
                         InstanceMethod<&VerificationObject::ranges>("ranges"),
                         InstanceMethod<&VerificationObject::nearest>("nearest"),
                         InstanceMethod<&VerificationObject::inexact>("inexact"),
                         InstanceMethod<&VerificationObject::farther>("farther"),
                         InstanceMethod<&VerificationObject::open_members>("openMembers"),
                         InstanceMethod<&VerificationObject::sums>("sums"),
                         InstanceMethod<&VerificationObject::same>("same"),
                         InstanceMethod<&VerificationObject::cancel>("cancel"),
                         InstanceMethod<&VerificationObject::close>("close"),
                     });
}

VerificationObject::VerificationObject(const Napi::CallbackInfo& info) : Napi::ObjectWrap<VerificationObject>(info) {
  const std::size_t n = whole(info[1], "n");
  const std::size_t d = whole(info[2], "d");
  Napi::Float32Array x = read_floats(info[0], "x", n * d);
  x_ = Napi::Persistent(x.As<Napi::Object>());
  state_ = std::make_shared<VerificationState>(Verification(x.Data(), n, d, thread_count()));
}

/// ranges() -> (d)
Napi::Value VerificationObject::ranges(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  auto found = std::make_shared<std::vector<double>>(idle(env).features());
  return answer(
      env, {}, [=](const Verification& of, const CancelFlag& cancel) { of.ranges(cancel, found->data()); },
      [=](Napi::Env here) -> Napi::Value {
        Napi::Float64Array array = Napi::Float64Array::New(here, found->size());
        std::copy(found->begin(), found->end(), array.Data());
        return array;
      });
}

/// nearest(centroids, k, rows or null, distances, labels) fills the last two.
Napi::Value VerificationObject::nearest(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  idle(env);
  const Centres centres = centres_of(info);
  const LookedAt looked = looked_at(info[2]);
  Napi::Float64Array distances = read_doubles(info[3], "distances");
  Napi::Int32Array labels = read_integers(info[4], "labels");
  if (distances.ElementLength() != looked.count || labels.ElementLength() != looked.count) {
    refuse(env, "room for each point that is looked at", "distances and labels");
  }
  double* to_distances = distances.Data();
  std::int32_t* to_labels = labels.Data();
  return answer(
      env, {info[0], info[2], distances, labels},
      [=](const Verification& of, const CancelFlag& cancel) {
        of.nearest(centres, looked, cancel, to_distances, to_labels);
      },
      [](Napi::Env here) -> Napi::Value { return Napi::Boolean::New(here, true); });
}

/// inexact(centroids, k, rows or null, distances, labels, factor, least) -> how many
Napi::Value VerificationObject::inexact(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  idle(env);
  const Centres centres = centres_of(info);
  const LookedAt looked = looked_at(info[2]);
  Napi::Float64Array distances = read_doubles(info[3], "distances");
  if (distances.ElementLength() != looked.count) refuse(env, "a distance of each point looked at", "distances");
  const double* smallest = distances.Data();
  const std::int32_t* labels = labels_of(info[4], "labels").Data();
  const Slack slack{number(info[5], "factor"), number(info[6], "least")};
  return count(env, {info[0], info[2], distances, info[4]}, [=](const Verification& of, const CancelFlag& cancel) {
    return of.inexact(centres, looked, smallest, labels, slack, cancel);
  });
}

/// farther(centroids, k, labels, others, factor, least) -> how many
Napi::Value VerificationObject::farther(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  idle(env);
  const Centres centres = centres_of(info);
  const std::int32_t* labels = labels_of(info[2], "labels").Data();
  const std::int32_t* others = labels_of(info[3], "others").Data();
  const Slack slack{number(info[4], "factor"), number(info[5], "least")};
  return count(env, {info[0], info[2], info[3]}, [=](const Verification& of, const CancelFlag& cancel) {
    return of.farther(centres, labels, others, slack, cancel);
  });
}

/// openMembers(centroids, k, open (k), factor, least) fills `open`.
Napi::Value VerificationObject::open_members(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  idle(env);
  const Centres centres = centres_of(info);
  Napi::Float64Array open = read_doubles(info[2], "open");
  if (open.ElementLength() != centres.k) refuse(env, "room for k clusters", "open");
  double* to = open.Data();
  const Slack slack{number(info[3], "factor"), number(info[4], "least")};
  return answer(
      env, {info[0], open},
      [=](const Verification& of, const CancelFlag& cancel) { of.open_members(centres, slack, cancel, to); },
      [](Napi::Env here) -> Napi::Value { return Napi::Boolean::New(here, true); });
}

/// sums(labels, k, sums (k, d), counts (k)) fills the last two.
Napi::Value VerificationObject::sums(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::size_t d = idle(env).features();
  const std::int32_t* labels = labels_of(info[0], "labels").Data();
  const std::size_t k = whole(info[1], "k");
  Napi::Float64Array sums = read_doubles(info[2], "sums");
  Napi::Float64Array counts = read_doubles(info[3], "counts");
  if (sums.ElementLength() != k * d || counts.ElementLength() != k) refuse(env, "room for k clusters", "sums and counts");
  double* to_sums = sums.Data();
  double* to_counts = counts.Data();
  return answer(
      env, {info[0], sums, counts},
      [=](const Verification& of, const CancelFlag& cancel) { of.sums(labels, k, cancel, to_sums, to_counts); },
      [](Napi::Env here) -> Napi::Value { return Napi::Boolean::New(here, true); });
}

/// same(labels, others) -> how many
Napi::Value VerificationObject::same(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  idle(env);
  const std::int32_t* labels = labels_of(info[0], "labels").Data();
  const std::int32_t* others = labels_of(info[1], "others").Data();
  return count(env, {info[0], info[1]},
               [=](const Verification& of, const CancelFlag& cancel) { return of.same(labels, others, cancel); });
}

void VerificationObject::cancel(const Napi::CallbackInfo&) {
  if (state_) state_->cancel = true;
}

void VerificationObject::close(const Napi::CallbackInfo& info) {
  cancel(info);
  state_.reset();
  if (!busy_) x_.Reset();
}

const Verification& VerificationObject::idle(Napi::Env env) const {
  if (!state_) throw coded_error(env, "state", "The verification is closed.");
  if (busy_) throw coded_error(env, "state", "The verification is busy with another call.");
  return state_->verification;
}

Napi::Int32Array VerificationObject::labels_of(const Napi::Value& value, const char* name) const {
  Napi::Int32Array labels = read_integers(value, name);
  if (labels.ElementLength() != state_->verification.points()) refuse(value.Env(), "a label for each point", name);
  return labels;
}

Centres VerificationObject::centres_of(const Napi::CallbackInfo& info) const {
  Napi::Float64Array centroids = read_doubles(info[0], "centroids");
  const std::size_t k = whole(info[1], "k");
  if (centroids.ElementLength() != k * state_->verification.features()) refuse(info.Env(), "k rows", "centroids");
  return Centres{centroids.Data(), k};
}

LookedAt VerificationObject::looked_at(const Napi::Value& value) const {
  const std::size_t n = state_->verification.points();
  if (value.IsNull()) return LookedAt{nullptr, n};
  Napi::Int32Array rows = read_integers(value, "rows");
  const std::int32_t* begin = rows.Data();
  const auto inside = [n](std::int32_t row) { return row >= 0 && static_cast<std::size_t>(row) < n; };
  if (!std::all_of(begin, begin + rows.ElementLength(), inside)) refuse(value.Env(), "rows of the points", "rows");
  return LookedAt{begin, rows.ElementLength()};
}

Napi::Value VerificationObject::answer(Napi::Env env, std::initializer_list<Napi::Value> arrays, Work work,
                                      std::function<Napi::Value(Napi::Env)> done) {
  auto state = state_;
  state->cancel = false;
  auto kept = std::make_shared<std::vector<Napi::ObjectReference>>();
  for (const Napi::Value& array : arrays) {
    if (array.IsObject()) kept->push_back(Napi::Persistent(array.As<Napi::Object>()));
  }
  busy_ = true;
  Ref();
  return Job::start(
      env, [=] { work(state->verification, state->cancel); },
      [=](Napi::Env here) -> Napi::Value { return state->cancel ? here.Null() : done(here); },
      [this, kept] {
        kept->clear();
        busy_ = false;
        if (!state_) x_.Reset();
        Unref();
      });
}

Napi::Value VerificationObject::count(Napi::Env env, std::initializer_list<Napi::Value> arrays,
                                     std::function<std::size_t(const Verification&, const CancelFlag&)> work) {
  auto found = std::make_shared<std::size_t>(0);
  return answer(
      env, arrays, [=](const Verification& of, const CancelFlag& cancel) { *found = work(of, cancel); },
      [=](Napi::Env here) -> Napi::Value { return Napi::Number::New(here, static_cast<double>(*found)); });
}

}  // namespace centroid_lab
