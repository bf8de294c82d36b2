// Gives each of several devices the sums of all, on their streams and without a word to the host.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "exchange.hpp"

namespace centroid_lab::cuda {

/// Sums (k, d), counts (k) and the changed count, as a pass leaves them.
struct PartSums {
  long long* sums = nullptr;
  unsigned* counts = nullptr;
  unsigned* changed = nullptr;
};

/// What a device has of a run.
struct ExchangePart {
  int device = 0;
  PartSums sums;
  /// As in Pass: the run has ended before, and the sums stay as they are.
  const int* halted = nullptr;
  cudaStream_t stream = nullptr;
};

/// Whole numbers are added, so that the order does not show.
class SumExchange {
 public:
  SumExchange() = default;
  SumExchange(const SumExchange&) = delete;
  SumExchange& operator=(const SumExchange&) = delete;
  virtual ~SumExchange() = default;

  /// Behind the pass of each: its sums become those of all. May leave any device current.
  /// @param k clusters in play
  virtual void enqueue(std::size_t k) = 0;
  /// Whether it heeds `halted`; else nothing may be enqueued behind an iteration that leaves its sums to the host.
  virtual bool heeds_halt() const = 0;
  /// Whether a kernel of one device may wait for another one, which would be for good where that one fails.
  virtual bool waits_on_devices() const = 0;
  /// A device has failed: what waits for it on others ends.
  virtual void give_up() {}
};

/// @param k clusters at the start
std::unique_ptr<SumExchange> make_peer_exchange(const std::vector<ExchangePart>& parts, std::size_t k, std::size_t d);

/// @throws std::invalid_argument in one sentence where there is no NCCL, or a device is named twice.
std::unique_ptr<SumExchange> make_nccl_exchange(const std::vector<ExchangePart>& parts, std::size_t d);

std::unique_ptr<SumExchange> make_exchange(Exchange exchange, const std::vector<ExchangePart>& parts, std::size_t k, std::size_t d);

}  // namespace centroid_lab::cuda
