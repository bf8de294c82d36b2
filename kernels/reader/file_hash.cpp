#include "file_hash.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

// Node exports them for addons; of the headers of OpenSSL nothing else is wanted. Weak: they are null where nobody has them.
#ifdef __linux__
extern "C" {
__attribute__((weak)) void* EVP_MD_CTX_new();
__attribute__((weak)) void EVP_MD_CTX_free(void* context);
__attribute__((weak)) const void* EVP_sha256();
__attribute__((weak)) int EVP_DigestInit_ex(void* context, const void* type, void* engine);
__attribute__((weak)) int EVP_DigestUpdate(void* context, const void* bytes, std::size_t count);
__attribute__((weak)) int EVP_DigestFinal_ex(void* context, unsigned char* digest, unsigned* length);
}
#endif

namespace centroid_lab::reader {
namespace {

constexpr std::size_t bytes_at_once = std::size_t{1} << 18;

void check(int done) {
  if (done != 1) throw std::runtime_error("OpenSSL makes no SHA-256");
}

}  // namespace

#ifdef __linux__

bool FileHash::is_lent() {
  return EVP_MD_CTX_new != nullptr && EVP_MD_CTX_free != nullptr && EVP_sha256 != nullptr && EVP_DigestInit_ex != nullptr &&
         EVP_DigestUpdate != nullptr && EVP_DigestFinal_ex != nullptr;
}

FileHash::FileHash(int file) : file_(file), buffer_(bytes_at_once), context_(is_lent() ? EVP_MD_CTX_new() : nullptr) {
  check(context_ != nullptr ? EVP_DigestInit_ex(context_, EVP_sha256(), nullptr) : 0);
}

FileHash::~FileHash() {
  if (context_ != nullptr) EVP_MD_CTX_free(context_);
}

void FileHash::hash(const char* bytes, std::size_t count) { check(EVP_DigestUpdate(context_, bytes, count)); }

std::string FileHash::hex() {
  std::array<unsigned char, 32> digest;
  check(EVP_DigestFinal_ex(context_, digest.data(), nullptr));
  std::string text;
  for (const unsigned char byte : digest) {
    for (const int digit : {byte >> 4, byte & 15}) text.push_back("0123456789abcdef"[digit]);
  }
  return text;
}

#else

bool FileHash::is_lent() { return false; }
FileHash::FileHash(int file) : file_(file), context_(nullptr) { check(0); }
FileHash::~FileHash() = default;
void FileHash::hash(const char*, std::size_t) {}
std::string FileHash::hex() { return ""; }

#endif

bool FileHash::add(const std::vector<ReadPiece>& pieces, std::uint64_t end) {
  const auto is_same = [&](const ReadPiece& piece) { return add_unseen(piece.begin) && add_piece(piece); };
  return std::all_of(pieces.begin(), pieces.end(), is_same) && add_unseen(end);
}

bool FileHash::add_unseen(std::uint64_t end) {
  while (offset_ < end) {
    const std::size_t bytes = static_cast<std::size_t>(std::min<std::uint64_t>(end - offset_, buffer_.size()));
    if (read_piece(file_, buffer_.data(), bytes, offset_).bytes < bytes) return false;
    hash(buffer_.data(), bytes);
    offset_ += bytes;
  }
  return true;
}

bool FileHash::add_piece(const ReadPiece& piece) {
  const auto bytes = static_cast<std::size_t>(piece.bytes);
  if (piece.begin != offset_) return false;
  if (bytes > buffer_.size()) buffer_.resize(bytes);
  const ReadPiece now = read_piece(file_, buffer_.data(), bytes, offset_);
  if (now.bytes != bytes || now.checksum != piece.checksum) return false;
  hash(buffer_.data(), bytes);
  offset_ += bytes;
  return true;
}

}  // namespace centroid_lab::reader
