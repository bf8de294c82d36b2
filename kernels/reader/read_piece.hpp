// Bytes of a file with a checksum, so that who reads them again knows that they are the same.
#pragma once

#include <cstddef>
#include <cstdint>

namespace centroid_lab::reader {

/// Bytes that were read at once.
struct ReadPiece {
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;
};

/// Of bytes in memory: others have the same once in 2^64 times, unless somebody looks for them.
std::uint64_t checksum_of(const char* data, std::size_t bytes);

/// As `read_at`.
ReadPiece read_piece(int file, char* to, std::size_t bytes, std::uint64_t offset);

}  // namespace centroid_lab::reader
