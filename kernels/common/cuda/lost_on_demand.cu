#include "lost_on_demand.hpp"

#ifdef CENTROID_LAB_FAULTS

#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "check.hpp"

namespace centroid_lab::cuda {
namespace {

__global__ void fail() { asm("trap;"); }

struct Demand {
  int device = -1;
  int passes = 0;

  Demand() {
    const char* const words = std::getenv("CENTROID_LAB_LOST_DEVICE");
    // A process that begins again for one that lost a device (src/cli/devices-left.ts) keeps its own.
    const bool is_another = std::getenv("CENTROID_LAB_ANOTHER_PROCESS") != nullptr;
    if (words == nullptr || is_another || std::sscanf(words, "%d:%d", &device, &passes) != 2) device = -1;
  }
};

}  // namespace

void lose_on_demand(int device, cudaStream_t stream) {
  static const Demand demand;
  static std::atomic<int> made{0};
  if (device != demand.device || made.fetch_add(1) != demand.passes) return;
  fail<<<1, 1, 0, stream>>>();
  check_launch("lose_on_demand");
}

}  // namespace centroid_lab::cuda

#endif
