// The SHA-256 of a file that is read, by the OpenSSL of the process that the addon runs in.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace centroid_lab::reader {

class FileHash {
 public:
  /// Whether this process has one to lend: Node has, a test program has not.
  static bool is_lent();

  /// Null where there is none. @throws std::runtime_error where it cannot be had
  static std::unique_ptr<FileHash> make();
  ~FileHash();
  FileHash(const FileHash&) = delete;
  FileHash& operator=(const FileHash&) = delete;

  void add(const char* bytes, std::size_t count);
  /// Of all that was added, in lower case; nothing may follow.
  std::string hex();

 private:
  explicit FileHash(void* context) : context_(context) {}

  void* context_;
};

}  // namespace centroid_lab::reader
