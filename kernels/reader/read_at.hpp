// Bytes of a file at a place.
#pragma once

#include <cstddef>
#include <cstdint>

namespace centroid_lab::reader {

/// Reads as many bytes as there are, up to `bytes`. @returns how many @throws std::runtime_error
std::size_t read_at(int file, char* to, std::size_t bytes, std::uint64_t offset);

}  // namespace centroid_lab::reader
