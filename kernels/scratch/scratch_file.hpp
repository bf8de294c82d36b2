// Memory that lies on a disk: stretches of a file without a name, mapped, for data beyond what memory may hold.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "aligned.hpp"

namespace centroid_lab {

/// The system reads and writes the file by itself; whatever happens to this process, nothing of it is left. Of what is mapped
/// no more than some bytes stay in this process: the others are let go, and come back from the file when they are touched.
class ScratchFile final : public LargeMemory {
 public:
  /// @param resident_bytes of the file that may stay in this process @throws std::system_error
  ScratchFile(const std::string& folder, std::size_t resident_bytes);
  ~ScratchFile() override;
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  /// Zeros, with their room on the disk taken. @throws std::system_error, for one where the disk is full
  char* allocate(std::size_t bytes);
  /// Gives memory and disk back. @returns whether it is of `allocate`
  bool release(char* data);
  /// Of the file, what stays in this process now.
  std::size_t resident() const;

  void* take(std::size_t bytes) override;
  void relieve() override;
  bool give_back(void* memory) override { return release(static_cast<char*>(memory)); }

 private:
  struct Extent {
    std::size_t bytes;
    std::uint64_t offset;
  };

  void trim();
  void let_go();

  int file_;
  std::size_t resident_bytes_;
  /// Of the program's own files, before anything of this one.
  std::size_t shared_before_;
  std::uint64_t end_ = 0;
  std::mutex mutex_;
  std::condition_variable ending_;
  bool is_ending_ = false;
  std::map<char*, Extent> extents_;
  /// When it was looked at last, in nanoseconds.
  std::atomic<std::int64_t> looked_{0};
  std::thread trimmer_;
};

}  // namespace centroid_lab
