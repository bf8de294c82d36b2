// Sums by NCCL, which is loaded where it is found: declarations of our own, so that no build needs it.
#ifdef __linux__
#include <dlfcn.h>
#endif

#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>

#include "check.hpp"
#include "sum_exchange.hpp"

namespace centroid_lab::cuda {
namespace {

/// As nccl.h of NCCL 2 has them.
using Communicator = struct ncclComm*;
using Status = int;
constexpr int type_of_counts = 3, type_of_sums = 4, sum = 0;

struct Nccl {
  Status (*GetVersion)(int*) = nullptr;
  Status (*CommInitAll)(Communicator*, int, const int*) = nullptr;
  Status (*AllReduce)(const void*, void*, std::size_t, int type, int operation, Communicator, cudaStream_t) = nullptr;
  Status (*CommAbort)(Communicator) = nullptr;
  Status (*GroupStart)() = nullptr;
  Status (*GroupEnd)() = nullptr;
  const char* (*GetErrorString)(Status) = nullptr;
  bool is_there = false;

  Nccl() {
#ifdef __linux__
    void* const library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return;
    is_there = find(library, "ncclGetVersion", GetVersion) && find(library, "ncclCommInitAll", CommInitAll) &&
               find(library, "ncclCommAbort", CommAbort) &&
               find(library, "ncclAllReduce", AllReduce) && find(library, "ncclGroupStart", GroupStart) &&
               find(library, "ncclGroupEnd", GroupEnd) && find(library, "ncclGetErrorString", GetErrorString);
#endif
  }

  void check(Status status, const char* what) const {
    if (status != 0) throw std::runtime_error(std::string(what) + ": " + GetErrorString(status));
  }

 private:
#ifdef __linux__
  template <class Function>
  static bool find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
  }
#endif
};

const Nccl& nccl() {
  static const Nccl library;
  return library;
}

/// What the devices of a group talk by. Making it takes long, so that it stays for the next run.
struct Groups {
  std::mutex one_at_a_time;
  std::map<std::vector<int>, std::vector<Communicator>> known;
};

/// Never destroyed: the driver may be gone before.
Groups& groups() {
  static auto* all = new Groups;
  return *all;
}

void forget(const std::vector<Communicator>& communicators) {
  Groups& all = groups();
  const std::lock_guard<std::mutex> lock(all.one_at_a_time);
  for (auto& [devices, its] : all.known) {
    if (its == communicators) its.clear();
  }
}

std::vector<Communicator> communicators_of(const std::vector<int>& devices) {
  Groups& all = groups();
  const std::lock_guard<std::mutex> lock(all.one_at_a_time);
  std::vector<Communicator>& found = all.known[devices];
  if (!found.empty()) return found;
#ifdef __linux__
  // Nothing of this concerns another machine.
  setenv("NCCL_SOCKET_IFNAME", "lo", 0);
#endif
  std::vector<Communicator> made(devices.size());
  nccl().check(nccl().CommInitAll(made.data(), static_cast<int>(devices.size()), devices.data()), "ncclCommInitAll");
  return found = made;
}

class NcclExchange final : public SumExchange {
 public:
  NcclExchange(const std::vector<ExchangePart>& parts, std::size_t d) : parts_(parts), d_(d) {
    if (!nccl().is_there) throw std::invalid_argument("NCCL was not found: no library loader knows libnccl.so.2.");
    std::vector<int> devices;
    for (const ExchangePart& part : parts_) devices.push_back(part.device);
    if (std::set<int>(devices.begin(), devices.end()).size() < devices.size()) {
      throw std::invalid_argument("NCCL takes each device once.");
    }
    communicators_ = communicators_of(devices);
  }

  void enqueue(std::size_t k) override {
    nccl().check(nccl().GroupStart(), "ncclGroupStart");
    for (std::size_t at = 0; at < parts_.size(); at++) {
      const auto [sums, counts, changed] = parts_[at].sums;
      add_up(at, sums, k * d_, type_of_sums);
      add_up(at, counts, k, type_of_counts);
      add_up(at, changed, 1, type_of_counts);
    }
    nccl().check(nccl().GroupEnd(), "ncclGroupEnd");
  }
  bool heeds_halt() const override { return false; }
  bool waits_on_devices() const override { return true; }
  void give_up() override {
    for (const Communicator communicator : communicators_) nccl().CommAbort(communicator);
    forget(communicators_);
  }

 private:
  void add_up(std::size_t at, void* values, std::size_t count, int type) const {
    nccl().check(nccl().AllReduce(values, values, count, type, sum, communicators_[at], parts_[at].stream), "ncclAllReduce");
  }

  std::vector<ExchangePart> parts_;
  std::size_t d_;
  std::vector<Communicator> communicators_;
};

}  // namespace

std::unique_ptr<SumExchange> make_nccl_exchange(const std::vector<ExchangePart>& parts, std::size_t d) {
  return std::make_unique<NcclExchange>(parts, d);
}

std::string nccl_version() {
  int version = 0;
  if (!nccl().is_there || nccl().GetVersion(&version) != 0) return "";
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." + std::to_string(version % 100);
}

}  // namespace centroid_lab::cuda
