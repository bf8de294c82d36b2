#include "file_hash.hpp"

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

#ifdef __linux__

namespace {

void check(int done) {
  if (done != 1) throw std::runtime_error("OpenSSL makes no SHA-256");
}

}  // namespace

bool FileHash::is_lent() {
  return EVP_MD_CTX_new != nullptr && EVP_MD_CTX_free != nullptr && EVP_sha256 != nullptr && EVP_DigestInit_ex != nullptr &&
         EVP_DigestUpdate != nullptr && EVP_DigestFinal_ex != nullptr;
}

std::unique_ptr<FileHash> FileHash::make() {
  if (!is_lent()) return nullptr;
  std::unique_ptr<FileHash> hash(new FileHash(EVP_MD_CTX_new()));
  check(hash->context_ != nullptr ? EVP_DigestInit_ex(hash->context_, EVP_sha256(), nullptr) : 0);
  return hash;
}

FileHash::~FileHash() { EVP_MD_CTX_free(context_); }

void FileHash::add(const char* bytes, std::size_t count) { check(EVP_DigestUpdate(context_, bytes, count)); }

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
std::unique_ptr<FileHash> FileHash::make() { return nullptr; }
FileHash::~FileHash() = default;
void FileHash::add(const char*, std::size_t) {}
std::string FileHash::hex() { return ""; }

#endif

}  // namespace centroid_lab::reader
