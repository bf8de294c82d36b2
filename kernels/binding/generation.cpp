#include "generation.hpp"

#include <cmath>
#include <memory>
#include <vector>

#include "arguments.hpp"
#include "job.hpp"
#include "machine.hpp"
#include "uniform_rows.hpp"

namespace centroid_lab {
namespace {

std::uint64_t whole(const Napi::Value& value, const char* name) {
  const double number = value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : -1;
  if (!(number >= 0) || number > 9007199254740992.0 || number != std::floor(number)) {
    refuse(value.Env(), "a whole number", name);
  }
  return static_cast<std::uint64_t>(number);
}

std::vector<double> all_of(Napi::Float64Array array) {
  return std::vector<double>(array.Data(), array.Data() + array.ElementLength());
}

template <class Real>
Napi::Value fill_rows(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  UniformRows spec{whole(info[0], "seed"), static_cast<std::uint32_t>(whole(info[1], "stream")), 0, nullptr, nullptr};
  const std::uint64_t first = whole(info[2], "first");
  const std::vector<double> scales = all_of(read_doubles(info[3], "scales"));
  const std::vector<double> units = all_of(read_doubles(info[4], "units"));
  if (info[6].IsNumber()) spec.origin = info[6].As<Napi::Number>().DoubleValue();
  auto out = info[5].As<Napi::TypedArrayOf<Real>>();
  spec.d = scales.size();
  if (spec.d == 0 || units.size() != spec.d || out.ElementLength() % spec.d != 0) {
    refuse(env, "as many scales as units, and whole rows", "scales, units and out");
  }
  const std::size_t count = out.ElementLength() / spec.d;
  Real* to = out.Data();
  auto kept = std::make_shared<Napi::ObjectReference>(Napi::Persistent(out.template As<Napi::Object>()));
  return Job::start(
      env,
      [=] {
        const CancelFlag never{false};
        UniformRows rows = spec;
        rows.scales = scales.data();
        rows.units = units.data();
        uniform_rows(rows, first, count, thread_count(), never, to);
      },
      [](Napi::Env here) -> Napi::Value { return here.Undefined(); }, [kept] { kept->Reset(); });
}

}  // namespace

Napi::Value uniform_rows_of(const Napi::CallbackInfo& info) {
  const bool is_float = info[5].IsTypedArray() && info[5].As<Napi::TypedArray>().TypedArrayType() == napi_float32_array;
  if (is_float) return fill_rows<float>(info);
  read_doubles(info[5], "out");
  return fill_rows<double>(info);
}

}  // namespace centroid_lab
