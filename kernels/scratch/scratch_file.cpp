#include "scratch_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <system_error>

namespace centroid_lab {
namespace {

/// How often it is looked at what stays in this process: some ten MiB come in between.
constexpr std::chrono::milliseconds look{3};

/// The same by threads that work: on a busy machine ours may come too late.
constexpr std::chrono::nanoseconds look_by_workers{500'000};

[[noreturn]] void fail(int code, const std::string& what) { throw std::system_error(code, std::generic_category(), what); }

/// A file without a name, where the system has such; else one whose name is taken away at once.
int open_nameless(const std::string& folder) {
#ifdef O_TMPFILE
  const int nameless = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (nameless >= 0) return nameless;
#endif
  std::string name = folder + "/centroid-lab-scratch-XXXXXX";
  const int named = mkstemp(name.data());
  if (named < 0) fail(errno, "open");
  unlink(name.c_str());
  fcntl(named, F_SETFD, FD_CLOEXEC);
  return named;
}

/// Bytes of files that are resident in this process; 0 where the system does not tell.
std::size_t resident_of_files() {
  std::FILE* const statm = std::fopen("/proc/self/statm", "re");
  if (statm == nullptr) return 0;
  unsigned long long size = 0;
  unsigned long long resident = 0;
  unsigned long long shared = 0;
  const int read = std::fscanf(statm, "%llu %llu %llu", &size, &resident, &shared);
  std::fclose(statm);
  return read == 3 ? static_cast<std::size_t>(shared) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) : 0;
}

/// Of the disk that the file lies on.
std::uint64_t free_bytes(int file) {
  struct statvfs disk {};
  if (fstatvfs(file, &disk) != 0) fail(errno, "look at");
  return static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize;
}

std::size_t whole_pages(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

}  // namespace

ScratchFile::ScratchFile(const std::string& folder, std::size_t resident_bytes)
    : file_(open_nameless(folder)), resident_bytes_(resident_bytes), shared_before_(resident_of_files()) {
  trimmer_ = std::thread([this] { trim(); });
}

ScratchFile::~ScratchFile() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_ending_ = true;
  }
  ending_.notify_all();
  trimmer_.join();
  for (const auto& [data, extent] : extents_) munmap(data, extent.bytes);
  close(file_);
}

char* ScratchFile::allocate(std::size_t bytes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const Extent extent{whole_pages(bytes), end_};
  // Where a file system cannot take room, the library fills the file, for as long as there is any.
  if (extent.bytes > free_bytes(file_)) fail(ENOSPC, "allocate");
  // Taken beforehand: a write to a page without room on the disk would end the process.
  const int code = posix_fallocate(file_, static_cast<off_t>(extent.offset), static_cast<off_t>(extent.bytes));
  if (code != 0) fail(code, "allocate");
  void* const data =
      mmap(nullptr, extent.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, static_cast<off_t>(extent.offset));
  if (data == MAP_FAILED) fail(errno, "map");
  end_ += extent.bytes;
  extents_.emplace(static_cast<char*>(data), extent);
  return static_cast<char*>(data);
}

bool ScratchFile::release(char* data) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = extents_.find(data);
  if (found == extents_.end()) return false;
  const auto [bytes, offset] = found->second;
  munmap(data, bytes);
#ifdef FALLOC_FL_PUNCH_HOLE
  // Where the file system cannot, the room comes back when the file is closed.
  static_cast<void>(fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
                              static_cast<off_t>(bytes)));
#endif
  extents_.erase(found);
  return true;
}

std::size_t ScratchFile::resident() const {
  const std::size_t now = resident_of_files();
  return now > shared_before_ ? now - shared_before_ : 0;
}

void* ScratchFile::take(std::size_t bytes) {
  try {
    return allocate(bytes);
  } catch (const std::system_error&) {
    throw std::bad_alloc();
  }
}

void ScratchFile::relieve() {
  const std::int64_t now = std::chrono::steady_clock::now().time_since_epoch().count();
  std::int64_t before = looked_.load(std::memory_order_relaxed);
  if (now - before < look_by_workers.count() || !looked_.compare_exchange_strong(before, now)) return;
  if (resident() <= resident_bytes_) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  let_go();
}

void ScratchFile::trim() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!is_ending_) {
    ending_.wait_for(lock, look);
    if (!extents_.empty() && resident() > resident_bytes_) let_go();
  }
}

/// Nothing is lost: what was written belongs to the file.
void ScratchFile::let_go() {
  for (const auto& [data, extent] : extents_) madvise(data, extent.bytes, MADV_DONTNEED);
}

}  // namespace centroid_lab
