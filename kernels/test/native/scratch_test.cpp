// Memory that lies in a file: what is written stays there, and little of it in the process.
#include <cstdint>
#include <system_error>
#include <vector>

#include "check.hpp"
#include "scratch/scratch_file.hpp"
#include "tests.hpp"
#include "thread_pool.hpp"

namespace centroid_lab {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

void check_values(ScratchFile& scratch) {
  constexpr std::size_t bytes = 256 * mebibyte;
  constexpr std::size_t resident = 16 * mebibyte;
  constexpr std::size_t slack = 64 * mebibyte;
  auto* const values = reinterpret_cast<std::uint64_t*>(scratch.allocate(bytes));
  const std::size_t count = bytes / sizeof(std::uint64_t);
  bool is_zero = true;
  std::size_t most = 0;
  for (std::size_t i = 0; i < count; i++) {
    is_zero = is_zero && values[i] == 0;
    values[i] = i * 0x9e3779b97f4a7c15u;
    if (i % (1 << 16) == 0) {
      scratch.relieve();
      most = std::max(most, scratch.resident());
    }
  }
  bool is_kept = true;
  for (std::size_t i = 0; i < count; i++) is_kept = is_kept && values[i] == i * 0x9e3779b97f4a7c15u;
  expect(is_zero, "scratch: new memory is zeros");
  expect(is_kept, "scratch: what was written stays");
  expect(most < resident + slack, "scratch: little stays in the process");
  expect(scratch.release(reinterpret_cast<char*>(values)), "scratch: gives back what is its own");
  expect(!scratch.release(reinterpret_cast<char*>(values)), "scratch: and nothing else");
}

/// Large arrays made while it is lent lie there, and are given back wherever they were made.
void check_lent(ScratchFile& scratch) {
  lent_memory.store(&scratch);
  Aligned<float> before(4 * mebibyte);
  takes_lent_memory.store(true);
  Aligned<float> lent(4 * mebibyte);
  Aligned<float> small(16);
  takes_lent_memory.store(false);
  for (std::size_t i = 0; i < lent.size(); i++) lent[i] = before[i] = static_cast<float>(i);
  expect(lent == before, "scratch: arrays in it are like others");
  char* const data = reinterpret_cast<char*>(lent.data());
  { const Aligned<float> gone = std::move(lent); }
  expect(!scratch.release(data), "scratch: an array gives its memory back");
  lent_memory.store(nullptr);
}

template <class Work>
bool fails(const Work& work) {
  try {
    work();
  } catch (const std::system_error&) {
    return true;
  }
  return false;
}

}  // namespace

void test_scratch() {
  ScratchFile scratch(".", 16 * mebibyte);
  check_values(scratch);
  check_lent(scratch);
  expect(fails([&] { scratch.allocate(std::size_t{1} << 55); }), "scratch: a disk that is full is told");
  expect(fails([] { ScratchFile("/dev/null/nowhere", mebibyte); }), "scratch: a folder that is none is told");
}

}  // namespace centroid_lab
