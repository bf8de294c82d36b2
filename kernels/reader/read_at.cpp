#include "read_at.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace centroid_lab::reader {

std::size_t read_at(int file, char* to, std::size_t bytes, std::uint64_t offset) {
  // The system reads no more by one call.
  constexpr std::size_t most = std::size_t{1} << 30;
  std::size_t filled = 0;
  while (filled < bytes) {
    const ssize_t count = pread(file, to + filled, std::min(bytes - filled, most), static_cast<off_t>(offset + filled));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw std::runtime_error(std::strerror(errno));
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  return filled;
}

}  // namespace centroid_lab::reader
