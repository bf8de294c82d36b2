// The CPU engine's Node-API addon: what it offers and what it was built with.
#include <napi.h>

#include <memory>

#include "columns.hpp"
#include "file_hash_object.hpp"
#include "float_table.hpp"
#include "verification_object.hpp"
#include "floors.hpp"
#include "generation.hpp"
#include "isa.hpp"
#include "job.hpp"
#include "label_column_writer_object.hpp"
#include "label_writer_object.hpp"
#include "large_array.hpp"
#include "machine.hpp"
#include "member_sums_object.hpp"
#include "scratch_object.hpp"
#include "seeding.hpp"
#include "session.hpp"
#include "silhouette_object.hpp"
#include "table_reader_object.hpp"
#include "totals.hpp"
#include "variant.hpp"

namespace centroid_lab {
namespace {

Napi::Value versions(const Napi::CallbackInfo& info) {
  const Napi::Object object = Napi::Object::New(info.Env());
  object.Set("compiler", CENTROID_LAB_COMPILER);
  object.Set("flags", CENTROID_LAB_FLAGS);
  object.Set("isa", name_of(best_isa()));
  object.Set("threads", static_cast<double>(thread_count()));
  return object;
}

Napi::Value variant_names(const Napi::CallbackInfo& info) {
  const Napi::Array names = Napi::Array::New(info.Env());
  for (const std::string& name : cpu_variants()) names.Set(names.Length(), name);
  return names;
}

/// regimes(variant): names of the ways in which it can be carried out; none for an unknown one.
Napi::Value regime_names(const Napi::CallbackInfo& info) {
  const Napi::Array names = Napi::Array::New(info.Env());
  const std::string variant = info[0].ToString();
  for (const CpuRegime& regime : cpu_regimes()) {
    if (regime.variant == variant) names.Set(names.Length(), regime.name);
  }
  return names;
}

/// A promise of what the processor can do at most, measured now; takes about a second.
Napi::Value floors(const Napi::CallbackInfo& info) {
  const auto measured = std::make_shared<Floors>();
  return Job::start(
      info.Env(), [measured] { *measured = measure_floors(thread_count()); },
      [measured](Napi::Env env) {
        const Napi::Object object = Napi::Object::New(env);
        object.Set("productsPerMs", measured->products_per_ms);
        object.Set("bytesPerMs", measured->bytes_per_ms);
        object.Set("matrixProductsPerMs", env.Null());
        object.Set("cacheBytes", static_cast<double>(measured->cache_bytes));
        object.Set("minMs", 0.0);
        return object;
      });
}

Napi::Object initialise(Napi::Env env, Napi::Object exports) {
  Session::define(env);
  exports.Set("versions", Napi::Function::New(env, versions));
  exports.Set("variants", Napi::Function::New(env, variant_names));
  exports.Set("regimes", Napi::Function::New(env, regime_names));
  exports.Set("floors", Napi::Function::New(env, floors));
  exports.Set("clusterTotals", Napi::Function::New(env, cluster_totals_of));
  exports.Set("Verification", VerificationObject::define(env));
  exports.Set("LabelWriter", LabelWriterObject::define(env));
  exports.Set("LabelColumnWriter", LabelColumnWriterObject::define(env));
  exports.Set("MemberSums", MemberSumsObject::define(env));
  exports.Set("TableReader", TableReaderObject::define(env));
  exports.Set("Seeding", SeedingObject::define(env));
  exports.Set("Silhouettes", SilhouetteObject::define(env));
  exports.Set("uniformRows", Napi::Function::New(env, uniform_rows_of));
  exports.Set("FileHash", FileHashObject::define(env));
  exports.Set("readFloatTable", Napi::Function::New(env, read_float_table_of));
  define_columns(env, exports);
  exports.Set("largeBuffer", Napi::Function::New(env, large_buffer_of));
  exports.Set("Scratch", ScratchObject::define(env));
  exports.Set("openSession", Napi::Function::New(env, Session::open));
  return exports;
}

}  // namespace
}  // namespace centroid_lab

static Napi::Object initialise_addon(Napi::Env env, Napi::Object exports) {
  return centroid_lab::initialise(env, exports);
}

NODE_API_MODULE(centroid_cpu, initialise_addon)
