// A scratch file as a JavaScript object.
#pragma once

#include <napi.h>

#include "scratch/scratch_file.hpp"

namespace centroid_lab {

/// new Scratch(folder, residentBytes): allocate(bytes) -> ArrayBuffer of zeros, which lives as long as it is reached;
/// lend(whether): large arrays that are made from now on lie in it; resident() -> bytes. Errors carry the system's code.
/// One for a process, which is never destroyed: arrays of sessions may lie in it.
class ScratchObject final : public Napi::ObjectWrap<ScratchObject> {
 public:
  static Napi::Function define(Napi::Env env);

  explicit ScratchObject(const Napi::CallbackInfo& info);

 private:
  Napi::Value allocate(const Napi::CallbackInfo& info);
  void lend(const Napi::CallbackInfo& info);
  Napi::Value resident(const Napi::CallbackInfo& info);

  ScratchFile* file_ = nullptr;
};

}  // namespace centroid_lab
