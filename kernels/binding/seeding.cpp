#include "seeding.hpp"

#include <algorithm>
#include <functional>
#include <string>

#include "arguments.hpp"
#include "engine.hpp"
#include "job.hpp"

namespace centroid_lab {
namespace {

Napi::Value all_doubles(Napi::Env env, const std::vector<double>& values) {
  Napi::Float64Array array = Napi::Float64Array::New(env, values.size());
  std::copy(values.begin(), values.end(), array.Data());
  return array;
}

Napi::Value all_rows(Napi::Env env, const std::vector<std::int32_t>& rows) {
  Napi::Int32Array array = Napi::Int32Array::New(env, rows.size());
  std::copy(rows.begin(), rows.end(), array.Data());
  return array;
}

std::size_t whole(const Napi::Value& value, const char* name, std::size_t least) {
  const double number = value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : -1;
  if (!(number >= static_cast<double>(least)) || number > 2147483647.0) {
    refuse(value.Env(), "a whole number of at least " + std::to_string(least), name);
  }
  return static_cast<std::size_t>(number);
}

/// Processes that share the rows: all rows, and the first of this process.
struct Shared {
  ProcessGroup* processes = nullptr;
  std::size_t all = 0;
  std::size_t first = 0;
};

Shared read_shared(const Napi::Value& value) {
  if (!value.IsObject()) return {};
  const auto shared = value.As<Napi::Object>();
  const Napi::Value group = shared.Get("processGroup");
  if (!group.IsExternal()) refuse(value.Env(), "a group of processes", "processGroup");
  return {group.As<Napi::External<ProcessGroup>>().Data(), whole(shared.Get("all"), "all", 1),
          whole(shared.Get("first"), "first", 0)};
}

}  // namespace

Napi::Function SeedingObject::define(Napi::Env env) {
  return DefineClass(env, "Seeding",
                     {
                         InstanceMethod<&SeedingObject::potentials>("potentials"),
                         InstanceMethod<&SeedingObject::commit>("commit"),
                         InstanceMethod<&SeedingObject::pick>("pick"),
                         InstanceMethod<&SeedingObject::distances>("distances"),
                         InstanceMethod<&SeedingObject::nearest_counts>("nearestCounts"),
                         InstanceMethod<&SeedingObject::greedy>("greedy"),
                         InstanceMethod<&SeedingObject::close>("close"),
                     });
}

SeedingObject::SeedingObject(const Napi::CallbackInfo& info) : Napi::ObjectWrap<SeedingObject>(info) {
  const std::size_t d = whole(info[2], "d", 1);
  const auto [processes, all, first] = read_shared(info[5]);
  const std::size_t n = whole(info[1], "n", processes == nullptr ? 1 : 0);
  Napi::Float32Array x = read_floats(info[0], "x", n * d);
  x_ = Napi::Persistent(x.As<Napi::Object>());
  try {
    const auto device = static_cast<std::int64_t>(whole(info[3], "device", 0));
    const std::size_t threads = info[4].IsUndefined() ? 0 : whole(info[4], "threads", 1);
    seeding_ = open_seeding({x.Data(), n, d, {}, all, first}, device, threads, processes);
  } catch (const std::bad_alloc&) {
    throw coded_error(info.Env(), "memory", "out of memory");
  } catch (const std::exception& error) {
    throw coded_error(info.Env(), "failed", error.what());
  }
}

template <class Work, class Convert>
Napi::Value SeedingObject::answer(Napi::Env env, Work work, Convert convert) {
  auto result = std::make_shared<decltype(work())>();
  return Job::start(
      env, [=] { *result = work(); }, [=](Napi::Env here) -> Napi::Value { return convert(here, *result); }, hold());
}

Napi::Value SeedingObject::potentials(const Napi::CallbackInfo& info) {
  auto seeding = idle(info.Env());
  const auto rows = read_rows(info);
  return answer(info.Env(), [=] { return seeding->potentials(rows); }, all_doubles);
}

Napi::Value SeedingObject::commit(const Napi::CallbackInfo& info) {
  auto seeding = idle(info.Env());
  const auto rows = read_rows(info);
  return answer(
      info.Env(), [=] { return seeding->commit(rows); },
      [](Napi::Env env, double sum) { return Napi::Number::New(env, sum); });
}

Napi::Value SeedingObject::pick(const Napi::CallbackInfo& info) {
  auto seeding = idle(info.Env());
  Napi::Float64Array from = read_doubles(info[0], "targets");
  const std::vector<double> targets(from.Data(), from.Data() + from.ElementLength());
  return answer(info.Env(), [=] { return seeding->pick(targets); }, all_rows);
}

Napi::Value SeedingObject::distances(const Napi::CallbackInfo& info) {
  auto seeding = idle(info.Env());
  const std::size_t start = whole(info[0], "start", 0);
  const std::size_t count = whole(info[1], "count", 0);
  if (start + count > seeding->points()) refuse(info.Env(), "rows of the points", "start and count");
  return answer(info.Env(), [=] { return seeding->distances(start, count); }, all_doubles);
}

Napi::Value SeedingObject::nearest_counts(const Napi::CallbackInfo& info) {
  auto seeding = idle(info.Env());
  const auto rows = read_rows(info);
  return answer(info.Env(), [=] { return seeding->nearest_counts(rows); }, all_doubles);
}

/// greedy(first row, uniforms (centres after the first, candidates), candidates) -> rows
Napi::Value SeedingObject::greedy(const Napi::CallbackInfo& info) {
  auto seeding = idle(info.Env());
  const std::size_t first = whole(info[0], "first", 0);
  if (first >= seeding->points()) refuse(info.Env(), "a row of the points", "first");
  Napi::Float64Array from = read_doubles(info[1], "uniforms");
  const std::vector<double> uniforms(from.Data(), from.Data() + from.ElementLength());
  const std::size_t candidates = whole(info[2], "candidates", 1);
  return answer(
      info.Env(), [=] { return seeding->greedy(static_cast<std::int32_t>(first), uniforms, candidates); }, all_rows);
}

void SeedingObject::close(const Napi::CallbackInfo&) {
  if (seeding_) seeding_->cancel = true;
  seeding_.reset();
  if (!busy_) x_.Reset();
}

std::shared_ptr<SeedingSteps> SeedingObject::idle(Napi::Env env) const {
  if (!seeding_) throw coded_error(env, "state", "The seeding is closed.");
  if (busy_) throw coded_error(env, "state", "The seeding is busy with another call.");
  return seeding_;
}

std::vector<std::int32_t> SeedingObject::read_rows(const Napi::CallbackInfo& info) const {
  Napi::Int32Array from = read_integers(info[0], "rows");
  std::vector<std::int32_t> rows(from.Data(), from.Data() + from.ElementLength());
  const auto inside = [&](std::int32_t row) { return row >= 0 && static_cast<std::size_t>(row) < seeding_->points(); };
  if (rows.empty() || !std::all_of(rows.begin(), rows.end(), inside)) refuse(info.Env(), "rows of the points", "rows");
  return rows;
}

std::function<void()> SeedingObject::hold() {
  busy_ = true;
  Ref();
  return [this] {
    busy_ = false;
    if (!seeding_) x_.Reset();
    Unref();
  };
}

}  // namespace centroid_lab
