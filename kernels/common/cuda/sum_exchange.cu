#include "sum_exchange.hpp"

#include <stdexcept>

namespace centroid_lab::cuda {
namespace {

constexpr Exchange all[] = {Exchange::peer_copies, Exchange::nccl};

}  // namespace

const char* exchange_name(Exchange exchange) { return exchange == Exchange::nccl ? "nccl" : "peer-copies"; }

Exchange exchange_of(const std::string& word) {
  for (const Exchange exchange : all) {
    if (word == exchange_name(exchange)) return exchange;
  }
  throw std::invalid_argument("Sums of devices are added up by peer-copies or nccl, not by " + word + ".");
}

std::unique_ptr<SumExchange> make_exchange(Exchange exchange, const std::vector<ExchangePart>& parts, std::size_t k, std::size_t d) {
  return exchange == Exchange::nccl ? make_nccl_exchange(parts, d) : make_peer_exchange(parts, k, d);
}

}  // namespace centroid_lab::cuda
