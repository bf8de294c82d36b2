#include "columns.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <vector>

#include "arguments.hpp"
#include "job.hpp"
#include "machine.hpp"
#include "table/engine_points.hpp"
#include "table/sphere_points.hpp"
#include "table/statistics.hpp"

namespace centroid_lab {
namespace {

using table::Series;
using table::Stretch;

/// What a job reads and writes, kept alive while it runs.
struct Request {
  std::vector<Napi::ObjectReference> kept;
  std::vector<Series> columns;
  std::vector<std::size_t> rows_of_column;

  void keep(const Napi::Value& value) { kept.push_back(Napi::Persistent(value.As<Napi::Object>())); }
};

table::Block read_block(const Napi::Value& value, double scale, std::size_t& length) {
  if (value.IsTypedArray()) {
    const auto array = value.As<Napi::TypedArray>();
    length = array.ElementLength();
    if (array.TypedArrayType() == napi_int32_array) return {value.As<Napi::Int32Array>().Data(), nullptr, scale};
    if (array.TypedArrayType() == napi_float64_array) return {nullptr, value.As<Napi::Float64Array>().Data(), scale};
    if (array.TypedArrayType() == napi_float32_array) return {nullptr, nullptr, scale, nullptr, nullptr, value.As<Napi::Float32Array>().Data()};
    if (array.TypedArrayType() == napi_uint8_array) return {nullptr, nullptr, scale, value.As<Napi::Uint8Array>().Data(), nullptr};
    if (array.TypedArrayType() == napi_uint16_array) return {nullptr, nullptr, scale, nullptr, value.As<Napi::Uint16Array>().Data()};
  }
  refuse(value.Env(), "Int32Arrays, Float64Arrays, Float32Arrays, Uint8Arrays and Uint16Arrays", "blocks");
}

/// The rows that the blocks hold are added to `rows`.
std::vector<table::Block> read_blocks(const Napi::Object& object, std::size_t& rows) {
  const Napi::Value held = object.Get("blocks");
  if (!held.IsArray()) refuse(object.Env(), "an array", "blocks");
  const auto array = held.As<Napi::Array>();
  const Napi::Float64Array scales = read_doubles(object.Get("scales"), "scales", array.Length());
  std::vector<table::Block> blocks;
  for (std::uint32_t i = 0; i < array.Length(); i++) {
    std::size_t length = 0;
    blocks.push_back(read_block(array.Get(i), scales[i], length));
    const bool is_last = i + 1 == array.Length();
    if (length > table::block_rows || (!is_last && length < table::block_rows)) {
      refuse(object.Env(), "whole blocks", "blocks");
    }
    rows += length;
  }
  return blocks;
}

void read_column(const Napi::Value& value, Request& request) {
  if (!value.IsObject()) refuse(value.Env(), "an object", "column");
  const auto object = value.As<Napi::Object>();
  Series series;
  std::size_t rows = 0;
  series.blocks = read_blocks(object, rows);
  series.length = rows;
  if (const Napi::Value of_codes = object.Get("codeValues"); of_codes.IsTypedArray()) {
    const Napi::Float64Array values = read_doubles(of_codes, "codeValues");
    series.code_values.assign(values.Data(), values.Data() + values.ElementLength());
  }
  if (!object.Get("rows").IsNull()) {
    const Napi::Value chosen = object.Get("rows");
    if (!chosen.IsTypedArray() || chosen.As<Napi::TypedArray>().TypedArrayType() != napi_uint32_array) {
      refuse(value.Env(), "a Uint32Array or null", "rows");
    }
    series.rows = chosen.As<Napi::Uint32Array>().Data();
    series.length = chosen.As<Napi::Uint32Array>().ElementLength();
  }
  series.offset = read_number(object, "offset");
  series.exponent = object.Get("exponent").ToNumber().Int32Value();
  series.fill = object.Get("fill").ToNumber().DoubleValue();
  if (const Napi::Value group = object.Get("processGroup"); group.IsExternal()) {
    series.group = group.As<Napi::External<ProcessGroup>>().Data();
  }
  const bool may_be_empty = series.group != nullptr;
  if ((series.length == 0 && !may_be_empty) || (!request.columns.empty() && series.length != request.columns.front().length)) {
    refuse(value.Env(), "as many points in every column, and one at least", "columns");
  }
  request.keep(value);
  request.columns.push_back(std::move(series));
  request.rows_of_column.push_back(rows);
}

/// @param value one column, or an array of columns
std::shared_ptr<Request> read_request(const Napi::Value& value) {
  const auto request = std::make_shared<Request>();
  if (!value.IsArray()) {
    read_column(value, *request);
    return request;
  }
  const auto array = value.As<Napi::Array>();
  if (array.Length() == 0) refuse(value.Env(), "at least one column", "columns");
  for (std::uint32_t i = 0; i < array.Length(); i++) read_column(array.Get(i), *request);
  return request;
}

/// Points beyond the table are met before they are read. @throws std::invalid_argument
void require_rows(const Request& request) {
  for (std::size_t i = 0; i < request.columns.size(); i++) {
    const Series& series = request.columns[i];
    if (series.rows == nullptr || series.length == 0) continue;
    const std::uint32_t last = *std::max_element(series.rows, series.rows + series.length);
    if (last >= request.rows_of_column[i]) throw std::invalid_argument("Expected rows of the table.");
  }
}

Napi::Float64Array numbers(Napi::Env env, const std::vector<double>& values) {
  Napi::Float64Array array = Napi::Float64Array::New(env, values.size());
  std::copy(values.begin(), values.end(), array.Data());
  return array;
}

std::vector<double> vector_of(const Napi::Value& value, const char* name, std::size_t length) {
  const Napi::Float64Array array = read_doubles(value, name, length);
  return {array.Data(), array.Data() + length};
}

/// Computes `answer` on a worker thread. @param compute of the request's columns @param put makes it a JavaScript value
template <class Compute, class Put>
Napi::Value answer(Napi::Env env, const std::shared_ptr<Request>& request, Compute compute, Put put) {
  using Answer = decltype(compute(request->columns));
  const auto found = std::make_shared<Answer>();
  const auto work = [=] {
    require_rows(*request);
    *found = compute(request->columns);
  };
  return Job::start(env, work, [=](Napi::Env here) -> Napi::Value { return put(here, *found); });
}

Napi::Value moments(const Napi::CallbackInfo& info) {
  const auto compute = [](const std::vector<Series>& columns) {
    return table::moments_of(columns.front(), thread_count());
  };
  return answer(info.Env(), read_request(info[0]), compute, [](Napi::Env env, const table::Moments& found) {
    const Napi::Object object = Napi::Object::New(env);
    object.Set("count", static_cast<double>(found.count));
    object.Set("min", found.min);
    object.Set("max", found.max);
    object.Set("sum", found.sum);
    return object;
  });
}

Napi::Value squares(const Napi::CallbackInfo& info) {
  if (!info[1].IsNumber()) refuse(info.Env(), "a number", "mean");
  const double mean = info[1].As<Napi::Number>().DoubleValue();
  const auto compute = [mean](const std::vector<Series>& columns) {
    return table::squares_about(columns.front(), mean, thread_count());
  };
  return answer(info.Env(), read_request(info[0]), compute,
                [](Napi::Env env, double found) { return Napi::Number::New(env, found); });
}

Napi::Value neighbours(const Napi::CallbackInfo& info) {
  const Napi::Float64Array shares = read_doubles(info[1], "shares");
  const std::vector<double> wanted(shares.Data(), shares.Data() + shares.ElementLength());
  if (!std::all_of(wanted.begin(), wanted.end(), [](double share) { return share >= 0 && share <= 1; })) {
    refuse(info.Env(), "values from 0 to 1", "shares");
  }
  const auto compute = [wanted](const std::vector<Series>& columns) {
    return table::neighbours_of(columns.front(), wanted, thread_count());
  };
  return answer(info.Env(), read_request(info[0]), compute,
                [](Napi::Env env, const std::vector<table::Neighbours>& found) {
                  std::vector<double> triples;
                  for (const auto& [low, high, part] : found) triples.insert(triples.end(), {low, high, part});
                  return numbers(env, triples);
                });
}

/// One for each point of the request, which keeps them.
std::uint8_t* read_marks(const Napi::Value& value, Request& request) {
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array ||
      value.As<Napi::TypedArray>().ElementLength() != request.columns.front().length) {
    refuse(value.Env(), "a Uint8Array with one entry for each point", "marks");
  }
  request.keep(value);
  return value.As<Napi::Uint8Array>().Data();
}

Napi::Value between(const Napi::CallbackInfo& info) {
  const auto request = read_request(info[0]);
  if (!info[1].IsNumber() || !info[2].IsNumber()) refuse(info.Env(), "two numbers", "ends");
  const double low = info[1].As<Napi::Number>().DoubleValue();
  const double high = info[2].As<Napi::Number>().DoubleValue();
  std::uint8_t* const marks = read_marks(info[3], *request);
  const auto compute = [=](const std::vector<Series>& columns) {
    table::mark_between(columns.front(), low, high, marks, thread_count());
    return true;
  };
  return answer(info.Env(), request, compute, [](Napi::Env env, bool) { return env.Undefined(); });
}

Napi::Value incomplete(const Napi::CallbackInfo& info) {
  const auto request = read_request(info[0]);
  std::uint8_t* const marks = read_marks(info[1], *request);
  const auto compute = [marks](const std::vector<Series>& columns) {
    return static_cast<double>(table::mark_incomplete(columns, marks, thread_count()));
  };
  return answer(info.Env(), request, compute,
                [](Napi::Env env, double found) { return Napi::Number::New(env, found); });
}

std::vector<Stretch> read_stretches(const Napi::Value& centres, const Napi::Value& gains, std::size_t d) {
  const std::vector<double> centre = vector_of(centres, "centres", d);
  const std::vector<double> gain = vector_of(gains, "gains", d);
  std::vector<Stretch> stretches;
  for (std::size_t j = 0; j < d; j++) stretches.push_back({centre[j], gain[j]});
  return stretches;
}

Napi::Value filled(Napi::Env env, const table::FilledPoints& found) {
  const Napi::Object object = Napi::Object::New(env);
  object.Set("sums", numbers(env, found.sums));
  object.Set("roundedSquares", numbers(env, found.rounded_squares));
  return object;
}

template <class Real>
Napi::Value fill_with(const Napi::CallbackInfo& info) {
  const auto request = read_request(info[0]);
  const std::size_t d = request->columns.size();
  const std::vector<Stretch> stretches = read_stretches(info[1], info[2], d);
  const std::vector<double> factors = vector_of(info[3], "factors", d);
  Real* const x = read_reals<Real>(info[4], "x", request->columns.front().length * d).Data();
  request->keep(info[4]);
  const auto compute = [=](const std::vector<Series>& columns) {
    return table::fill_points(columns, stretches, factors, thread_count(), x);
  };
  return answer(info.Env(), request, compute, filled);
}

Napi::Value sphere_ranges(const Napi::CallbackInfo& info) {
  const auto compute = [](const std::vector<Series>& columns) { return table::ranges_on_sphere(columns, thread_count()); };
  return answer(info.Env(), read_request(info[0]), compute, numbers);
}

template <class Real>
Napi::Value fill_sphere_with(const Napi::CallbackInfo& info) {
  const auto request = read_request(info[0]);
  const std::size_t d = request->columns.size();
  const std::vector<double> offsets = vector_of(info[1], "offsets", d);
  const std::vector<double> factors = vector_of(info[2], "factors", d);
  Real* const x = read_reals<Real>(info[3], "x", request->columns.front().length * d).Data();
  request->keep(info[3]);
  const auto compute = [=](const std::vector<Series>& columns) {
    return table::fill_on_sphere(columns, offsets, factors, thread_count(), x);
  };
  return answer(info.Env(), request, compute, filled);
}

bool is_float64(const Napi::Value& value) {
  return value.IsTypedArray() && value.As<Napi::TypedArray>().TypedArrayType() == napi_float64_array;
}

Napi::Value fill(const Napi::CallbackInfo& info) {
  return is_float64(info[4]) ? fill_with<double>(info) : fill_with<float>(info);
}

Napi::Value fill_sphere(const Napi::CallbackInfo& info) {
  return is_float64(info[3]) ? fill_sphere_with<double>(info) : fill_sphere_with<float>(info);
}

template <class Real>
Napi::Value point_squares_of(const Napi::CallbackInfo& info) {
  const Napi::Float64Array held = read_doubles(info[1], "mean");
  const std::vector<double> mean(held.Data(), held.Data() + held.ElementLength());
  const std::size_t size = info[0].IsTypedArray() ? info[0].As<Napi::TypedArray>().ElementLength() : 0;
  if (mean.empty() || size % mean.size() != 0) refuse(info.Env(), "whole rows", "x");
  const Real* const x = read_reals<Real>(info[0], "x", size).Data();
  const auto request = std::make_shared<Request>();
  request->keep(info[0]);
  ProcessGroup* const group = info[2].IsExternal() ? info[2].As<Napi::External<ProcessGroup>>().Data() : nullptr;
  const auto compute = [=](const std::vector<Series>&) {
    return table::squares_of_points(x, size / mean.size(), mean, thread_count(), group);
  };
  return answer(info.Env(), request, compute, numbers);
}

Napi::Value point_squares(const Napi::CallbackInfo& info) {
  return is_float64(info[0]) ? point_squares_of<double>(info) : point_squares_of<float>(info);
}

}  // namespace

void define_columns(Napi::Env env, Napi::Object exports) {
  exports.Set("columnMoments", Napi::Function::New(env, moments));
  exports.Set("columnSquares", Napi::Function::New(env, squares));
  exports.Set("columnNeighbours", Napi::Function::New(env, neighbours));
  exports.Set("incompleteRows", Napi::Function::New(env, incomplete));
  exports.Set("rowsBetween", Napi::Function::New(env, between));
  exports.Set("fillPoints", Napi::Function::New(env, fill));
  exports.Set("sphereRanges", Napi::Function::New(env, sphere_ranges));
  exports.Set("fillOnSphere", Napi::Function::New(env, fill_sphere));
  exports.Set("pointSquares", Napi::Function::New(env, point_squares));
}

}  // namespace centroid_lab
