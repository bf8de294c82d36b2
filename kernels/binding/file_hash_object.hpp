// The SHA-256 of a file for JavaScript: engine/csv/source-hash.ts.
#pragma once

#include <napi.h>

#include <memory>

#include "reader/file_hash.hpp"

namespace centroid_lab {

/// (pieces, 3) where each begins, its bytes, their checksum: a BigUint64Array.
Napi::Value pieces_of(Napi::Env env, const std::vector<reader::ReadPiece>& pieces);

class FileHashObject final : public Napi::ObjectWrap<FileHashObject> {
 public:
  /// Null where the process has no SHA-256 to lend.
  static Napi::Value define(Napi::Env env);

  /// new FileHash(file)
  explicit FileHashObject(const Napi::CallbackInfo& info);

 private:
  /// add(pieces, end) -> a promise of whether the bytes are what they were; one at a time
  Napi::Value add(const Napi::CallbackInfo& info);
  /// hex() -> of all that was added
  Napi::Value hex(const Napi::CallbackInfo& info);

  std::shared_ptr<reader::FileHash> hash_;
};

}  // namespace centroid_lab
