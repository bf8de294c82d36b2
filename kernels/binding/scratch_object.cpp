#include "scratch_object.hpp"

#include <cerrno>
#include <cmath>
#include <string>
#include <system_error>

#include "arguments.hpp"
#include "job.hpp"

namespace centroid_lab {
namespace {

std::size_t bytes_of(const Napi::Value& value, const char* name) {
  const double bytes = value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : 0;
  if (!(bytes >= 1) || bytes > 9007199254740992.0 || bytes != std::floor(bytes)) {
    refuse(value.Env(), "a whole number of at least 1", name);
  }
  return static_cast<std::size_t>(bytes);
}

Napi::Error system_error(Napi::Env env, const std::system_error& error) {
  const int code = error.code().value();
  const char* const name = code == ENOSPC || code == EDQUOT || code == EFBIG ? "ENOSPC" : code == ENOMEM ? "ENOMEM" : "EIO";
  return coded_error(env, name, error.what());
}

}  // namespace

Napi::Function ScratchObject::define(Napi::Env env) {
  return DefineClass(env, "Scratch", {
                                       InstanceMethod<&ScratchObject::allocate>("allocate"),
                                       InstanceMethod<&ScratchObject::lend>("lend"),
                                       InstanceMethod<&ScratchObject::resident>("resident"),
                                   });
}

ScratchObject::ScratchObject(const Napi::CallbackInfo& info) : Napi::ObjectWrap<ScratchObject>(info) {
  if (lent_memory.load() != nullptr) throw coded_error(info.Env(), "state", "There is a scratch file already.");
  if (!info[0].IsString()) refuse(info.Env(), "a string", "folder");
  try {
    file_ = new ScratchFile(info[0].As<Napi::String>().Utf8Value(), bytes_of(info[1], "residentBytes"));
    lent_memory.store(file_);
  } catch (const std::system_error& error) {
    throw system_error(info.Env(), error);
  }
}

Napi::Value ScratchObject::allocate(const Napi::CallbackInfo& info) {
  const std::size_t bytes = bytes_of(info[0], "bytes");
  try {
    char* const data = file_->allocate(bytes);
    const auto release = [file = file_](Napi::Env, void* held) { file->release(static_cast<char*>(held)); };
    return Napi::ArrayBuffer::New(info.Env(), data, bytes, release);
  } catch (const std::system_error& error) {
    throw system_error(info.Env(), error);
  }
}

void ScratchObject::lend(const Napi::CallbackInfo& info) { takes_lent_memory.store(info[0].ToBoolean()); }

Napi::Value ScratchObject::resident(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(file_->resident()));
}

}  // namespace centroid_lab
