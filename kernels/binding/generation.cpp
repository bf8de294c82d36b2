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

}  // namespace

Napi::Value uniform_rows_of(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  UniformRows spec{whole(info[0], "seed"), static_cast<std::uint32_t>(whole(info[1], "stream")), 0, nullptr, nullptr};
  const std::uint64_t first = whole(info[2], "first");
  const std::vector<double> scales = all_of(read_doubles(info[3], "scales"));
  const std::vector<double> units = all_of(read_doubles(info[4], "units"));
  Napi::Float64Array out = read_doubles(info[5], "out");
  spec.d = scales.size();
  if (spec.d == 0 || units.size() != spec.d || out.ElementLength() % spec.d != 0) {
    refuse(env, "as many scales as units, and whole rows", "scales, units and out");
  }
  const std::size_t count = out.ElementLength() / spec.d;
  double* to = out.Data();
  auto kept = std::make_shared<Napi::ObjectReference>(Napi::Persistent(out.As<Napi::Object>()));
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

}  // namespace centroid_lab
