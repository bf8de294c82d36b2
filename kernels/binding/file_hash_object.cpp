#include "file_hash_object.hpp"

#include <cstring>
#include <vector>

#include "arguments.hpp"
#include "job.hpp"

namespace centroid_lab {
namespace {

using reader::FileHash;
using reader::ReadPiece;

constexpr std::size_t words_of_piece = 3;
static_assert(sizeof(ReadPiece) == words_of_piece * sizeof(std::uint64_t));

std::vector<ReadPiece> read_pieces(const Napi::Value& value) {
  const bool is_array = value.IsTypedArray() && value.As<Napi::TypedArray>().TypedArrayType() == napi_biguint64_array;
  if (!is_array) refuse(value.Env(), "a BigUint64Array", "pieces");
  Napi::BigUint64Array array = value.As<Napi::BigUint64Array>();
  std::vector<ReadPiece> pieces(array.ElementLength() / words_of_piece);
  if (!pieces.empty()) std::memcpy(pieces.data(), array.Data(), pieces.size() * sizeof(ReadPiece));
  return pieces;
}

std::uint64_t read_end(const Napi::Value& value) {
  const double number = value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : -1;
  if (!(number >= 0 && number <= 9007199254740992.0)) refuse(value.Env(), "a count of bytes", "end");
  return static_cast<std::uint64_t>(number);
}

}  // namespace

Napi::Value pieces_of(Napi::Env env, const std::vector<ReadPiece>& pieces) {
  Napi::BigUint64Array array = Napi::BigUint64Array::New(env, pieces.size() * words_of_piece);
  if (!pieces.empty()) std::memcpy(array.Data(), pieces.data(), pieces.size() * sizeof(ReadPiece));
  return array;
}

Napi::Value FileHashObject::define(Napi::Env env) {
  if (!FileHash::is_lent()) return env.Null();
  return DefineClass(env, "FileHash",
                     {
                         InstanceMethod<&FileHashObject::add>("add"),
                         InstanceMethod<&FileHashObject::hex>("hex"),
                     });
}

FileHashObject::FileHashObject(const Napi::CallbackInfo& info)
    : Napi::ObjectWrap<FileHashObject>(info),
      hash_(std::make_shared<FileHash>(static_cast<int>(read_end(info[0])))) {}

Napi::Value FileHashObject::add(const Napi::CallbackInfo& info) {
  const auto same = std::make_shared<bool>(false);
  return Job::start(
      info.Env(),
      [hash = hash_, same, pieces = read_pieces(info[0]), end = read_end(info[1])] { *same = hash->add(pieces, end); },
      [same](Napi::Env env) { return Napi::Boolean::New(env, *same); });
}

Napi::Value FileHashObject::hex(const Napi::CallbackInfo& info) { return Napi::String::New(info.Env(), hash_->hex()); }

}  // namespace centroid_lab
