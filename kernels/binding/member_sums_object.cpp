#include "member_sums_object.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "arguments.hpp"
#include "job.hpp"
#include "machine.hpp"

namespace centroid_lab {
namespace {

std::size_t whole(const Napi::Value& value, const char* name, double least) {
  const double number = value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : -1;
  if (!(number >= least) || number > 2147483647.0 || number != std::floor(number)) {
    refuse(value.Env(), least > 0 ? "a whole number of at least 1" : "a whole number", name);
  }
  return static_cast<std::size_t>(number);
}

/// { sums: Float64Array (k, d), counts: Uint32Array (k) }
Napi::Value answer_of(Napi::Env env, const ExactSums& exact, const FixedPoint& fixed) {
  PassResult pass;
  exact.store(fixed, pass);
  Napi::Float64Array sums = Napi::Float64Array::New(env, pass.sums.size());
  Napi::Uint32Array counts = Napi::Uint32Array::New(env, pass.counts.size());
  std::copy(pass.sums.begin(), pass.sums.end(), sums.Data());
  std::transform(pass.counts.begin(), pass.counts.end(), counts.Data(),
                 [](std::int64_t members) { return static_cast<std::uint32_t>(members); });
  const Napi::Object object = Napi::Object::New(env);
  object.Set("sums", sums);
  object.Set("counts", counts);
  return object;
}

}  // namespace

Napi::Function MemberSumsObject::define(Napi::Env env) {
  return DefineClass(env, "MemberSums",
                     {
                         InstanceMethod<&MemberSumsObject::sum>("sum"),
                         InstanceMethod<&MemberSumsObject::cancel>("cancel"),
                         InstanceMethod<&MemberSumsObject::close>("close"),
                     });
}

MemberSumsObject::MemberSumsObject(const Napi::CallbackInfo& info) : Napi::ObjectWrap<MemberSumsObject>(info) {
  const std::size_t n = whole(info[1], "n", 1);
  const std::size_t d = whole(info[2], "d", 1);
  Napi::Float32Array x = read_floats(info[0], "x", n * d);
  Napi::Float32Array largest = read_floats(info[3], "maxAbs", d);
  if (!info[4].IsBoolean()) refuse(info.Env(), "true or false", "parallel");
  const float* begin = largest.Data();
  if (!std::all_of(begin, begin + d, [](float value) { return value >= 0 && value <= 1; })) {
    refuse(info.Env(), "magnitudes in engine units", "maxAbs");
  }
  Points points{x.Data(), n, d, std::vector<float>(begin, begin + d)};
  const std::size_t threads = info[4].As<Napi::Boolean>().Value() ? thread_count() : 1;
  x_ = Napi::Persistent(x.As<Napi::Object>());
  state_ = std::make_shared<MemberSumsState>(std::move(points), threads);
}

Napi::Value MemberSumsObject::sum(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  auto state = idle(env);
  Napi::Int32Array labels = read_integers(info[0], "labels");
  if (labels.ElementLength() != state->member_sums.points().n) refuse(env, "a label for each point", "labels");
  const auto first = static_cast<std::int32_t>(whole(info[1], "first", 0));
  const std::size_t k = whole(info[2], "k", 1);
  state->cancel = false;
  busy_ = true;
  Ref();
  auto sums = std::make_shared<ExactSums>();
  auto complete = std::make_shared<bool>(false);
  auto kept = std::make_shared<Napi::ObjectReference>(Napi::Persistent(labels.As<Napi::Object>()));
  const std::int32_t* from = labels.Data();
  return Job::start(
      env, [=] { *complete = state->member_sums.sum(from, first, k, state->cancel, *sums); },
      [=](Napi::Env here) -> Napi::Value {
        return *complete ? answer_of(here, *sums, state->member_sums.fixed()) : here.Null();
      },
      [this, kept] {
        busy_ = false;
        if (!state_) x_.Reset();
        Unref();
      });
}

void MemberSumsObject::cancel(const Napi::CallbackInfo&) {
  if (state_) state_->cancel = true;
}

void MemberSumsObject::close(const Napi::CallbackInfo& info) {
  cancel(info);
  state_.reset();
  if (!busy_) x_.Reset();
}

std::shared_ptr<MemberSumsState> MemberSumsObject::idle(Napi::Env env) const {
  if (!state_) throw coded_error(env, "state", "The sums of members are closed.");
  if (busy_) throw coded_error(env, "state", "The sums of members are busy with another call.");
  return state_;
}

}  // namespace centroid_lab
