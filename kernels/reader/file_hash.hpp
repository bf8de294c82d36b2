// The SHA-256 of a file behind those who read it, by the OpenSSL of the process that the addon runs in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "read_piece.hpp"

namespace centroid_lab::reader {

class FileHash {
 public:
  /// Whether this process has one to lend: Node has, a test program has not.
  static bool is_lent();

  /// @param file stays its owner's @throws std::runtime_error
  explicit FileHash(int file);
  ~FileHash();
  FileHash(const FileHash&) = delete;
  FileHash& operator=(const FileHash&) = delete;

  /// Reads on, up to `end`. @param pieces that others read there, in the order of the file
  /// @returns whether they are what they were, and the file goes so far @throws std::runtime_error
  bool add(const std::vector<ReadPiece>& pieces, std::uint64_t end);
  /// Of all that was added, in lower case; nothing may follow.
  std::string hex();

 private:
  void hash(const char* bytes, std::size_t count);
  bool add_unseen(std::uint64_t end);
  bool add_piece(const ReadPiece& piece);

  int file_;
  std::uint64_t offset_ = 0;
  std::vector<char> buffer_;
  void* context_;
};

}  // namespace centroid_lab::reader
